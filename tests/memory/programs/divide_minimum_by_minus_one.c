// The smallest integer divided by minus one has no result.
// bug: division-overflow
// access: none
// good: 1
// bad: -1
// asan: yes
// valgrind: yes
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    int divisor = atoi(argv[1]);
    if (divisor == 0) return 2;
    int quotient = INT_MIN / divisor; /* BUG */
    printf("%d\n", quotient);
    return 0;
}
