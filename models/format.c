/* The printf functions that write to memory. Which characters a conversion makes is plain C over its argument: digits are quotients of the number,
 * how many there are is decided by comparisons, and so every position is known. What is handed to the library, with the values of this run:
 * a floating point conversion by itself, and the whole call if its format has something that is not understood here (wide characters,
 * numbered arguments, grouping). */
#include "model.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_DIGITS = 66, MAX_SPEC = 16, MAX_REAL = 512, FIRST_ROOM = 100 };

/* Names that no program has: one that defines snprintf itself must not be called back from here. */
int __snprintf_chk(char *to, size_t room, int flag, size_t size, const char *format, ...);
int __vsnprintf_chk(char *to, size_t room, int flag, size_t size, const char *format, va_list arguments);
_Noreturn void __chk_fail(void);

/* Where the text goes: n counts all of it, `stored` what is written of it, at most `room`. A text that grows has a block of its own. */
struct sink {
	char *to;
	size_t room, n, stored;
	int grows, failed;
};

/* va_list as something that can be handed on and keeps its place. */
struct arguments { va_list list; };

struct spec {
	int left, plus, space, alternative, zero;
	int width, precision; /* -1: none */
	int star_width, star_precision;
	char length;          /* h, H for hh, l for all of 64 bits, L */
	char kind;
};

/* ---- the format ---- */

static int digit(char c)
{
	return c >= '0' && c <= '9';
}

/* A number of up to eight digits; -1: longer, or the number of an argument. */
static int small_number(const char **f)
{
	int n = 0, digits = 0;
	for (; digit(**f); (*f)++)
		n = ++digits > 8 ? -1 : n * 10 + (**f - '0');
	return digits > 8 || **f == '$' ? -1 : n;
}

static int parse_flags(const char **f, struct spec *s)
{
	for (;; (*f)++)
		switch (**f) {
		case '-': s->left = 1; break;
		case '+': s->plus = 1; break;
		case ' ': s->space = 1; break;
		case '#': s->alternative = 1; break;
		case '0': s->zero = 1; break;
		case '\'': case 'I': return 0;
		default: return 1;
		}
}

static void parse_length(const char **f, struct spec *s)
{
	for (;; (*f)++)
		switch (**f) {
		case 'h': s->length = s->length == 'h' ? 'H' : 'h'; break;
		case 'l': case 'j': case 'z': case 'Z': case 't': case 'q': s->length = 'l'; break;
		case 'L': s->length = 'L'; break;
		default: return;
		}
}

static int is_real(char kind)
{
	return kind && strchr("eEfFgGaA", kind) != NULL;
}

/* Behind a '%'. 0: not understood. */
static int parse(const char **f, struct spec *s)
{
	*s = (struct spec){.width = -1, .precision = -1};
	if (!parse_flags(f, s))
		return 0;
	if (**f == '*') {
		s->star_width = 1;
		(*f)++;
	} else if (digit(**f) && (s->width = small_number(f)) < 0) {
		return 0;
	}
	if (**f == '.') {
		(*f)++;
		if (**f == '*') {
			s->star_precision = 1;
			(*f)++;
		} else if ((s->precision = small_number(f)) < 0) {
			return 0;
		}
	}
	parse_length(f, s);
	s->kind = *(*f)++;
	switch (s->kind) {
	case 'd': case 'i': case 'u': case 'x': case 'X': case 'o': case 'p': case '%': case 'n': case 'm': return 1;
	case 'c': case 's': return s->length != 'l';
	case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A': return 1;
	default: return 0;
	}
}

/* With a limit on what the library checks of %n. */
static int understood(const char *f, int checks_n)
{
	struct spec s;
	while (*f)
		if (*f++ == '%' && (!parse(&f, &s) || (s.kind == 'n' && checks_n)))
			return 0;
	return 1;
}

/* ---- the text ---- */

static void grow(struct sink *out)
{
	size_t room = out->room ? out->room * 2 : FIRST_ROOM;
	char *to = out->failed ? NULL : MODEL(realloc)(out->to, room);
	out->failed |= !to;
	if (to) {
		out->to = to;
		out->room = room;
	}
}

static void put(struct sink *out, char c)
{
	if (out->grows && out->n >= out->room)
		grow(out);
	if (out->n < out->room) {
		out->to[out->n] = c;
		out->stored = out->n + 1;
	}
	out->n++;
}

