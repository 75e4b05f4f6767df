// Calls a function through a table entry that does not exist.
// bug: global-overflow
// access: read 8
// good: 1
// bad: 2
// asan: yes
// valgrind: no
#include <stdio.h>

static int plus(int a, int b) { return a + b; }
static int minus(int a, int b) { return a - b; }

static int (*operations[2])(int, int) = { plus, minus };

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    unsigned choice = argv[1][0] & 3;
    int (**table)(int, int) = operations;
    int (*chosen)(int, int) = table[choice]; /* BUG */
    printf("%d\n", chosen == plus || chosen == minus ? chosen(5, 3) : -1);
    return 0;
}
