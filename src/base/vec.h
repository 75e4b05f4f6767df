/* A typed growable array: `VEC(uint32_t) ids = {0}; vec_push(&ids, 7); ids.at[0]; vec_free(&ids);`
 * The arguments named v are evaluated more than once. */
#ifndef TANDEM_BASE_VEC_H
#define TANDEM_BASE_VEC_H

#include "base/mem.h"

#include <stdlib.h>

#define VEC(type) struct { type *at; size_t count, room; }

#define vec_reserve(v, n) \
	((v)->room < (n) ? (void)((v)->at = mem_resize_array((v)->at, (v)->room = vec_next_room((v)->room, (n)), \
	                                                     sizeof *(v)->at)) : (void)0)
#define vec_push(v, ...) (vec_reserve((v), (v)->count + 1), (void)((v)->at[(v)->count++] = (__VA_ARGS__)))
#define vec_clear(v) ((void)((v)->count = 0))
#define vec_free(v) (free((v)->at), (v)->at = NULL, (void)((v)->count = (v)->room = 0))

static inline size_t vec_next_room(size_t room, size_t wanted)
{
	size_t next = room ? room * 2 : 8;
	return next < wanted ? wanted : next;
}

#endif
