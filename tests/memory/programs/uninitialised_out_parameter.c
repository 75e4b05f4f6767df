// A parser leaves its result alone when it fails, and nobody looks at its answer.
// bug: uninitialised-read
// access: read 4
// good: 7
// bad: x
// asan: no
// valgrind: yes
#include <stdio.h>

static int parse(const char *text, int *out)
{
    if (*text < '0' || *text > '9') return 0;
    *out = *text - '0';
    return 1;
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    int number;
    parse(argv[1], &number);
    if (number == 7) /* BUG */
        puts("seven");
    return 0;
}
