// A set of 64 flags is built with a constant of 32 bits.
// bug: shift-out-of-range
// access: none
// good: A
// bad: a
// asan: yes
// valgrind: no
#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    unsigned long set = 0;
    for (const char *p = argv[1]; *p; p++)
        set |= 1u << (*p & 63); /* BUG */
    printf("%d\n", set != 0);
    return 0;
}
