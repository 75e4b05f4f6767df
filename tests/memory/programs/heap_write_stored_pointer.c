// Writes through a pointer kept in a struct, one past what it points to.
// bug: heap-overflow
// access: write 1
// good: abcd
// bad: abcde
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>

struct buffer {
    char *data;
    size_t used, capacity;
};

static void push(struct buffer *b, char c)
{
    if (b->used <= b->capacity) b->data[b->used++] = c; /* BUG */
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    struct buffer b = { malloc(4), 0, 4 };
    for (const char *p = argv[1]; *p; p++) push(&b, *p);
    if (b.used) printf("%c %zu\n", b.data[0], b.used);
    free(b.data);
    return 0;
}
