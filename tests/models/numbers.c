/* Numbers from text: 0..31 the text, 40 the base. */
// case: decimal = 12345 and more
// case: negative @strtol @strtoul =   -0042xyz
// case: overflow-long @strtol @strtoul = 9223372036854775808
// case: underflow-long = -9223372036854775809
// case: limit-long @strtol @strtoul = -9223372036854775808
// case: overflow-unsigned = 18446744073709551616
// case: limit-unsigned @strtol @strtoul = 18446744073709551615
// case: hexadecimal = \t 0x1fZ
// case: hexadecimal-no-digit @strtol @strtoul = 0xg
// case: binary @strtol @strtoul = 0b101
// case: octal @strtol @strtoul = 0778
// case: empty @strtol @strtoul = \0\0\0\0
// case: spaces @strtol @strtoul = \t\n\v\f\r +7
// case: signs @strtol @strtoul = +-5
// case: high-bytes = \0377\0240 12
// case: no-digits @strtol @strtoul =   xyz
// case: any-base @strtol @strtoul = zzZZ9\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\044
// case: base-2 @strtol @strtoul = -1012\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\002
// case: base-1 @strtol @strtoul = 11111\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\001
// case: base-99 @strtol @strtoul = 11111\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0143
// case: base-16 @strtol @strtoul = 0x0XfF\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\020
#define _GNU_SOURCE
#include "harness.h"

#include <inttypes.h>
#include <locale.h>

#define S piece(0, 31)
#define BASE ((signed char)in[40])

static void in_utf8(void)
{
	setlocale(LC_ALL, "C.UTF-8");
}

#define CONVERT(call) \
	char *s = S, *end = NULL; \
	errno = 0; \
	give((uint64_t)(call)); \
	give_at(end, s); \
	give((uint64_t)errno)

/* By the bases that programs write, and by one that comes from the input. */
#define CONVERTS(name) \
	TEST(name) { CONVERT(name(s, &end, 10)); give((uint64_t)name(s, NULL, 10)); } \
	TEST_OF(name, base0, NULL) { CONVERT(name(s, &end, 0)); } \
	TEST_OF(name, base16, in_utf8) { CONVERT(name(s, &end, 16)); } \
	TEST_OF(name, base8, NULL) { CONVERT(name(s, &end, 8)); } \
	TEST_OF(name, base2, NULL) { CONVERT(name(s, &end, 2)); } \
	TEST_OF(name, base36, NULL) { CONVERT(name(s, &end, 36)); } \
	TEST_OF(name, any, NULL) { CONVERT(name(s, &end, BASE)); }

CONVERTS(strtol)
CONVERTS(strtoul)

#define CONVERTS_TOO(name) TEST(name) { CONVERT(name(s, &end, 10)); } TEST_OF(name, base0, NULL) { CONVERT(name(s, &end, 0)); }
CONVERTS_TOO(strtoll)
CONVERTS_TOO(strtoull)
CONVERTS_TOO(strtoimax)
CONVERTS_TOO(strtoumax)
CONVERTS_TOO(strtoq)
CONVERTS_TOO(strtouq)

#define CONVERTS_INSIDE(type, name) type name(const char *, char **, int, int); TEST(name) { CONVERT(name(s, &end, 0, 0)); }
CONVERTS_INSIDE(long, __strtol_internal)
CONVERTS_INSIDE(unsigned long, __strtoul_internal)
CONVERTS_INSIDE(long long, __strtoll_internal)
CONVERTS_INSIDE(unsigned long long, __strtoull_internal)

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
TEST(llabs) { give((uint64_t)llabs(word(0))); }
TEST(imaxabs) { give((uint64_t)imaxabs(word(0))); }

/* By what is never 0 and, of the smallest number, not by -1. */
#define DIVISOR(at) ((word(at) & 0xffff) + 2)
TEST(div) { div_t d = div((int)word(0), (int)DIVISOR(8)); give((uint64_t)d.quot); give((uint64_t)d.rem); }
TEST(ldiv) { ldiv_t d = ldiv(word(0), DIVISOR(8)); give((uint64_t)d.quot); give((uint64_t)d.rem); }
TEST(lldiv) { lldiv_t d = lldiv(word(0), -DIVISOR(8)); give((uint64_t)d.quot); give((uint64_t)d.rem); }
TEST(imaxdiv) { imaxdiv_t d = imaxdiv(word(0), DIVISOR(8)); give((uint64_t)d.quot); give((uint64_t)d.rem); }
