/* A circuit to CaDiCaL: can these literals all be true? The only file that knows CaDiCaL is sat.c. */
#ifndef TANDEM_SOLVE_SAT_H
#define TANDEM_SOLVE_SAT_H

#include "base/arena.h"
#include "solve/gates.h"
#include "solve/query.h"

struct sat_request {
	const struct gates *gates;
	const lit *hard;       /* true in any case */
	size_t hard_count;
	const lit *soft;       /* true as well, but it is told which of them are to blame if that is impossible */
	size_t soft_count;
	lit wish;              /* true if possible; 0: none */
	int conflicts;         /* at most: past that nobody knows */
};

struct sat_answer {
	enum verdict verdict;
	const bool *to_blame;  /* UNSAT: by soft literal */
	const int8_t *values;  /* SAT: by variable: 1 true, -1 false, 0: nothing depends on it */
};

struct sat_answer sat_solve(const struct sat_request *r, struct arena *arena);

#endif
