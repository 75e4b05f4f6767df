// An array of an inner block is returned from within the block.
// bug: use-after-return
// access: read 1
// good: 0
// bad: 1
// asan: yes
// valgrind: yes
#include <stdio.h>

static char *keep(char *p) { char *volatile same = p; return same; }

static const char *name_of(int c)
{
    if (c & 1) {
        char brief[4] = { 'n', (char)c, 0 };
        return keep(brief);
    }
    return "even";
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    const char *name = name_of(argv[1][0]);
    printf("%d\n", *(volatile const char *)name != 0); /* BUG */
    return 0;
}
