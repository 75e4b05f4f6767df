// Calls through a table entry that was never set.
// bug: null-dereference
// access: none
// good: 1
// bad: 2
// asan: yes
// valgrind: no
#include <stdio.h>

static int one(void) { return 1; }

static int (*handlers[4])(void) = { one, one };

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    int (*handler)(void) = handlers[argv[1][0] & 3];
    int result = handler(); /* BUG */
    printf("%d\n", result);
    return 0;
}
