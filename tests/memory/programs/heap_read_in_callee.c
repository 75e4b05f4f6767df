// A callee trusts the index that its caller took from the input.
// bug: heap-overflow
// access: read 4
// good: 5
// bad: 6
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>

static int nth(const int *values, unsigned index)
{
    return values[index]; /* BUG */
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    int *values = calloc(6, sizeof *values);
    values[5] = 50;
    printf("%d\n", nth(values, argv[1][0] & 7));
    free(values);
    return 0;
}
