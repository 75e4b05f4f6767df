// Sizes become smaller by adding a negative number, of whatever type.
// bug: none
// access: none
// good: 1
// bad: 2
// asan: no
// valgrind: no
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

static ssize_t signed_change(int c) { return c & 1 ? 5 : -5; }
static size_t unsigned_change(int c) { return c & 1 ? 5 : (size_t)-5; }

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    size_t size = 20, old = 12, new = 10;
    int change = argv[1][0] & 1 ? 3 : -3;
    unsigned narrow = 100;
    char *p = malloc(size);
    p = realloc(p, size + (size_t)signed_change(argv[1][0]));
    p = realloc(p, size + unsigned_change(argv[1][0]));
    p = realloc(p, size + (size_t)change);
    p = realloc(p, narrow + (unsigned)change);
    p = realloc(p, size + (new - old));
    p = realloc(p, size - (argv[1][0] & 3u));
    p = realloc(p, strlen(argv[1]) - 1 + size);
    p[0] = 'd';
    printf("%c\n", p[0]);
    free(p);
    return 0;
}
