/* A hash table that is emptied when it is full: what is in it can be had again at any time, and a search moves on. */
#include "solve/memo.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM 64u

static void allocate(struct memo *m, uint32_t room)
{
	m->room = room;
	m->size = room * m->slot;
	m->at = mem_alloc(m->size);
}

void memo_open(struct memo *m, size_t value_size, uint32_t limit)
{
	*m = (struct memo){ .slot = sizeof(struct digest) + value_size, .limit = limit };
	allocate(m, FIRST_ROOM);
}

void memo_close(struct memo *m)
{
	free(m->at);
}

void memo_forget(struct memo *m)
{
	m->dropped += m->count;
	m->count = 0;
	free(m->at);
	allocate(m, FIRST_ROOM);
}

static struct digest *place(const struct memo *m, struct digest name)
{
	for (uint32_t i = (uint32_t)name.a;; i++) {
		struct digest *at = (struct digest *)(void *)(m->at + (i & (m->room - 1)) * m->slot);
		if (digest_is_none(*at) || digest_same(*at, name))
			return at;
	}
}

void *memo_find(const struct memo *m, struct digest name)
{
	struct digest *at = place(m, name);
	return digest_is_none(*at) ? NULL : at + 1;
}

static void grow(struct memo *m)
{
	struct memo old = *m;
	allocate(m, 2 * old.room);
	for (uint32_t i = 0; i < old.room; i++) {
		const struct digest *from = (const void *)(old.at + i * old.slot);
		if (!digest_is_none(*from))
			memcpy(place(m, *from), from, m->slot);
	}
	free(old.at);
}

void *memo_put(struct memo *m, struct digest name)
{
	if (memo_is_full(m))
		memo_forget(m);
	if (2 * (m->count + 1) > m->room)
		grow(m);
	struct digest *at = place(m, name);
	m->count += digest_is_none(*at);
	*at = name;
	return at + 1;
}
