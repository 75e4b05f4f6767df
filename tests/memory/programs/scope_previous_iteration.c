// An iteration writes to the variable of the one before.
// bug: use-after-scope
// access: write 4
// good: a
// bad: aa
// asan: yes
// valgrind: no
#include <stdio.h>

static int *volatile last;

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    int sum = 0;
    for (const char *p = argv[1]; *p; p++) {
        if (last) *last = 7; /* BUG */
        int here = *p;
        last = &here;
        sum += *last;
    }
    printf("%d\n", sum);
    return 0;
}
