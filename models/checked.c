/* What the headers call when a program is compiled with _FORTIFY_SOURCE elsewhere: like the function, with the size of the target, and an end of the
 * program if that is too small. Here the objects' own bounds are checked, to the byte; so all that is left is what the library does if
 * the size is too small. */
#include "model.h"

#include <stdio.h>

void __chk_fail(void) __attribute__((noreturn));

/* A branch of its own, so that a search can ask for the other side. */
static void need(size_t bytes, size_t room)
{
	if (bytes > room)
		__chk_fail();
}

void *MODEL(__memcpy_chk)(void *to, const void *from, size_t n, size_t room) { need(n, room); return MODEL(memcpy)(to, from, n); }
void *MODEL(__mempcpy_chk)(void *to, const void *from, size_t n, size_t room) { need(n, room); return MODEL(mempcpy)(to, from, n); }
void *MODEL(__memmove_chk)(void *to, const void *from, size_t n, size_t room) { need(n, room); return MODEL(memmove)(to, from, n); }
void *MODEL(__memset_chk)(void *to, int c, size_t n, size_t room) { need(n, room); return MODEL(memset)(to, c, n); }
void MODEL(__explicit_bzero_chk)(void *to, size_t n, size_t room) { need(n, room); MODEL(explicit_bzero)(to, n); }

char *MODEL(__strcpy_chk)(char *to, const char *from, size_t room)
{
	need(MODEL(strlen)(from) + 1, room);
	return MODEL(strcpy)(to, from);
}

char *MODEL(__stpcpy_chk)(char *to, const char *from, size_t room)
{
	need(MODEL(strlen)(from) + 1, room);
	return MODEL(stpcpy)(to, from);
}

char *MODEL(__strcat_chk)(char *to, const char *from, size_t room)
{
	need(MODEL(strlen)(to) + MODEL(strlen)(from) + 1, room);
	return MODEL(strcat)(to, from);
}

char *MODEL(__strncat_chk)(char *to, const char *from, size_t n, size_t room)
{
	need(MODEL(strlen)(to) + MODEL(strnlen)(from, n) + 1, room);
	return MODEL(strncat)(to, from, n);
}

char *MODEL(__strncpy_chk)(char *to, const char *from, size_t n, size_t room) { need(n, room); return MODEL(strncpy)(to, from, n); }
char *MODEL(__stpncpy_chk)(char *to, const char *from, size_t n, size_t room) { need(n, room); return MODEL(stpncpy)(to, from, n); }

ssize_t MODEL(__read_chk)(int fd, void *to, size_t n, size_t room) { need(n, room); return MODEL(read)(fd, to, n); }

ssize_t MODEL(__pread_chk)(int fd, void *to, size_t n, off_t at, size_t room) { need(n, room); return MODEL(pread)(fd, to, n, at); }

/* The library reads as much as there is room for, and fails if there was more. */
char *MODEL(__fgets_chk)(char *to, size_t room, int n, FILE *f)
{
	need(n > 0 ? (size_t)n : 0, room);
	return MODEL(fgets)(to, n, f);
}

char *MODEL(__fgets_unlocked_chk)(char *to, size_t room, int n, FILE *f)
{
	return MODEL(__fgets_chk)(to, room, n, f);
}

size_t MODEL(__fread_chk)(void *to, size_t room, size_t size, size_t count, FILE *f)
{
	size_t bytes;
	need(__builtin_mul_overflow(size, count, &bytes) ? SIZE_MAX : bytes, room);
	return MODEL(fread)(to, size, count, f);
}

size_t MODEL(__fread_unlocked_chk)(void *to, size_t room, size_t size, size_t count, FILE *f)
{
	return MODEL(__fread_chk)(to, room, size, count, f);
}
