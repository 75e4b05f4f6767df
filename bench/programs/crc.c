/* CRC-32 by table: one load at an input-dependent index per byte. */
#include "input.h"
#include <stdint.h>

static uint32_t table[256];

static void table_fill(void) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
        table[i] = c;
    }
}

static uint32_t crc_update(uint32_t crc, const unsigned char *p, size_t n) {
    crc = ~crc;
    for (size_t i = 0; i < n; i++) crc = table[(crc ^ p[i]) & 0xff] ^ (crc >> 8);
    return ~crc;
}

int main(int argc, char **argv) {
    size_t n = input_read();
    uint32_t crc = 0;
    table_fill();
    for (int pass = input_passes(argc, argv, 200); pass > 0; pass--) crc = crc_update(crc, input, n);
    printf("%08x\n", crc);
    return 0;
}
