// Bytes of one value put together in another order, repeated, filled in by memset, moved over themselves, then read as words.
// tandem: trace @
// stdin: abcdefgh
// expect: main +not taken .*stdin\[0\]
// expect: main +not taken .*stdin\[1\]
// expect: main +not taken .*stdin\[3\]
// expect: main +taken .*stdin\[4\]
// expect: main +not taken .*stdin\[5\]
// expect: main +not taken .*stdin\[7\]
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static unsigned char bytes[32];

/* Functions of their own: the optimiser does not know what was stored. */
static uint32_t word_at(const void *p) { uint32_t v; memcpy(&v, p, 4); return v; }
static uint16_t half_at(const void *p) { uint16_t v; memcpy(&v, p, 2); return v; }

int main(void)
{
	unsigned char c[8];
	uint32_t product;
	for (int i = 0; i < 8; i++)
		c[i] = (unsigned char)getchar();
	product = c[0] * 0x10203u;
	memcpy(bytes, &product, 4);
	for (int i = 0; i < 4; i++)
		bytes[8 + i] = bytes[3 - i];
	if (word_at(bytes + 8) == 0x41820100)
		puts("turned round");
	memset(bytes, c[1], 27);
	if (word_at(bytes + 1) == 0x42424242)
		puts("filled");
	bytes[0] = c[2], bytes[1] = c[3], bytes[2] = 1, bytes[3] = 2;
	memmove(bytes + 1, bytes, 4);
	if (half_at(bytes + 2) == ('D' | 1 << 8))
		puts("moved up");
	bytes[4] = c[4], bytes[5] = 5, bytes[6] = 6;
	memmove(bytes + 3, bytes + 4, 3);
	if (half_at(bytes + 3) == ('e' | 5 << 8))
		puts("moved down");
	product = (uint32_t)c[5] << 20 | c[6];
	memcpy(bytes, &product, 4);
	bytes[1] = bytes[2];
	if (half_at(bytes + 1) == 0x4040)
		puts("repeated");
	product = c[7] * 0x1020304u;
	memcpy(bytes, (char *)&product + 1, 3);
	memcpy(bytes + 3, (char *)&product + 1, 3);
	if (word_at(bytes + 1) == 0x90480090)
		puts("twice");
	return 0;
}
