/* One problem to Z3, as bit-vectors. */
#ifndef TANDEM_SOLVE_SMT_H
#define TANDEM_SOLVE_SMT_H

#include "base/err.h"
#include "solve/problem.h"

struct smt_limits {
	unsigned rlimit;      /* Z3's own count of steps, which does not depend on load; 0: none */
	unsigned timeout_ms;  /* the backstop; 0: none */
};

/* SAT: model has the value of every variable. False: Z3 itself failed. */
bool smt_ask(const struct problem *p, const struct smt_limits *limits, struct arena *arena, enum verdict *verdict, uint64_t *model,
            struct err *err);

/* The problem as SMT-LIB text, which lives in the arena. */
const char *smt_text(const struct problem *p, const char *name, enum verdict status, struct arena *arena);

#endif
