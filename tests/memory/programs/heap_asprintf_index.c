// Reads past the terminator of a string made by asprintf.
// bug: heap-overflow
// access: read 1
// good: 5
// bad: 6
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char *text;
    if (asprintf(&text, "item %d", argc & 1) < 0) return 3;
    printf("%d\n", text[(argv[1][0] & 7) + 1]); /* BUG */
    free(text);
    return 0;
}
