// The address of a freed block is compared as a number, and its memory left alone.
// bug: none
// access: none
// good: 0
// bad: 1
// asan: no
// valgrind: no
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char *block = malloc(8);
    uintptr_t address = (uintptr_t)block;
    if (argv[1][0] & 1) {
        free(block);
        block = NULL;
    }
    printf("%s\n", address == (uintptr_t)block ? "same" : "gone");
    free(block);
    return 0;
}
