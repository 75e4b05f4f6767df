/* Character classes, without branches: a test in the program stays one condition. The value is the library's own, a bit of its table. Most
 * locales, C and all with UTF-8, know no letters in single bytes but those of ASCII: then the class is computed. Else it is read from a copy
 * of the locale's table, which the runtime makes a term of since its size is known.
 *
 * Code that was preprocessed elsewhere has the library's macros in it: a call that returns where the table is, and a read from there. The
 * compiler makes one call of that (clone.c, `tables_use`): __td_m___ctype_b and its like. */
#include "model.h"

#include <ctype.h>

enum { BELOW = 128, ENTRIES = 384 }; /* EOF and negative characters have entries too */

static uint16_t classes[ENTRIES];
static int32_t lowers[ENTRIES], uppers[ENTRIES];
static const void *copied; /* whose table it is */
static int plain = 1;

static int is_plain(void)
{
	int other = 0;
	for (int c = 128; c < 256; c++)
		other |= classes[BELOW + c] | (lowers[BELOW + c] ^ c) | (uppers[BELOW + c] ^ c);
	return !other;
}

static void copy_tables(void)
{
	if (*__ctype_b_loc() == copied)
		return;
	copied = *__ctype_b_loc();
	__builtin_memcpy(classes, *__ctype_b_loc() - BELOW, sizeof classes);
	__builtin_memcpy(lowers, *__ctype_tolower_loc() - BELOW, sizeof lowers);
	__builtin_memcpy(uppers, *__ctype_toupper_loc() - BELOW, sizeof uppers);
	plain = is_plain();
}

int __td_plain_case(void)
{
	copy_tables();
	return plain;
}

/* What is outside of the table is the program's mistake: the read reports it. */
uint16_t MODEL(__ctype_b)(int64_t c)
{
	copy_tables();
	return classes[c + BELOW];
}

int32_t MODEL(__ctype_tolower)(int64_t c)
{
	copy_tables();
	return lowers[c + BELOW];
}

int32_t MODEL(__ctype_toupper)(int64_t c)
{
	copy_tables();
	return uppers[c + BELOW];
}

static int in(unsigned c, unsigned low, unsigned high)
{
	return (c - low <= high - low);
}

static int digit(unsigned c) { return in(c, '0', '9'); }
static int upper(unsigned c) { return in(c, 'A', 'Z'); }
static int lower(unsigned c) { return in(c, 'a', 'z'); }
static int alpha(unsigned c) { return in(c | 32, 'a', 'z') & (c < 128); }
static int punct(unsigned c) { return in(c, 33, 126) & !(alpha(c) | digit(c)); }

/* Outside of the table's range the library would read what is not there. */
static int listed(int c, int bit)
{
	return c >= -BELOW && c < ENTRIES - BELOW ? classes[c + BELOW] & bit : 0;
}

#define CLASS(name, bit, computed) \
	int MODEL(name)(int c) { return __td_plain_case() ? (computed) * (bit) : listed(c, (bit)); }

CLASS(isdigit, _ISdigit, digit((unsigned)c))
CLASS(isupper, _ISupper, upper((unsigned)c))
CLASS(islower, _ISlower, lower((unsigned)c))
CLASS(isalpha, _ISalpha, alpha((unsigned)c))
CLASS(isalnum, _ISalnum, alpha((unsigned)c) | digit((unsigned)c))
CLASS(isspace, _ISspace, (c == ' ') | in((unsigned)c, 9, 13))
CLASS(isblank, _ISblank, (c == ' ') | (c == '\t'))
CLASS(isprint, _ISprint, in((unsigned)c, 32, 126))
CLASS(isgraph, _ISgraph, in((unsigned)c, 33, 126))
CLASS(iscntrl, _IScntrl, in((unsigned)c, 0, 31) | (c == 127))
CLASS(isxdigit, _ISxdigit, digit((unsigned)c) | (in((unsigned)c | 32, 'a', 'f') & ((unsigned)c < 128)))
CLASS(ispunct, _ISpunct, punct((unsigned)c))

int MODEL(isascii)(int c) { return (c & ~127) == 0; }
int MODEL(toascii)(int c) { return c & 127; }

/* The library's tables take a negative character, other than EOF, for the one it stands for. */
static int positive(int c)
{
	return c + ((unsigned)(c + BELOW) < BELOW - 1) * 256;
}

int MODEL(tolower)(int c)
{
	if (__td_plain_case())
		return positive(c) + upper((unsigned)c) * 32;
	return c >= -BELOW && c < ENTRIES - BELOW ? lowers[c + BELOW] : c;
}

int MODEL(toupper)(int c)
{
	if (__td_plain_case())
		return positive(c) - lower((unsigned)c) * 32;
	return c >= -BELOW && c < ENTRIES - BELOW ? uppers[c + BELOW] : c;
}
