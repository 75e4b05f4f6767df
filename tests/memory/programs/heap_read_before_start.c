// Looks at the character before the first one of a heap string.
// bug: heap-underflow
// access: read 1
// good: 1
// bad: 0
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char *text = malloc(10);
    strcpy(text, "abc\\def");
    size_t at = argv[1][0] & 7;
    char before = text[at - 1]; /* BUG */
    printf("%s\n", before == '\\' ? "escaped" : "plain");
    free(text);
    return 0;
}
