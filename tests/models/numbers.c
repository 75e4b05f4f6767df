/* Numbers from text: 0..31 the text, 40 the base. */
// case: decimal = 12345 and more
// case: negative =   -0042xyz
// case: overflow-long = 9223372036854775808
// case: underflow-long = -9223372036854775809
// case: limit-long = -9223372036854775808
// case: overflow-unsigned = 18446744073709551616
// case: limit-unsigned = 18446744073709551615
// case: hexadecimal = \t 0x1fZ
// case: hexadecimal-no-digit = 0xg
// case: binary = 0b101
// case: octal = 0778
// case: empty = \0\0\0\0
// case: spaces = \t\n\v\f\r +7
// case: signs = +-5
// case: high-bytes = \0377\0240 12
// case: no-digits =   xyz
// case: any-base = zzZZ9\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\044
// case: base-2 = -1012\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\002
// case: base-1 = 11111\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\001
// case: base-99 = 11111\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0143
// case: base-16 = 0x0XfF\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\020
#define _GNU_SOURCE
#include "harness.h"

#include <inttypes.h>

#define S piece(0, 31)
#define BASE ((signed char)in[40])

/* By the base of the input, and by what programs write. */
#define CONVERTS(name) \
	TEST(name) \
	{ \
		static const int bases[] = {10, 0, 16, 8, 2, 36}; \
		char *s = S, *end = NULL; \
		for (unsigned i = 0; i < 6; i++) { \
			errno = 0; \
			give((uint64_t)name(s, &end, bases[i])); \
			give_at(end, s); \
			give((uint64_t)errno); \
		} \
		errno = 0; \
		end = NULL; \
		give((uint64_t)name(s, &end, BASE)); \
		give_at(end, s); \
		give((uint64_t)errno); \
		give((uint64_t)name(s, NULL, 10)); \
	}

CONVERTS(strtol)
CONVERTS(strtoul)
CONVERTS(strtoll)
CONVERTS(strtoull)

TEST(atoi) { give((uint64_t)atoi(S)); }
TEST(atol) { give((uint64_t)atol(S)); }
TEST(atoll) { give((uint64_t)atoll(S)); }

static int64_t word(unsigned at)
{
	int64_t v;
	memcpy(&v, in + at, sizeof v);
	return v;
}

TEST(abs) { give((uint64_t)abs((int)word(0))); }
TEST(labs) { give((uint64_t)labs(word(0))); }
