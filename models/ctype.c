/* Character classes of the C locale, without branches: a test in the program stays one condition. Only the truth of
 * the result is promised by the standard; it is the library's own value (a bit of its table) where programs could see it. */
#include "model.h"

#include <ctype.h>

/* The bit glibc returns for a class, so that native and traced runs agree to the letter. */
static int in(unsigned c, unsigned low, unsigned high)
{
	return (c - low <= high - low);
}

static int digit(unsigned c) { return in(c, '0', '9'); }
static int upper(unsigned c) { return in(c, 'A', 'Z'); }
static int lower(unsigned c) { return in(c, 'a', 'z'); }
static int alpha(unsigned c) { return in(c | 32, 'a', 'z') & (c < 128); }
static int print(unsigned c) { return in(c, 32, 126); }

int MODEL(isdigit)(int c) { return digit((unsigned)c) * _ISdigit; }
int MODEL(isupper)(int c) { return upper((unsigned)c) * _ISupper; }
int MODEL(islower)(int c) { return lower((unsigned)c) * _ISlower; }
int MODEL(isalpha)(int c) { return alpha((unsigned)c) * _ISalpha; }
int MODEL(isalnum)(int c) { return (alpha((unsigned)c) | digit((unsigned)c)) * _ISalnum; }
int MODEL(isspace)(int c) { return ((c == ' ') | in((unsigned)c, 9, 13)) * _ISspace; }
int MODEL(isblank)(int c) { return ((c == ' ') | (c == '\t')) * _ISblank; }
int MODEL(isprint)(int c) { return print((unsigned)c) * _ISprint; }
int MODEL(isgraph)(int c) { return in((unsigned)c, 33, 126) * _ISgraph; }
int MODEL(iscntrl)(int c) { return (in((unsigned)c, 0, 31) | (c == 127)) * _IScntrl; }
int MODEL(isxdigit)(int c) { return (digit((unsigned)c) | (in((unsigned)c | 32, 'a', 'f') & ((unsigned)c < 128))) * _ISxdigit; }

int MODEL(ispunct)(int c)
{
	return (in((unsigned)c, 33, 126) & !(alpha((unsigned)c) | digit((unsigned)c))) * _ISpunct;
}

int MODEL(isascii)(int c) { return (c & ~127) == 0; }
int MODEL(toascii)(int c) { return c & 127; }
int MODEL(tolower)(int c) { return c + upper((unsigned)c) * 32; }
int MODEL(toupper)(int c) { return c - lower((unsigned)c) * 32; }
