/* Bump arena. Chunks form a list with the one in use first; a request larger than a chunk gets a chunk of its own.
 * Invariant: every chunk but the first is full as far as we care, so allocation looks at one chunk only. Reset
 * keeps the largest chunk, so a scratch arena reaches its working size once and then stops calling malloc. */
#include "base/arena.h"

#include "base/mem.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_SIZE ((size_t)64 << 10)
#define ALIGN ((size_t)16)

struct chunk {
	struct chunk *next;
	size_t room, used;
	_Alignas(16) unsigned char bytes[];
};

struct arena {
	struct chunk *first;
};

struct arena *arena_new(void)
{
	return mem_alloc(sizeof(struct arena));
}

static void free_all_but(struct arena *a, const struct chunk *kept)
{
	for (struct chunk *c = a->first, *next; c; c = next) {
		next = c->next;
		if (c != kept)
			free(c);
	}
}

void arena_free(struct arena *a)
{
	if (!a)
		return;
	free_all_but(a, NULL);
	free(a);
}

void arena_reset(struct arena *a)
{
	struct chunk *largest = a->first;
	for (struct chunk *c = a->first; c; c = c->next)
		if (c->room > largest->room)
			largest = c;
	free_all_but(a, largest);
	a->first = largest;
	if (largest) {
		largest->next = NULL;
		largest->used = 0;
	}
}

static void add_chunk(struct arena *a, size_t size)
{
	size_t room = size > CHUNK_SIZE ? size : CHUNK_SIZE;
	struct chunk *c = mem_resize(NULL, sizeof *c + room);
	c->next = a->first;
	c->room = room;
	c->used = 0;
	a->first = c;
}

void *arena_alloc(struct arena *a, size_t size)
{
	size_t need = size > SIZE_MAX / 2 ? size : (size + ALIGN - 1) & ~(ALIGN - 1);
	if (!a->first || a->first->room - a->first->used < need)
		add_chunk(a, need);
	void *p = a->first->bytes + a->first->used;
	a->first->used += need;
	return memset(p, 0, size);
}

void *arena_copy(struct arena *a, const void *from, size_t size)
{
	void *p = arena_alloc(a, size);
	return size ? memcpy(p, from, size) : p;
}

char *arena_strdup(struct arena *a, const char *text)
{
	return arena_copy(a, text, strlen(text) + 1);
}

char *arena_printf(struct arena *a, const char *format, ...)
{
	va_list ap;
	va_start(ap, format);
	int n = vsnprintf(NULL, 0, format, ap);
	va_end(ap);
	char *text = arena_alloc(a, n < 0 ? 1 : (size_t)n + 1);
	va_start(ap, format);
	if (n > 0)
		vsnprintf(text, (size_t)n + 1, format, ap);
	va_end(ap);
	return text;
}
