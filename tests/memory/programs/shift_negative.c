// Shifts by the difference of two digits, which is negative.
// bug: shift-out-of-range
// access: none
// good: 31
// bad: 13
// asan: yes
// valgrind: no
#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc < 2 || argv[1][0] == 0) return 2;
    int amount = (argv[1][0] & 7) - (argv[1][1] & 7);
    unsigned long value = 256ul >> amount; /* BUG */
    printf("%lu\n", value);
    return 0;
}
