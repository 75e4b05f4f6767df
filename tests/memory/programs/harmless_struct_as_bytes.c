// A checksum runs over all bytes of a struct through its own address.
// bug: none
// access: none
// good: 1
// bad: 2
// asan: no
// valgrind: no
#include <stdio.h>

struct header {
    unsigned char kind[2], length[2], body[4];
};

static unsigned checksum(const void *from, size_t size)
{
    const unsigned char *p = from;
    unsigned sum = 0;
    while (size--) sum += *p++;
    return sum;
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    struct header h[2] = { { { 1, 2 }, { 3, 4 }, { 5 } }, { { 6 }, { 7 }, { 8 } } };
    printf("%u\n", checksum(h, sizeof h[0] * (argv[1][0] & 2 ? 2 : 1)));
    return 0;
}
