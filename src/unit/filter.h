/* Is a failure of a function possible in a context, as its callers call it? The paths that end in the failure are held together with those on which each caller calls the next, from the function outwards.
 *
 * That a pointer is null, or leads where another one does, has to come from somewhere: as long as nothing more is known about where a function's input comes from, its pointers are as expected (presence.h). */
#ifndef TANDEM_UNIT_FILTER_H
#define TANDEM_UNIT_FILTER_H

#include "solve/solver.h"
#include "unit/scope.h"
#include "unit/summary.h"

enum filter_verdict {
	FILTER_POSSIBLE,
	FILTER_REFUTED,   /* no path that was seen of the callers goes together with one of the failure */
	FILTER_NULL,      /* likewise, unless a pointer that nobody knows the origin of is not as expected */
	FILTER_NO_CALL,   /* not refuted, and a caller was never seen to call the next */
	FILTER_UNDECIDED  /* not refuted: the solver gave up, or there were too many to ask */
};

struct filter_options {
	/* Of any function; NULL: there is none. It stays as long as the filter. */
	const struct summary *(*summary)(void *context, uint32_t function);
	/* How pointers are that any function is given, by object and offset; NULL: anyhow. */
	size_t (*expect)(void *context, uint32_t function, const struct formula_pointer **out);
	void *context;
	size_t questions_max;     /* for a failure in a context; 0: as many as there are */
};

#define FILTER_QUESTIONS 4000

/* Why: one of the callers' inputs and the function's own, outermost first, that go together. */
struct filter_witness {
	const struct assignment *inputs;     /* by level */
	const struct formula *const *levels; /* to which they belong; the last is the failing one */
	size_t count;
};

struct filter_result {
	enum filter_verdict verdict;
	struct filter_witness witness; /* POSSIBLE */
	uint32_t caller;          /* NO_CALL: it; REFUTED: the one whose calls do not go together with what is below it; NULL: the outermost that is known */
	uint64_t questions;
};

struct filter;
struct filter *filter_new(const struct filter_options *o);
void filter_free(struct filter *f);

/* In the arena. */
struct filter_result filter_ask(struct filter *f, uint32_t function, const struct summary *own, const struct summary_failure *failure, const struct scope_context *c, struct arena *arena);

#endif
