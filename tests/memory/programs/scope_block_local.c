// A pointer outlives the block whose local it points to.
// bug: use-after-scope
// access: read 4
// good: 0
// bad: 1
// asan: yes
// valgrind: no
#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    int lasting = 1;
    volatile int *p = &lasting;
    if (argv[1][0] & 1) {
        volatile int brief = 2;
        p = &brief;
    }
    printf("%d\n", *p > 0); /* BUG */
    return 0;
}
