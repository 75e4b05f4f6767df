// Numbers that may be negative are added to sizes, in types where they are huge; and one more than the last of no elements.
// bug: none
// access: none
// good: 5
// bad: 0
// asan: no
// valgrind: no
#include <stdio.h>
#include <stdlib.h>

static volatile long by;
static volatile int small;
static size_t last = (size_t)-1;

static void *moved(void) { return malloc(16 + (size_t)by); }
static void *narrow(void) { return malloc(16u + (unsigned)small); }
static void *cleared(int n) { return calloc((unsigned)n + 1u, 4); }
static void *elements(void) { return realloc(NULL, (last + 1) * 8 + 8); }
static void *lesser(size_t n)
{
    size_t k = n > 100 ? n : n - 1;
    return malloc(k + 1);
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    int n = (argv[1][0] & 7) - 1;
    by = n;
    small = n;
    last = (size_t)n;
    void *all[] = { moved(), narrow(), cleared(n), elements(), lesser((size_t)(n + 1)) };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        printf("%d", all[k] != NULL);
        free(all[k]);
    }
    puts("");
    return 0;
}
