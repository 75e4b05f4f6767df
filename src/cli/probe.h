/* One function tested on its own: how it fails, and with what it calls others. */
#ifndef TANDEM_CLI_PROBE_H
#define TANDEM_CLI_PROBE_H

#include "cli/carving.h"
#include "engine/engine.h"
#include "unit/book.h"
#include "unit/summary.h"

struct probe_options {
	const char *path;             /* of the program */
	struct unit_program *program;
	struct book *book;
	const struct strategy *search;
	const double *weights;        /* of one that has them */
	uint64_t seed, execs;         /* execs 0: no limit */
	double seconds;
	int wall_ms;                  /* of one run */
	uint64_t memory;              /* bytes, likewise */
	bool sandbox;
	bool watching;                /* calls of other functions are kept */
	bool all_rules;               /* what is no crash counts too */
	bool plain;                   /* what must hold has no precedence over branches */
	const uint32_t *wanted;       /* functions of which it is asked how they fail: main is explored for their branches */
	size_t wanted_count;
	const struct testcase *tests; /* main begins with these */
	size_t tests_count;
	const struct carving *carving; /* and others with what they are called with in those; NULL: with nothing */
	const volatile sig_atomic_t *stop;
};

/* All of it in the arena. If the function cannot be tested, the summary says why; false: it is an error of ours. */
bool probe(const struct probe_options *o, uint32_t function, struct arena *arena, struct summary *out, struct err *err);

#endif
