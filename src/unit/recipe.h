/* From a function and those that are really called with it to the plan of its runs. A test of the unit is this and its marks, so that it can be run again later. */
#ifndef TANDEM_UNIT_RECIPE_H
#define TANDEM_UNIT_RECIPE_H

#include "unit/plan.h"
#include "unit/program.h"

struct recipe {
	struct unit_program *program;
	uint32_t function;
	const bool *members;          /* by function: that are called; who else may be called by these is a stub */
	const bool *nearby;           /* by function: variables of these are given too, as far as they are small: what callees are called with depends on them. NULL: none */
	const char *const *names;     /* variables of these names are given too */
	size_t names_count;
	struct plan_options options;
};

/* main is not called with what its types allow: it runs as the program does, but for the stubs. */

/* Can it be called at all? False: why not. */
bool recipe_possible(struct unit_program *p, uint32_t function, struct err *err);

bool recipe_plan(const struct recipe *r, struct arena *arena, struct plan *out, struct err *err);

#endif
