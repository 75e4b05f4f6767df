// The input says which of two blocks goes first and how long a third one is.
// bug: none
// access: none
// good: 0
// bad: 7
// asan: no
// valgrind: no
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc < 2 || argv[1][0] == 0) return 2;
    unsigned which = argv[1][0] & 1;
    char *blocks[2] = { malloc(20), malloc(30) };
    char *more = calloc((argv[1][0] & 7) + 1, 16);
    if (!blocks[0] || !blocks[1] || !more) return 3;
    more[15] = 'm';
    free(blocks[which]);
    free(blocks[!which]);
    more = realloc(more, (argv[1][0] & 31) + 16);
    if (!more) return 3;
    printf("%c\n", more[15]);
    free(more);
    return 0;
}
