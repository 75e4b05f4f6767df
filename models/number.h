/* Numbers from text, of bytes or of wide characters: CHARACTER and IS_SPACE(c) say which. To be included once in a file. */
#include "digit.h"
#include "model.h"

#include <errno.h>
#include <limits.h>

#ifndef CHARACTER
#define CHARACTER char
#define IS_SPACE(c) MODEL(isspace)((byte)(c))
#endif

struct number {
	unsigned long value;
	const CHARACTER *end;
	int negative, overflow, any, bad_base;
};

static int has_prefix(const CHARACTER *s, CHARACTER letter)
{
	return s[0] == '0' && (s[1] | 32) == letter && digit_value((unsigned)s[2], 16) < 16;
}

__attribute__((unused)) static struct number parse(const CHARACTER *s, int base)
{
	struct number n = {0, s, 0, 0, 0, 0};
	if (base < 0 || base == 1 || base > 36) {
		errno = EINVAL;
		n.bad_base = 1;
		return n;
	}
	while (IS_SPACE(*s))
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
	for (unsigned d; (d = digit_value((unsigned)*s, (unsigned)base)) < (unsigned)base; s++) {
		unsigned long next;
		n.any = 1;
		n.overflow |= __builtin_mul_overflow(n.value, (unsigned long)base, &next);
		n.overflow |= __builtin_add_overflow(next, (unsigned long)d, &n.value);
	}
	if (n.any)
		n.end = s;
	return n;
}

__attribute__((unused)) static long signed_number(const CHARACTER *s, CHARACTER **end, int base)
{
	struct number n = parse(s, base);
	if (end && !n.bad_base)
		*end = (CHARACTER *)n.end;
	unsigned long limit = n.negative ? (unsigned long)LONG_MAX + 1 : LONG_MAX;
	if (n.overflow || n.value > limit) {
		errno = ERANGE;
		return n.negative ? LONG_MIN : LONG_MAX;
	}
	return (long)(n.negative ? -n.value : n.value);
}

__attribute__((unused)) static unsigned long unsigned_number(const CHARACTER *s, CHARACTER **end, int base)
{
	struct number n = parse(s, base);
	if (end && !n.bad_base)
		*end = (CHARACTER *)n.end;
	if (n.overflow) {
		errno = ERANGE;
		return ULONG_MAX;
	}
	return n.negative ? -n.value : n.value;
}
