// A jump back to before the declaration stays in the block, whose variable lives since the block was entered.
// bug: none
// access: none
// good: 1
// bad: 5
// asan: no
// valgrind: no
#include <stdio.h>

static int get(const int *p) { return *p; }

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    int n = argv[1][0] & 7, sum = 0;
    {
        const int *p = 0;
    again:
        if (p) sum += p != 0;
        int x = n;
        p = &x;
        sum += get(p);
        if (n-- > 0) goto again;
    }
    printf("%d\n", sum);
    return 0;
}
