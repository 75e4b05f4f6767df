// Divides by a digit.
// bug: division-by-zero
// access: none
// good: 3
// bad: 0
// asan: yes
// valgrind: yes
#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    int parts = argv[1][0] & 15;
    int share = 100 / parts; /* BUG */
    printf("%d\n", share);
    return 0;
}
