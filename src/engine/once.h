/* One run, and an input for every other decision on its path: what a fuzzer wants of a concolic executor. */
#ifndef TANDEM_ENGINE_ONCE_H
#define TANDEM_ENGINE_ONCE_H

#include "engine/flip.h"
#include "solve/solver.h"

#include <signal.h>

struct once_options {
	const char *program;
	const struct testcase *feed;
	uint32_t flags;         /* enum td_flag */
	bool sandbox;
	int wall_ms;            /* of the run */
	uint32_t window;        /* bytes of a file that are symbolic; 0: all */
	size_t grow_max;        /* bytes by which an input is made longer */
	double seconds;         /* for all of it; 0: no limit */
	const volatile sig_atomic_t *stop; /* NULL; or ends it when it is no longer 0 */
	struct solver_options solver;
	void (*found)(void *context, const struct testcase *feed, const struct flip *f, const struct facts *facts, bool optimistic);
	void (*note)(void *context, const char *text);
	void *context;
};

struct once_sums {
	uint64_t flips, solved, refuted, given_up, optimistic;
	uint64_t same;          /* inputs that another flip gave already */
	uint64_t left;          /* not asked for lack of time */
};

bool once(const struct once_options *o, struct once_sums *sums, struct err *err);

#endif
