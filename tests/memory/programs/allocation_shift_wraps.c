// The size is shifted out of its 32 bits.
// bug: allocation-overflow
// access: none
// good: 0
// bad: 1
// asan: no
// valgrind: no
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    unsigned count = argv[1][0] & 1 ? 0x08000001u : 2;
    char *table = malloc(count << 5); /* BUG */
    if (!table) return 3;
    table[0] = 't';
    printf("%c\n", table[0]);
    free(table);
    return 0;
}
