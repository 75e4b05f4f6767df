// The sum of a large number and a digit leaves the range of int.
// bug: signed-overflow
// access: none
// good: 7
// bad: 8
// asan: yes
// valgrind: no
#include <limits.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    int total = INT_MAX - 7 + (argv[1][0] & 15); /* BUG */
    printf("%d\n", total);
    return 0;
}
