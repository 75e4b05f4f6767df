/* Allocation in the compiler: one short-lived process per source file, so running out of memory ends it
 * with a message, and nothing but large tables is ever freed. */
#ifndef TANDEM_COMPILE_MEMORY_H
#define TANDEM_COMPILE_MEMORY_H

#include <stddef.h>

void *memory_array(size_t count, size_t size);            /* zeroed */
void *memory_grow(void *array, size_t count, size_t size);
char *memory_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* LIST(type) declares a growing array; list_push appends. */
#define LIST(type) struct { type *at; size_t count, room; }
#define list_push(list, item) \
	do { \
		if ((list)->count == (list)->room) { \
			(list)->room = (list)->room ? (list)->room * 2 : 16; \
			(list)->at = memory_grow((list)->at, (list)->room, sizeof *(list)->at); \
		} \
		(list)->at[(list)->count++] = (item); \
	} while (0)

#endif
