/* The printf functions that write to memory: 0..7 a number, 8..15 a text, 16 a width, 17 a precision, 18 the size of the buffer, 19 which formats. */
// case: small = \052\0\0\0\0\0\0\0word\0\0\0\0\07\03\0100\0
// case: negative = \0326\0377\0377\0377\0377\0377\0377\0377a\0\0\0\0\0\0\0\0\0\0100\0
// case: zero = \0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0100\0
// case: most = \0377\0377\0377\0377\0377\0377\0377\0177eightchr\014\012\0100\01
// case: least = \0\0\0\0\0\0\0\0200eightchr\0365\02\0100\01
// case: int-least = \0\0\0\0200\0\0\0\0abc\0\0\0\0\0\03\0377\0100\02
// case: cut = \0100\0342\01\0\0\0\0\0truncate\03\05\05\0
// case: cut-all = \0100\0342\01\0\0\0\0\0truncate\03\05\0\01
// case: cut-one = \0100\0342\01\0\0\0\0\0truncate\03\05\01\02
// case: hex = \0276\0272\0376\0312\0\0\0\0%%d%n\0\0\0\012\014\0100\03
// case: hex-long = \0276\0272\0376\0312\0357\0276\0255\0336null\0\0\0\0\024\0\0100\03
// case: octal-zero = \0\0\0\0\0\0\0\0oct\0\0\0\0\0\05\0\0100\04
// case: octal = \0777\0\0\0\0\0\0\0oct\0\0\0\0\0\05\04\0100\04
// case: flags = \0173\0\0\0\0\0\0\0flags\0\0\0\015\02\0100\05
// case: flags-negative = \0205\0377\0377\0377\0377\0377\0377\0377f\0\0\0\0\0\0\0\0365\0370\0100\05
// case: strings = A\0\0\0\0\0\0\0string\0\0\012\04\0100\06
// case: strings-cut = \0\0\0\0\0\0\0\0string\0\0\0366\0\03\06
// case: lengths = \0377\0200\0377\0200\0377\0200\0377\0200x\0\0\0\0\0\0\0\02\02\0100\07
// case: lengths-small = \07\0\0\0\0\0\0\0x\0\0\0\0\0\0\0\02\02\0100\07
// case: reals = \05\0\0\0\0\0\0\0x\0\0\0\0\0\0\0\02\02\0100\010
#define _GNU_SOURCE
#include "harness.h"

#include <stdarg.h>

enum { GROUPS = 9, MOST = 256 };

static int64_t number(void)
{
	int64_t v;
	memcpy(&v, in, sizeof v);
	return v;
}

/* Which group of formats, decided by a branch each. */
static int group(void)
{
	int which = in[19] % GROUPS;
	for (int i = 0; i < GROUPS - 1; i++)
		if (which == i)
			return i;
	return GROUPS - 1;
}

static int count;
static short count_short;
static signed char count_char;
static long count_long;

struct call {
	int (*print)(char *to, size_t room, const char *format, ...);
	char *to;
	size_t room;
};

static void told(const struct call *c, int n)
{
	give((uint64_t)n);
	if (c->room && n >= 0)
		give_bytes(c->to, (size_t)n < c->room ? (size_t)n + 1 : c->room);
}

#define P(...) told(c, c->print(c->to, c->room, __VA_ARGS__))

static void plain(const struct call *c, int64_t v, const char *s) { P("%d", (int)v); P("%ld|%s", v, s); P("%s: %u", s, (unsigned)v); P("%lu", v); P("no conversion"); }
static void precise(const struct call *c, int64_t v, int w, int p) { P("%*.*ld|", w, p, v); P("%-*.*ld|", w, p, v); P("%0*ld", w, v); P("%.*ld", p, v); }
static void octal(const struct call *c, int64_t v, int w, int p) { P("%#o|%o|%#.0o", (int)v, (int)v, (int)v); P("%#*.*lo", w, p, v); P("%-#10lo|", v); P("%#.3o", (int)v & 077); }
static void limits(const struct call *c, int64_t v) { P("%i %i", (int)v, -(int)v); P("%lli %lld", (long long)v, -(long long)v); P("%+d % d %+ d", (int)v, (int)v, (int)v); P("%.0d", (int)v); }

static void hexadecimal(const struct call *c, int64_t v, int w)
{
	P("%x %X", (unsigned)v, (unsigned)v);
	P("%#lx|%#lX", v, v);
	P("%#*x|%-#*X|%0*x", w, (int)v, w, (int)v, w, (int)v);
	P("%#010lx|%#.9x|%#12.8x", v, (int)v, (int)v);
	P("%p|%20p|%-20p|%+p|% p", (void *)v, (void *)v, (void *)v, (void *)v, (void *)v);
	P("%p %8p %.2p", NULL, NULL, NULL);
}

static void flags(const struct call *c, int64_t v, int w, int p)
{
	P("%05d|%-5d|%-05d|%0-5d", (int)v, (int)v, (int)v, (int)v);
	P("%+5d|%+-5d|%+05d|% 05d", (int)v, (int)v, (int)v, (int)v);
	P("%08.3d|%-8.3d|%8.0d", (int)v, (int)v, (int)v);
	P("%+*.*d|% -*.*ld|", w, p, (int)v, w, p, v);
	P("%5%|%%|%-3%", 0);
	P("%+u|% x", (unsigned)v, (unsigned)v);
}

