/* Every core has a goal in it, since the rest of its query holds on the seed; it is filed under that goal. A query looks at the cores
 * of its own goals. What comes out is a verdict and nothing else, so it does not matter in what order cores were found. One
 * thing may differ: a query that the stages give up may be refuted by a core that an easier one left.
 *
 * A slice that reads bytes behind the end of its object leaves no core: whether they are 0 or free depends on what else is in the slice,
 * so what is impossible in one may be possible in another. */
#include "solve/cores.h"

#include <string.h>

enum { LOOKS = 64 /* at most so many cores of a goal are looked at, the newest first */ };

void cores_open(struct cores *c, size_t bytes)
{
	memset(c, 0, sizeof *c);
	memo_open(&c->goals, sizeof(uint64_t), (uint32_t)(bytes / 4 / 24 + 1));
	c->limit = bytes / 2 / sizeof(struct digest) + 1;
}

void cores_close(struct cores *c)
{
	memo_close(&c->goals);
	vec_free(&c->at);
	vec_free(&c->names);
	vec_free(&c->slots);
}

/* The names of the slice, by hash: a slice may have thousands of goals, each with cores of its own. An entry is an index plus 1. */
static void name_parts(struct cores *c, const struct slice *s)
{
	size_t size = 64;
	while (size < 2 * s->count)
		size *= 2;
	vec_clear(&c->slots);
	for (size_t i = 0; i < size; i++)
		vec_push(&c->slots, 0);
	for (size_t i = 0; i < s->count; i++) {
		size_t at = s->names[i].b & (size - 1);
		while (c->slots.at[at])
			at = (at + 1) & (size - 1);
		c->slots.at[at] = (uint32_t)i + 1;
	}
}

static bool has(const struct cores *c, const struct slice *s, struct digest name)
{
	for (size_t at = name.b & (c->slots.count - 1); c->slots.at[at]; at = (at + 1) & (c->slots.count - 1))
		if (digest_same(s->names[c->slots.at[at] - 1], name))
			return true;
	return false;
}

static bool has_all(const struct cores *c, const struct core *core, const struct slice *s)
{
	for (uint32_t i = core->first; i < core->first + core->count; i++)
		if (!has(c, s, c->names.at[i]))
			return false;
	return true;
}

bool cores_refute(struct cores *c, const struct slice *s)
{
	bool named = false;
	for (size_t g = s->count - s->goals; g < s->count; g++) {
		const uint64_t *newest = memo_find(&c->goals, s->names[g]);
		unsigned looks = LOOKS;
		if (newest && !named)
			name_parts(c, s);
		named |= newest != NULL;
		for (uint32_t at = newest ? (uint32_t)*newest : 0; at && looks--; at = c->at.at[at - 1].next)
			if (has_all(c, &c->at.at[at - 1], s))
				return true;
	}
	return false;
}

static void make_room(struct cores *c, const struct slice *s)
{
	if (!memo_is_full(&c->goals) && c->names.count + s->count <= c->limit)
		return;
	memo_forget(&c->goals);
	vec_free(&c->at);
	vec_free(&c->names);
}

void cores_put(struct cores *c, const struct slice *s, const bool *core)
{
	size_t goal = s->count - s->goals;
	while (goal < s->count && !core[goal])
		goal++;
	if (goal == s->count || s->behind)
		return;
	make_room(c, s);
	uint64_t *newest = memo_put(&c->goals, s->names[goal]);
	struct core made = { .first = (uint32_t)c->names.count, .next = (uint32_t)*newest };
	for (size_t i = 0; i < s->count; i++)
		if (core[i] && i != goal)
			vec_push(&c->names, s->names[i]);
	made.count = (uint32_t)c->names.count - made.first;
	vec_push(&c->at, made);
	*newest = c->at.count;
}
