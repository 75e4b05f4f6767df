// A cleanup function gets at the other variables of the block when it ends.
// bug: none
// access: none
// good: 1
// bad: 2
// asan: no
// valgrind: no
#include <stdio.h>

struct list {
    int length, items[4];
};

static void count(struct list **l) { printf("%d\n", (*l)->length); }
static void fill(struct list *l, int n) { l->length = n; }

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    for (int i = 0; i < 3; i++) {
        struct list own = { 0, { 1, 2, 3, 4 } };
        __attribute__((cleanup(count))) struct list *counted = &own;
        fill(counted, argv[1][0] & 7);
        if (counted->length == i) continue;
        {
            int x = i;
            __attribute__((cleanup(count))) struct list *again = &own;
            fill(again, x);
            if (x == 1) break;
        }
    }
    return 0;
}
