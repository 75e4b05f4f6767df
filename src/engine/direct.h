/* One traced run without containment, in the current directory: for known inputs and for measurements; or in our own place, for
 * test suites that must not notice. */
#ifndef TANDEM_ENGINE_DIRECT_H
#define TANDEM_ENGINE_DIRECT_H

#include "base/err.h"
#include "run/target.h"

struct direct_spec {
	const char *program;
	char *const *argv;        /* NULL-terminated, program name included */
	int stdio[3];             /* descriptors to use as standard input, output and error */
	int trace_fd;
	int wall_ms;              /* 0: no limit */
};

/* Nothing of the output is kept. False: it could not be started. */
bool direct_run(const struct direct_spec *spec, struct outcome *out, struct err *err);

/* A second process that outlives the program and is no child of it, in a session of its own. It waits for the end of this process, whatever
 * that has become by then, calls `end` and exits. Of all descriptors it has `log` alone, as standard output and error. */
typedef void direct_end(void *context, bool killed);
bool direct_watch(int log, int wall_ms, direct_end *end, void *context, struct err *err);

/* This process becomes the program, on our own standard descriptors; trace_fd -1: untraced. Returns only if that is not possible. */
void direct_become(const char *program, char *const *argv, int trace_fd, struct err *err);

#endif
