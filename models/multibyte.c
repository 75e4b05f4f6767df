/* Characters of several bytes, in the C locale and in those with UTF-8; in any other the library is asked, and what it is given becomes concrete. As the
 * library does it: what is wrong with a sequence is noticed when its last byte is there, sequences may have up to six bytes, and the
 * state of a sequence that has begun is kept in the library's own way, so that its functions go on where a model has stopped. */
#include "model.h"

#include <errno.h>
#include <langinfo.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

enum charset { ASCII, UTF8, OTHER };

static enum charset charset(void)
{
	const char *name = nl_langinfo(CODESET);
	return strcmp(name, "UTF-8") == 0 ? UTF8 : strcmp(name, "ANSI_X3.4-1968") == 0 ? ASCII : OTHER;
}

enum { INVALID = -1, INCOMPLETE = -2 };

/* How long a sequence is that begins with this byte; 0: none does. Without branches. */
static unsigned length_of(byte lead)
{
	return (lead < 0x80) + 2u * (lead - 0xc2u < 0x1e) + 3u * (lead - 0xe0u < 0x10) + 4u * (lead - 0xf0u < 0x08) + 5u * (lead - 0xf8u < 0x04) +
	       6u * (lead - 0xfcu < 0x02);
}

/* A state has the number of bytes it has seen, of how many, and the bits in place. */
static unsigned seen(const mbstate_t *state) { return (unsigned)state->__count & 7; }
static unsigned all(const mbstate_t *state) { return (unsigned)state->__count >> 8; }

static void begin(mbstate_t *state, byte lead, unsigned length)
{
	static const byte mask[] = {0, 0x7f, 0x1f, 0x0f, 0x07, 0x03, 0x01};
	state->__value.__wch = (wint_t)(lead & mask[length]) << 6 * (length - 1);
	state->__count = (int)(length << 8 | 1);
}

static int add(mbstate_t *state, byte next)
{
	if ((next & 0xc0) != 0x80)
		return INVALID;
	state->__value.__wch |= (wint_t)(next & 0x3f) << 6 * (all(state) - seen(state) - 1);
	state->__count++;
	return 0;
}

/* More than were needed, or half of a pair. */
static int is_wrong(const mbstate_t *state)
{
	wint_t c = state->__value.__wch;
	return (all(state) > 2 && c >> (5 * all(state) - 4) == 0) || (c & 0xfffff800) == 0xd800;
}

static size_t fail(void)
{
	errno = EILSEQ;
	return (size_t)INVALID;
}

static size_t utf8_read(wchar_t *to, const byte *s, size_t n, mbstate_t *state)
{
	mbstate_t at = *state;
	size_t i = 0;
	if (!n)
		return (size_t)INCOMPLETE;
	if (!at.__count) {
		unsigned length = length_of(s[0]);
		if (!length)
			return fail();
		begin(&at, s[i++], length);
	}
	for (; seen(&at) < all(&at) && i < n; i++)
		if (add(&at, s[i]) == INVALID)
			return fail();
	if (seen(&at) < all(&at)) {
		*state = at;
		return (size_t)INCOMPLETE;
	}
	if (is_wrong(&at))
		return fail();
	if (to)
		*to = (wchar_t)at.__value.__wch;
	state->__count = 0;
	return at.__value.__wch ? i : 0;
}

static size_t ascii_read(wchar_t *to, const byte *s, size_t n)
{
	if (!n)
		return (size_t)INCOMPLETE;
	if (s[0] >= 0x80)
		return fail();
	if (to)
		*to = s[0];
	return s[0] != 0;
}

static size_t read_with(wchar_t *to, const char *s, size_t n, mbstate_t *state, mbstate_t *own)
{
	if (!s)
		to = NULL, s = "", n = 1;
	enum charset set = charset();
	if (set == OTHER)
		return mbrtowc(to, s, n, state ? state : own);
	return set == UTF8 ? utf8_read(to, (const byte *)s, n, state ? state : own) : ascii_read(to, (const byte *)s, n);
}

size_t MODEL(mbrtowc)(wchar_t *to, const char *s, size_t n, mbstate_t *state)
{
	static mbstate_t own;
	return read_with(to, s, n, state, &own);
}

size_t MODEL(mbrlen)(const char *s, size_t n, mbstate_t *state)
{
	static mbstate_t own;
	return read_with(NULL, s, n, state, &own);
}

int MODEL(mbsinit)(const mbstate_t *state)
{
	return !state || !state->__count;
}

/* No charset here has states of its own: null asks for that. */
int MODEL(mbtowc)(wchar_t *to, const char *s, size_t n)
{
	mbstate_t fresh = {0};
	if (charset() == OTHER)
		return mbtowc(to, s, n);
	if (!s)
		return 0;
	if (!*s) /* the library looks there even if it is given no bytes */
		n = 1;
	size_t used = read_with(to, s, n, &fresh, NULL);
	return used == (size_t)INCOMPLETE ? INVALID : (int)used;
}

