// A four-byte read takes the last two bytes of an array member and its neighbour.
// bug: member-overflow
// access: read 4
// good: 0
// bad: 1
// asan: no
// valgrind: no
#include <stdint.h>
#include <stdio.h>

struct header {
    uint16_t ports[3];
    uint16_t sum;
};

static uint32_t pair(const uint16_t *from)
{
    return __builtin_bswap32(*(const uint32_t *)from); /* BUG */
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    _Alignas(4) struct header h = { { 1, 2, 3 }, 4 };
    printf("%u\n", pair(h.ports + 2 * (argv[1][0] & 1)));
    return 0;
}
