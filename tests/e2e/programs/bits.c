// Bit tricks: bswap, popcount, clz, ctz, ffs, parity, rotates of all widths, bit reversal, min/max idioms, shifts.
// tandem: trace @
// stdin: abcdefgh
// expect: main +not taken .*stdin\[0..7\]
// expect: main +taken .*stdin\[1\]
// expect: main +taken .*stdin\[2\]
// expect: main +not taken .*stdin\[3\]
// expect: main +taken .*stdin\[4\]
// expect: main +not taken .*stdin\[5\]
// expect: main +not taken .*stdin\[6\]
// never: lost
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t rotate(uint32_t v, unsigned n) { return v << (n & 31) | v >> (-n & 31); }
static uint8_t rotate8(uint8_t v, unsigned n) { return (uint8_t)(v << n | v >> (8 - n)); }

int main(void)
{
	unsigned char c[8];
	if (fread(c, 1, 8, stdin) != 8)
		return 1;
	uint64_t all;
	memcpy(&all, c, 8);
	if (__builtin_bswap64(all) == 0x6162636465666769)
		puts("bswap64");
	if (__builtin_popcount(c[1]) == 3)
		puts("popcount");
	if (__builtin_clz(c[2]) == 25 && __builtin_ctz(c[2] | 256) == 0)
		puts("clz, ctz");
	if (__builtin_ffsll((long long)(c[3] & 0xf0)) == 2 || __builtin_parity(c[3]) == 0)
		puts("ffs, parity");
	if (rotate(c[4], c[4] & 7) == 'e' << 5)
		puts("rotate");
	if (rotate8(c[5], 3) == 1 || __builtin_rotateleft16(c[5], 9) == 1)
		puts("rotate8");
	if (__builtin_bitreverse8(c[6]) == 1 || __builtin_bswap16(c[6]) == 1)
		puts("bitreverse");
	int a = c[0] - 'm', b = c[7] - 'm', least = a < b ? a : b;
	unsigned magnitude = a < 0 ? -(unsigned)a : (unsigned)a;
	if (least == -100 || magnitude == 1 || __builtin_clzll(all) == 9 || __builtin_clrsb(a) == 3)
		puts("least");
	printf("%d %u %d\n", least, magnitude, (int8_t)(c[0] << 1) >> 3);
	return 0;
}
