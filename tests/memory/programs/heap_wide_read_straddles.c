// The last four-byte read begins inside a block of ten bytes and ends outside.
// bug: heap-overflow
// access: read 4
// good: 1
// bad: 2
// asan: yes
// valgrind: no
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    unsigned char *packet = malloc(10);
    memset(packet, 1, 10);
    unsigned word = argv[1][0] & 3;
    if (word > 2) word = 0;
    uint32_t value = ((uint32_t *)packet)[word]; /* BUG */
    printf("%u\n", value);
    free(packet);
    return 0;
}
