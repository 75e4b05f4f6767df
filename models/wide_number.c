/* Numbers from wide text: see number.c. */
#include "model.h"

#include <limits.h>
#include <wchar.h>

int MODEL(iswspace)(wint_t c);

#define CHARACTER wchar_t
#define IS_SPACE(c) MODEL(iswspace)((wint_t)(c))
#include "number.h"

long MODEL(wcstol)(const wchar_t *s, wchar_t **end, int base) { return signed_number(s, end, base); }
unsigned long MODEL(wcstoul)(const wchar_t *s, wchar_t **end, int base) { return unsigned_number(s, end, base); }
long long MODEL(wcstoll)(const wchar_t *s, wchar_t **end, int base) { return MODEL(wcstol)(s, end, base); }
unsigned long long MODEL(wcstoull)(const wchar_t *s, wchar_t **end, int base) { return MODEL(wcstoul)(s, end, base); }
