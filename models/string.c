/* String functions. A search stops where the library's stops, so each byte looked at is a branch. */
#include "model.h"

#include <string.h>

size_t MODEL(strlen)(const char *s)
{
	size_t n = 0;
	while (s[n])
		n++;
	return n;
}

size_t MODEL(strnlen)(const char *s, size_t max)
{
	size_t n = 0;
	while (n < max && s[n])
		n++;
	return n;
}

char *MODEL(strchrnul)(const char *s, int c)
{
	while (*s && *s != (char)c)
		s++;
	return (char *)s;
}

char *MODEL(strchr)(const char *s, int c)
{
	for (;; s++) {
		if (*s == (char)c)
			return (char *)s;
		if (!*s)
			return NULL;
	}
}

char *MODEL(strrchr)(const char *s, int c)
{
	const char *last = NULL;
	for (;; s++) {
		if (*s == (char)c)
			last = s;
		if (!*s)
			return (char *)last;
	}
}

char *MODEL(index)(const char *s, int c) { return MODEL(strchr)(s, c); }
char *MODEL(rindex)(const char *s, int c) { return MODEL(strrchr)(s, c); }

char *MODEL(stpcpy)(char *to, const char *from)
{
	while ((*to = *from))
		to++, from++;
	return to;
}

char *MODEL(strcpy)(char *to, const char *from)
{
	MODEL(stpcpy)(to, from);
	return to;
}

char *MODEL(stpncpy)(char *to, const char *from, size_t n)
{
	size_t i = 0, end;
	for (; i < n && from[i]; i++)
		to[i] = from[i];
	for (end = i; i < n; i++)
		to[i] = 0;
	return to + end;
}

char *MODEL(strncpy)(char *to, const char *from, size_t n)
{
	MODEL(stpncpy)(to, from, n);
	return to;
}

char *MODEL(strcat)(char *to, const char *from)
{
	MODEL(stpcpy)(to + MODEL(strlen)(to), from);
	return to;
}

char *MODEL(strncat)(char *to, const char *from, size_t n)
{
	char *end = to + MODEL(strlen)(to);
	for (; n && *from; n--)
		*end++ = *from++;
	*end = 0;
	return to;
}

size_t MODEL(strspn)(const char *s, const char *accept)
{
	size_t n = 0;
	while (s[n] && *MODEL(strchrnul)(accept, s[n]))
		n++;
	return n;
}

size_t MODEL(strcspn)(const char *s, const char *reject)
{
	size_t n = 0;
	while (s[n] && !*MODEL(strchrnul)(reject, s[n]))
		n++;
	return n;
}

char *MODEL(strpbrk)(const char *s, const char *accept)
{
	s += MODEL(strcspn)(s, accept);
	return *s ? (char *)s : NULL;
}

/* Two strings without terms are searched by the library, which takes no more than linear time. */
char *MODEL(strstr)(const char *where, const char *what)
{
	if (__td_plain_string(where) && __td_plain_string(what))
		return strstr(where, what);
	size_t n = MODEL(strlen)(what);
	for (;; where++) {
		if (MODEL(strncmp)(where, what, n) == 0)
			return (char *)where;
		if (!*where)
			return NULL;
	}
}

char *MODEL(strcasestr)(const char *where, const char *what)
{
	if (!__td_plain_case() || (__td_plain_string(where) && __td_plain_string(what)))
		return strcasestr(where, what);
	size_t n = MODEL(strlen)(what);
	for (;; where++) {
		if (MODEL(strncasecmp)(where, what, n) == 0)
			return (char *)where;
		if (!*where)
			return NULL;
	}
}

char *MODEL(strdup)(const char *s)
{
	size_t n = MODEL(strlen)(s) + 1;
	char *copy = MODEL(malloc)(n);
	if (copy)
		__builtin_memcpy(copy, s, n);
	return copy;
}

char *MODEL(strndup)(const char *s, size_t max)
{
	size_t n = MODEL(strnlen)(s, max);
	char *copy = MODEL(malloc)(n + 1);
	if (!copy)
		return NULL;
	__builtin_memcpy(copy, s, n);
	copy[n] = 0;
	return copy;
}

char *MODEL(strsep)(char **rest, const char *delimiters)
{
	char *token = *rest;
	if (!token)
		return NULL;
	char *end = token + MODEL(strcspn)(token, delimiters);
	*rest = *end ? end + 1 : NULL;
	*end = 0;
	return token;
}

char *MODEL(strtok_r)(char *s, const char *delimiters, char **rest)
{
	if (!s)
		s = *rest;
	s += MODEL(strspn)(s, delimiters);
	if (!*s) {
		*rest = s;
		return NULL;
	}
	char *end = s + MODEL(strcspn)(s, delimiters);
	*rest = *end ? end + 1 : end;
	*end = 0;
	return s;
}

char *MODEL(strtok)(char *s, const char *delimiters)
{
	static char *rest;
	if (!s && !rest)
		return NULL;
	return MODEL(strtok_r)(s, delimiters, &rest);
}
