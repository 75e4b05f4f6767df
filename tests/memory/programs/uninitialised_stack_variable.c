// A local is set only for known letters and then decides a branch.
// bug: uninitialised-read
// access: read 4
// good: a
// bad: c
// asan: no
// valgrind: yes
#include <stdio.h>

static int read_mode(const int *mode)
{
    if (*mode > 1) return 'x'; /* BUG */
    return 'y';
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    int mode;
    if (argv[1][0] == 'a') mode = 1;
    else if (argv[1][0] == 'b') mode = 2;
    printf("%c\n", read_mode(&mode));
    return 0;
}
