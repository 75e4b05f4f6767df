/* Adler-32 as zlib does it: two sums, the division put off for 5,552 bytes. */
#include "input.h"
#include <stdint.h>

static uint32_t adler_update(uint32_t adler, const unsigned char *p, size_t n) {
    uint32_t a = adler & 0xffff, b = adler >> 16;
    while (n > 0) {
        size_t stretch = n < 5552 ? n : 5552;
        n -= stretch;
        while (stretch-- > 0) {
            a += *p++;
            b += a;
        }
        a %= 65521;
        b %= 65521;
    }
    return b << 16 | a;
}

int main(int argc, char **argv) {
    size_t n = input_read();
    uint32_t adler = 1;
    for (int pass = input_passes(argc, argv, 2000); pass > 0; pass--) adler = adler_update(adler, input, n);
    printf("%08x\n", adler);
    return 0;
}
