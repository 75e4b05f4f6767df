/* String functions. A search stops where the library's stops, so each byte looked at is a branch. */
#include "text.h"

#include <string.h>

char *MODEL(index)(const char *s, int c) { return MODEL(strchr)(s, c); }
char *MODEL(rindex)(const char *s, int c) { return MODEL(strrchr)(s, c); }

/* Two strings without terms are searched by the library, which takes no more than linear time. */
char *MODEL(strstr)(const char *where, const char *what)
{
	if (__td_plain_string(where) && __td_plain_string(what))
		return strstr(where, what);
	SEARCH(MODEL(strncmp));
}

char *MODEL(strcasestr)(const char *where, const char *what)
{
	if (!__td_plain_case() || (__td_plain_string(where) && __td_plain_string(what)))
		return strcasestr(where, what);
	SEARCH(MODEL(strncasecmp));
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
