/* Wide strings: the same as for bytes, with another type. */
#include "model.h"

#include <langinfo.h>
#include <wchar.h>

size_t MODEL(wcslen)(const wchar_t *s)
{
	size_t n = 0;
	while (s[n])
		n++;
	return n;
}

size_t MODEL(wcsnlen)(const wchar_t *s, size_t max)
{
	size_t n = 0;
	while (n < max && s[n])
		n++;
	return n;
}

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

wchar_t *MODEL(wcschrnul)(const wchar_t *s, wchar_t c)
{
	while (*s && *s != c)
		s++;
	return (wchar_t *)s;
}

wchar_t *MODEL(wcschr)(const wchar_t *s, wchar_t c)
{
	s = MODEL(wcschrnul)(s, c);
	return *s == c ? (wchar_t *)s : NULL;
}

wchar_t *MODEL(wcsrchr)(const wchar_t *s, wchar_t c)
{
	const wchar_t *last = NULL;
	for (;; s++) {
		if (*s == c)
			last = s;
		if (!*s)
			return (wchar_t *)last;
	}
}

wchar_t *MODEL(wcpcpy)(wchar_t *to, const wchar_t *from)
{
	while ((*to = *from))
		to++, from++;
	return to;
}

wchar_t *MODEL(wcscpy)(wchar_t *to, const wchar_t *from)
{
	MODEL(wcpcpy)(to, from);
	return to;
}

wchar_t *MODEL(wcpncpy)(wchar_t *to, const wchar_t *from, size_t n)
{
	size_t i = 0, end;
	for (; i < n && from[i]; i++)
		to[i] = from[i];
	for (end = i; i < n; i++)
		to[i] = 0;
	return to + end;
}

wchar_t *MODEL(wcsncpy)(wchar_t *to, const wchar_t *from, size_t n)
{
	MODEL(wcpncpy)(to, from, n);
	return to;
}

wchar_t *MODEL(wcscat)(wchar_t *to, const wchar_t *from)
{
	MODEL(wcpcpy)(to + MODEL(wcslen)(to), from);
	return to;
}

wchar_t *MODEL(wcsncat)(wchar_t *to, const wchar_t *from, size_t n)
{
	wchar_t *end = to + MODEL(wcslen)(to);
	for (; n && *from; n--)
		*end++ = *from++;
	*end = 0;
	return to;
}

wchar_t *MODEL(wcsdup)(const wchar_t *s)
{
	size_t n = (MODEL(wcslen)(s) + 1) * sizeof *s;
	wchar_t *copy = MODEL(malloc)(n);
	if (copy)
		__builtin_memcpy(copy, s, n);
	return copy;
}

size_t MODEL(wcsspn)(const wchar_t *s, const wchar_t *accept)
{
	size_t n = 0;
	while (s[n] && *MODEL(wcschrnul)(accept, s[n]))
		n++;
	return n;
}

size_t MODEL(wcscspn)(const wchar_t *s, const wchar_t *reject)
{
	size_t n = 0;
	while (s[n] && !*MODEL(wcschrnul)(reject, s[n]))
		n++;
	return n;
}

wchar_t *MODEL(wcspbrk)(const wchar_t *s, const wchar_t *accept)
{
	s += MODEL(wcscspn)(s, accept);
	return *s ? (wchar_t *)s : NULL;
}

wchar_t *MODEL(wcsstr)(const wchar_t *where, const wchar_t *what)
{
	size_t n = MODEL(wcslen)(what);
	for (;; where++) {
		if (MODEL(wcsncmp)(where, what, n) == 0)
			return (wchar_t *)where;
		if (!*where)
			return NULL;
	}
}

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
