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
}

/* Most names are not there, which is seen by a bit in most cases. */
struct shade {
	uint64_t words[64];
};

static uint64_t *shade_word(struct shade *b, struct digest name)
{
	return &b->words[name.b >> 6 & 63];
}

static void shade_fill(struct shade *b, const struct slice *s)
{
	memset(b, 0, sizeof *b);
	for (size_t i = 0; i < s->count; i++)
		*shade_word(b, s->names[i]) |= 1ull << (s->names[i].b & 63);
}

static bool has(const struct slice *s, struct shade *b, struct digest name)
{
	if (!(*shade_word(b, name) >> (name.b & 63) & 1))
		return false;
	for (size_t i = s->count; i-- > 0;) /* what is to blame is more often near the end */
		if (digest_same(s->names[i], name))
			return true;
	return false;
}

static bool has_all(const struct cores *c, const struct core *core, const struct slice *s, struct shade *b)
{
	for (uint32_t i = core->first; i < core->first + core->count; i++)
		if (!has(s, b, c->names.at[i]))
			return false;
	return true;
}

bool cores_refute(struct cores *c, const struct slice *s)
{
	struct shade b;
	bool filled = false;
	for (size_t g = s->count - s->goals; g < s->count; g++) {
		const uint64_t *newest = memo_find(&c->goals, s->names[g]);
		unsigned looks = LOOKS;
		if (newest && !filled)
			shade_fill(&b, s);
		filled |= newest != NULL;
		for (uint32_t at = newest ? (uint32_t)*newest : 0; at && looks--; at = c->at.at[at - 1].next)
			if (has_all(c, &c->at.at[at - 1], s, &b))
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
