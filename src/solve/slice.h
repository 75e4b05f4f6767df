/* The part of a query that matters: what shares input bytes, directly or through others, with a goal. */
#ifndef TANDEM_SOLVE_SLICE_H
#define TANDEM_SOLVE_SLICE_H

#include "base/arena.h"
#include "solve/query.h"

/* The same query without the rest, which the seed satisfies and goes on satisfying. */
struct query slice_query(const struct query *q, struct arena *arena);

/* What a query reaches: one flag per node, up to and including the largest one asked for. */
struct reach {
	bool *needed;
	uint32_t count;
};

struct reach slice_reach(const struct query *q, struct arena *arena);

#endif
