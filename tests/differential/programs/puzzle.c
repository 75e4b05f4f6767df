// Bit tricks on licence keys XXXX-XXXX: Gray codes, rotations, population counts by hand, xorshift, sign games, saturating sums,
// 128-bit products, each group checked in its own way.
// args: 7F3A-C09E 0001-FFFE
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int hex(char c)
{
	unsigned d = (unsigned char)c - '0', l = ((unsigned char)c | 32u) - 'a';
	return d < 10 ? (int)d : l < 6 ? (int)l + 10 : -1;
}

static int group(const char *s, uint16_t *out)
{
	uint16_t v = 0;
	for (int i = 0; i < 4; i++) {
		int d = hex(s[i]);
		if (d < 0)
			return 0;
		v = (uint16_t)(v << 4 | d);
	}
	*out = v;
	return 1;
}

static unsigned count_bits(uint32_t v)
{
	v -= v >> 1 & 0x55555555;
	v = (v & 0x33333333) + (v >> 2 & 0x33333333);
	return ((v + (v >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24;
}

static uint16_t from_gray(uint16_t g)
{
	for (int k = 1; k < 16; k *= 2)
		g = (uint16_t)(g ^ g >> k);
	return g;
}

static uint32_t turn(uint32_t v, unsigned n) { return v << n | v >> (32 - n); }

static uint64_t scramble(uint64_t x)
{
	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return x;
}

static int16_t add_saturated(int16_t a, int16_t b)
{
	int sum = a + b;
	return (int16_t)(sum > 32767 ? 32767 : sum < -32768 ? -32768 : sum);
}

static unsigned check(uint16_t a, uint16_t b)
{
	unsigned marks = 0;
	uint32_t both = (uint32_t)a << 16 | b;
	if (count_bits(both) % 3 == 0)
		marks |= 1;
	if (from_gray(a) > from_gray(b))
		marks |= 2;
	if ((turn(both, 9) ^ turn(both, 21)) & 0x1000)
		marks |= 4;
	if ((int16_t)a < (int16_t)b)
		marks |= 8;
	if (add_saturated((int16_t)a, (int16_t)b) == 32767)
		marks |= 16;
	if ((uint8_t)(scramble(both) >> 11) < 64)
		marks |= 32;
	unsigned __int128 wide = (unsigned __int128)scramble(a + 1u) * (b | 1u);
	if ((uint64_t)(wide >> 64) != 0)
		marks |= 64;
	if ((a & -a) == (b & -b))
		marks |= 128;
	return marks;
}

int main(int argc, char **argv)
{
	unsigned all = 255;
	for (int i = 1; i < argc; i++) {
		uint16_t a, b;
		if (strlen(argv[i]) != 9 || argv[i][4] != '-' || !group(argv[i], &a) || !group(argv[i] + 5, &b)) {
			printf("%d: no key\n", i);
			return 1;
		}
		unsigned marks = check(a, b);
		printf("%d: %02x\n", i, marks);
		all &= marks;
	}
	return all == 255 ? 0 : 2;
}
