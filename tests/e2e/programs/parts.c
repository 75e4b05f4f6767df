// Parts of parts: halves of a word and bytes of these halves, words put together of unequal pieces and taken apart again.
// tandem: trace @
// stdin: abcdefgh
// expect: main +not taken .*stdin\[0\]
// expect: main +not taken .*stdin\[0\]
// expect: main +not taken .*stdin\[1\]
// expect: main +taken .*stdin\[2\]
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static unsigned char bytes[32], copy[32];

/* Functions of their own: the optimiser does not know what was stored. */
static uint32_t word_at(const void *p) { uint32_t v; memcpy(&v, p, 4); return v; }
static uint16_t half_at(const void *p) { uint16_t v; memcpy(&v, p, 2); return v; }
static uint8_t byte_at(const void *p) { return *(const uint8_t *)p; }

int main(void)
{
	int c[4];
	for (int i = 0; i < 4; i++)
		c[i] = getchar();
	uint32_t product = (uint32_t)c[0] * 0x1020304u;
	memcpy(bytes, &product, 4);
	uint16_t half = half_at(bytes + 1);
	memcpy(copy, &half, 2);
	if (byte_at(copy + 1) == 0x82)
		puts("byte of a half");
	half = half_at(bytes + 2);
	memcpy(copy, &half, 2);
	if (byte_at(copy) == 0x83)
		puts("byte of another half");
	uint64_t large = (uint64_t)c[1] * 0x102030405060ull;
	memcpy(bytes + 8, &large, 8);
	bytes[9] = 7;
	uint32_t word = word_at(bytes + 9);
	memcpy(copy + 4, &word, 4);
	if (byte_at(copy + 6) == 0x11)
		puts("byte of a patched word");
	bytes[16] = 1, bytes[17] = (unsigned char)c[2], bytes[18] = (unsigned char)c[3];
	word = word_at(bytes + 16);
	memcpy(copy + 8, &word, 4);
	if (half_at(copy + 9) == ('c' | 'd' << 8))
		puts("half of a patchwork");
	return 0;
}
