// The only thing the pointer ever points to is gone.
// bug: use-after-scope
// access: read 4
// good: 0
// bad: 1
// asan: yes
// valgrind: no
#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    volatile int *p;
    int seen = 1;
    {
        volatile int brief = 2;
        p = &brief;
        seen += *p;
    }
    if (argv[1][0] & 1) seen += *p; /* BUG */
    printf("%d\n", seen > 0);
    return 0;
}
