// Shifts an integer by its whole width or more.
// bug: shift-out-of-range
// access: none
// good: 7
// bad: 8
// asan: yes
// valgrind: no
#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    unsigned amount = (argv[1][0] & 15) * 4;
    unsigned mask = 1u << amount; /* BUG */
    printf("%d\n", mask != 0);
    return 0;
}
