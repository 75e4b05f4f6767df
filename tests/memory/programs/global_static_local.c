// A static buffer inside a function is filled beyond its end.
// bug: global-overflow
// access: write 1
// good: abcd
// bad: abcdefgh
// asan: yes
// valgrind: no
#include <stdio.h>

static const char *shout(const char *word)
{
    static char upper[8];
    char *out = upper;
    while (*word) *out++ = (char)(*word++ & 0x5f);
    *out = 0; /* BUG */
    return upper;
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    for (int i = 0; argv[1][i]; i++)
        if (i >= 8) return 2;
    printf("%c\n", shout(argv[1])[0]);
    return 0;
}
