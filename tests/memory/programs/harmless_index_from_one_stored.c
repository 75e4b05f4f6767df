// A pointer to the element before a heap block, kept in a struct, lets indices count from one. What it points to is behind another block, which may be freed.
// bug: none
// access: none
// good: 1
// bad: 4
// asan: no
// valgrind: no
#include <stdio.h>
#include <stdlib.h>

struct table {
    int *days;
};

static void fill(struct table *t)
{
    for (int i = 1; i <= 4; i++) t->days[i] = 30 + i % 2;
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char *gone = malloc(20), *there = malloc(20), *full;
    struct table a = { (int *)malloc(16) - 1 }, b;
    full = malloc(12); /* b.days points to just behind it */
    b.days = (int *)malloc(16) - 1;
    unsigned month = argv[1][0] & 7;
    if (month < 1 || month > 4) return 2;
    free(gone);
    if (month == 4) free(there);
    fill(&a);
    fill(&b);
    printf("%d %d\n", a.days[month], b.days[month]);
    if (month != 4) free(there);
    free(full);
    free(a.days + 1);
    free(b.days + 1);
    return 0;
}
