// The smallest integer is divided by what is neither zero nor minus one.
// bug: none
// access: none
// good: 1
// bad: 0
// asan: no
// valgrind: no
#include <limits.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    int divisor = (argv[1][0] & 15) - 1;
    if (divisor == 0 || divisor == -1) divisor = 2;
    printf("%d %d\n", INT_MIN / divisor, INT_MIN % divisor);
    return 0;
}
