// Recursion over a hundred thousand frames, each with a local variable that gets away; and back, by return and by longjmp.
// stdin: 16
// stack: 65536
#include <setjmp.h>
#include <stdio.h>

struct link {
    const struct link *up;
    long value;
};
static jmp_buf out;
static long deepest;

static __attribute__((noinline)) long sum(const struct link *l)
{
    long s = 0;
    for (int i = 0; l && i < 8; i++, l = l->up) s += l->value;
    return s;
}

static __attribute__((noinline)) long down(const struct link *up, long left, int jump)
{
    struct link here = { up, left };
    if (left == 0) {
        deepest = sum(&here);
        if (jump) longjmp(out, 1);
        return deepest;
    }
    long below = down(&here, left - 1, jump);
    return below + (sum(&here) & 1);
}

int main(void)
{
    long total = getchar() & 1, depth = 100000;
    for (int i = 0; i < 50; i++) total += down(NULL, depth, 0);
    for (int i = 0; i < 50; i++)
        if (!setjmp(out))
            down(NULL, depth, 1);
        else
            total += deepest;
    printf("%ld\n", total);
    return 0;
}
