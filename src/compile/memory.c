/* See memory.h. */
#include "compile/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void *memory_check(void *p)
{
	if (!p) {
		fputs("tandem-cc: out of memory\n", stderr);
		exit(6);
	}
	return p;
}

void *memory_array(size_t count, size_t size)
{
	return memory_check(calloc(count ? count : 1, size));
}

void *memory_grow(void *array, size_t count, size_t size)
{
	return memory_check(reallocarray(array, count, size));
}

char *memory_printf(const char *format, ...)
{
	char *text = NULL;
	va_list ap;
	va_start(ap, format);
	int n = vasprintf(&text, format, ap);
	va_end(ap);
	return memory_check(n < 0 ? NULL : text);
}
