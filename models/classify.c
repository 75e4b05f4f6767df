/* Classes of wide characters. What the locale says of the first thousand characters is asked once and kept in tables of known size, so that
 * a class is a term; beyond them the library is asked, which fixes the character. The address of the locale's own table tells whether
 * it is still the same locale. Classes are numbers of ours only inside: wctype's are the library's. */
#include "model.h"

#include <ctype.h>
#include <wchar.h>
#include <wctype.h>

enum { SMALL = 1024 };

#define CLASSES(CLASS) \
	CLASS(alnum) CLASS(alpha) CLASS(blank) CLASS(cntrl) CLASS(digit) CLASS(graph) CLASS(lower) CLASS(print) CLASS(punct) CLASS(space) CLASS(upper) \
	CLASS(xdigit)

enum class {
#define CLASS(name) IS_##name,
	CLASSES(CLASS)
#undef CLASS
	CLASS_COUNT, TO_LOWER = CLASS_COUNT, TO_UPPER, WIDTH, TABLE_COUNT
};

static byte classes[CLASS_COUNT][SMALL];
static int32_t lowers[SMALL / 2], uppers[SMALL / 2]; /* a table may have 4096 bytes: these end at half */
static signed char widths[SMALL];
static const void *locale_of[TABLE_COUNT];

static wctype_t types[CLASS_COUNT];

static const char *const names[] = {
#define CLASS(name) #name,
	CLASSES(CLASS)
#undef CLASS
};

/* Is the table to be filled? */
static int is_stale(unsigned table)
{
	const void *now = *__ctype_b_loc();
	if (locale_of[table] == now)
		return 0;
	locale_of[table] = now;
	return 1;
}

static int is(enum class class, wint_t c)
{
	if (is_stale(class)) {
		types[class] = wctype(names[class]);
		for (wint_t i = 0; i < SMALL; i++)
			classes[class][i] = iswctype(i, types[class]) != 0;
	}
	return c < SMALL ? classes[class][c] : iswctype(c, types[class]) != 0;
}

#define CLASS(name) int MODEL(isw##name)(wint_t c) { return is(IS_##name, c); }
CLASSES(CLASS)
#undef CLASS

wint_t MODEL(towlower)(wint_t c)
{
	if (is_stale(TO_LOWER))
		for (wint_t i = 0; i < SMALL / 2; i++)
			lowers[i] = (int32_t)towlower(i);
	return c < SMALL / 2 ? (wint_t)lowers[c] : towlower(c);
}

wint_t MODEL(towupper)(wint_t c)
{
	if (is_stale(TO_UPPER))
		for (wint_t i = 0; i < SMALL / 2; i++)
			uppers[i] = (int32_t)towupper(i);
	return c < SMALL / 2 ? (wint_t)uppers[c] : towupper(c);
}

int MODEL(wcwidth)(wchar_t c)
{
	if (is_stale(WIDTH))
		for (wchar_t i = 0; i < SMALL; i++)
			widths[i] = (signed char)wcwidth(i);
	return c >= 0 && c < SMALL ? widths[c] : wcwidth(c);
}

int MODEL(wcswidth)(const wchar_t *s, size_t n)
{
	int sum = 0;
	for (; n && *s; n--, s++) {
		int width = MODEL(wcwidth)(*s);
		if (width < 0)
			return -1;
		sum += width;
	}
	return sum;
}

int MODEL(iswctype)(wint_t c, wctype_t type)
{
	for (unsigned i = 0; i < CLASS_COUNT; i++)
		if (type && type == wctype(names[i]))
			return is((enum class)i, c);
	return iswctype(c, type);
}
