/* A scratch directory: the target's working directory and the only place it may write to. It goes away with the process that
 * made it, however that ends. */
#ifndef TANDEM_RUN_SCRATCH_H
#define TANDEM_RUN_SCRATCH_H

#include "testcase/testcase.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

struct err;

struct scratch {
	char path[PATH_MAX];
	char model[PATH_MAX];  /* copied into it; empty: none */
	uint64_t print;        /* of the tree as it was copied */
	int fd;
	int leash;             /* the janitor waits for this pipe to close */
	int janitor;           /* its pid */
};

/* Below $TMPDIR or /tmp; model: a directory to start from, or NULL for an empty one. */
bool scratch_open(struct scratch *s, const char *model, struct err *err);
/* Puts files of a test case there, with the directories they are in; two may not have one name. Those with absolute names are somebody else's (standin.h). */
bool scratch_put(struct scratch *s, const struct testcase_file *files, size_t count, struct err *err);
/* Nothing of the target may run any more when one of these is called. */
bool scratch_dirty(const struct scratch *s);
bool scratch_reset(struct scratch *s, struct err *err);
bool scratch_close(struct scratch *s, struct err *err);

#endif
