/* String builder; see str.h. Invariant: text is NULL or NUL-terminated at length, and length < room. */
#include "base/str.h"

#include "base/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void reserve(struct str *s, size_t more)
{
	size_t need = s->length + more + 1;
	if (need <= s->room)
		return;
	size_t room = s->room ? s->room * 2 : 64;
	s->room = room < need ? need : room;
	s->text = mem_resize(s->text, s->room);
}

void str_add_bytes(struct str *s, const void *bytes, size_t size)
{
	reserve(s, size);
	if (size)
		memcpy(s->text + s->length, bytes, size);
	s->length += size;
	s->text[s->length] = '\0';
}

void str_add(struct str *s, const char *text)
{
	str_add_bytes(s, text, strlen(text));
}

void str_add_char(struct str *s, char c)
{
	str_add_bytes(s, &c, 1);
}

void str_printf(struct str *s, const char *format, ...)
{
	va_list ap;
	va_start(ap, format);
	int n = vsnprintf(NULL, 0, format, ap);
	va_end(ap);
	if (n <= 0)
		return;
	reserve(s, (size_t)n);
	va_start(ap, format);
	vsnprintf(s->text + s->length, (size_t)n + 1, format, ap);
	va_end(ap);
	s->length += (size_t)n;
}

const char *str_text(const struct str *s)
{
	return s->text ? s->text : "";
}

void str_clear(struct str *s)
{
	s->length = 0;
	if (s->text)
		s->text[0] = '\0';
}

void str_free(struct str *s)
{
	free(s->text);
	*s = (struct str){0};
}
