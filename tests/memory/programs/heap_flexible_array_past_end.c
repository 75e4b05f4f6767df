// Writes one element past the flexible array that was allocated.
// bug: heap-overflow
// access: write 4
// good: 4
// bad: 5
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>

struct list {
    unsigned count;
    int items[];
};

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    struct list *l = calloc(1, sizeof *l + 5 * sizeof l->items[0]);
    l->count = 5;
    unsigned index = argv[1][0] & 7;
    if (index <= l->count) l->items[index] = 9; /* BUG */
    printf("%d\n", l->items[4]);
    free(l);
    return 0;
}
