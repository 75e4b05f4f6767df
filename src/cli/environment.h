/* Which variables of an environment belong to a test case. All of them would be too many: there may be secrets among them, and test cases are given away. */
#ifndef TANDEM_CLI_ENVIRONMENT_H
#define TANDEM_CLI_ENVIRONMENT_H

#include "base/arena.h"
#include "testcase/testcase.h"

#include <stdbool.h>
#include <stddef.h>

/* The texts of a program's file. A name is looked for once. */
struct literals;
struct literals *literals_open(const char *program);
void literals_close(struct literals *l);

struct environment_rule {
	bool all;
	const char *const *names;  /* kept besides the usual ones */
	size_t names_count;
	struct literals *literals; /* a variable whose name is one of these is kept too; NULL: there are none */
};

/* Puts those of a list of NAME=VALUE into the test case, by name: the order means nothing to a program, or should not. What a replay would set and is not there is said not to be set. */
void environment_keep(const char *const *env, size_t count, const struct environment_rule *rule, struct testcase *t, struct arena *a);

#endif
