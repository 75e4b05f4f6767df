/* The scanf functions, from a text or from a stream: what glibc 2.36 does, character by character. A number's value is a term over its digits; where
 * it ends is decided by branches. A floating point number is collected here and converted by the library, with the digits of this run. Handed
 * to the library as a whole: formats with wide characters, numbered arguments, grouping, or letters that are not ASCII. */
#include "digit.h"
#include "directive.h"
#include "source.h"

#include "contract/slots.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { FIRST_ROOM = 100, MAX_REAL = 400 };

int old_vsscanf(const char *text, const char *format, va_list list) __asm__("vsscanf"); /* headers give the new one that name too */
int old_vfscanf(FILE *f, const char *format, va_list list) __asm__("vfscanf");
int __isoc99_vsscanf(const char *text, const char *format, va_list list);
int __isoc99_vfscanf(FILE *f, const char *format, va_list list);

struct scan {
	struct source from;
	va_list list;
	int done;
	char **block; /* allocated by the conversion at hand */
};

enum outcome { FINE, NO_MATCH, NO_INPUT };

/* ---- texts ---- */

/* No branch on what c is. */
static int in_set(const struct spec *s, int c)
{
	const byte *f = (const byte *)s->set, *end = (const byte *)s->set_end;
	int found = 0, inverted = *f == '^';
	f += inverted;
	for (const byte *first = f; f < end; f++)
		if (*f == '-' && f > first && f + 1 < end && f[-1] <= f[1])
			found |= (c >= f[-1]) & (c < f[1]);
		else
			found |= c == *f;
	return found ^ inverted;
}

struct text {
	char *to;
	size_t n, room; /* room 0: nobody asked how much there is */
	int kept;
};

static int text_begin(struct scan *sc, const struct spec *s, struct text *t)
{
	*t = (struct text){.kept = !s->suppressed};
	if (!t->kept)
		return 1;
	if (!s->allocates) {
		t->to = va_arg(sc->list, char *);
		return 1;
	}
	sc->block = va_arg(sc->list, char **);
	t->room = s->kind == 'c' ? (size_t)(s->width < 0 ? 1 : s->width > 1024 ? 1024 : s->width) : FIRST_ROOM;
	t->to = *sc->block = MODEL(malloc)(t->room);
	return t->to != NULL;
}

static int text_add(struct scan *sc, struct text *t, char c)
{
	if (!t->kept)
		return 1;
	if (t->room && t->n == t->room) {
		char *more = MODEL(realloc)(t->to, t->room * 2);
		if (!more)
			return 0;
		t->to = *sc->block = more;
		t->room *= 2;
	}
	t->to[t->n++] = c;
	return 1;
}

/* Blocks end where their text does. */
static void text_end(struct scan *sc, struct text *t)
{
	if (t->room && t->n != t->room) {
		char *exact = MODEL(realloc)(t->to, t->n);
		*sc->block = exact ? exact : t->to;
	}
	sc->block = NULL;
	sc->done += t->kept;
}

static enum outcome scan_characters(struct scan *sc, const struct spec *s)
{
	struct text t;
	int width = s->width < 0 ? 1 : s->width;
	if (!text_begin(sc, s, &t) || !take(&sc->from))
		return NO_INPUT;
	do
		if (!text_add(sc, &t, (char)sc->from.c))
			return NO_INPUT;
	while (--width > 0 && take(&sc->from));
	text_end(sc, &t);
	return FINE;
}

/* A word, or characters of a set. */
static enum outcome scan_run(struct scan *sc, const struct spec *s)
{
	struct text t;
	int before = sc->from.count, width = s->width;
	if (s->kind == '[' && !*s->set_end)
		return NO_MATCH;
	if (!text_begin(sc, s, &t) || !take(&sc->from))
		return NO_INPUT;
	do {
		if (s->kind == '[' ? !in_set(s, sc->from.c) : MODEL(isspace)(sc->from.c)) {
			give_back(&sc->from);
			break;
		}
		if (!text_add(sc, &t, (char)sc->from.c))
			return NO_INPUT;
	} while ((width < 0 || --width > 0) && take(&sc->from));
	if (sc->from.count == before)
		return NO_MATCH;
	if (!text_add(sc, &t, 0))
		return NO_INPUT;
	text_end(sc, &t);
	return FINE;
}