static void pad(struct sink *out, char c, int times)
{
	while (times-- > 0)
		put(out, c);
}

static void put_text(struct sink *out, const char *text, size_t n, const struct spec *s)
{
	int rest = n < INT_MAX ? s->width - (int)n : 0;
	if (!s->left)
		pad(out, ' ', rest);
	for (size_t i = 0; i < n; i++)
		put(out, text[i]);
	if (s->left)
		pad(out, ' ', rest);
}

static void put_string(struct sink *out, const char *text, const struct spec *s)
{
	if (!text)
		text = s->precision < 0 || s->precision >= 6 ? "(null)" : "";
	put_text(out, text, s->precision < 0 ? MODEL(strlen)(text) : MODEL(strnlen)(text, (size_t)s->precision), s);
}

/* ---- numbers ---- */

/* Least significant digit first. A shorter number has simpler terms. */
static unsigned decimal_short(uint32_t v, char *digits)
{
	static const uint32_t ten[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000};
	unsigned n = 1;
	while (n < 10 && v >= ten[n])
		n++;
	for (unsigned i = 0; i < n; i++)
		digits[i] = (char)('0' + v / ten[i] % 10);
	return n;
}

static unsigned decimal_long(uint64_t v, char *digits)
{
	uint64_t ten[20] = {1};
	unsigned n = 1;
	for (unsigned i = 1; i < 20; i++)
		ten[i] = ten[i - 1] * 10;
	while (n < 20 && v >= ten[n])
		n++;
	for (unsigned i = 0; i < n; i++)
		digits[i] = (char)('0' + v / ten[i] % 10);
	return n;
}

static unsigned binary(uint64_t v, unsigned bits, int letter, char *digits)
{
	unsigned n = 1, most = (64 + bits - 1) / bits;
	while (n < most && v >> n * bits)
		n++;
	for (unsigned i = 0; i < n; i++) {
		int d = (int)(v >> i * bits & ((1u << bits) - 1)), above = (9 - d) >> 31; /* no branch */
		digits[i] = (char)('0' + d + (above & (letter - '0' - 10)));
	}
	return n;
}

static unsigned digits_of(uint64_t v, const struct spec *s, char *digits)
{
	switch (s->kind) {
	case 'x': case 'p': return binary(v, 4, 'a', digits);
	case 'X': return binary(v, 4, 'A', digits);
	case 'o': return binary(v, 3, 'a', digits);
	default: return s->length == 'l' ? decimal_long(v, digits) : decimal_short((uint32_t)v, digits);
	}
}

/* `sign`: what stands in front, or 0. */
static void put_number(struct sink *out, uint64_t v, char sign, const struct spec *s)
{
	char digits[MAX_DIGITS], prefix[3];
	int hex = s->kind == 'x' || s->kind == 'X' || s->kind == 'p';
	int octal = s->kind == 'o' && s->alternative, n = 0, before = 0;
	int precision = s->precision < 0 ? 1 : s->precision;
	if (precision > 0 || v)
		n = (int)digits_of(v, s, digits);
	if (octal && ((!n) || (precision <= n && v)))
		digits[n++] = '0';
	int zeros = precision > n ? precision - n : 0;
	if (sign)
		prefix[before++] = sign;
	if (hex && (s->alternative || s->kind == 'p') && v) {
		prefix[before++] = '0';
		prefix[before++] = s->kind == 'X' ? 'X' : 'x';
	}
	int rest = s->width - before - zeros - n;
	if (!s->left && s->zero && s->precision < 0) {
		zeros += rest > 0 ? rest : 0;
		rest = 0;
	}
	if (!s->left)
		pad(out, ' ', rest);
	for (int i = 0; i < before; i++)
		put(out, prefix[i]);
	pad(out, '0', zeros);
	while (n-- > 0)
		put(out, digits[n]);
	if (s->left)
		pad(out, ' ', rest);
}

