// longjmp goes back into a block that was left, in a function that still runs.
// bug: none
// access: none
// good: 0
// bad: 1
// asan: no
// valgrind: no
#include <setjmp.h>
#include <stdio.h>

static jmp_buf back;
static void set(volatile int *p, int n) { *p = n; }

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    volatile int times = 0;
    {
        volatile int x = 1;
        set(&x, argv[1][0]);
        if (setjmp(back)) {
            set(&x, 5);
            printf("%d\n", x);
        }
    }
    if (times++ < (argv[1][0] & 1)) longjmp(back, 1);
    printf("%d\n", times);
    return 0;
}
