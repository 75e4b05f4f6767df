/* Floating-point numbers from text: the end by branches, the value fixed. 0..31 the text. */
// case: decimal = 12.5e1x
// case: negative =  \t-0.75e-3 rest
// case: hexadecimal = 0x1.8p3z
// case: hexadecimal-no-digit = 0x.p1
// case: infinity = -INFINITYx
// case: infinity-short = infinit
// case: nan = nan(ab_1)c
// case: nan-open = NaN(ab
// case: overflow = 1e999
// case: underflow = 1e-400
// case: point-only = .e1
// case: no-exponent = 1.e+
// case: empty = \0\0\0\0
// case: high-bytes = \0377\02011
// case: long = 00000000000012345678901234567890
#define _GNU_SOURCE
#include "harness.h"

#include <math.h>

static void give_float(double v)
{
	uint64_t bits;
	memcpy(&bits, &v, sizeof bits);
	give(isnan(v) ? bits >> 63 | 2 : bits);
}

#define CONVERTS(name) \
	TEST(name) \
	{ \
		char *s = piece(0, 32), *end = NULL; \
		errno = 0; \
		give_at((name(s, &end), end), s); \
		give_float((double)name(s, NULL)); \
		give((uint64_t)errno); \
	}
CONVERTS(strtod)
CONVERTS(strtof)
CONVERTS(strtold)
TEST(atof) { give_float(atof(piece(0, 32))); }
