/* Which conditions of a path refute a flip. */
#ifndef TANDEM_ENGINE_BLAME_H
#define TANDEM_ENGINE_BLAME_H

#include "engine/flip.h"
#include "solve/solver.h"

struct blame {
	const uint32_t *events; /* in the order of the run, each once; in the arena */
	size_t count;           /* 0: what is asked for is impossible by itself */
	bool least;             /* without any of them it would be possible, or nobody knows */
};

/* A flip that the solver has just refuted; with_losses: the answer was not optimistic. False: an internal error of the solver. */
bool blame_find(struct solver *s, const struct demands *d, const struct flip *f, bool with_losses, struct arena *arena, struct blame *out, struct err *err);

#endif
