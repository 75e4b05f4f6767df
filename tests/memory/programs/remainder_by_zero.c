// Takes a remainder by the difference of two digits.
// bug: division-by-zero
// access: none
// good: 53
// bad: 55
// asan: yes
// valgrind: yes
#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc < 2 || argv[1][0] == 0) return 2;
    int width = argv[1][0] - argv[1][1];
    int slot = 1000 % width; /* BUG */
    printf("%d\n", slot);
    return 0;
}
