/* A slice as solvers want it: its own few terms, numbered from 1, and values for variables as the answer. */
#ifndef TANDEM_SOLVE_PROBLEM_H
#define TANDEM_SOLVE_PROBLEM_H

#include "base/vec.h"
#include "solve/path.h"

/* Memory that is reused from problem to problem. */
struct problem_space {
	uint32_t *local, *mark; /* by node of the trace: its number in the problem that has this mark */
	uint32_t room, serial;
	VEC(uint32_t) stack;
};

struct problem {
	struct terms terms;                /* copies; of INPUT and LENGTH c is the number of the variable */
	const struct conjunct *parts;      /* over them; goals come last */
	size_t count, goals;
	const struct variable *variables;
	uint32_t variables_count;
	const u128 *seed;                  /* by node: its value on the seed */
	bool held;                         /* there is floating point, which only the evaluator understands */
	struct digest key, seed_key;
};

struct problem problem_new(const struct slice *s, struct problem_space *space, struct arena *arena);
struct problem problem_of_part(const struct slice *s, size_t part, struct problem_space *space, struct arena *arena); /* one demand alone */
void problem_space_free(struct problem_space *space);

/* Values of all nodes, given those of the variables. */
void problem_eval(const struct problem *p, const uint64_t *variables, u128 *values);

const bool *problem_goal_variables(const struct problem *p, struct arena *arena); /* by variable: do the goals read it? */

/* The first part that these values do not satisfy, or NULL. Lengths and bytes must agree too: a byte behind the end is 0. */
const struct conjunct *problem_refuted(const struct problem *p, const uint64_t *variables, struct arena *arena);

#endif