/* ---- numbers ---- */

struct number {
	uint64_t value;
	int negative, any, overflow;
};

static int number_base(char kind)
{
	switch (kind) {
	case 'i': return 0;
	case 'o': return 8;
	case 'x': case 'X': case 'p': return 16;
	default: return 10;
	}
}

static void add_digit(struct number *n, unsigned digit, unsigned base, unsigned *count)
{
	enum { SAFE = 15 }; /* digits of any base fit */
	if ((*count)++ < SAFE) {
		n->value = n->value * base + digit;
		return;
	}
	uint64_t next;
	n->overflow |= __builtin_mul_overflow(n->value, (uint64_t)base, &next);
	n->overflow |= __builtin_add_overflow(next, (uint64_t)digit, &n->value);
}

/* "(nil)" behind its first character. */
static int is_nil(struct source *s)
{
	for (const char *rest = "nil)"; *rest; rest++) {
		if (!take(s) || (*rest == ')' ? s->c : s->c | 32) != *rest)
			return 0;
	}
	return 1;
}

static int is_sign(int c)
{
	return c == '-' || c == '+';
}

/* A leading 0 counts as a digit, and may be a prefix: the base, which was 0 if it is not settled by the format. */
static int read_prefix(struct source *s, int base, int *width)
{
	*width -= *width > 0;
	if (take(s) && *width != 0 && (s->c | 32) == 'x') {
		base = base ? base : 16;
		if (base == 16) {
			*width -= *width > 0;
			take(s);
		}
		return base;
	}
	return base ? base : 8;
}

static enum outcome read_number(struct source *s, const struct spec *spec, struct number *n)
{
	int width = spec->width, base = number_base(spec->kind), sign = 0;
	unsigned count = 0;
	*n = (struct number){0};
	if (!take(s))
		return NO_INPUT;
	if (is_sign(s->c)) {
		sign = 1;
		n->negative = s->c == '-';
		width -= width > 0;
		take(s);
	}
	if (!s->ended && width != 0 && s->c == '0') {
		n->any = 1;
		base = read_prefix(s, base, &width);
	}
	base = base ? base : 10;
	for (unsigned d; !s->ended && width != 0 && (d = digit_value((unsigned)s->c, (unsigned)base)) < (unsigned)base; take(s)) {
		n->any = 1;
		add_digit(n, d, (unsigned)base, &count);
		width -= width > 0;
	}
	if (!n->any && !sign && spec->kind == 'p' && (width < 0 || width >= 5) && s->c == '(' && is_nil(s))
		return FINE;
	give_back(s);
	return n->any ? FINE : NO_MATCH;
}

/* As strtol and strtoul have it. */
static uint64_t limit(const struct number *n, int is_signed)
{
	uint64_t most = is_signed ? (uint64_t)LONG_MAX + (uint64_t)n->negative : ULONG_MAX;
	if (n->overflow || n->value > most) {
		errno = ERANGE;
		return is_signed && n->negative ? (uint64_t)LONG_MIN : is_signed ? LONG_MAX : ULONG_MAX;
	}
	return n->negative ? -n->value : n->value;
}

static void store(struct scan *sc, const struct spec *s, uint64_t v)
{
	switch (s->kind == 'p' ? 'l' : s->length) {
	case 'H': *va_arg(sc->list, byte *) = (byte)v; break;
	case 'h': *va_arg(sc->list, unsigned short *) = (unsigned short)v; break;
	case 'l': case 'w': case 'L': *va_arg(sc->list, uint64_t *) = v; break;
	default: *va_arg(sc->list, unsigned *) = (unsigned)v; break;
	}
}

static enum outcome scan_number(struct scan *sc, const struct spec *s)
{
	struct number n;
	enum outcome o = read_number(&sc->from, s, &n);
	if (o != FINE)
		return o;
	uint64_t v = limit(&n, s->kind == 'd' || s->kind == 'i');
	if (!s->suppressed) {
		store(sc, s, v);
		sc->done++;
	}
	return FINE;
}

/* ---- floating point numbers ---- */

