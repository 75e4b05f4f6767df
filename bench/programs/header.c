/* A binary header as image formats have it: sizes that are multiplied and divided, a decimal number, a checksum and a CRC. Its
 * conditions read many bytes at once, unlike a text filter's. Nothing is wrong with it. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t big32(const unsigned char *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static unsigned little16(const unsigned char *p)
{
    return p[0] | (unsigned)p[1] << 8;
}

static uint16_t crc16(const unsigned char *p, int n)
{
    uint16_t crc = 0xffff;
    for (int i = 0; i < n; i++) {
        crc ^= (uint16_t)(p[i] << 8);
        for (int k = 0; k < 8; k++) crc = crc & 0x8000 ? (uint16_t)(crc << 1 ^ 0x1021) : (uint16_t)(crc << 1);
    }
    return crc;
}

static int tags(const unsigned char *p, unsigned size)
{
    int known = 0;
    for (int i = 0; i < 3; i++, p += 4) {
        unsigned tag = little16(p), offset = little16(p + 2);
        if (tag == 256 || tag == 257 || tag == 273) known++;
        if (offset >= size) return -1;
        if ((offset + tag) % 7 == 3) known += 2;
        if (tag / (offset | 1) > 100) known += 4;
    }
    return known;
}

int main(void)
{
    unsigned char b[48];
    size_t n = fread(b, 1, sizeof b, stdin);
    if (n < sizeof b) return 1;
    uint32_t width = big32(b), height = big32(b + 4);
    unsigned depth = b[8], channels = b[9] == 2 ? 3 : b[9] == 6 ? 4 : 1, size = little16(b + 10), sum = 0;
    if (!width || !height) return 2;
    if (width > 1000000 || height > 1000000) return 3;
    if (depth != 1 && depth != 2 && depth != 4 && depth != 8 && depth != 16) return 4;
    if ((uint64_t)width * channels * depth / 8 * height > 1u << 24) return 5;
    if (width / height > 40) return 6;
    if (tags(b + 12, size) == 5) puts("tags");
    for (int i = 24; i < 36; i++) sum += b[i];
    if ((sum & 255) == b[36]) puts("sum");
    if (crc16(b + 24, 4) == little16(b + 37)) puts("crc");
    int value = 0, i = 39;
    for (; i < 45 && b[i] >= '0' && b[i] <= '9'; i++) value = value * 10 + (b[i] - '0');
    if (value == 4711) puts("number");
    if (value % 97 == 1 && value > 1000) puts("rest");
    if (b[45] * b[46] == 221 && (b[45] ^ b[46]) == b[47]) puts("product");
    return 0;
}
