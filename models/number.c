/* Numbers from text, after the standard: spaces, sign, prefix, digits; overflow gives the limit and ERANGE. */
#include "model.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

struct number {
	unsigned long value;
	const char *end;
	int negative, overflow, any, bad_base;
};

/* A digit's value, or something no base has; without branches. */
static unsigned digit_value(byte c)
{
	unsigned number = c - '0', letter = (c | 32u) - 'a', is_number = -(number <= 9u), is_letter = -(letter <= 25u);
	return (number & is_number) | ((letter + 10) & is_letter) | (99 & ~(is_number | is_letter));
}

static int has_prefix(const char *s, char letter)
{
	return s[0] == '0' && (s[1] | 32) == letter && digit_value((byte)s[2]) < 16;
}

static struct number parse(const char *s, int base)
{
	struct number n = {0, s, 0, 0, 0, 0};
	if (base < 0 || base == 1 || base > 36) {
		errno = EINVAL;
		n.bad_base = 1;
		return n;
	}
	while (MODEL(isspace)((byte)*s))
		s++;
	if (*s == '-') {
		n.negative = 1;
		s++;
	} else if (*s == '+') {
		s++;
	}
	if ((base == 0 || base == 16) && has_prefix(s, 'x')) {
		base = 16;
		s += 2;
	} else if (base == 0) {
		base = *s == '0' ? 8 : 10;
	}
	for (unsigned d; (d = digit_value((byte)*s)) < (unsigned)base; s++) {
		unsigned long next;
		n.any = 1;
		n.overflow |= __builtin_mul_overflow(n.value, (unsigned long)base, &next);
		n.overflow |= __builtin_add_overflow(next, (unsigned long)d, &n.value);
	}
	if (n.any)
		n.end = s;
	return n;
}

long MODEL(strtol)(const char *s, char **end, int base)
{
	struct number n = parse(s, base);
	if (end && !n.bad_base)
		*end = (char *)n.end;
	unsigned long limit = n.negative ? (unsigned long)LONG_MAX + 1 : LONG_MAX;
	if (n.overflow || n.value > limit) {
		errno = ERANGE;
		return n.negative ? LONG_MIN : LONG_MAX;
	}
	return (long)(n.negative ? -n.value : n.value);
}

unsigned long MODEL(strtoul)(const char *s, char **end, int base)
{
	struct number n = parse(s, base);
	if (end && !n.bad_base)
		*end = (char *)n.end;
	if (n.overflow) {
		errno = ERANGE;
		return ULONG_MAX;
	}
	return n.negative ? -n.value : n.value;
}

long long MODEL(strtoll)(const char *s, char **end, int base)
{
	return MODEL(strtol)(s, end, base);
}

unsigned long long MODEL(strtoull)(const char *s, char **end, int base)
{
	return MODEL(strtoul)(s, end, base);
}

intmax_t MODEL(strtoimax)(const char *s, char **end, int base)
{
	return MODEL(strtol)(s, end, base);
}

uintmax_t MODEL(strtoumax)(const char *s, char **end, int base)
{
	return MODEL(strtoul)(s, end, base);
}

/* BSD's names, and those behind inline functions of older headers; with grouping the locale's separators are skipped. */
long long MODEL(strtoq)(const char *s, char **end, int base) { return MODEL(strtol)(s, end, base); }
unsigned long long MODEL(strtouq)(const char *s, char **end, int base) { return MODEL(strtoul)(s, end, base); }

long __strtol_internal(const char *s, char **end, int base, int group);
unsigned long __strtoul_internal(const char *s, char **end, int base, int group);

long MODEL(__strtol_internal)(const char *s, char **end, int base, int group)
{
	return group ? __strtol_internal(s, end, base, group) : MODEL(strtol)(s, end, base);
}

unsigned long MODEL(__strtoul_internal)(const char *s, char **end, int base, int group)
{
	return group ? __strtoul_internal(s, end, base, group) : MODEL(strtoul)(s, end, base);
}

long long MODEL(__strtoll_internal)(const char *s, char **end, int base, int group)
{
	return MODEL(__strtol_internal)(s, end, base, group);
}

unsigned long long MODEL(__strtoull_internal)(const char *s, char **end, int base, int group)
{
	return MODEL(__strtoul_internal)(s, end, base, group);
}

int MODEL(atoi)(const char *s)
{
	return (int)MODEL(strtol)(s, NULL, 10);
}

long MODEL(atol)(const char *s)
{
	return MODEL(strtol)(s, NULL, 10);
}

long long MODEL(atoll)(const char *s)
{
	return MODEL(strtol)(s, NULL, 10);
}

int MODEL(abs)(int n)
{
	return n < 0 ? -n : n;
}

long MODEL(labs)(long n)
{
	return n < 0 ? -n : n;
}

long long MODEL(llabs)(long long n)
{
	return n < 0 ? -n : n;
}

intmax_t MODEL(imaxabs)(intmax_t n)
{
	return n < 0 ? -n : n;
}

div_t MODEL(div)(int a, int b)
{
	return (div_t){a / b, a % b};
}

ldiv_t MODEL(ldiv)(long a, long b)
{
	return (ldiv_t){a / b, a % b};
}

lldiv_t MODEL(lldiv)(long long a, long long b)
{
	return (lldiv_t){a / b, a % b};
}

imaxdiv_t MODEL(imaxdiv)(intmax_t a, intmax_t b)
{
	return (imaxdiv_t){a / b, a % b};
}
