// The arguments of a variadic function lie where a large variable of an earlier call was.
// bug: none
// access: none
// good: 3
// bad: 5
// asan: no
// valgrind: no
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *volatile kept;

__attribute__((noinline)) static void keep(char *p, size_t n)
{
    memset(p, 1, n);
    kept = p;
}

__attribute__((noinline)) static void large(void)
{
    char big[100000];
    keep(big, sizeof big);
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

int main(int argc, char **argv)
{
    int i = argc > 1 ? atoi(argv[1]) : 0;
    large();
    printf("%d\n", sum(12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, i));
    return 0;
}
