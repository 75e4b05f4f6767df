// A length near the top of 32 bits wraps when the header is added.
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
    unsigned length = argv[1][0] & 1 ? 0xfffffff8u : 24u;
    char *packet = malloc(length + 16u); /* BUG */
    if (!packet) return 3;
    packet[0] = 'h';
    printf("%c\n", packet[0]);
    free(packet);
    return 0;
}
