// A negative index counts from a pointer to the middle of a table.
// bug: none
// access: none
// good: 0
// bad: 7
// asan: no
// valgrind: no
#include <stdio.h>

static const char signs[9] = "----0+++";

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    const char *zero = signs + 4;
    int number = (argv[1][0] & 7) - 4;
    printf("%c\n", zero[number]);
    return 0;
}
