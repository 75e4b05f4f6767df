// Compares a character with its left neighbour, which the first one lacks.
// bug: stack-underflow
// access: read 1
// good: 1
// bad: 0
// asan: yes
// valgrind: no
#include <stdio.h>
#include <string.h>

static int same_as_left(const char *at)
{
    return at[0] == at[-1]; /* BUG */
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char word[8] = "aabbccd";
    printf("%d\n", same_as_left(word + (argv[1][0] & 7)));
    return 0;
}
