/* Output whose result is used (others stay the library's: src/compile/clone.c). The library prints, with the values of this run and no
 * constraint; then the result is told as a term, or decided by branches: a text is formatted once more, into nothing. That output which took
 * all would have taken all of another one too is assumed. */
#include "stream.h"

#include <stdarg.h>
#include <unistd.h>

int MODEL(vsnprintf)(char *to, size_t room, const char *format, va_list list);

/* ---- characters and texts ---- */

static int given(int result, int c)
{
	return result == EOF ? EOF : (byte)c;
}

int MODEL(fputc)(int c, FILE *f) { return given(fputc(c, f), c); }
int MODEL(putc)(int c, FILE *f) { return given(putc(c, f), c); }
int MODEL(putchar)(int c) { return given(putchar(c), c); }
int MODEL(fputc_unlocked)(int c, FILE *f) { return given(fputc_unlocked(c, f), c); }
int MODEL(putc_unlocked)(int c, FILE *f) { return given(putc_unlocked(c, f), c); }
int MODEL(putchar_unlocked)(int c) { return given(putchar_unlocked(c), c); }

int MODEL(puts)(const char *text)
{
	int n = puts(text);
	if (n != EOF)
		MODEL(strlen)(text);
	return n;
}

/* ---- bytes: as many as were wanted, if all were taken ---- */

size_t MODEL(fwrite)(const void *from, size_t size, size_t count, FILE *f)
{
	part_at_room(from, size * count);
	size_t n = fwrite(from, size, count, f);
	__td_extent(from, from, n * size, 0, 0, 0, NULL, NULL);
	return __td_same(n, count) ? count : n;
}

size_t MODEL(fwrite_unlocked)(const void *from, size_t size, size_t count, FILE *f)
{
	return MODEL(fwrite)(from, size, count, f);
}

ssize_t MODEL(write)(int fd, const void *from, size_t n)
{
	part_at_room(from, n);
	ssize_t put = write(fd, from, n);
	__td_extent(from, from, (size_t)(put & ~(put >> 63)), 0, 0, 0, NULL, NULL);
	return __td_same((uint64_t)put, n) ? (ssize_t)n : put;
}

/* ---- formatted ---- */

/* What the length depends on. */
static int counted(int n, const char *format, va_list list)
{
	if (n >= 0)
		MODEL(vsnprintf)(NULL, 0, format, list);
	return n;
}

#define PRINT(call) \
	va_list copy; \
	va_copy(copy, list); \
	int n = call; \
	va_end(copy); \
	return counted(n, format, list)

int __vfprintf_chk(FILE *f, int flag, const char *format, va_list list);
int __vdprintf_chk(int fd, int flag, const char *format, va_list list);

int MODEL(vfprintf)(FILE *f, const char *format, va_list list) { PRINT(vfprintf(f, format, copy)); }
int MODEL(vprintf)(const char *format, va_list list) { return MODEL(vfprintf)(stdout, format, list); }
int MODEL(vdprintf)(int fd, const char *format, va_list list) { PRINT(vdprintf(fd, format, copy)); }
int MODEL(__vfprintf_chk)(FILE *f, int flag, const char *format, va_list list) { PRINT(__vfprintf_chk(f, flag, format, copy)); }
int MODEL(__vdprintf_chk)(int fd, int flag, const char *format, va_list list) { PRINT(__vdprintf_chk(fd, flag, format, copy)); }
int MODEL(__vprintf_chk)(int flag, const char *format, va_list list) { return MODEL(__vfprintf_chk)(stdout, flag, format, list); }

int MODEL(fprintf)(FILE *f, const char *format, ...) { WITH_LIST(MODEL(vfprintf)(f, format, list)); }
int MODEL(printf)(const char *format, ...) { WITH_LIST(MODEL(vfprintf)(stdout, format, list)); }
int MODEL(dprintf)(int fd, const char *format, ...) { WITH_LIST(MODEL(vdprintf)(fd, format, list)); }
int MODEL(__fprintf_chk)(FILE *f, int flag, const char *format, ...) { WITH_LIST(MODEL(__vfprintf_chk)(f, flag, format, list)); }
int MODEL(__printf_chk)(int flag, const char *format, ...) { WITH_LIST(MODEL(__vfprintf_chk)(stdout, flag, format, list)); }
int MODEL(__dprintf_chk)(int fd, int flag, const char *format, ...) { WITH_LIST(MODEL(__vdprintf_chk)(fd, flag, format, list)); }