struct real {
	struct source *from;
	int width;
	size_t n;
	char text[MAX_REAL];
};

static void keep(struct real *r, char c)
{
	if (r->n + 1 < sizeof r->text)
		r->text[r->n++] = c;
}

/* The next character, unless the width is used up. */
static int more(struct real *r)
{
	if (r->width == 0 || !take(r->from))
		return 0;
	r->width -= r->width > 0;
	return 1;
}

static int keep_word(struct real *r, const char *letters)
{
	for (; *letters; letters++) {
		if (!more(r) || (r->from->c | 32) != *letters)
			return 0;
		keep(r, *letters);
	}
	return 1;
}

static int read_infinity(struct real *r)
{
	keep(r, 'i');
	if (!keep_word(r, "nf"))
		return 0;
	if (r->width == 0 || !take(r->from))
		return 1;
	if ((r->from->c | 32) != 'i') {
		give_back(r->from);
		return 1;
	}
	r->width -= r->width > 0;
	keep(r, 'i');
	return keep_word(r, "nity");
}

/* "0x", or a first 0. */
static int read_hex_prefix(struct real *r)
{
	keep(r, '0');
	take(r->from);
	r->width -= r->width > 0;
	if (r->width == 0 || r->from->ended || (r->from->c | 32) != 'x')
		return 0;
	keep(r, 'x');
	take(r->from);
	r->width -= r->width > 0;
	return 1;
}

/* Digits, a point, an exponent: 0 if there was no number. */
static int read_digits(struct real *r, size_t sign)
{
	struct source *s = r->from;
	int point = 0, exponent = 0, zero = r->width != 0 && s->c == '0', hex = zero && read_hex_prefix(r), digit = zero && !hex;
	char letter = hex ? 'p' : 'e';
	while (!s->ended) {
		if ((s->c >= '0' && s->c <= '9') || (!exponent && hex && digit_value((unsigned)s->c, 16) < 16)) {
			keep(r, (char)s->c);
			digit = 1;
		} else if (exponent && r->text[r->n - 1] == letter && is_sign(s->c)) {
			keep(r, (char)s->c);
		} else if (digit && !exponent && (s->c | 32) == letter) {
			keep(r, letter);
			exponent = point = 1;
		} else if (!point && s->c == '.') {
			keep(r, '.');
			point = 1;
		} else {
			give_back(s);
			break;
		}
		if (!more(r))
			break;
	}
	return r->n != sign && !(hex && r->n == 2 + sign);
}

static enum outcome read_real(struct real *r)
{
	size_t sign = 0;
	int fine;
	if (!take(r->from))
		return NO_INPUT;
	r->width -= r->width > 0;
	if (is_sign(r->from->c)) {
		sign = 1;
		keep(r, (char)r->from->c);
		if (!more(r))
			return NO_MATCH;
	}
	if ((r->from->c | 32) == 'n') {
		keep(r, 'n');
		fine = keep_word(r, "an");
	} else if ((r->from->c | 32) == 'i') {
		fine = read_infinity(r);
	} else {
		fine = read_digits(r, sign);
	}
	r->text[r->n] = 0;
	return fine ? FINE : NO_MATCH;
}

/* The library makes a number of it; which digits they were is lost. */
static enum outcome scan_real(struct scan *sc, const struct spec *s)
{
	struct real r = {.from = &sc->from, .width = s->width};
	enum outcome o = read_real(&r);
	char *end = r.text;
	if (o != FINE)
		return o;
	if (s->length == 'L' || s->length == 'l') {
		long double v = strtold(r.text, &end);
		if (end != r.text && !s->suppressed)
			*va_arg(sc->list, long double *) = v;
	} else if (s->length == 'w') {
		double v = strtod(r.text, &end);
		if (end != r.text && !s->suppressed)
			*va_arg(sc->list, double *) = v;
	} else {
		float v = strtof(r.text, &end);
		if (end != r.text && !s->suppressed)
			*va_arg(sc->list, float *) = v;
	}
	if (end == r.text)
		return NO_MATCH;
	sc->done += !s->suppressed;
	return FINE;
}

/* ---- the whole ---- */

