/* One function tested on its own: what fails in it. */
#ifndef TANDEM_CLI_PROBE_H
#define TANDEM_CLI_PROBE_H

#include "base/arena.h"
#include "base/vec.h"
#include "engine/engine.h"
#include "unit/recipe.h"
#include "unit/scope.h"

struct probe_options {
	const char *path;             /* of the program */
	struct unit_program *program;
	const struct strategy *search;
	struct plan_options plan;
	uint64_t seed, execs;         /* execs 0: no limit */
	double seconds;
	int wall_ms;                  /* of one run */
	uint64_t memory;              /* bytes, likewise */
	bool sandbox;
	const volatile sig_atomic_t *stop;
};

/* A failure in the function itself: it has happened twice. Texts are in the arena. */
struct alarm_row {
	uint64_t name;                /* the same for the same failure */
	const char *class;            /* "overflow" */
	const char *what;             /* in a line: "write of 4 bytes ... past the end of ..." */
	const char *place;            /* "f at a.c:12:3" */
	const char *const *frames;
	size_t frames_count;
	struct testcase feed;
	const char *input;            /* as a person reads it */
	uint64_t runs;                /* after so many it was found */
};

struct probe_result {
	struct plan plan;
	VEC(struct alarm_row) alarms;
	uint64_t others;              /* failures in other functions of the unit */
	struct engine_stats stats;
	double started;               /* seconds that it took until the first run was over */
	VEC(uint32_t) edges;          /* that were taken, dense */
};

/* All of it in the arena but the lists. False: it could not be tested, and why. */
bool probe(const struct probe_options *o, uint32_t function, const struct scope *scope, struct arena *arena, struct probe_result *out, struct err *err);
void probe_free(struct probe_result *r);

#endif
