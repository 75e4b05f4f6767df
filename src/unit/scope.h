/* What is run when a function is tested: its extended unit, the stubs around it, and the contexts it is called in. */
#ifndef TANDEM_UNIT_SCOPE_H
#define TANDEM_UNIT_SCOPE_H

#include "base/arena.h"
#include "unit/profile.h"

enum scope_kind {
	SCOPE_DEPENDENCY,
	SCOPE_ALONE,     /* none but itself */
	SCOPE_DISTANCE,
	SCOPE_RELEVANCE, /* those that have most to do with it, in whichever direction */
	SCOPE_RANDOM     /* each of those around with one half */
};

struct scope_options {
	enum scope_kind kind;
	double tau;                     /* DEPENDENCY: functions that depend on each other as much as that belong together */
	double relevance;               /* RELEVANCE: at least so much */
	uint64_t seed;                  /* RANDOM */
	unsigned distance;              /* DISTANCE, and of functions that no test ran: so many calls away */
	const struct profile *profile;  /* NULL: there is none */
};

/* A call chain that ends where the function is called: the outermost first. */
struct scope_context {
	const uint32_t *functions;
	size_t count;
};

struct scope {
	enum scope_kind kind;           /* that was used: DISTANCE stands in for DEPENDENCY and RELEVANCE where no test ran the function */
	bool *members;                  /* by function: it is really called */
	const uint32_t *stubs;          /* functions that members may call and that are none */
	size_t stubs_count;
	const struct scope_context *contexts;
	size_t contexts_count;
	bool contexts_cut;              /* there are more */
};

/* In the arena. */
struct scope scope_find(const struct unit_program *p, uint32_t function, const struct scope_options *o, struct arena *arena);

#endif
