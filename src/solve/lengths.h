/* Problems about nothing but the length of one input. */
#ifndef TANDEM_SOLVE_LENGTHS_H
#define TANDEM_SOLVE_LENGTHS_H

#include "solve/problem.h"
#include "solve/query.h"

struct lengths {
	enum verdict verdict;  /* never UNKNOWN */
	uint64_t length;       /* SAT: the one closest to the seed's, of those that are not too far (variable.near) if there is one */
	const bool *core;      /* UNSAT: by part; these alone are impossible */
};

struct lengths lengths_try(const struct problem *p, struct arena *arena);

#endif
