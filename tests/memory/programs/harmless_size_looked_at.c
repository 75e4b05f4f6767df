// A product is looked at after it was computed, and not used if it wrapped; a length of -1 is one of a signed type.
// bug: none
// access: none
// good: 0
// bad: 8
// asan: no
// valgrind: no
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>

struct row {
    char cells[32];
};

static struct row *rows_of(size_t count)
{
    size_t bytes = count * sizeof(struct row);
    if (bytes / sizeof(struct row) != count) return NULL;
    return malloc(bytes);
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    size_t count = ((size_t)(argv[1][0] & 8) << 56) + 1;
    ssize_t last = argv[1][0] & 8 ? -1 : 3;
    struct row *rows = rows_of(count);
    char *copy = malloc((size_t)(last + 1));
    printf("%d %d\n", rows != NULL, copy != NULL);
    free(rows);
    free(copy);
    return 0;
}
