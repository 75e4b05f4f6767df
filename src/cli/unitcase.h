/* A unit test as a test case (docs/testcase-format.md): what tandem unit writes down of a failure, and what tandem replay and tandem export make of it, on that build of the program or another. */
#ifndef TANDEM_CLI_UNITCASE_H
#define TANDEM_CLI_UNITCASE_H

#include "testcase/casefile.h"
#include "unit/recipe.h"

/* The function, those that are called with it and the options. Texts are in the arena. */
void unitcase_describe(const struct recipe *r, struct casefile *c, struct arena *arena);

/* What a unit test is on a build. */
struct unitcase {
	struct unit_program program;
	uint32_t function;
	struct plan plan;
	struct testcase feed;      /* its marks in the order of the plan */
	struct str packed;         /* the plan, as the runtime reads it */
	struct arena *arena;
};

/* False: the program has no such function, or it cannot be called; nothing is to be closed. */
bool unitcase_open(struct unitcase *u, const struct casefile *c, const char *program, struct err *err);
void unitcase_close(struct unitcase *u);

/* "f(x = 5), g_count = -1" */
void unitcase_print(const struct unitcase *u, struct str *out);

#endif
