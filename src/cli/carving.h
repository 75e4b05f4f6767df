/* What functions are called with in system tests, to begin their own tests with. */
#ifndef TANDEM_CLI_CARVING_H
#define TANDEM_CLI_CARVING_H

#include "base/arena.h"
#include "cli/systests.h"
#include "unit/book.h"
#include "unit/presence.h"

/* Of one function: test cases that run it alone (contract/unit.h), with files and standard input of the test they come from. */
struct carved {
	VEC(struct testcase) feeds;
	uint8_t *pointers;        /* by slot of its plan (carve_pointers); NULL: it was never called */
	uint32_t last;            /* the test that the last one is from, plus 1 */
};

struct carving {
	struct carved *functions; /* by number; NULL: nothing was looked for */
	uint32_t count;
	struct presence *presence; /* what all of them say of pointers */
	uint64_t runs, calls, strangers; /* strangers: numbers outside of what the program's ranges say. There should be none */
};

struct carving_options {
	struct unit_program *program;
	struct book *book;
	const struct systests *tests;
	const char *path;
	bool sandbox;
	struct arena *arena;      /* of what is found */
};

/* Of these functions. False: it cannot be run at all. */
bool carving_run(struct carving *c, const struct carving_options *o, const uint32_t *functions, size_t count, struct err *err);
void carving_free(struct carving *c);

#endif
