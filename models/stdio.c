/* The reading half of stdio, over the buffer inside glibc's own FILE: when the library refills it, its bytes get their terms; taking
 * them out is then ordinary C, and ungetc, mixing of functions and buffering modes behave as ever. */
#include "stream.h"

#include <errno.h>
#include <stdio.h>
#include <sys/uio.h>
#include <unistd.h>

ssize_t MODEL(read)(int fd, void *buffer, size_t n)
{
	part_at_room(buffer, n);
	ssize_t got = read(fd, buffer, n);
	if (got >= 0)
		__td_input_read(fd, buffer, (uint64_t)got, n);
	return got;
}

ssize_t MODEL(pread)(int fd, void *buffer, size_t n, off_t at)
{
	part_at_room(buffer, n);
	ssize_t got = pread(fd, buffer, n, at);
	if (got >= 0)
		__td_input_read_at(fd, buffer, (uint64_t)got, n, (uint64_t)at);
	return got;
}

ssize_t MODEL(pread64)(int fd, void *buffer, size_t n, off_t at) { return MODEL(pread)(fd, buffer, n, at); }

ssize_t MODEL(readv)(int fd, const struct iovec *parts, int count)
{
	ssize_t got = readv(fd, parts, count);
	__td_input_parts(fd, parts, count, got);
	return got;
}

ssize_t MODEL(preadv)(int fd, const struct iovec *parts, int count, off_t at)
{
	ssize_t got = preadv(fd, parts, count, at);
	__td_input_parts_at(fd, parts, count, got, (uint64_t)at);
	return got;
}

ssize_t MODEL(preadv64)(int fd, const struct iovec *parts, int count, off_t at) { return MODEL(preadv)(fd, parts, count, at); }

int MODEL(fgetc)(FILE *f)
{
	return fill(f) ? (byte)*f->_IO_read_ptr++ : EOF;
}

int MODEL(getc)(FILE *f) { return MODEL(fgetc)(f); }
int MODEL(_IO_getc)(FILE *f) { return MODEL(fgetc)(f); }
int MODEL(__uflow)(FILE *f) { return MODEL(fgetc)(f); } /* from macros that look into the buffer themselves */
int MODEL(__underflow)(FILE *f) { return fill(f) ? (byte)*f->_IO_read_ptr : EOF; }
int MODEL(fgetc_unlocked)(FILE *f) { return MODEL(fgetc)(f); }
int MODEL(getc_unlocked)(FILE *f) { return MODEL(fgetc)(f); }
int MODEL(getchar)(void) { return MODEL(fgetc)(stdin); }
int MODEL(getchar_unlocked)(void) { return MODEL(fgetc)(stdin); }

/* The usual case is giving back what was just taken: then nothing but the pointer moves. */
int MODEL(ungetc)(int c, FILE *f)
{
	if (c == EOF)
		return EOF;
	if (f->_IO_read_ptr > f->_IO_read_base && (byte)f->_IO_read_ptr[-1] == (byte)c) {
		f->_IO_read_ptr--;
		f->_flags &= ~0x10; /* no longer at the end */
		return (byte)c;
	}
	return ungetc(c, f);
}

size_t MODEL(fread)(void *buffer, size_t size, size_t count, FILE *f)
{
	byte *to = buffer;
	size_t wanted = size * count, got = 0;
	while (got < wanted && fill(f)) {
		size_t n = (size_t)(f->_IO_read_end - f->_IO_read_ptr);
		if (n > wanted - got)
			n = wanted - got;
		__builtin_memcpy(to + got, f->_IO_read_ptr, n);
		f->_IO_read_ptr += n;
		got += n;
	}
	return wanted ? got / size : 0;
}

size_t MODEL(fread_unlocked)(void *buffer, size_t size, size_t count, FILE *f)
{
	return MODEL(fread)(buffer, size, count, f);
}

int MODEL(getw)(FILE *f)
{
	int word;
	return MODEL(fread)(&word, sizeof word, 1, f) == 1 ? word : EOF;
}

char *MODEL(fgets)(char *buffer, int size, FILE *f)
{
	int n = 0;
	while (n < size - 1 && fill(f)) {
		char c = *f->_IO_read_ptr++;
		buffer[n++] = c;
		if (c == '\n')
			break;
	}
	if (size <= 0 || (n == 0 && size > 1))
		return NULL;
	buffer[n] = 0;
	return buffer;
}

char *MODEL(fgets_unlocked)(char *buffer, int size, FILE *f)
{
	return MODEL(fgets)(buffer, size, f);
}

ssize_t MODEL(getdelim)(char **line, size_t *room, int delimiter, FILE *f)
{
	size_t n = 0;
	if (!line || !room) {
		errno = EINVAL;
		return -1;
	}
	if (!*line)
		*room = 0;
	while (fill(f)) {
		if (n + 2 > *room) {
			size_t more = *room ? *room * 2 : 120;
			char *bigger = MODEL(realloc)(*line, more);
			if (!bigger)
				return -1;
			*line = bigger;
			*room = more;
		}
		char c = *f->_IO_read_ptr++;
		(*line)[n++] = c;
		if (c == (char)delimiter)
			break;
	}
	if (!n)
		return -1;
	(*line)[n] = 0;
	return (ssize_t)n;
}

ssize_t MODEL(getline)(char **line, size_t *room, FILE *f)
{
	return MODEL(getdelim)(line, room, '\n', f);
}

ssize_t MODEL(__getdelim)(char **line, size_t *room, int delimiter, FILE *f)
{
	return MODEL(getdelim)(line, room, delimiter, f);
}

/* ---- as the library checks them ---- */

_Noreturn void __chk_fail(void);

ssize_t MODEL(__read_chk)(int fd, void *buffer, size_t n, size_t size)
{
	if (n > size)
		__chk_fail();
	return MODEL(read)(fd, buffer, n);
}

ssize_t MODEL(__pread_chk)(int fd, void *buffer, size_t n, off_t at, size_t size)
{
	if (n > size)
		__chk_fail();
	return MODEL(pread)(fd, buffer, n, at);
}

ssize_t MODEL(__pread64_chk)(int fd, void *buffer, size_t n, off_t at, size_t size) { return MODEL(__pread_chk)(fd, buffer, n, at, size); }

size_t MODEL(__fread_chk)(void *buffer, size_t room, size_t size, size_t count, FILE *f)
{
	size_t bytes;
	if (__builtin_mul_overflow(size, count, &bytes) || bytes > room)
		__chk_fail();
	return MODEL(fread)(buffer, size, count, f);
}

size_t MODEL(__fread_unlocked_chk)(void *buffer, size_t room, size_t size, size_t count, FILE *f)
{
	return MODEL(__fread_chk)(buffer, room, size, count, f);
}

/* Ends the program if more is there than fits. */
char *MODEL(__fgets_chk)(char *buffer, size_t room, int size, FILE *f)
{
	char *got = MODEL(fgets)(buffer, room < (size_t)size ? (int)room : size, f);
	if (got && size > 0 && room < (size_t)size && MODEL(strlen)(got) + 1 == room && got[room - 2] != '\n' && fill(f))
		__chk_fail();
	return got;
}

char *MODEL(__fgets_unlocked_chk)(char *buffer, size_t room, int size, FILE *f)
{
	return MODEL(__fgets_chk)(buffer, room, size, f);
}