static void strings(const struct call *c, const char *s, int64_t v, int w, int p)
{
	P("%s|%10s|%-10s|", s, s, s);
	P("%.3s|%.*s|%*s|", s, p, s, w, s);
	P("%*.*s|%-*.*s|%.0s", w, p, s, w, p, s, s);
	P("%c|%5c|%-5c|%05c", (int)v, (int)v, (int)v, (int)v);
	P("%s %.3s %.6s %8s", NULL, NULL, NULL, NULL);
	P("%05s|%-05s|%05.2s", s, s, s);
	P("%s%n and %hn%d%hhn%ln", s, &count, &count_short, 5, &count_char, &count_long);
	give((uint64_t)count);
	give((uint64_t)count_short);
	give((uint64_t)count_char);
	give((uint64_t)count_long);
}

static void lengths(const struct call *c, int64_t v)
{
	P("%hhd %hhu %hhx %hhi", (int)v, (int)v, (int)v, (int)v);
	P("%hd %hu %ho", (int)v, (int)v, (int)v);
	P("%jd %ju %zd %zu %td %tx", v, v, v, v, v, v);
	P("%llu %Lu %qd", v, v, v);
	P("%d %d %d %d %d %d %d %d", 1, 2, 3, (int)v, 5, 6, (int)v, 8);
}

static void reals(const struct call *c, int64_t v, int w, int p)
{
	double d = (double)(int8_t)v / 4;
	P("%f %g %d %e", d, d, (int)v, d);
	P("%*.*f|%-+9.1f|%#g %a %G", w, p, d, d, d, d, d);
	P("%Lf %d", (long double)d, (int)v);
	P("%s %f %s", "before", 1e300, "behind");
	errno = ENOENT;
	P("%m|%20m|%.4m");
}

static void all(int (*print)(char *, size_t, const char *, ...), int sized)
{
	static char buffer[MOST * 2];
	struct call call = {print, buffer, sized ? in[18] : sizeof buffer}, *c = &call;
	int w = (signed char)in[16] % 32, p = (signed char)in[17] % 32;
	const char *s = piece(8, 8);
	int64_t v = number();
	switch (group()) {
	case 0: plain(c, v, s); break;
	case 1: precise(c, v, w, p); break;
	case 2: limits(c, v); break;
	case 3: hexadecimal(c, v, w); break;
	case 4: octal(c, v, w, p); break;
	case 5: flags(c, v, w, p); break;
	case 6: strings(c, s, v, w, p); break;
	case 7: lengths(c, v); break;
	default: reals(c, v, w, p); break;
	}
}

#define LISTED(name, call) \
	static int name(char *to, size_t room, const char *format, ...) \
	{ \
		va_list list; \
		(void)room; \
		va_start(list, format); \
		int n = call; \
		va_end(list); \
		return n; \
	}

static char *made;

/* The block is there when its length is. */
static int copied(char *to, int n)
{
	if (n >= 0)
		memcpy(to, made, (size_t)n + 1);
	free(made);
	return n;
}

int __vsnprintf_chk(char *to, size_t room, int flag, size_t size, const char *format, va_list list);
int __vsprintf_chk(char *to, int flag, size_t size, const char *format, va_list list);
int __vasprintf_chk(char **to, int flag, const char *format, va_list list);

LISTED(by_vsnprintf, vsnprintf(to, room, format, list))
LISTED(by_vsprintf, vsprintf(to, format, list))
LISTED(by_vasprintf, copied(to, vasprintf(&made, format, list)))
LISTED(by_vsnprintf_chk, __vsnprintf_chk(to, room, 0, room, format, list))
LISTED(by_vsprintf_chk, __vsprintf_chk(to, 0, room, format, list))
LISTED(by_vasprintf_chk, copied(to, __vasprintf_chk(&made, 0, format, list)))

TEST(vsnprintf) { all(by_vsnprintf, 1); }
TEST(vsprintf) { all(by_vsprintf, 0); }
TEST(vasprintf) { all(by_vasprintf, 0); }
TEST(__vsnprintf_chk) { all(by_vsnprintf_chk, 1); }
TEST(__vsprintf_chk) { all(by_vsprintf_chk, 0); }
TEST(__vasprintf_chk) { all(by_vasprintf_chk, 0); }

TEST(snprintf) { all(snprintf, 1); } /* through a pointer */

/* The others have other parameters: called directly, on a few formats. */
#define DIRECTLY(name, ...) \
	TEST(name) \
	{ \
		char *to = malloc(MOST); \
		const char *s = piece(8, 8); \
		int64_t v = number(); \
		int n = name(__VA_ARGS__, "%d <%-10s> %#lx %05d %.3s%c", (int)v, s, v, (int)v, s, (int)v); \
		give((uint64_t)n); \
		give_bytes(to, (size_t)n + 1); \
	}

#define ALLOCATING(name, ...) \
	TEST(name) \
	{ \
		char *to = NULL; \
		const char *s = piece(8, 8); \
		int64_t v = number(); \
		int n = name(__VA_ARGS__, "%d <%-110s> %#lx %05d %.3s%c", (int)v, s, v, (int)v, s, (int)v); \
		give((uint64_t)n); \
		give_bytes(to, (size_t)n + 1); \
		free(to); \
	}

int __snprintf_chk(char *to, size_t room, int flag, size_t size, const char *format, ...);
int __sprintf_chk(char *to, int flag, size_t size, const char *format, ...);
int __asprintf_chk(char **to, int flag, const char *format, ...);
int __asprintf(char **to, const char *format, ...);

DIRECTLY(sprintf, to)
DIRECTLY(__sprintf_chk, to, 1, MOST)
DIRECTLY(__snprintf_chk, to, MOST, 1, MOST)
ALLOCATING(asprintf, &to)
ALLOCATING(__asprintf, &to)
ALLOCATING(__asprintf_chk, &to, 1)
