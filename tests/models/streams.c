/* Streams: each test reads standard input by itself. */
// case: lines = one\ntwo\n\nfour
// case: one = x
// case: no-newline = abcdefghijklmnopqrstuvwxyz
// case: zeros = a\0b\nc\0\n
// case: numbers = 12 -7 0x1f word,rest
// case: high = \0377\0376ab\nxyz
// case: long-line = 0123456789012345678901234567890123456789\n9
#define _GNU_SOURCE
#define STREAM
#include "harness.h"

#include <stdio_ext.h>
#include <sys/uio.h>

int _IO_getc(FILE *f);
int __uflow(FILE *f);
int __underflow(FILE *f);
ssize_t __getdelim(char **line, size_t *room, int delimiter, FILE *f);
char *__fgets_chk(char *buffer, size_t room, int size, FILE *f);
char *__fgets_unlocked_chk(char *buffer, size_t room, int size, FILE *f);
size_t __fread_chk(void *buffer, size_t room, size_t size, size_t count, FILE *f);
size_t __fread_unlocked_chk(void *buffer, size_t room, size_t size, size_t count, FILE *f);
ssize_t __read_chk(int fd, void *buffer, size_t n, size_t size);
ssize_t __pread_chk(int fd, void *buffer, size_t n, off_t at, size_t size);
ssize_t __pread64_chk(int fd, void *buffer, size_t n, off_t at, size_t size);

static void state(void)
{
	give(feof(stdin) != 0);
	give((uint64_t)ftell(stdin));
}

/* ---- characters ---- */

#define CHARACTERS(name, call) \
	TEST(name) \
	{ \
		int c; \
		do \
			give((uint64_t)(c = call)); \
		while (c != EOF && c != '\n'); \
		state(); \
		give((uint64_t)call); \
		give((uint64_t)call); \
	}

CHARACTERS(fgetc, fgetc(stdin))
CHARACTERS(getc, getc(stdin))
CHARACTERS(_IO_getc, _IO_getc(stdin))
CHARACTERS(fgetc_unlocked, fgetc_unlocked(stdin))
CHARACTERS(getc_unlocked, getc_unlocked(stdin))
CHARACTERS(getchar, getchar())
CHARACTERS(getchar_unlocked, getchar_unlocked())
CHARACTERS(getw, getw(stdin))
CHARACTERS(__uflow, stdin->_IO_read_ptr < stdin->_IO_read_end ? (unsigned char)*stdin->_IO_read_ptr++ : __uflow(stdin))

TEST(__underflow)
{
	give((uint64_t)__underflow(stdin));
	give((uint64_t)getchar());
}

TEST(ungetc)
{
	int c = getchar();
	give((uint64_t)ungetc(c, stdin));
	give((uint64_t)getchar());
	give((uint64_t)ungetc('x', stdin));
	give((uint64_t)ungetc(EOF, stdin));
	give((uint64_t)getchar());
	give((uint64_t)getchar());
	state();
}

/* ---- lines and blocks ---- */

#define LINES(name, ...) \
	TEST(name) \
	{ \
		char b[16]; \
		for (int i = 0; i < 4; i++) { \
			memset(b, 'x', sizeof b); \
			give(name(b, __VA_ARGS__, stdin) != NULL); \
			give_bytes(b, sizeof b); \
		} \
		state(); \
	}

LINES(fgets, 16)
LINES(fgets_unlocked, 9)
LINES(__fgets_chk, 16, 16)
LINES(__fgets_unlocked_chk, 16, 9)

#define BLOCKS(name, ...) \
	TEST(name) \
	{ \
		char b[24]; \
		for (int i = 0; i < 2; i++) { \
			memset(b, 'x', sizeof b); \
			give(name(b, __VA_ARGS__, stdin)); \
			give_bytes(b, sizeof b); \
		} \
		state(); \
	}

