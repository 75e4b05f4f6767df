/* Which edges were taken, as a bit set that walks are added to. There may be several: one counts from the beginning, a strategy may
 * have another that it empties. */
#ifndef TANDEM_SEARCH_TALLY_H
#define TANDEM_SEARCH_TALLY_H

#include "search/walk.h"

struct tally {
	uint64_t *words;
	uint32_t count;            /* words */
	uint32_t covered;          /* edges that count */
	uint64_t changes;          /* how often something was added: who derived something from it knows whether that still holds */
};

/* The edges that count; others (those of models) are remembered as well. NULL words: all count. */
struct counted {
	uint64_t *words;
	uint32_t count;
};

static inline bool bits_have(const uint64_t *words, uint32_t count, uint32_t bit)
{
	return bit / 64 < count && (words[bit / 64] >> bit % 64 & 1);
}

static inline bool tally_has(const struct tally *c, uint32_t edge)
{
	return bits_have(c->words, c->count, edge);
}

/* How many edges that count were not there. */
uint32_t tally_add(struct tally *c, const struct walk *w, const struct counted *counted);
void tally_empty(struct tally *c);
void tally_free(struct tally *c);

#endif
