/* Numbers from wide text: see number.c. */
#include "model.h"

#include <limits.h>
#include <wchar.h>

int MODEL(iswspace)(wint_t c);

#define CHARACTER wchar_t
#define IS_SPACE(c) MODEL(iswspace)((wint_t)(c))
#include "number.h"

long MODEL(wcstol)(const wchar_t *s, wchar_t **end, int base)
{
	struct number n = parse(s, base);
	if (end && !n.bad_base)
		*end = (wchar_t *)n.end;
	unsigned long limit = n.negative ? (unsigned long)LONG_MAX + 1 : LONG_MAX;
	if (n.overflow || n.value > limit) {
		errno = ERANGE;
		return n.negative ? LONG_MIN : LONG_MAX;
	}
	return (long)(n.negative ? -n.value : n.value);
}

unsigned long MODEL(wcstoul)(const wchar_t *s, wchar_t **end, int base)
{
	struct number n = parse(s, base);
	if (end && !n.bad_base)
		*end = (wchar_t *)n.end;
	if (n.overflow) {
		errno = ERANGE;
		return ULONG_MAX;
	}
	return n.negative ? -n.value : n.value;
}

long long MODEL(wcstoll)(const wchar_t *s, wchar_t **end, int base)
{
	return MODEL(wcstol)(s, end, base);
}

unsigned long long MODEL(wcstoull)(const wchar_t *s, wchar_t **end, int base)
{
	return MODEL(wcstoul)(s, end, base);
}