static void put_signed(struct sink *out, struct arguments *a, const struct spec *s)
{
	int64_t v = s->length == 'l' || s->length == 'L' ? va_arg(a->list, long) : va_arg(a->list, int);
	v = s->length == 'h' ? (short)v : s->length == 'H' ? (signed char)v : v;
	struct spec same = *s;
	same.length = s->length == 'L' ? 'l' : s->length;
	if (v < 0)
		put_number(out, -(uint64_t)v, '-', &same);
	else
		put_number(out, (uint64_t)v, s->plus ? '+' : s->space ? ' ' : 0, &same);
}

static void put_unsigned(struct sink *out, struct arguments *a, const struct spec *s)
{
	uint64_t v = s->length == 'l' || s->length == 'L' ? va_arg(a->list, unsigned long) : va_arg(a->list, unsigned);
	v = s->length == 'h' ? (unsigned short)v : s->length == 'H' ? (byte)v : v;
	struct spec same = *s;
	same.length = s->length == 'L' ? 'l' : s->length;
	put_number(out, v, 0, &same);
}

static void put_pointer(struct sink *out, const void *p, const struct spec *s)
{
	struct spec word = *s;
	word.precision = -1;
	if (p)
		put_number(out, (uint64_t)p, s->plus ? '+' : s->space ? ' ' : 0, s);
	else
		put_string(out, "(nil)", &word);
}

static void add(char *spec, const char *text)
{
	while (*spec)
		spec++;
	while ((*spec++ = *text++))
		;
}

/* The same conversion, width and precision as arguments. */
static void rewrite(char *spec, const struct spec *s)
{
	spec[0] = 0;
	add(spec, "%");
	add(spec, s->left ? "-" : "");
	add(spec, s->plus ? "+" : "");
	add(spec, s->space ? " " : "");
	add(spec, s->alternative ? "#" : "");
	add(spec, s->zero ? "0" : "");
	add(spec, s->length == 'L' ? "*.*L" : "*.*");
	add(spec, (const char[]){s->kind, 0});
}

/* The library does it; what the number was is lost. */
static void put_real(struct sink *out, struct arguments *a, const struct spec *s)
{
	char spec[MAX_SPEC], text[MAX_REAL], *big = text;
	int length, width = s->width < 0 ? 0 : s->width;
	long double wide = s->length == 'L' ? va_arg(a->list, long double) : 0;
	double real = s->length == 'L' ? 0 : va_arg(a->list, double);
	rewrite(spec, s);
	for (size_t room = sizeof text;; room = (size_t)length + 1) {
		length = s->length == 'L' ? __snprintf_chk(big, room, 0, room, spec, width, s->precision, wide)
		                          : __snprintf_chk(big, room, 0, room, spec, width, s->precision, real);
		if (length < 0 || (size_t)length < room)
			break;
		if (!(big = MODEL(malloc)((size_t)length + 1))) {
			out->failed = 1;
			return;
		}
	}
	for (int i = 0; i < length; i++)
		put(out, big[i]);
	if (big != text)
		MODEL(free)(big);
}

static void put_count(const struct sink *out, struct arguments *a, const struct spec *s)
{
	switch (s->length) {
	case 'H': *va_arg(a->list, signed char *) = (signed char)out->n; break;
	case 'h': *va_arg(a->list, short *) = (short)out->n; break;
	case 'l': case 'L': *va_arg(a->list, long *) = (long)out->n; break;
	default: *va_arg(a->list, int *) = (int)out->n; break;
	}
}

static void convert(struct sink *out, struct arguments *a, struct spec *s, int error)
{
	if (s->star_width && (s->width = va_arg(a->list, int)) < 0) {
		s->left = 1;
		s->width = s->width == INT_MIN ? INT_MAX : -s->width;
	}
	if (s->star_precision && (s->precision = va_arg(a->list, int)) < 0)
		s->precision = -1;
	switch (s->kind) {
	case 'd': case 'i': put_signed(out, a, s); break;
	case 'c': put_text(out, (const char[]){(char)va_arg(a->list, int)}, 1, s); break;
	case 's': put_string(out, va_arg(a->list, const char *), s); break;
	case 'm': put_string(out, strerror(error), s); break;
	case 'p': put_pointer(out, va_arg(a->list, const void *), s); break;
	case 'n': put_count(out, a, s); break;
	case '%': put(out, '%'); break;
	default:
		if (is_real(s->kind))
			put_real(out, a, s);
		else
			put_unsigned(out, a, s);
	}
}