BLOCKS(fread, 4, 5)
BLOCKS(fread_unlocked, 1, 12)
BLOCKS(__fread_chk, 24, 3, 8)
BLOCKS(__fread_unlocked_chk, 24, 24, 1)

static void delimited(ssize_t (*next)(char **, size_t *, int, FILE *), int delimiter)
{
	char *line = NULL;
	size_t room = 0;
	for (int i = 0; i < 4; i++) {
		ssize_t n = next(&line, &room, delimiter, stdin);
		give((uint64_t)n);
		give_bytes(line, n > 0 ? (size_t)n + 1 : 0);
	}
	state();
	free(line);
}

static ssize_t by_getline(char **line, size_t *room, int delimiter, FILE *f)
{
	(void)delimiter;
	return getline(line, room, f);
}

TEST(getdelim) { delimited(getdelim, ','); }
TEST(__getdelim) { delimited(__getdelim, 'o'); }
TEST(getline) { delimited(by_getline, 0); }

/* ---- descriptors ---- */

#define READS(name, ...) \
	TEST(name) \
	{ \
		char b[16]; \
		memset(b, 'x', sizeof b); \
		give((uint64_t)name(0, b, __VA_ARGS__)); \
		give_bytes(b, sizeof b); \
	}

READS(read, 16)
READS(__read_chk, 9, 16)
READS(pread, 16, 3)
READS(pread64, 16, 0)
READS(__pread_chk, 5, 2, 16)
READS(__pread64_chk, 16, 4, 16)

TEST(lseek)
{
	char c = 0;
	give((uint64_t)lseek(0, 2, SEEK_SET));
	give((uint64_t)read(0, &c, 1));
	give((unsigned char)c);
	give((uint64_t)lseek(0, 0, SEEK_END));
	give((uint64_t)lseek(0, 1, SEEK_SET));
	give((uint64_t)read(0, &c, 1));
	give((unsigned char)c);
}

TEST(readv)
{
	char a[5] = "", b[9] = "";
	struct iovec parts[] = { { a, 4 }, { b, 8 } };
	give((uint64_t)readv(0, parts, 2));
	give_bytes(a, sizeof a);
	give_bytes(b, sizeof b);
}

#define PARTS(name) \
	TEST(name) \
	{ \
		char a[4] = "", b[5] = ""; \
		struct iovec parts[] = { { a, 3 }, { b, 4 } }; \
		give((uint64_t)name(0, parts, 2, 2)); \
		give_bytes(a, sizeof a); \
		give_bytes(b, sizeof b); \
	}

PARTS(preadv)
PARTS(preadv64)

TEST(lseek64) { give((uint64_t)lseek64(0, -1, SEEK_END)); give((uint64_t)getchar()); }

/* ---- places ---- */

/* With a small buffer, so that going back means reading again. */
#define PLACES(name, to_start, to_third, back) \
	TEST(name) \
	{ \
		static char small[8]; \
		FILE *f = fdopen(dup(0), "r"); \
		lseek(0, 0, SEEK_SET); \
		setvbuf(f, small, _IOFBF, sizeof small); \
		for (int i = 0; i < 20; i++) \
			give((uint64_t)getc(f)); \
		to_start; \
		give((uint64_t)getc(f)); \
		to_third; \
		give((uint64_t)getc(f)); \
		for (int i = 0; i < 12; i++) \
			getc(f); \
		back; \
		give((uint64_t)getc(f)); \
		give((uint64_t)getc(f)); \
		give(feof(f) != 0); \
		give((uint64_t)ftell(f)); \
		fclose(f); \
	}

