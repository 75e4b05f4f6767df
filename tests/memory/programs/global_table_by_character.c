// A table for letters is indexed by the character after z.
// bug: global-overflow
// access: read 1
// good: z
// bad: {
// asan: yes
// valgrind: no
#include <stdio.h>

static char vowel[26] = "yxxxyxxxyxxxxxyxxxxxyxxxx";

static char kind(const char *table, char c)
{
    return table[c - 'a']; /* BUG */
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char c = argv[1][0];
    if (c < 'a') return 2;
    printf("%d\n", kind(vowel, c) == 'y');
    return 0;
}
