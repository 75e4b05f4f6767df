// One less than a count that is much too large, times a size.
// bug: allocation-overflow
// access: none
// good: 0
// bad: 8
// asan: no
// valgrind: no
#include <stdio.h>
#include <stdlib.h>

struct row {
    char cells[32];
};

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    size_t count = ((size_t)(argv[1][0] & 8) << 56) + 2;
    struct row *rows = malloc((count - 1) * sizeof *rows); /* BUG */
    if (!rows) return 3;
    rows[0].cells[0] = argv[1][0];
    printf("%c\n", rows[0].cells[0]);
    free(rows);
    return 0;
}
