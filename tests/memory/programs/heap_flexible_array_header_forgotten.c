// The size of the header was left out, so the last elements are outside.
// bug: heap-overflow
// access: write 1
// good: 1234
// bad: 12345
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text {
    size_t length;
    char bytes[];
};

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    struct text *t = malloc(12);
    t->length = strlen(argv[1]);
    for (size_t i = 0; i < t->length; i++)
        t->bytes[i] = argv[1][i]; /* BUG */
    printf("%zu\n", t->length);
    free(t);
    return 0;
}
