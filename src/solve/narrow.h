/* Which values each byte may still have, by the demands that are about one byte, or are once others are known. */
#ifndef TANDEM_SOLVE_NARROW_H
#define TANDEM_SOLVE_NARROW_H

#include "solve/lanes.h"
#include "solve/memo.h"

struct narrow {
	const struct problem *p;
	struct lane_set *sets;   /* by variable; of a length, and of what else is no byte to choose, all values */
	bool *fixed;             /* by variable: one value is left */
	uint64_t *value;         /* by variable: that value, or one of the set, the seed's if it is in it */
	u128 *base;              /* by node: its value if variables have those */
	bool *open;              /* by part: it is about several variables that are not fixed, or is left to others */
	uint32_t *narrowed;      /* by part that is not open: the variable plus one whose set it has been taken into */
	struct lane_set *ranges; /* and what it lets through */
	size_t open_count;
	bool refuted;            /* some set is empty */
	const bool *core;        /* if so: by part; these alone are impossible */
};

/* names: of the parts; ranges: a memo of lane_sets by such names; dice: as in lanes_choose. steps: what it may cost, in terms. */
struct narrow narrow_problem(const struct problem *p, const struct digest *names, struct memo *ranges, struct lanes *l, unsigned *steps,
                             uint64_t dice, struct arena *arena);

/* Nothing narrowed: everything is open. */
struct narrow narrow_nothing(const struct problem *p, struct arena *arena);

/* Adds to a set of parts what their fixed variables were fixed by, and what variables were narrowed by: by variable, may be NULL. */
void narrow_blame(const struct narrow *n, bool *parts, const bool *variables, struct arena *arena);

#endif
