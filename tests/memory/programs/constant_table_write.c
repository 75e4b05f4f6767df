// Writes to a constant table through a pointer that lost its const.
// bug: read-only-write
// access: write 4
// good: r
// bad: w
// asan: yes
// valgrind: yes
#include <stdio.h>

static const int limits[4] = { 10, 20, 30, 40 };

static void set(int *at, int value)
{
    *(volatile int *)at = value; /* BUG */
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    int own[4] = { 1, 2, 3, 4 };
    int *table = argv[1][0] == 'w' ? (int *)limits : own;
    set(table + 1, 5);
    printf("%d\n", table[1]);
    return 0;
}
