/* A unit test once more, for what the test case does not say: which stubs were called, and in which order. */
#ifndef TANDEM_CLI_UNITRUN_H
#define TANDEM_CLI_UNITRUN_H

#include "cli/unitcase.h"

struct unitrun {
	const uint32_t *stubs;   /* of the plan, call by call */
	size_t count;
	bool fails;
};

/* In the unit's arena. */
bool unitrun_do(const struct unitcase *u, const char *program, bool sandbox, struct unitrun *out, struct err *err);

#endif
