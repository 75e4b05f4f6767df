/* System tests of a program: who calls whom in them (unit/profile.h), what they cover, and what main begins with. */
#ifndef TANDEM_CLI_SYSTESTS_H
#define TANDEM_CLI_SYSTESTS_H

#include "base/arena.h"
#include "base/vec.h"
#include "cli/cases.h"
#include "trace/coverage.h"
#include "unit/profile.h"

struct systests {
	struct profile *profile;
	struct coverage coverage;
	VEC(struct testcase) feeds;
	uint64_t runs, others, failed; /* others: of another program; failed: that could not be run */
};

/* Runs them all. What is kept of them is in the arena. False: it cannot be run at all. */
bool systests_run(struct systests *s, const struct unit_program *p, const char *path, const struct cases *cases, bool sandbox, struct arena *arena, struct err *err);
void systests_free(struct systests *s);

/* Runs a command, which runs tests of programs built with tandem cc, and records these in the directory. */
bool systests_record(char **command, const char *directory, struct err *err);

#endif
