// A greeting with a long name does not fit its local array.
// bug: stack-overflow
// access: write
// good: Ann
// bad: Bartholomew
// asan: yes
// valgrind: no
#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char greeting[16];
    sprintf(greeting, "hello, %s", argv[1]); /* BUG */
    printf("%c\n", greeting[0]);
    return 0;
}
