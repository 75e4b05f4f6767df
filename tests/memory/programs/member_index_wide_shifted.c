// The index is the upper part of a 128-bit number.
// bug: member-overflow
// access: read
// good: 1
// bad: 5
// asan: yes
// valgrind: no
#include <stdio.h>
#include <stdlib.h>

struct page {
    int kind, slots[16], next[16];
};

static int slot(const struct page *p, unsigned __int128 key)
{
    return p->slots[key >> 61]; /* BUG */
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    struct page *p = calloc(1, sizeof *p);
    if (!p) return 3;
    printf("%d\n", slot(p, (unsigned __int128)(argv[1][0] & 7) * 4 << 61));
    free(p);
    return 0;
}
