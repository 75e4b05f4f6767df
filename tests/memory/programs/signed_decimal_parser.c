// A parser of decimal numbers takes one digit too many.
// bug: signed-overflow
// access: none
// good: 2147483647
// bad: 2147483648
// asan: yes
// valgrind: no
#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    int number = 0;
    for (const char *p = argv[1]; *p >= '0' && *p <= '9'; p++)
        number = number * 10 + (*p - '0'); /* BUG */
    printf("%d\n", number);
    return 0;
}
