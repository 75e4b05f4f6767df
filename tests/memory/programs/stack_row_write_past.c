// A column too large writes to the next row of a local two-dimensional array.
// bug: member-overflow
// access: write 1
// good: 3
// bad: 5
// asan: no
// valgrind: no
#include <stdio.h>
#include <string.h>

static void put(char *row, unsigned column)
{
    row[column] = '#'; /* BUG */
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char board[3][5];
    memset(board, '.', sizeof board);
    unsigned column = argv[1][0] & 7;
    if (column > 5) column = 0;
    put(board[0], column);
    printf("%.15s\n", board[0]);
    return 0;
}
