// A length near the top of 32 bits wraps when the header is added, and the block has no room for that.
// bug: heap-overflow
// access: write 1
// good: 0
// bad: 1
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    unsigned length = argv[1][0] & 1 ? 0xfffffff8u : 24u;
    char *packet = malloc(length + 16u);
    if (!packet) return 3;
    packet[15] = 'h'; /* BUG */
    printf("%c\n", packet[15]);
    free(packet);
    return 0;
}
