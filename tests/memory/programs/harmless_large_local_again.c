// A large variable lives again where an argument that was passed by value lay meanwhile, and in its place a small variable.
// bug: none
// access: none
// good: 3
// bad: 5
// asan: no
// valgrind: no
#include <stdio.h>

enum { SIZE = 100000, TOP = 4000, STEP = 8, DEPTHS = 24 };

struct wide { char text[400]; };

static char *volatile kept;

__attribute__((noinline)) static int touch(char *p)
{
    *p = 1;
    kept = p;
    return *p;
}

__attribute__((noinline)) static int large(int at)
{
    char big[SIZE];
    return touch(big) + touch(big + at);
}

__attribute__((noinline)) static int last(struct wide w, int i) { return w.text[i]; }
__attribute__((noinline)) static int pass(struct wide w, int i) { return last(w, i) + 1; }

/* The small variable lies the lower the deeper this is: at one of these depths, where the argument was. */
__attribute__((noinline)) static int small(volatile int depth)
{
    if (depth > 0) return small(depth - 1) + 1;
    char x[40];
    return touch(x);
}

int main(int argc, char **argv)
{
    struct wide w = {"abcdefghij"};
    int i = argc > 1 ? argv[1][0] & 7 : 0, sum = touch(w.text);
    for (int depth = 0; depth < DEPTHS; depth++) {
        sum += large(0) + pass(w, i) + small(depth);
        for (int at = SIZE - TOP; at < SIZE; at += STEP)
            sum += large(at);
    }
    printf("%d\n", sum);
    return 0;
}
