// The address of a variable that is gone is compared, and the variable of the next block has the same one.
// bug: none
// access: none
// good: 0
// bad: 1
// asan: no
// valgrind: no
#include <stdio.h>

static void *volatile old;

static int same(int *p)
{
    int is = old == (void *)p;
    old = p;
    *p += is >= 0;
    return *p;
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        int x = argv[1][0];
        sum += same(&x);
    }
    {
        int x = sum;
        sum += same(&x);
    }
    printf("%d\n", sum);
    return 0;
}
