/* What strings of bytes and of wide characters have alike. Who includes this says what a character is, CHARACTER, as what one is passed,
 * PASSED, and what the functions are called: TEXT(len) is MODEL(strlen) or MODEL(wcslen), END(cpy) is MODEL(stpcpy) or MODEL(wcpcpy). */
#include "model.h"

#ifndef CHARACTER
#define CHARACTER char
#define PASSED int
#define TEXT(name) MODEL(str##name)
#define END(name) MODEL(stp##name)
#endif

size_t TEXT(len)(const CHARACTER *s)
{
	size_t n = 0;
	while (s[n])
		n++;
	return n;
}

size_t TEXT(nlen)(const CHARACTER *s, size_t max)
{
	size_t n = 0;
	while (n < max && s[n])
		n++;
	return n;
}

CHARACTER *TEXT(chrnul)(const CHARACTER *s, PASSED c)
{
	while (*s && *s != (CHARACTER)c)
		s++;
	return (CHARACTER *)s;
}

CHARACTER *TEXT(chr)(const CHARACTER *s, PASSED c)
{
	for (;; s++) {
		if (*s == (CHARACTER)c)
			return (CHARACTER *)s;
		if (!*s)
			return NULL;
	}
}

CHARACTER *TEXT(rchr)(const CHARACTER *s, PASSED c)
{
	const CHARACTER *last = NULL;
	for (;; s++) {
		if (*s == (CHARACTER)c)
			last = s;
		if (!*s)
			return (CHARACTER *)last;
	}
}

CHARACTER *END(cpy)(CHARACTER *to, const CHARACTER *from)
{
	while ((*to = *from))
		to++, from++;
	return to;
}

CHARACTER *TEXT(cpy)(CHARACTER *to, const CHARACTER *from)
{
	END(cpy)(to, from);
	return to;
}

CHARACTER *END(ncpy)(CHARACTER *to, const CHARACTER *from, size_t n)
{
	size_t i = 0, end;
	for (; i < n && from[i]; i++)
		to[i] = from[i];
	for (end = i; i < n; i++)
		to[i] = 0;
	return to + end;
}

CHARACTER *TEXT(ncpy)(CHARACTER *to, const CHARACTER *from, size_t n)
{
	END(ncpy)(to, from, n);
	return to;
}

CHARACTER *TEXT(cat)(CHARACTER *to, const CHARACTER *from)
{
	END(cpy)(to + TEXT(len)(to), from);
	return to;
}

CHARACTER *TEXT(ncat)(CHARACTER *to, const CHARACTER *from, size_t n)
{
	CHARACTER *end = to + TEXT(len)(to);
	for (; n && *from; n--)
		*end++ = *from++;
	*end = 0;
	return to;
}

size_t TEXT(spn)(const CHARACTER *s, const CHARACTER *accept)
{
	size_t n = 0;
	while (s[n] && *TEXT(chrnul)(accept, s[n]))
		n++;
	return n;
}

size_t TEXT(cspn)(const CHARACTER *s, const CHARACTER *reject)
{
	size_t n = 0;
	while (s[n] && !*TEXT(chrnul)(reject, s[n]))
		n++;
	return n;
}

CHARACTER *TEXT(pbrk)(const CHARACTER *s, const CHARACTER *accept)
{
	s += TEXT(cspn)(s, accept);
	return *s ? (CHARACTER *)s : NULL;
}

CHARACTER *TEXT(dup)(const CHARACTER *s)
{
	size_t n = (TEXT(len)(s) + 1) * sizeof *s;
	CHARACTER *copy = MODEL(malloc)(n);
	if (copy)
		__builtin_memcpy(copy, s, n);
	return copy;
}

/* The body of a function that searches for `what` in `where`. */
#define SEARCH(compare) \
	size_t n = TEXT(len)(what); \
	for (;; where++) { \
		if (compare(where, what, n) == 0) \
			return (CHARACTER *)where; \
		if (!*where) \
			return NULL; \
	}
