// The smallest integer has no negative.
// bug: signed-overflow
// access: none
// good: -2147483640
// bad: -2147483648
// asan: yes
// valgrind: no
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    int number = (int)strtol(argv[1], NULL, 10);
    if (number < 0) number = -number; /* BUG */
    printf("%d\n", number);
    return 0;
}
