// Deep in a recursion a level points into a block that it has left; levels above are inside of theirs.
// bug: use-after-scope
// access: read 4
// good: ab
// bad: abc
// asan: yes
// valgrind: no
#include <stdio.h>

static int *volatile kept;

static int walk(const char *p, const int *above)
{
    int sum = *above;
    if (!*p) return sum;
    if (p[0] == 'c') {
        int brief = 3;
        kept = &brief;
        sum += *kept;
    }
    if (kept) return *kept; /* BUG */
    {
        int here = *p;
        sum += walk(p + 1, &here);
    }
    return sum;
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    int none = 0;
    printf("%d\n", walk(argv[1], &none) > 0);
    return 0;
}
