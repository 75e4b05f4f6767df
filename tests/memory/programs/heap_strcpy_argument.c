// Copies an argument of any length into a block of eight.
// bug: heap-overflow
// access: write
// good: seven77
// bad: eight888
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char *name = malloc(8);
    strcpy(name, argv[1]); /* BUG */
    printf("%s\n", name);
    free(name);
    return 0;
}
