// A header is added to a difference that may be negative: a list of no items whose header holds the first, a range that is empty.
// bug: none
// access: none
// good: 1
// bad: 0
// asan: no
// valgrind: no
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
    int key, value;
};

struct list {
    size_t count;
    struct item items[1];
};

static void *list_of_signed(int count) { return malloc(sizeof(struct list) + (count - 1) * sizeof(struct item)); }
static void *list_of(size_t count) { return malloc(sizeof(struct list) + (count - 1) * sizeof(struct item)); }
static void *range(size_t first, size_t last) { return malloc(last - first + 1); }
static void *tail(const char *from, const char *to) { return malloc(sizeof(struct list) + (size_t)(to - from)); }

static void *named(size_t first, size_t last)
{
    size_t length = last - first;
    if (first == 7) puts("seven");
    return malloc(length + 1);
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    int n = argv[1][0] & 7;
    void *all[] = { list_of_signed(n), list_of((size_t)n), range(8, 7 + (size_t)n), tail(argv[1] + 1, argv[1] + n), named(8, 7 + (size_t)n) };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        printf("%d", all[k] != NULL);
        free(all[k]);
    }
    puts("");
    return 0;
}
