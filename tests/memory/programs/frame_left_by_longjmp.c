// longjmp leaves a function with a large variable, of which somebody has kept the address.
// bug: use-after-return
// access: read 1
// good: 0
// bad: 1
// asan: no
// valgrind: yes
#include <setjmp.h>
#include <stdio.h>

static jmp_buf back;
static char other[100000], *volatile kept;

__attribute__((noinline)) static void keep(char *p)
{
    p[50000] = 'x';
    kept = p;
    longjmp(back, 1);
}

__attribute__((noinline)) static void large(void)
{
    char big[100000];
    keep(big);
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    if (!setjmp(back)) large();
    if (!(argv[1][0] & 1)) kept = other;
    printf("%d\n", kept[50000] == 'x'); /* BUG */
    return 0;
}
