// A variable of the loop's block is set in the first iteration and used in the second as if it were the same.
// bug: uninitialised-read
// access: read 4
// good: a
// bad: ab
// asan: no
// valgrind: no
#include <stdio.h>

static int is_set(const int *seen)
{
    if (*seen > 1) return 1; /* BUG */
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    int sum = 0;
    for (const char *p = argv[1]; *p; p++) {
        int seen;
        if (*p == 'a') seen = 2;
        sum += is_set(&seen);
    }
    printf("%d\n", sum > 0);
    return 0;
}
