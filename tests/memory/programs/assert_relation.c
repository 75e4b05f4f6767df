// An invariant between two counters is broken by unbalanced brackets.
// bug: assertion
// access: none
// good: '(())'
// bad: '())('
// asan: no
// valgrind: no
#include <assert.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    int opened = 0, closed = 0;
    for (const char *p = argv[1]; *p; p++) {
        opened += *p == '(';
        closed += *p == ')';
        assert(closed <= opened); /* BUG */
    }
    printf("%d\n", opened - closed);
    return 0;
}
