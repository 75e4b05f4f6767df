/* Numbers from text, after the standard: spaces, sign, prefix, digits; overflow gives the limit and ERANGE. */
#include "model.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

#define CHARACTER char
#define IS_SPACE(c) MODEL(isspace)((byte)(c))
#include "number.h"

long MODEL(strtol)(const char *s, char **end, int base) { return signed_number(s, end, base); }
unsigned long MODEL(strtoul)(const char *s, char **end, int base) { return unsigned_number(s, end, base); }
long long MODEL(strtoll)(const char *s, char **end, int base) { return MODEL(strtol)(s, end, base); }
unsigned long long MODEL(strtoull)(const char *s, char **end, int base) { return MODEL(strtoul)(s, end, base); }
intmax_t MODEL(strtoimax)(const char *s, char **end, int base) { return MODEL(strtol)(s, end, base); }
uintmax_t MODEL(strtoumax)(const char *s, char **end, int base) { return MODEL(strtoul)(s, end, base); }

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
