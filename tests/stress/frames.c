// alloca and variable-length arrays in loops, in frames that are left by return and by longjmp.
// stdin: 16
#include <alloca.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

static jmp_buf out;
static long total;

static __attribute__((noinline)) long touch(char *at, long n)
{
    memset(at, (int)n, (size_t)n);
    return at[n - 1] + at[0];
}

static __attribute__((noinline)) void dive(long depth)
{
    char room[1 + depth % 50];
    total += touch(room, (long)sizeof room);
    if (depth == 0) longjmp(out, 1);
    dive(depth - 1);
}

static __attribute__((noinline)) long row(long n)
{
    long s = 0;
    for (long i = 1; i < n; i++) {
        char array[i];
        char *more = i % 16 == 0 ? alloca((size_t)i) : array;
        s += touch(array, i) + touch(more, i);
    }
    return s;
}

int main(void)
{
    int first = getchar();
    for (int i = 0; i < 30000; i++) total += row(100 + i % 50);
    for (int i = 0; i < 2000; i++)
        if (!setjmp(out)) dive(1000 + i);
    char text[(first & 7) + 2];
    text[first & 7] = (char)first;
    printf("%ld %c\n", total, text[first & 7]);
    return 0;
}
