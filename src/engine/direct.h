/* One traced run without containment, in the current directory: for known inputs and for measurements. */
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

#endif