int MODEL(mblen)(const char *s, size_t n)
{
	return MODEL(mbtowc)(NULL, s, n);
}

size_t MODEL(mbsnrtowcs)(wchar_t *to, const char **from, size_t bytes, size_t most, mbstate_t *state)
{
	static mbstate_t own;
	mbstate_t copy = state ? *state : own, *at = to ? (state ? state : &own) : &copy;
	const char *s = *from, *end = s + bytes;
	size_t n = 0;
	if (charset() == OTHER)
		return mbsnrtowcs(to, from, bytes, most, at);
	for (wchar_t c; (!to || n < most) && (bytes == SIZE_MAX || s < end); n++) {
		size_t used = read_with(&c, s, bytes == SIZE_MAX ? (size_t)MB_LEN_MAX : (size_t)(end - s), at, NULL);
		if (used == (size_t)INVALID) {
			if (to)
				*from = s;
			return used;
		}
		if (used == (size_t)INCOMPLETE) {
			s = end;
			break;
		}
		if (to)
			to[n] = c;
		if (!c) {
			if (to)
				*from = NULL;
			return n;
		}
		s += used;
	}
	if (to)
		*from = s;
	return n;
}

size_t MODEL(mbsrtowcs)(wchar_t *to, const char **from, size_t most, mbstate_t *state)
{
	static mbstate_t own;
	return MODEL(mbsnrtowcs)(to, from, SIZE_MAX, most, state ? state : &own);
}

size_t MODEL(mbstowcs)(wchar_t *to, const char *s, size_t most)
{
	mbstate_t fresh = {0};
	return MODEL(mbsnrtowcs)(to, &s, SIZE_MAX, most, &fresh);
}

/* ---- the other way ---- */

static size_t utf8_write(byte *to, wint_t c)
{
	if (c > 0x7fffffff || (c & 0xfffff800) == 0xd800)
		return fail();
	if (c < 0x80) {
		to[0] = (byte)c;
		return 1;
	}
	size_t n = 2;
	while (n < 6 && c >> (5 * n + 1))
		n++;
	to[0] = (byte)(0xff00 >> n);
	for (size_t i = n; --i; c >>= 6)
		to[i] = 0x80 | (c & 0x3f);
	to[0] |= (byte)c;
	return n;
}

static size_t write_to(char *to, wchar_t c)
{
	char nowhere[MB_LEN_MAX];
	if (!to)
		to = nowhere, c = 0;
	if (charset() == UTF8)
		return utf8_write((byte *)to, (wint_t)c);
	if ((wint_t)c >= 0x80)
		return fail();
	*to = (char)c;
	return 1;
}

size_t MODEL(wcrtomb)(char *to, wchar_t c, mbstate_t *state)
{
	if (charset() == OTHER)
		return wcrtomb(to, c, state);
	return write_to(to, c);
}

int MODEL(wctomb)(char *to, wchar_t c)
{
	if (charset() == OTHER)
		return wctomb(to, c);
	return to ? (int)write_to(to, c) : 0;
}

size_t MODEL(wcsnrtombs)(char *to, const wchar_t **from, size_t chars, size_t most, mbstate_t *state)
{
	const wchar_t *s = *from;
	size_t n = 0;
	if (charset() == OTHER)
		return wcsnrtombs(to, from, chars, most, state);
	for (; chars; chars--, s++) {
		char bytes[MB_LEN_MAX];
		if (to && n == most) /* the library does not look at what it has no room for */
			break;
		size_t used = write_to(bytes, *s);
		if (used == (size_t)INVALID) {
			if (to)
				*from = s;
			return used;
		}
		if (to && used > most - n)
			break;
		if (to)
			__builtin_memcpy(to + n, bytes, used);
		if (!*s) {
			if (to)
				*from = NULL;
			return n;
		}
		n += used;
	}
	if (to)
		*from = s;
	return n;
}

size_t MODEL(wcsrtombs)(char *to, const wchar_t **from, size_t most, mbstate_t *state)
{
	return MODEL(wcsnrtombs)(to, from, SIZE_MAX, most, state);
}

size_t MODEL(wcstombs)(char *to, const wchar_t *s, size_t most)
{
	return MODEL(wcsnrtombs)(to, &s, SIZE_MAX, most, NULL);
}

wint_t MODEL(btowc)(int c)
{
	if (charset() == OTHER)
		return btowc(c);
	return c >= 0 && c < 0x80 ? (wint_t)c : WEOF;
}

int MODEL(wctob)(wint_t c)
{
	if (charset() == OTHER)
		return wctob(c);
	return c < 0x80 ? (int)c : EOF;
}
