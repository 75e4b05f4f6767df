// Reads the element just after a global array.
// bug: global-overflow
// access: read 4
// good: 6
// bad: 7
// asan: yes
// valgrind: no
#include <stdio.h>

static int days[7] = { 1, 2, 3, 4, 5, 6, 7 };

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    printf("%d\n", days[argv[1][0] & 7]); /* BUG */
    return 0;
}
