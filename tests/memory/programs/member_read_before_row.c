// The cell to the left of the first column belongs to the row before.
// bug: member-underflow
// access: read 4
// good: 1
// bad: 0
// asan: no
// valgrind: no
#include <stdio.h>

static int left(const int *row, int column)
{
    return row[column - 1]; /* BUG */
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    int map[2][4] = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 } };
    printf("%d\n", left(map[1], argv[1][0] & 3));
    return 0;
}
