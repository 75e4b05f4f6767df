// Which object it is depends on the input; all of them are large enough.
// bug: none
// access: none
// good: 00
// bad: 13
// asan: no
// valgrind: no
#include <stdio.h>

static int first[4] = { 1, 2, 3, 4 }, second[5] = { 5, 6, 7, 8, 9 };
static int *const tables[2] = { first, second };

static int at(const int *table, unsigned index)
{
    return table[index];
}

int main(int argc, char **argv)
{
    if (argc < 2 || argv[1][0] == 0) return 2;
    int *table = tables[argv[1][0] & 1];
    printf("%d %d %d\n", table[1], table[argv[1][1] & 3], at(table, argv[1][1] & 3));
    return 0;
}
