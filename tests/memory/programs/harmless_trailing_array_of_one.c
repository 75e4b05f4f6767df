// A trailing array of one element is the start of a longer one in a larger block.
// bug: none
// access: none
// good: a
// bad: abcdefghijkl
// asan: no
// valgrind: no
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text {
    size_t length;
    char bytes[1];
};

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    size_t length = strlen(argv[1]);
    struct text *t = malloc(sizeof *t + length);
    t->length = length;
    for (size_t i = 0; i <= length; i++) t->bytes[i] = argv[1][i];
    printf("%s\n", t->bytes);
    free(t);
    return 0;
}
