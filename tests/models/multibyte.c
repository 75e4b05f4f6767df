/* Characters of several bytes, in the C locale and with UTF-8: 0..15 text, 16..19 a wide character. */
// case: ascii = plain text\0\0\0\0\0\0a\0\0\0\006
// case: two-bytes = \0303\0244\0303\0266x\0\0\0\0\0\0\0\0\0\0\0\0344\0\0\0\003
// case: three-bytes = \0342\0202\0254\0343\0201\0202\0\0\0\0\0\0\0\0\0\0\0254\040\0\0\004
// case: four-bytes = \0360\0237\0230\0200z\0\0\0\0\0\0\0\0\0\0\0\0\0366\001\0\005
// case: too-long = \0300\0200\0340\0200\0200\0360\0200\0200\0200\0\0\0\0\0\0\0\0\0330\0\0\002
// case: surrogate = \0355\0240\0200\0355\0277\0277\0\0\0\0\0\0\0\0\0\0\0377\0337\0\0\006
// case: too-large = \0364\0220\0200\0200\0367\0277\0277\0277\0370\0210\0200\0200\0200\0\0\0\0\0\021\0\010
// case: six-bytes = \0374\0204\0200\0200\0200\0200\0374\0200\0200\0200\0200\0200\0\0\0\0\0\0\0\0040\007
// case: cut-off = \0342\0202\0\0303\0\0\0\0\0\0\0\0\0\0\0\0377\0377\0377\0177\002
// case: empty = \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0
// case: full @wcsrtombs = ax\0\0330\0\0\0\0\0\0\0\0\0\0\0\0b\0\0\0\0
#define _GNU_SOURCE
#include "harness.h"

#include <locale.h>
#include <wchar.h>

static void in_utf8(void)
{
	setlocale(LC_ALL, "C.UTF-8");
}

#define S piece(0, 15)
#define N (in[20] & 7u)

static wchar_t one(void)
{
	return (wchar_t)(in[16] | in[17] << 8 | in[18] << 16 | (unsigned)in[19] << 24);
}

/* In both locales. */
#define BOTH(name) \
	static void do_##name(void); \
	TEST(name) { do_##name(); } \
	TEST_OF(name, utf8, in_utf8) { do_##name(); } \
	static void do_##name(void)

BOTH(mbrtowc)
{
	char *s = S;
	mbstate_t state = {0};
	for (int i = 0, at = 0; i < 5; i++) {
		wchar_t c = 77;
		size_t n = mbrtowc(&c, s + at, (size_t)(15 - at), &state);
		give(n);
		give((uint64_t)c);
		give((uint64_t)errno);
		if (n > 15)
			break;
		at += (int)(n ? n : 1);
	}
	give((uint64_t)mbrtowc(NULL, NULL, 0, &(mbstate_t){0}));
}

/* Byte by byte: what has begun is in the state. */
TEST_OF(mbrtowc, bytes, in_utf8)
{
	char *s = S;
	mbstate_t state = {0};
	for (int i = 0; i < 9; i++) {
		wchar_t c = 77;
		size_t n = mbrtowc(&c, s + i, 1, &state);
		give(n);
		give((uint64_t)c);
		if (n == (size_t)-1)
			break;
		give_truth(mbsinit(&state));
	}
}

BOTH(mbrlen) { char *s = S; mbstate_t state = {0}; size_t n = mbrlen(s, N, &state); give(n); if (n + 2 > 2) give(mbrlen(s + n, 4, &state)); }
BOTH(mbsinit) { char *s = S; mbstate_t state = {0}; size_t n = mbrtowc(NULL, s, 2, &state); if (n != (size_t)-1) give_truth(mbsinit(&state)); give_truth(mbsinit(NULL)); }
BOTH(mbtowc) { char *s = S; wchar_t c = 77; give((uint64_t)mbtowc(&c, s, N)); give((uint64_t)c); give((uint64_t)mbtowc(NULL, NULL, 0)); }
BOTH(mblen) { char *s = S; give((uint64_t)mblen(s, N)); give((uint64_t)mblen(s, 15)); give((uint64_t)errno); }

#define CONVERTS(name, call) \
	BOTH(name) \
	{ \
		char *begin = S; \
		const char *s = begin; \
		wchar_t to[8] = {77, 77, 77, 77, 77, 77, 77, 77}; \
		mbstate_t state = {0}; \
		size_t n = call(to); \
		give(n); \
		give_bytes(to, sizeof to); \
		if (n != (size_t)-1) /* else the library may be in the middle of a sequence */ \
			give_at(s, begin); \
		s = begin; \
		state = (mbstate_t){0}; \
		give(call(NULL)); \
		give_at(s, begin); \
	}
#define WITH_STATE(to) mbsrtowcs(to, &s, N, &state)
#define WITH_LENGTH(to) mbsnrtowcs(to, &s, N + 4, 6, &state)
#define WITHOUT(to) mbstowcs(to, s, N)
CONVERTS(mbsrtowcs, WITH_STATE)
CONVERTS(mbsnrtowcs, WITH_LENGTH)
CONVERTS(mbstowcs, WITHOUT)

BOTH(wcrtomb) { char to[16] = "###############"; give(wcrtomb(to, one(), &(mbstate_t){0})); give_bytes(to, 8); give((uint64_t)errno); give(wcrtomb(NULL, 0, NULL)); }
BOTH(wctomb) { char to[16] = "###############"; give((uint64_t)wctomb(to, one())); give_bytes(to, 8); give((uint64_t)wctomb(NULL, 0)); }

#define CONVERTS_BACK(name, call) \
	BOTH(name) \
	{ \
		wchar_t text[6] = {in[0], one() & 0x1fffff, in[2] | in[3] << 8, in[4], 'x', 0}; \
		const wchar_t *s = text; \
		char to[24] = "#######################"; \
		mbstate_t state = {0}; \
		give(call(to)); \
		give_bytes(to, sizeof to); \
		give_at(s, text); \
		s = text; \
		give(call(NULL)); \
		give_at(s, text); \
	}
#define BACK_WITH_STATE(to) wcsrtombs(to, &s, N + 2, &state)
#define BACK_WITH_LENGTH(to) wcsnrtombs(to, &s, N % 6, 9, &state)
#define BACK_WITHOUT(to) wcstombs(to, s, N + 4)
CONVERTS_BACK(wcsrtombs, BACK_WITH_STATE)
CONVERTS_BACK(wcsnrtombs, BACK_WITH_LENGTH)
CONVERTS_BACK(wcstombs, BACK_WITHOUT)

BOTH(btowc) { give(btowc(in[0])); give(btowc((signed char)in[1])); give(btowc(EOF)); }
BOTH(wctob) { give((uint64_t)wctob((wint_t)one())); give((uint64_t)wctob(in[0])); give((uint64_t)wctob(WEOF)); }
