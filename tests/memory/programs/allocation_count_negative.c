// The number of elements is negative, and enormous as the unsigned number it becomes.
// bug: allocation-overflow
// access: none
// good: 53
// bad: 35
// asan: yes
// valgrind: no
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc < 2 || argv[1][0] == 0) return 2;
    int count = argv[1][0] - argv[1][1];
    long *volatile block = calloc((size_t)count, sizeof *block); /* BUG */
    printf("%s\n", block ? "allocated" : "refused");
    free(block);
    return 0;
}
