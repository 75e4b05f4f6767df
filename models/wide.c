/* Wide strings: the same as for bytes, with another type. */
#include "model.h"

#include <langinfo.h>
#include <wchar.h>

#define CHARACTER wchar_t
#define PASSED wchar_t
#define TEXT(name) MODEL(wcs##name)
#define END(name) MODEL(wcp##name)
#include "text.h"

static int order(wchar_t a, wchar_t b)
{
	return (a > b) - (a < b);
}

int MODEL(wcscmp)(const wchar_t *a, const wchar_t *b)
{
	while (*a && *a == *b)
		a++, b++;
	return order(*a, *b);
}

int MODEL(wcscoll)(const wchar_t *a, const wchar_t *b)
{
	return nl_langinfo(_NL_COLLATE_NRULES) ? wcscoll(a, b) : MODEL(wcscmp)(a, b);
}

int MODEL(wcsncmp)(const wchar_t *a, const wchar_t *b, size_t n)
{
	while (n && *a && *a == *b)
		a++, b++, n--;
	return n ? order(*a, *b) : 0;
}

int MODEL(wcsncasecmp)(const wchar_t *a, const wchar_t *b, size_t n)
{
	wint_t x = 0, y = 0;
	for (; n; n--) {
		x = MODEL(towlower)((wint_t)*a++), y = MODEL(towlower)((wint_t)*b++);
		if (!x || x != y)
			return order((wchar_t)x, (wchar_t)y);
	}
	return 0;
}

int MODEL(wcscasecmp)(const wchar_t *a, const wchar_t *b)
{
	return MODEL(wcsncasecmp)(a, b, SIZE_MAX);
}

wchar_t *MODEL(wcsstr)(const wchar_t *where, const wchar_t *what) { SEARCH(MODEL(wcsncmp)); }

/* Unlike strtok_r this one leaves no place to go on when there is nothing left. */
wchar_t *MODEL(wcstok)(wchar_t *s, const wchar_t *delimiters, wchar_t **rest)
{
	if (!s && !(s = *rest))
		return NULL;
	s += MODEL(wcsspn)(s, delimiters);
	*rest = NULL;
	if (!*s)
		return NULL;
	wchar_t *end = s + MODEL(wcscspn)(s, delimiters);
	if (*end) {
		*end = 0;
		*rest = end + 1;
	}
	return s;
}

wchar_t *MODEL(wmemcpy)(wchar_t *to, const wchar_t *from, size_t n)
{
	__builtin_memcpy(to, from, n * sizeof *to);
	return to;
}

wchar_t *MODEL(wmempcpy)(wchar_t *to, const wchar_t *from, size_t n)
{
	__builtin_memcpy(to, from, n * sizeof *to);
	return to + n;
}

wchar_t *MODEL(wmemmove)(wchar_t *to, const wchar_t *from, size_t n)
{
	__builtin_memmove(to, from, n * sizeof *to);
	return to;
}

wchar_t *MODEL(wmemset)(wchar_t *to, wchar_t c, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] = c;
	return to;
}

int MODEL(wmemcmp)(const wchar_t *a, const wchar_t *b, size_t n)
{
	int result = 0, equal = -1;
	for (size_t i = 0; i < n; i++) {
		result |= order(a[i], b[i]) & equal;
		equal &= -(a[i] == b[i]);
	}
	return result;
}

wchar_t *MODEL(wmemchr)(const wchar_t *s, wchar_t c, size_t n)
{
	for (; n; n--, s++)
		if (*s == c)
			return (wchar_t *)s;
	return NULL;
}
