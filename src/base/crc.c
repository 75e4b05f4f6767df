/* Eight bytes at a time by eight tables, since files may be large. The tables are made of the polynomial; whoever comes second makes the
 * same ones. */
#include "base/crc.h"

#include <stdbool.h>
#include <string.h>

#define POLYNOMIAL 0xedb88320u

static uint32_t tables[8][256];

static void make_tables(void)
{
	static _Atomic bool made;
	if (made)
		return;
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t c = i;
		for (int k = 0; k < 8; k++)
			c = c & 1 ? c >> 1 ^ POLYNOMIAL : c >> 1;
		tables[0][i] = c;
	}
	for (int k = 1; k < 8; k++)
		for (uint32_t i = 0; i < 256; i++)
			tables[k][i] = tables[k - 1][i] >> 8 ^ tables[0][tables[k - 1][i] & 255];
	made = true;
}

uint32_t crc_of(const void *bytes, size_t size)
{
	const uint8_t *b = bytes;
	uint32_t c = ~0u;
	make_tables();
	for (; size >= 8; b += 8, size -= 8) {
		uint32_t low, high; /* little-endian, as this machine is */
		memcpy(&low, b, 4);
		memcpy(&high, b + 4, 4);
		low ^= c;
		c = tables[7][low & 255] ^ tables[6][low >> 8 & 255] ^ tables[5][low >> 16 & 255] ^ tables[4][low >> 24] ^
		    tables[3][high & 255] ^ tables[2][high >> 8 & 255] ^ tables[1][high >> 16 & 255] ^ tables[0][high >> 24];
	}
	for (; size; b++, size--)
		c = c >> 8 ^ tables[0][(c ^ *b) & 255];
	return ~c;
}
