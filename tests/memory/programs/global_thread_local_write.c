// Writes past a thread-local array.
// bug: global-overflow
// access: write 1
// good: 7
// bad: 8
// asan: no
// valgrind: no
#include <stdio.h>

static _Thread_local char scratch[8], guard[8];

static void mark(char *p, unsigned index)
{
    p[index] = 'x'; /* BUG */
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    mark(scratch, argv[1][0] & 15);
    printf("%c %c\n", scratch[7] ? scratch[7] : '-', guard[0] ? guard[0] : '-');
    return 0;
}
