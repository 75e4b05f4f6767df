// Reads a heap block after it was freed.
// bug: use-after-free
// access: read 4
// good: 0
// bad: 1
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    int *number = malloc(sizeof *number);
    *number = 42;
    int early = argv[1][0] & 1;
    if (early) free(number);
    printf("%d\n", *number == 42); /* BUG */
    if (!early) free(number);
    return 0;
}
