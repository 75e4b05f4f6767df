/* Words at a time: a program has a few thousand edges, so adding a walk is a few dozen operations. Libraries that turn up bring more
 * edges; a set that is shorter than another has zeros there. */
#include "search/tally.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static void reserve(struct tally *c, uint32_t count)
{
	if (count <= c->count)
		return;
	c->words = mem_resize_array(c->words, count, sizeof *c->words);
	memset(c->words + c->count, 0, (count - c->count) * sizeof *c->words);
	c->count = count;
}

uint32_t tally_add(struct tally *c, const struct walk *w, const struct counted *counted)
{
	uint32_t fresh = 0;
	bool changed = false;
	reserve(c, w->words);
	for (uint32_t i = 0; i < w->words; i++) {
		uint64_t news = w->covered[i] & ~c->words[i];
		uint64_t mask = !counted->words ? UINT64_MAX : i < counted->count ? counted->words[i] : 0;
		c->words[i] |= news;
		fresh += (uint32_t)__builtin_popcountll(news & mask);
		changed |= news != 0;
	}
	c->covered += fresh;
	c->changes += changed;
	return fresh;
}

void tally_empty(struct tally *c)
{
	if (c->count)
		memset(c->words, 0, c->count * sizeof *c->words);
	c->covered = 0;
	c->changes++;
}

void tally_free(struct tally *c)
{
	free(c->words);
	*c = (struct tally){0};
}
