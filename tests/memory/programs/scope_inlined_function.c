// A function that is always inlined returns through its argument a pointer to its own variable.
// bug: use-after-scope
// access: read 4
// good: 0
// bad: 1
// asan: yes
// valgrind: no
#include <stdio.h>

static inline __attribute__((always_inline)) void choose(int **to, int n)
{
    int own = n;
    if (n & 1) *to = &own;
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    int lasting = 4, *chosen = &lasting;
    choose(&chosen, argv[1][0]);
    printf("%d\n", *(int *volatile *)&chosen == &lasting || *(volatile int *)chosen > 0); /* BUG */
    return 0;
}
