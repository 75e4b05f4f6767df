/* The scanf functions: 0 which formats, 1..40 the text. */
// case: number = \000042 rest
// case: negative = \0000  -17,8
// case: overflow = \000099999999999999999999 5
// case: underflow = \0000-99999999999999999999
// case: wraps = \00004294967297 65537 257
// case: bases = \00000x1f 077 09 0xg 0
// case: hex-only = \00000x
// case: signs = \0000+-5
// case: sign-end = \0000-
// case: empty = \0000\0
// case: spaces = \0000 \t\n
// case: words = \0001one two  three
// case: word-long = \0001abcdefghijkl mn
// case: characters = \0001ab  c
// case: sets = \0002abc123]x-y^z
// case: sets-none = \0002999
// case: sets-end = \0002]]-a
// case: widths = \0003123456789 -1234 0x12345
// case: literal = \0004key = 5; %10 x
// case: date = \00042024-05-06
// case: pointer = \00050x7ffe (nil) 12
// case: pointer-bad = \0005(nix)
// case: reals = \00061.5e3 -0x1p4 inf nan
// case: reals-bad = \00061e+ .e5 0x
// case: reals-short = \00060 -infinity 12.5
#define _GNU_SOURCE
#include "harness.h"

#include <stdarg.h>

enum { GROUPS = 7 };

static struct {
	int a, b, c, n;
	unsigned u;
	long l, m;
	unsigned long ul;
	short h;
	signed char hh;
	void *p;
	char s[48], t[48];
	char *made, *other;
	float f;
	double d;
	long double ld;
} to;

/* Reads it by the function that is tested: from a text, or from a stream that stands at its beginning. */
typedef int scanner(const char *text, const char *format, ...);

static int known(void)
{
	int which = in[0] % GROUPS;
	for (int i = 0; i < GROUPS - 1; i++)
		if (which == i)
			return i;
	return GROUPS - 1;
}

static void begin(void)
{
	memset(&to, 0x55, sizeof to);
	to.made = to.other = NULL;
	errno = 0;
}

static void told(int n)
{
	give((uint64_t)n);
	give((uint64_t)to.a), give((uint64_t)to.b), give((uint64_t)to.c), give((uint64_t)to.n);
	give(to.u), give((uint64_t)to.l), give((uint64_t)to.m), give(to.ul), give((uint64_t)to.h), give((uint64_t)to.hh), give((uint64_t)to.p);
	give_bytes(to.s, 24);
	give_bytes(to.t, 24);
	if (to.made)
		give_bytes(to.made, strlen(to.made) + 1);
	give(to.other != NULL);
	give_bytes(&to.f, sizeof to.f);
	give_bytes(&to.d, sizeof to.d);
	give_bytes(&to.ld, 10);
	give(errno == ERANGE);
}

#define S(...) (begin(), told(scan(text, __VA_ARGS__)))

static void numbers(scanner *scan, const char *text)
{
	S("%d%n", &to.a, &to.n);
	S("%i %i %i%n", &to.a, &to.b, &to.c, &to.n);
	S("%ld%c", &to.l, to.s);
	S("%u %hd %hhd", &to.u, &to.h, &to.hh);
	S("%x%o", &to.u, &to.a);
	S("%lu", &to.ul);
	S("%*d %d%hhn", &to.a, &to.hh);
	S("%lli%ji%zu", &to.l, &to.m, &to.ul);
}

static void words(scanner *scan, const char *text)
{
	S("%s %s%n", to.s, to.t, &to.n);
	S("%3s%5s%c", to.s, to.t, to.t + 40);
	S("%*s%ms%n", &to.made, &to.n);
	S("%c%3c %c", to.s, to.s + 1, to.t);
	S("%ms%mc", &to.made, &to.other);
	S("%40c", to.s);
	S(" %1s%*2s%s", to.s, to.t);
}

static void sets(scanner *scan, const char *text)
{
	S("%[a-c]%[0-9]%[]x]%n", to.s, to.t, to.t + 24, &to.n);
	S("%[^0-9]%5[^]z]", to.s, to.t);
	S("%2[abc1-]%[-a1]", to.s, to.t);
	S("%[a-]%*[^-]%s", to.s, to.t);
	S("%m[a-z0-9]%n", &to.made, &to.n);
	S("%[z-a]%[^a-c]", to.s, to.t);
	S("%[^]]%[]]", to.s, to.t);
	S("%[abc", to.s);
}

static void widths(scanner *scan, const char *text)
{
	S("%3d%4d%n", &to.a, &to.b, &to.n);
	S("%1d%1i%1x", &to.a, &to.b, &to.u);
	S("%2i%5i%9i", &to.a, &to.b, &to.c);
	S("%9d %2d%3x", &to.a, &to.b, &to.u);
	S("%0d%0s", &to.a, to.s);
	S("%3x%2o", &to.u, &to.a);
}

static void literals(scanner *scan, const char *text)
{
	S("key = %d;", &to.a);
	S("key=%d ; %%%d%n", &to.a, &to.b, &to.n);
	S("%4d-%2d-%2d", &to.a, &to.b, &to.c);
	S("%d-%d-%d %n", &to.a, &to.b, &to.c, &to.n);
	S("%[^=]= %d%*c %%", to.s, &to.a);
	S("%%%d", &to.a);
	S("");
	S(" %n", &to.n);
}

static void pointers(scanner *scan, const char *text)
{
	S("%p%n", &to.p, &to.n);
	S("%p %p %p", &to.p, &to.l, &to.m);
	S("%3p%4p", &to.p, &to.l);
	S("%*p%d", &to.a);
}

static void reals(scanner *scan, const char *text)
{
	S("%f%n", &to.f, &to.n);
	S("%lf %lf%n", &to.d, &to.ld, &to.n);
	S("%Lf %f %lf", &to.ld, &to.f, &to.d);
	S("%3f%2lf%1lf", &to.f, &to.d, &to.ld);
	S("%*e %g%s", &to.f, to.s);
	S("%1f%c", &to.f, to.s);
}

static void all(scanner *scan, const char *text)
{
	switch (known()) {
	case 0: numbers(scan, text); break;
	case 1: words(scan, text); break;
	case 2: sets(scan, text); break;
	case 3: widths(scan, text); break;
	case 4: literals(scan, text); break;
	case 5: pointers(scan, text); break;
	default: reals(scan, text); break;
	}
}

int old_vsscanf(const char *text, const char *format, va_list list) __asm__("vsscanf");
int old_sscanf(const char *text, const char *format, ...) __asm__("sscanf");

#define LISTED(name, call) \
	static int name(const char *text, const char *format, ...) \
	{ \
		va_list list; \
		va_start(list, format); \
		int n = call; \
		va_end(list); \
		return n; \
	}

LISTED(by_vsscanf, old_vsscanf(text, format, list))
LISTED(by_new_vsscanf, vsscanf(text, format, list))

TEST(sscanf) { all(old_sscanf, piece(1, 40)); }
TEST(vsscanf) { all(by_vsscanf, piece(1, 40)); }
TEST(__isoc99_sscanf) { all(sscanf, piece(1, 40)); }
TEST(__isoc99_vsscanf) { all(by_new_vsscanf, piece(1, 40)); }

/* Directly, not through a pointer; and what is not understood: wide characters. */
TEST_OF(__isoc99_sscanf, directly, NULL)
{
	const char *text = piece(1, 40);
	begin();
	told(sscanf(text, "%d %9s %[a-z]%n", &to.a, to.s, to.t, &to.n));
	begin();
	told(sscanf(text, "%9ls", (wchar_t *)to.s));
}
