/* One query to Z3, as bit-vectors. The only file that knows Z3 is z3.c. */
#ifndef TANDEM_SOLVE_Z3_H
#define TANDEM_SOLVE_Z3_H

#include "base/arena.h"
#include "base/err.h"
#include "solve/query.h"

enum verdict { VERDICT_SAT, VERDICT_UNSAT, VERDICT_UNKNOWN };

struct z3_limits {
	unsigned rlimit;      /* Z3's own count of steps, which does not depend on load; 0: none */
	unsigned timeout_ms;  /* the backstop; 0: none */
};

struct z3_answer {
	enum verdict verdict;
	bool incomplete;           /* a term without bit-vector semantics was held at its recorded value */
	struct assignment model;   /* SAT: every object of the seed, changed where the query demands it */
};

/* False: Z3 itself failed. The model is not checked here (solver.c does that) and lives in the arena. */
bool z3_ask(const struct query *q, const struct z3_limits *limits, struct arena *arena, struct z3_answer *out,
            struct err *err);

#endif
