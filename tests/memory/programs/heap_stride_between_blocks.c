// The distance of two blocks is used as a stride, which lands in the other block.
// bug: heap-overflow
// access: read 1
// good: 0
// bad: 1
// asan: no
// valgrind: no
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char *first = calloc(32, 1), *second = calloc(32, 1);
    second[0] = 's';
    if ((uintptr_t)first > (uintptr_t)second) return 3;
    size_t stride = (uintptr_t)second - (uintptr_t)first;
    char c = first[(argv[1][0] & 1) * stride]; /* BUG */
    printf("%d\n", c);
    free(first);
    free(second);
    return 0;
}
