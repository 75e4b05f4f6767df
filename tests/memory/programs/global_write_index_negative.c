// A day counted from one gives index -1 when it is zero.
// bug: global-underflow
// access: write 4
// good: 1
// bad: 0
// asan: no
// valgrind: no
#include <stdio.h>

static int visits[8];

static void visit(int *table, int day)
{
    table[day - 1]++; /* BUG */
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    visit(visits, argv[1][0] & 7);
    printf("%d\n", visits[0]);
    return 0;
}
