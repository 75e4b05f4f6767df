// A block of no bytes is allocated and freed, and never touched.
// bug: none
// access: none
// good: 4
// bad: 0
// asan: no
// valgrind: no
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    size_t size = argv[1][0] & 7;
    char *block = malloc(size);
    if (block) memset(block, 'b', size);
    printf("%c\n", size ? block[size - 1] : '-');
    free(block);
    return 0;
}
