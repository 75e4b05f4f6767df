// A byte of a fresh block is compared before anything was stored there.
// bug: uninitialised-read
// access: read 1
// good: 3
// bad: 4
// asan: no
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char *block = malloc(8);
    memset(block, 'a', 4);
    unsigned index = argv[1][0] & 7;
    if (block[index] == 'b') puts("b"); /* BUG */
    free(block);
    return 0;
}
