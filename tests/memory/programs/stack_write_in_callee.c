// A callee fills the caller's array as far as it is told.
// bug: stack-overflow
// access: write 1
// good: 6
// bad: 7
// asan: yes
// valgrind: no
#include <stdio.h>

static void fill(char *out, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        out[i] = '*'; /* BUG */
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char stars[6] = "";
    fill(stars, argv[1][0] & 7);
    printf("%c\n", stars[0]);
    return 0;
}
