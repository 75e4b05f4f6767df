/* Problems to bits: every operator of op.def as a circuit, given to a SAT solver. */
#ifndef TANDEM_SOLVE_BLAST_H
#define TANDEM_SOLVE_BLAST_H

#include "solve/gates.h"
#include "solve/narrow.h"

struct blast_limits {
	uint32_t gates;      /* of one problem at most */
	int conflicts;
};

struct blast_answer {
	enum verdict verdict;
	const bool *core;    /* UNSAT: by part; these alone are impossible */
};

/* What is left of a problem that was narrowed. seed: other than 0, some of the goals' bits are pulled the other way. gates is scratch.
 * SAT: model has the value of every variable. Floating point is held. */
struct blast_answer blast_ask(const struct narrow *n, const struct blast_limits *limits, uint64_t seed, struct gates *gates,
                              struct arena *arena, uint64_t *model);

#endif
