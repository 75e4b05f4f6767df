/* Output: what the functions return. 0..7 a number, 8..15 a text, 16 a count of bytes. It goes to a file without a name. */
// case: small = \052\0\0\0\0\0\0\0word\0\0\0\0\07
// case: negative = \0326\0377\0377\0377\0377\0377\0377\0377a\0\0\0\0\0\0\0\017
// case: most = \0377\0377\0377\0377\0377\0377\0377\0177eightchr\0
#define _GNU_SOURCE
#include "harness.h"

#include <stdarg.h>
#include <sys/mman.h>

int __printf_chk(int flag, const char *format, ...);
int __fprintf_chk(FILE *f, int flag, const char *format, ...);
int __dprintf_chk(int fd, int flag, const char *format, ...);
int __vprintf_chk(int flag, const char *format, va_list list);
int __vfprintf_chk(FILE *f, int flag, const char *format, va_list list);
int __vdprintf_chk(int fd, int flag, const char *format, va_list list);

static FILE *sink;
static int fd;

static void open_sink(void)
{
	fd = memfd_create("sink", 0);
	sink = fdopen(dup(fd), "w");
}

static long number(void)
{
	long v;
	memcpy(&v, in, sizeof v);
	return v;
}

#define FORMATS(name, ...) \
	TEST_ROW(name, #name, open_sink) \
	{ \
		const char *s = piece(8, 8); \
		give((uint64_t)name(__VA_ARGS__ "%d %s|%8.3s|%lx\n", (int)number(), s, s, number())); \
		name(__VA_ARGS__ "%d %s\n", (int)number(), s); \
		give(number() > 1000); \
	}

#define NOTHING
FORMATS(printf, NOTHING)
FORMATS(fprintf, sink, )
FORMATS(dprintf, fd, )
FORMATS(__printf_chk, 1, )
FORMATS(__fprintf_chk, sink, 1, )
FORMATS(__dprintf_chk, fd, 1, )

#define LISTED(name, ...) \
	static int by_##name(const char *format, ...) \
	{ \
		va_list list; \
		va_start(list, format); \
		int n = name(__VA_ARGS__ format, list); \
		va_end(list); \
		return n; \
	} \
	TEST_ROW(name, #name, open_sink) \
	{ \
		const char *s = piece(8, 8); \
		give((uint64_t)by_##name("%d %s|%8.3s|%lx\n", (int)number(), s, s, number())); \
	}

LISTED(vprintf, NOTHING)
LISTED(vfprintf, sink, )
LISTED(vdprintf, fd, )
LISTED(__vprintf_chk, 1, )
LISTED(__vfprintf_chk, sink, 1, )
LISTED(__vdprintf_chk, fd, 1, )

#define CHARACTERS(name, ...) TEST_ROW(name, #name, open_sink) { give((uint64_t)name((signed char)in[0] __VA_ARGS__)); }

CHARACTERS(putchar)
CHARACTERS(putchar_unlocked)
CHARACTERS(putc, , sink)
CHARACTERS(fputc, , sink)
CHARACTERS(putc_unlocked, , sink)
CHARACTERS(fputc_unlocked, , sink)

TEST_ROW(puts, "puts", open_sink) { give((uint64_t)puts(piece(8, 8))); }

TEST_ROW(fwrite, "fwrite", open_sink)
{
	give(fwrite(in, 1, in[16] % 16, sink));
	give(fwrite(in, 3, in[16] % 8, sink));
	give(in[16] > 100);
}

TEST_ROW(fwrite_unlocked, "fwrite_unlocked", open_sink) { give(fwrite_unlocked(in, 1, in[16] % 16, sink)); }
TEST_ROW(write, "write", open_sink) { give((uint64_t)write(fd, in, in[16] % 32)); give(in[16] > 100); }
