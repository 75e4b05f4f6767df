// Reads past a block from posix_memalign whose size is no multiple of its alignment.
// bug: heap-overflow
// access: read 1
// good: 7
// bad: 8
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    void *memory;
    if (posix_memalign(&memory, 64, 72)) return 3;
    unsigned char *block = memory;
    memset(block, 1, 72);
    printf("%d\n", block[64 + (argv[1][0] & 15)]); /* BUG */
    free(memory);
    return 0;
}
