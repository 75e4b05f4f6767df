// A block that is too short for its struct: one element is there, a later one is not.
// bug: heap-overflow
// access: read 4
// good: 0
// bad: 1x
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>

struct table {
    int items[4];
    int count;
};

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    struct table *t = malloc((size_t)argc * sizeof(int));
    t->items[0] = 1;
    t->items[1] = 2;
    int n = t->items[argv[1][0] & 1];
    if (argv[1][1] == 'x')
        n += t->items[2]; /* BUG */
    printf("%d\n", n);
    free(t);
    return 0;
}
