/* See refusals.h. Each time a quarter more refusals are wanted than the last time: of 1000, some 25 are followed by a leap. With twice as many each time, which is 10, fewer sides were
 * covered on all subjects of bench/subjects.sh (1000 runs, seeds 51 to 56: grep 1627 for 1646, sed 745 for 750, tree 743 for 764, counted as their originals do). */
#include "engine/refusals.h"

bool refusals_add(struct refusals *r, uint32_t edge)
{
	while (r->edges.count <= edge)
		vec_push(&r->edges, (struct refusal){ 0, 1 });
	struct refusal *at = &r->edges.at[edge];
	if (++at->count < at->next)
		return false;
	at->next = at->count + at->count / 4 + 1;
	return true;
}

void refusals_free(struct refusals *r)
{
	vec_free(&r->edges);
}