static enum outcome match(struct source *s, char c, int spaces)
{
	if (!take(s))
		return NO_INPUT;
	while (spaces && MODEL(isspace)(s->c))
		if (!take(s))
			return NO_INPUT;
	if (s->c == (byte)c)
		return FINE;
	give_back(s);
	return NO_MATCH;
}

static enum outcome convert(struct scan *sc, const struct spec *s)
{
	switch (s->kind) {
	case '%': return match(&sc->from, '%', 0);
	case 'c': return scan_characters(sc, s);
	case 's': case '[': return scan_run(sc, s);
	case 'n':
		if (!s->suppressed)
			store(sc, s, (uint64_t)sc->from.count);
		return FINE;
	case 'd': case 'i': case 'u': case 'x': case 'X': case 'o': case 'p': return scan_number(sc, s);
	default: return scan_real(sc, s);
	}
}

static int run(struct scan *sc, const char *f)
{
	enum outcome o = FINE;
	int spaces = 0;
	while (*f && o == FINE) {
		struct spec s;
		char c = *f++;
		if (MODEL(isspace)((byte)c)) {
			spaces = 1;
		} else if (c != '%') {
			o = match(&sc->from, c, spaces);
			spaces = 0;
		} else if (parse(&f, &s)) {
			if (spaces || (s.kind != '[' && s.kind != 'c' && s.kind != 'n'))
				skip_spaces(&sc->from);
			spaces = 0;
			o = convert(sc, &s);
		}
	}
	if (o == FINE && spaces)
		skip_spaces(&sc->from);
	if (sc->block) {
		MODEL(free)(*sc->block);
		*sc->block = NULL;
	}
	return o == NO_INPUT && sc->done == 0 ? EOF : sc->done;
}

static int scan(struct source from, const char *format, va_list list)
{
	struct scan sc = {.from = from};
	va_copy(sc.list, list);
	int n = run(&sc, format);
	va_end(sc.list);
	return n;
}

static int scan_text(const char *text, const char *format, va_list list, int old)
{
	if (understood(format, old))
		return scan((struct source){.text = text}, format, list);
	__td_handed("vsscanf");
	__td_external((void *)text, 0, TD_EFFECT_READS);
	__td_listed(list);
	return old ? old_vsscanf(text, format, list) : __isoc99_vsscanf(text, format, list);
}

static int scan_stream(FILE *f, const char *format, va_list list, int old)
{
	if (understood(format, old))
		return scan((struct source){.stream = f}, format, list);
	__td_handed("vfscanf");
	__td_unseen(TD_UNSEEN_STREAM, (uint64_t)f);
	__td_listed(list);
	return old ? old_vfscanf(f, format, list) : __isoc99_vfscanf(f, format, list);
}

int MODEL(vsscanf)(const char *text, const char *format, va_list list) { return scan_text(text, format, list, 1); }
int MODEL(vfscanf)(FILE *f, const char *format, va_list list) { return scan_stream(f, format, list, 1); }
int MODEL(vscanf)(const char *format, va_list list) { return scan_stream(stdin, format, list, 1); }
int MODEL(__isoc99_vsscanf)(const char *text, const char *format, va_list list) { return scan_text(text, format, list, 0); }
int MODEL(__isoc99_vfscanf)(FILE *f, const char *format, va_list list) { return scan_stream(f, format, list, 0); }
int MODEL(__isoc99_vscanf)(const char *format, va_list list) { return scan_stream(stdin, format, list, 0); }
int MODEL(sscanf)(const char *text, const char *format, ...) { WITH_LIST(scan_text(text, format, list, 1)); }
int MODEL(fscanf)(FILE *f, const char *format, ...) { WITH_LIST(scan_stream(f, format, list, 1)); }
int MODEL(scanf)(const char *format, ...) { WITH_LIST(scan_stream(stdin, format, list, 1)); }
int MODEL(__isoc99_sscanf)(const char *text, const char *format, ...) { WITH_LIST(scan_text(text, format, list, 0)); }
int MODEL(__isoc99_fscanf)(FILE *f, const char *format, ...) { WITH_LIST(scan_stream(f, format, list, 0)); }
int MODEL(__isoc99_scanf)(const char *format, ...) { WITH_LIST(scan_stream(stdin, format, list, 0)); }
