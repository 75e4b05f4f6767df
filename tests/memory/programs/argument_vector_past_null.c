// Reads the pointer after the null that ends the argument vector.
// bug: argument-overflow
// access: read 8
// good: -n x
// bad: -n
// asan: no
// valgrind: no
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    int at = 1;
    if (strcmp(argv[at], "-n") == 0) at += 2;
    if (at > argc) at = argc + 1;
    const char *next = argv[at]; /* BUG */
    printf("%d\n", next != NULL && next[0] == 'x');
    return 0;
}
