/* Filled once per walk, a draw is constant time. Conditions that must hold and lengths are not in it: they have their own turns
 * (aside.c). */
#include "search/deck.h"

#include "base/mem.h"

#include <stdlib.h>

void deck_fill(struct deck *d, const struct walk *w, uint32_t first_step)
{
	d->count = 0;
	if (w->dropped)
		return;
	if (d->room < w->choices_count)
		d->at = mem_resize_array(d->at, d->room = w->choices_count, sizeof *d->at);
	for (uint32_t i = walk_choice_from(w, first_step); i < w->choices_count; i++)
		if (choice_is_branch(&w->choices[i]))
			d->at[d->count++] = i;
}

uint32_t deck_draw(struct deck *d, struct rng *r)
{
	uint32_t k = (uint32_t)rng_below(r, d->count), drawn = d->at[k];
	d->at[k] = d->at[--d->count];
	return drawn;
}

void deck_free(struct deck *d)
{
	free(d->at);
	*d = (struct deck){0};
}
