/* How much memory a program takes, and how it divides its work, is often computed from the size of its input: products and quotients of 64 bits in long
 * rows of comparisons, about which a circuit has to be proved impossible for milliseconds (coreutils' sort). But a length has a limit, and few values below it.
 *
 * A core is put together on the way: for each value a part that does not allow it, unless one that was taken before does not either. */
#include "solve/lengths.h"

#include <string.h>

/* Is it allowed? If not, one that forbids it is in the core. */
static bool allows(const struct problem *p, uint64_t length, u128 *values, bool *core)
{
	size_t other = p->count;
	problem_eval(p, &length, values);
	for (size_t i = p->count; i-- > 0;) {
		if (conjunct_holds(&p->parts[i], values))
			continue;
		if (core[i])
			return false;
		other = other == p->count ? i : other;
	}
	if (other < p->count)
		core[other] = true;
	return other == p->count;
}

/* The k-th closest to the seed's within [0, limit]: that itself, one more, one less, two more, ... */
static bool closest(uint64_t seed, uint64_t limit, uint64_t k, uint64_t *length)
{
	uint64_t by = (k + 1) / 2;
	*length = k % 2 ? seed + by : seed - by;
	return k % 2 ? *length <= limit : by <= seed && *length <= limit;
}

struct lengths lengths_try(const struct problem *p, struct arena *arena)
{
	const struct variable *v = p->variables;
	u128 *values = arena_alloc(arena, p->terms.count * sizeof *values);
	bool *core = arena_alloc(arena, p->count + 1);
	struct lengths out = { VERDICT_UNSAT, 0, core };
	uint64_t furthest = 2 * (v->seed > v->limit ? v->seed : v->limit) + 1;
	memset(core + p->count - p->goals, true, p->goals);
	for (uint64_t k = 0, length; k <= furthest; k++) {
		bool is_better = out.verdict == VERDICT_UNSAT;
		if (!closest(v->seed, v->limit, k, &length) || (!is_better && length > v->near) || !allows(p, length, values, core))
			continue;
		out = (struct lengths){ VERDICT_SAT, length, NULL };
		if (length <= v->near)
			break;
	}
	return out;
}
