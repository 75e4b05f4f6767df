/* The solver pipeline: a query in, a verdict and a checked model out. */
#ifndef TANDEM_SOLVE_SOLVER_H
#define TANDEM_SOLVE_SOLVER_H

#include "solve/z3.h"

struct solver_limits {
	struct z3_limits z3;
};

struct answer {
	enum verdict verdict;
	bool optimistic;          /* found, or refuted, without what the run had lost */
	bool incomplete;          /* floating point was held at its recorded values: an UNSAT is no proof */
	struct assignment model;  /* SAT: the new input; lives in the arena */
	unsigned asked;           /* how often a solver was called */
};

struct solver_limits solver_limits_default(void);

/* A pure function of its arguments. False: an internal error, such as a model that our evaluator refutes. */
bool solver_check(const struct query *q, const struct solver_limits *limits, struct arena *arena, struct answer *out,
                  struct err *err);

#endif
