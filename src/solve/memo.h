/* A bounded memory from names to values of one size. */
#ifndef TANDEM_SOLVE_MEMO_H
#define TANDEM_SOLVE_MEMO_H

#include "base/digest.h"

struct memo {
	unsigned char *at;      /* slots: a name, none if the slot is free, and a value */
	size_t slot, size;      /* bytes of a slot, and of all of them */
	uint32_t room, count, limit;
	uint64_t dropped;       /* names that were forgotten for lack of room */
};

void memo_open(struct memo *m, size_t value_size, uint32_t limit); /* value_size: a multiple of 8 */
void memo_close(struct memo *m);
void memo_forget(struct memo *m); /* everything */

/* The value, valid until the next put; NULL: not known. */
void *memo_find(const struct memo *m, struct digest name);

/* The value, zeros if the name is new. When it is full, everything is forgotten first. */
void *memo_put(struct memo *m, struct digest name);

static inline bool memo_is_full(const struct memo *m)
{
	return m->count >= m->limit;
}

#endif
