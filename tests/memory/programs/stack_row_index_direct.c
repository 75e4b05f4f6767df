// A column too large, written as an index of the two-dimensional array itself.
// bug: member-overflow
// access: read 4
// good: 2
// bad: 3
// asan: yes
// valgrind: no
#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    int matrix[3][3] = { { 1, 2, 3 }, { 4, 5, 6 }, { 7, 8, 9 } };
    unsigned column = argv[1][0] & 3;
    printf("%d\n", matrix[1][column]); /* BUG */
    return 0;
}
