/* Linear probing, at most half full; a hash of 0 is taken for 1. */
#include "search/set.h"

#include "base/mem.h"

#include <stdlib.h>

static bool put(struct set *s, uint64_t key)
{
	size_t i = (size_t)key & (s->room - 1);
	while (s->at[i] && s->at[i] != key)
		i = (i + 1) & (s->room - 1);
	bool is_new = s->at[i] != key;
	s->at[i] = key;
	s->count += is_new;
	return is_new;
}

bool set_add(struct set *s, uint64_t key)
{
	if (2 * (s->count + 1) > s->room) {
		struct set bigger = { .room = s->room ? 2 * s->room : 1024 };
		bigger.at = mem_alloc(bigger.room * sizeof *bigger.at);
		for (size_t i = 0; i < s->room; i++)
			if (s->at[i])
				put(&bigger, s->at[i]);
		free(s->at);
		*s = bigger;
	}
	return put(s, key ? key : 1);
}

bool set_has(const struct set *s, uint64_t key)
{
	key = key ? key : 1;
	size_t i = s->room ? (size_t)key & (s->room - 1) : 0;
	while (s->room && s->at[i] && s->at[i] != key)
		i = (i + 1) & (s->room - 1);
	return s->room && s->at[i] == key;
}

void set_free(struct set *s)
{
	free(s->at);
	*s = (struct set){0};
}
