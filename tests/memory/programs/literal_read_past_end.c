// Reads after the terminator of a string literal.
// bug: global-overflow
// access: read 1
// good: 6
// bad: 7
// asan: yes
// valgrind: no
#include <stdio.h>

static char letter(const char *text, unsigned index)
{
    return text[index]; /* BUG */
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    printf("%d\n", letter("abcdef", argv[1][0] & 7) == 'c');
    return 0;
}
