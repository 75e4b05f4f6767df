// Steps back too far in a block, by a pointer kept in a struct. The block before it is freed, and was never meant.
// bug: heap-underflow
// access: write 1
// good: 0
// bad: 1
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>

struct cursor {
    char *block, *at;
};

static void end_here(struct cursor *c)
{
    *c->at = 0; /* BUG */
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char *other = malloc(24);
    struct cursor c;
    c.block = malloc(24);
    c.at = c.block - (argv[1][0] & 1);
    free(other);
    end_here(&c);
    printf("%d\n", *c.block);
    free(c.block);
    return 0;
}
