/* Linear probing, at most half full; a hash of 0 is taken for 1. */
#include "base/map.h"

#include "base/mem.h"

#include <stdlib.h>

static struct map_entry *find(const struct map *m, uint64_t key)
{
	size_t i = (size_t)key & (m->room - 1);
	while (m->at[i].key && m->at[i].key != key)
		i = (i + 1) & (m->room - 1);
	return &m->at[i];
}

uint32_t *map_at(struct map *m, uint64_t key)
{
	key = key ? key : 1;
	if (2 * (m->count + 1) > m->room) {
		struct map bigger = { .count = m->count, .room = m->room ? 2 * m->room : 64 };
		bigger.at = mem_alloc(bigger.room * sizeof *bigger.at);
		for (size_t i = 0; i < m->room; i++)
			if (m->at[i].key)
				*find(&bigger, m->at[i].key) = m->at[i];
		free(m->at);
		*m = bigger;
	}
	struct map_entry *e = find(m, key);
	m->count += !e->key;
	e->key = key;
	return &e->value;
}

uint32_t map_find(const struct map *m, uint64_t key)
{
	return m->room ? find(m, key + !key)->value : 0;
}

void map_free(struct map *m)
{
	free(m->at);
	*m = (struct map){0};
}
