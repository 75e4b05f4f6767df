/* The conversions in a format of scanf. */
#ifndef TANDEM_MODELS_DIRECTIVE_H
#define TANDEM_MODELS_DIRECTIVE_H

#include "digit.h"
#include "model.h"

#include <locale.h>
#include <string.h>

struct spec {
	int suppressed, allocates, width; /* -1: none */
	char length;                      /* h, H for hh, l for all of 64 bits, w for l, L */
	char kind;
	const char *set, *set_end;        /* of [ */
};

static inline const char *set_end(const char *f)
{
	if (*f == '^')
		f++;
	if (*f == ']' || *f == '-')
		f++;
	while (*f && *f != ']')
		f++;
	return f;
}

static inline void parse_length(const char **f, struct spec *s)
{
	for (;; (*f)++)
		switch (**f) {
		case 'h': s->length = s->length == 'h' ? 'H' : 'h'; break;
		case 'l': s->length = s->length ? 'L' : 'w'; break;
		case 'j': case 'z': case 'Z': case 't': case 'q': s->length = 'l'; break;
		case 'L': s->length = 'L'; break;
		case 'm': s->allocates = 1; break;
		default: return;
		}
}

/* Behind a '%'. 0: not understood. */
static inline int parse(const char **f, struct spec *s)
{
	int digits = 0;
	*s = (struct spec){.width = -1};
	if (**f == '*') {
		s->suppressed = 1;
		(*f)++;
	}
	if (is_digit(**f))
		s->width = 0;
	for (; is_digit(**f); (*f)++)
		s->width = ++digits > 8 ? 0 : s->width * 10 + (**f - '0');
	if (digits > 8)
		return 0;
	if (s->width == 0)
		s->width = -1;
	parse_length(f, s);
	s->kind = *(*f)++;
	int wide = s->length == 'w' || s->length == 'L' || s->length == 'l';
	switch (s->kind) {
	case 'd': case 'i': case 'u': case 'x': case 'X': case 'o': case 'p': case 'n': case '%': return !s->allocates;
	case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A': return !s->allocates;
	case 'c': case 's': return !wide;
	case '[':
		s->set = *f;
		s->set_end = set_end(*f);
		*f = *s->set_end ? s->set_end + 1 : s->set_end;
		return !wide;
	default: return 0;
	}
}

/* `old`: the function that takes %as for an allocation, as before C99. */
static inline int understood(const char *f, int old)
{
	struct spec s;
	while (*f) {
		if ((byte)*f >= 0x80)
			return 0;
		if (*f++ != '%')
			continue;
		if (!parse(&f, &s) || (old && s.kind == 'a'))
			return 0;
		if (strchr("eEfFgGaA", s.kind) && strcmp(localeconv()->decimal_point, ".") != 0)
			return 0;
	}
	return 1;
}

#endif
