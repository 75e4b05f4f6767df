// An index far past one block lands in one of its many neighbours.
// bug: heap-overflow
// access: write 1
// good: 1
// bad: 9
// asan: no
// valgrind: no
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 200, SIZE = 48 };

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char *blocks[COUNT];
    for (int i = 0; i < COUNT; i++) blocks[i] = calloc(SIZE, 1);
    size_t index = (size_t)(argv[1][0] & 15) * 40;
    blocks[20][index] = 'x'; /* BUG */
    printf("%d\n", blocks[20][0]);
    for (int i = 0; i < COUNT; i++) free(blocks[i]);
    return 0;
}
