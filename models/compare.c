/* Comparisons of strings. One program branch on the result should be one condition: `strcmp(s, "secret") == 0` is then solved in one step, not byte by
 * byte. So where the runtime says over how many bytes the outcome is decided on every input, and that they may be read, the result is
 * computed without branches: the first difference counts, and nothing does behind two NULs.
 * Else, and with __td_compare_by_branches (for tests), there is a branch per byte, up to the first difference.
 * Order of strings in a locale is that of bytes where the locale has no rules; elsewhere the library is asked. */
#include "digit.h"
#include "model.h"

#include <langinfo.h>
#include <string.h>
#include <strings.h>

uint32_t __td_compare_by_branches;

/* How many bytes are to be compared without branches; 0: none. The limit may depend on the input: then there are branches on it. */
static size_t span(const char *a, const char *b, size_t most, uint32_t folded)
{
	uint64_t found = __td_compare_by_branches ? 0 : __td_compare_span(a, b, folded), n = found >> 1;
	if (most < n)
		return most;
	return found & 1 ? n : 0;
}

static int lower(byte c)
{
	return c + (c - 'A' < 26u) * 32;
}

static int plain(const char *a, const char *b, size_t n)
{
	int result = (byte)*a - (byte)*b, equal = -((result == 0) & (*a != 0));
	for (size_t i = 1; i < n; i++) {
		int difference = (byte)a[i] - (byte)b[i];
		result |= difference & equal;
		equal &= -((difference == 0) & (a[i] != 0));
	}
	return result;
}

static int folded(const char *a, const char *b, size_t n)
{
	int result = lower((byte)*a) - lower((byte)*b), equal = -((result == 0) & (*a != 0));
	for (size_t i = 1; i < n; i++) {
		int difference = lower((byte)a[i]) - lower((byte)b[i]);
		result |= difference & equal;
		equal &= -((difference == 0) & (a[i] != 0));
	}
	return result;
}

int MODEL(strcmp)(const char *a, const char *b)
{
	size_t n = span(a, b, SIZE_MAX, 0);
	if (n)
		return plain(a, b, n);
	while (*a && *a == *b)
		a++, b++;
	return (byte)*a - (byte)*b;
}

int MODEL(strncmp)(const char *a, const char *b, size_t n)
{
	if (!n)
		return 0;
	size_t all = span(a, b, n, 0);
	if (all)
		return plain(a, b, all);
	while (n && *a && *a == *b)
		a++, b++, n--;
	return n ? (byte)*a - (byte)*b : 0;
}

int MODEL(strcoll)(const char *a, const char *b)
{
	return nl_langinfo(_NL_COLLATE_NRULES) ? strcoll(a, b) : MODEL(strcmp)(a, b);
}

/* Copies and, as the library, says how long it is, whether there is room or not. */
size_t MODEL(strxfrm)(char *to, const char *from, size_t room)
{
	if (nl_langinfo(_NL_COLLATE_NRULES))
		return strxfrm(to, from, room);
	size_t n = MODEL(strlen)(from);
	if (room)
		MODEL(stpncpy)(to, from, n + 1 < room ? n + 1 : room);
	return n;
}

int MODEL(strcasecmp)(const char *a, const char *b)
{
	return MODEL(strncasecmp)(a, b, SIZE_MAX);
}

int MODEL(strncasecmp)(const char *a, const char *b, size_t n)
{
	if (!__td_plain_case())
		return strncasecmp(a, b, n);
	if (!n)
		return 0;
	size_t all = span(a, b, n, 1);
	if (all)
		return folded(a, b, all);
	while (n && *a && lower((byte)*a) == lower((byte)*b))
		a++, b++, n--;
	return n ? lower((byte)*a) - lower((byte)*b) : 0;
}

/* Digits are compared by value, with leading zeros as if behind a decimal point. */
int MODEL(strverscmp)(const char *a, const char *b)
{
	size_t i = 0, start = 0; /* of the digits that i is in, or behind */
	for (; a[i] && a[i] == b[i]; i++)
		if (!is_digit(a[i]))
			start = i + 1;
	int difference = (byte)a[i] - (byte)b[i];
	if (!difference)
		return 0;
	unsigned digit_a = is_digit(a[i]), digit_b = is_digit(b[i]);
	if (a[start] == '0' && start < i) {
		size_t k = start;
		while (k < i && a[k] == '0')
			k++;
		if (k == i && (digit_a || digit_b)) /* nothing but zeros so far: more of them come first, and so does a fraction */
			return !digit_a ? 1 : !digit_b ? -1 : difference;
		return difference; /* fractions */
	}
	if (!digit_a && !digit_b)
		return difference;
	if (start == i) { /* they begin here */
		if (!digit_a || !digit_b || a[i] == '0' || b[i] == '0')
			return difference;
	}
	size_t more = i;
	while (is_digit(a[more]) && is_digit(b[more]))
		more++;
	digit_a = is_digit(a[more]), digit_b = is_digit(b[more]);
	return digit_a ? 1 : digit_b ? -1 : difference;
}
