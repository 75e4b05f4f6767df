// The remainder of the smallest long by minus one overflows as the division does.
// bug: division-overflow
// access: none
// good: 3
// bad: /
// asan: yes
// valgrind: yes
#include <limits.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    long divisor = argv[1][0] - '0';
    if (divisor == 0) return 2;
    long rest = LONG_MIN % divisor; /* BUG */
    printf("%ld\n", rest);
    return 0;
}
