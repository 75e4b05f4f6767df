/* Floating-point numbers from text. Where the number ends is decided by branches, so the end pointer and all that follows keep their terms; its value is the library's, for
 * this text, and the bytes of the number are fixed by that (an event says so): floating point is concrete. */
#include "digit.h"
#include "model.h"

#include <langinfo.h>
#include <stdlib.h>

enum { LONGEST = 256 };

static int is_hex(char c) { return is_digit(c) | ((byte)((c | 32) - 'a') < 6); }
static int is_word(char c) { return is_digit(c) | ((byte)((c | 32) - 'a') < 26) | (c == '_'); }

/* Is the text there, in letters of any case? */
static int starts(const char *s, const char *word)
{
	while (*word && (*s | 32) == *word)
		s++, word++;
	return !*word;
}

/* Behind digits with a point among them; null: there is no digit. */
static const char *digits(const char *s, int (*is)(char))
{
	int any = 0;
	for (; is(*s); s++)
		any = 1;
	if (*s == '.')
		for (s++; is(*s); s++)
			any = 1;
	return any ? s : NULL;
}

static const char *exponent(const char *s, char letter)
{
	const char *at = s;
	if ((*at++ | 32) != letter)
		return s;
	if (*at == '+' || *at == '-')
		at++;
	if (!is_digit(*at))
		return s;
	while (is_digit(*at))
		at++;
	return at;
}

/* nan(...) */
static const char *payload(const char *s)
{
	const char *at = s;
	if (*at != '(')
		return s;
	do
		at++;
	while (is_word(*at));
	return *at == ')' ? at + 1 : s;
}

/* Behind the number; null: there is none. */
static const char *number_end(const char *s)
{
	const char *end;
	while (MODEL(isspace)((byte)*s))
		s++;
	if (*s == '+' || *s == '-')
		s++;
	if (starts(s, "inf"))
		return starts(s + 3, "inity") ? s + 8 : s + 3;
	if (starts(s, "nan"))
		return payload(s + 3);
	if (*s == '0' && (s[1] | 32) == 'x' && (end = digits(s + 2, is_hex)))
		return exponent(end, 'p');
	end = digits(s, is_digit);
	return end ? exponent(end, 'e') : NULL;
}

/* The library sees a copy of the number and nothing else. Another decimal point, or very long: it sees all. */
#define CONVERT(type, name) \
	type MODEL(name)(const char *s, char **end) \
	{ \
		char copy[LONGEST + 1]; \
		const char *point = nl_langinfo(RADIXCHAR); \
		if (point[0] != '.' || point[1]) \
			return name(s, end); \
		const char *stop = number_end(s); \
		size_t n = stop ? (size_t)(stop - s) : 0; \
		if (n > LONGEST) \
			return name(s, end); \
		if (end) \
			*end = (char *)(stop ? stop : s); \
		if (!stop) \
			return 0; \
		__builtin_memset(copy, 0, sizeof copy); \
		__builtin_memcpy(copy, s, n); \
		return name(copy, NULL); \
	}

CONVERT(double, strtod)
CONVERT(float, strtof)
CONVERT(long double, strtold)

double MODEL(atof)(const char *s)
{
	return MODEL(strtod)(s, NULL);
}