static fpos_t place;
PLACES(fseek, fseek(f, 0, SEEK_SET), fseek(f, 3, SEEK_SET), fseek(f, -2, SEEK_CUR))
PLACES(fseeko, fseeko(f, 1, SEEK_SET), fseeko(f, 2, SEEK_CUR), fseeko(f, -9, SEEK_CUR))
PLACES(fseeko64, fseeko64(f, 1, SEEK_SET), fseeko64(f, 2, SEEK_CUR), fseeko64(f, 0, SEEK_END))
PLACES(rewind, rewind(f), rewind(f), rewind(f))
PLACES(fsetpos, (rewind(f), fgetpos(f, &place)), fsetpos(f, &place), fsetpos(f, &place))
PLACES(fsetpos64, (rewind(f), fgetpos(f, &place)), fsetpos64(f, (fpos64_t *)&place), fsetpos64(f, (fpos64_t *)&place))

static void unbuffered(void) { setvbuf(stdin, NULL, _IONBF, 0); }
TEST_OF(fgetc, unbuffered, unbuffered) { for (int i = 0; i < 6; i++) give((uint64_t)fgetc(stdin)); state(); }
TEST_OF(fgetc, again, NULL)
{
	FILE *f = fdopen(dup(0), "r");
	for (int i = 0; i < 6; i++)
		give((uint64_t)fgetc(f));
	fclose(f);
}

/* Behind a character, at the end, near it. */
#define TELLS(name) \
	TEST(name) \
	{ \
		give((uint64_t)getchar()); \
		give((uint64_t)name(stdin)); \
		fseek(stdin, 0, SEEK_END); \
		give((uint64_t)name(stdin)); \
		fseek(stdin, -1, SEEK_END); \
		give((uint64_t)name(stdin)); \
		give((uint64_t)getchar()); \
	}

TELLS(ftell)
TELLS(ftello)
TELLS(ftello64)

TEST(fclose)
{
	FILE *f = fdopen(dup(0), "r");
	fseek(f, 0, SEEK_END);
	give((uint64_t)fclose(f));
	f = fdopen(dup(0), "r");
	give((uint64_t)ftell(f));
	fclose(f);
}

/* ---- scanf ---- */

int old_fscanf(FILE *f, const char *format, ...) __asm__("fscanf");
int old_scanf(const char *format, ...) __asm__("scanf");
int old_vfscanf(FILE *f, const char *format, __builtin_va_list list) __asm__("vfscanf");
int old_vscanf(const char *format, __builtin_va_list list) __asm__("vscanf");

static int listed(int (*scan)(const char *, __builtin_va_list), const char *format, ...)
{
	__builtin_va_list list;
	__builtin_va_start(list, format);
	int n = scan(format, list);
	__builtin_va_end(list);
	return n;
}

static int from_stdin(const char *format, __builtin_va_list list) { return vfscanf(stdin, format, list); }
static int old_from_stdin(const char *format, __builtin_va_list list) { return old_vfscanf(stdin, format, list); }

#define SCANS(name, call, ...) \
	TEST(name) \
	{ \
		int a = 1, b = 2; \
		char s[16] = "none", c = 'c'; \
		const char *f = "%d %i%c%9s"; \
		give((uint64_t)call(__VA_ARGS__, &a, &b, &c, s)); \
		give((uint64_t)a); \
		give((uint64_t)b); \
		give((unsigned char)c); \
		give_bytes(s, sizeof s); \
		give((uint64_t)getchar()); \
		state(); \
	}

SCANS(fscanf, old_fscanf, stdin, f)
SCANS(scanf, old_scanf, f)
SCANS(vfscanf, listed, old_from_stdin, f)
SCANS(vscanf, listed, old_vscanf, f)
SCANS(__isoc99_fscanf, fscanf, stdin, f)
SCANS(__isoc99_scanf, scanf, f)
SCANS(__isoc99_vfscanf, listed, from_stdin, f)
SCANS(__isoc99_vscanf, listed, vscanf, f)

TEST_OF(__isoc99_scanf, real, NULL)
{
	double d = 0;
	char s[8] = "";
	give((uint64_t)scanf("%lf%7s", &d, s));
	give_bytes(&d, sizeof d);
	give_bytes(s, sizeof s);
	give((uint64_t)getchar());
}
