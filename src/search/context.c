/* Goes back along the path until it has found k; a loop whose every decision dominates is not followed for ever. */
#include "search/context.h"

#include "base/rng.h"

enum { BACK_MAX = 200 };

uint64_t context_of(const struct walk *w, const struct walk_choice *c, unsigned k, const struct dominators *d)
{
	uint32_t edge = c->step < w->steps_count ? w->steps[c->step].edge : WALK_NO_EDGE;
	uint64_t hash = rng_mix(rng_mix(c->edge) ^ edge);
	for (uint32_t i = c->step, back = 0; i-- > 0 && k && back < BACK_MAX; back++) {
		uint32_t before = w->steps[i].edge;
		if (d && dominators_has(d, before, edge))
			continue;
		hash = rng_mix(hash ^ before);
		k--;
	}
	return hash;
}
