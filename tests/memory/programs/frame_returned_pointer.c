// A function hands out the address of its local, which is dead on return.
// bug: use-after-return
// access: read 4
// good: 0
// bad: 1
// asan: yes
// valgrind: yes
#include <stdio.h>

static int answer = 42;

__attribute__((noinline)) static void choose(int **out, int local_wanted)
{
    volatile int local = 41;
    *out = local_wanted ? (int *)&local : &answer;
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    int *chosen;
    choose(&chosen, argv[1][0] & 1);
    printf("%d\n", *(volatile int *)chosen); /* BUG */
    return 0;
}
