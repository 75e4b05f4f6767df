/* Indices of the branch choices of a walk, to be drawn without replacement. */
#ifndef TANDEM_SEARCH_DECK_H
#define TANDEM_SEARCH_DECK_H

#include "base/rng.h"
#include "search/walk.h"

struct deck {
	uint32_t *at, count, room;
};

void deck_fill(struct deck *d, const struct walk *w, uint32_t first_step); /* choices at that step and behind it */
uint32_t deck_draw(struct deck *d, struct rng *r);                         /* count > 0 */
void deck_free(struct deck *d);

#endif
