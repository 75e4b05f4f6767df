// A difference of two digits is negative and used as an index.
// bug: heap-underflow
// access: write 2
// good: 52
// bad: 25
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc < 2 || argv[1][0] == 0) return 2;
    short *counts = calloc(16, sizeof *counts);
    int low = argv[1][1] & 15, high = argv[1][0] & 15;
    counts[high - low] = 7; /* BUG */
    printf("%d\n", counts[3]);
    free(counts);
    return 0;
}
