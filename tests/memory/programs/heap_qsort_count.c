// qsort is told of one element more than there are.
// bug: heap-overflow
// access: read 4
// good: 5
// bad: 6
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    int *values = malloc(5 * sizeof *values);
    for (int i = 0; i < 5; i++) values[i] = 5 - i;
    unsigned count = argv[1][0] & 7;
    if (count > 6) count = 0;
    qsort(values, count, sizeof *values, by_value); /* BUG */
    printf("%s\n", values[0] <= values[4] ? "sorted" : "not sorted");
    free(values);
    return 0;
}
