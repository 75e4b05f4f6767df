// Copies an argument of any length into a local array.
// bug: stack-overflow
// access: write
// good: okay
// bad: much-too-long
// asan: yes
// valgrind: no
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char name[10];
    strcpy(name, argv[1]); /* BUG */
    printf("%c\n", name[0]);
    return 0;
}
