// The product inside of the sum wraps; the size goes through a variable.
// bug: allocation-overflow
// access: none
// good: 0
// bad: 8
// asan: no
// valgrind: no
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct item {
    uint64_t key, value;
};

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    size_t count = ((size_t)(argv[1][0] & 8) << 57) + 2, bytes = count * sizeof(struct item);
    bytes += 32;
    char *all = realloc(NULL, bytes); /* BUG */
    if (!all) return 3;
    all[0] = 'i';
    printf("%c\n", all[0]);
    free(all);
    return 0;
}
