// A column too large reads from the next row of a two-dimensional heap array.
// bug: member-overflow
// access: read 4
// good: 3
// bad: 4
// asan: no
// valgrind: no
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    int (*grid)[4] = calloc(3, sizeof *grid);
    grid[2][0] = 20;
    unsigned column = argv[1][0] & 7;
    if (column > 4) column = 0;
    const int *row = grid[1];
    printf("%d\n", row[column]); /* BUG */
    free(grid);
    return 0;
}
