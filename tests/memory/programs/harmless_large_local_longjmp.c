// longjmp leaves a function with a large variable; what comes there next are arguments, variables and what qsort has there for itself.
// bug: none
// access: none
// good: 3
// bad: 5
// asan: no
// valgrind: no
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item { int key; char rest[28]; };

static jmp_buf back;
static char *volatile kept;

__attribute__((noinline)) static void leave(char *p, size_t n)
{
    memset(p, 1, n);
    kept = p;
    longjmp(back, 1);
}

__attribute__((noinline)) static void large(void)
{
    char big[100000];
    leave(big, sizeof big);
}

__attribute__((noinline)) static void larger(void)
{
    char big[130000];
    leave(big + 1000, sizeof big - 1000);
}

__attribute__((noinline)) static int sum(int n, ...)
{
    va_list list;
    int all = 0;
    va_start(list, n);
    for (int i = 0; i < n; i++)
        all += va_arg(list, int);
    va_end(list);
    return all;
}

__attribute__((noinline)) static int fill(int c)
{
    char text[70000];
    memset(text, c, sizeof text);
    kept = text;
    return kept[c] + kept[sizeof text - 1];
}

static int by_key(const void *a, const void *b)
{
    return ((const struct item *)a)->key - ((const struct item *)b)->key;
}

int main(int argc, char **argv)
{
    static struct item items[20];
    int c = argc > 1 ? argv[1][0] & 7 : 0;
    for (volatile int i = 0; i < 4; i++) {
        if (!setjmp(back)) i % 2 ? larger() : large();
        for (int k = 0; k < 20; k++)
            items[k].key = k * 7 % 20 + c;
        qsort(items, 20, sizeof *items, by_key);
        printf("%d %d %d\n", sum(12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, c), fill(c), items[c].key);
    }
    return 0;
}
