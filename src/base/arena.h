/* A bump arena: many small allocations, one free. A function with an arena parameter allocates its result there. */
#ifndef TANDEM_BASE_ARENA_H
#define TANDEM_BASE_ARENA_H

#include <stddef.h>

struct arena;

struct arena *arena_new(void);
void arena_free(struct arena *a);
void arena_reset(struct arena *a); /* forgets everything, keeps one chunk for the next round */

void *arena_alloc(struct arena *a, size_t size); /* zeroed, aligned to 16, never NULL */
void *arena_copy(struct arena *a, const void *from, size_t size);
char *arena_strdup(struct arena *a, const char *text);
char *arena_printf(struct arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
