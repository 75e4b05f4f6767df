// A struct is found from an array in its middle, in place and by a function.
// bug: none
// access: none
// good: 1
// bad: 3
// asan: no
// valgrind: no
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

struct text {
    int length;
    char bytes[8];
    int uses;
};

#define text_of(array) ((struct text *)((char *)(void *)(array) - offsetof(struct text, bytes)))

__attribute__((noinline)) static int weight(char *bytes)
{
    return text_of(bytes)->length + text_of(bytes)->uses + bytes[1];
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    struct text *t = calloc(1, sizeof *t);
    if (!t) return 3;
    char *bytes = t->bytes;
    bytes[1] = argv[1][0];
    text_of(bytes)->length = argv[1][0] & 3;
    text_of(t->bytes)->uses = 2;
    printf("%d\n", weight(t->bytes));
    free(t);
    return 0;
}