/* The whole text; its length, or -1. */
static int run(struct sink *out, const char *f, va_list list)
{
	struct arguments a;
	struct spec s;
	int error = errno;
	va_copy(a.list, list);
	while (*f) {
		char c = *f++;
		if (c != '%')
			put(out, c);
		else if (parse(&f, &s))
			convert(out, &a, &s, error);
	}
	va_end(a.list);
	if (out->n > INT_MAX) {
		errno = EOVERFLOW;
		return -1;
	}
	return out->failed ? -1 : (int)out->n;
}

/* ---- the functions ---- */

static int by_library(char *to, size_t room, int flag, size_t size, const char *format, va_list list)
{
	va_list copy;
	va_copy(copy, list);
	__td_vprinted(to, to, room, 0, NULL, NULL, (void *)format, copy);
	va_end(copy);
	__td_handed("vsnprintf");
	__td_listed(list);
	int n = __vsnprintf_chk(to, room, flag, size, format, list);
	if (n >= 0 && room)
		__td_clear(to, (size_t)n < room ? (size_t)n + 1 : room);
	return n;
}

static int print(char *to, size_t room, const char *format, va_list list)
{
	if (!understood(format, 0))
		return by_library(to, room, 0, SIZE_MAX, format, list);
	struct sink out = {.to = to, .room = room ? room - 1 : 0};
	int n = run(&out, format, list);
	if (room)
		to[out.stored] = 0;
	return n;
}

/* As the library checks it: more than `size` ends the program. */
static int print_checked(char *to, size_t room, int flag, size_t size, const char *format, va_list list)
{
	if (size < room && room != SIZE_MAX)
		__chk_fail();
	if (!understood(format, flag > 0))
		return by_library(to, room < size ? room : size, flag, size, format, list);
	int n = print(to, room < size ? room : size, format, list);
	if (room == SIZE_MAX && n >= 0 && (size_t)n >= size)
		__chk_fail();
	return n;
}

static int print_block(char **to, const char *format, va_list list)
{
	struct sink out = {.grows = 1};
	if (!understood(format, 0)) {
		__td_handed("vasprintf");
		__td_listed(list);
		return vasprintf(to, format, list);
	}
	int n = run(&out, format, list);
	put(&out, 0);
	char *exact = n < 0 ? NULL : MODEL(realloc)(out.to, (size_t)n + 1);
	if (!exact) {
		MODEL(free)(out.to);
		return -1;
	}
	*to = exact;
	return n;
}

int MODEL(vsnprintf)(char *to, size_t room, const char *format, va_list list) { return print(to, room, format, list); }
int MODEL(vsprintf)(char *to, const char *format, va_list list) { return print(to, SIZE_MAX, format, list); }
int MODEL(vasprintf)(char **to, const char *format, va_list list) { return print_block(to, format, list); }
int MODEL(__vasprintf_chk)(char **to, int flag, const char *format, va_list list) { (void)flag; return print_block(to, format, list); }

int MODEL(__vsnprintf_chk)(char *to, size_t room, int flag, size_t size, const char *format, va_list list)
{
	return print_checked(to, room, flag, size, format, list);
}

int MODEL(__vsprintf_chk)(char *to, int flag, size_t size, const char *format, va_list list)
{
	return print_checked(to, SIZE_MAX, flag, size, format, list);
}

int MODEL(snprintf)(char *to, size_t room, const char *format, ...) { WITH_LIST(print(to, room, format, list)); }
int MODEL(sprintf)(char *to, const char *format, ...) { WITH_LIST(print(to, SIZE_MAX, format, list)); }
int MODEL(asprintf)(char **to, const char *format, ...) { WITH_LIST(print_block(to, format, list)); }
int MODEL(__asprintf)(char **to, const char *format, ...) { WITH_LIST(print_block(to, format, list)); }
int MODEL(__asprintf_chk)(char **to, int flag, const char *format, ...) { (void)flag; WITH_LIST(print_block(to, format, list)); }

int MODEL(__snprintf_chk)(char *to, size_t room, int flag, size_t size, const char *format, ...)
{
	WITH_LIST(print_checked(to, room, flag, size, format, list));
}

int MODEL(__sprintf_chk)(char *to, int flag, size_t size, const char *format, ...)
{
	WITH_LIST(print_checked(to, SIZE_MAX, flag, size, format, list));
}
