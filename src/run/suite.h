/* A command run as it is, with all that it starts, of which every process that runs an instrumented program is recorded (contract/suite.h). */
#ifndef TANDEM_RUN_SUITE_H
#define TANDEM_RUN_SUITE_H

#include "run/recording.h"

#include <stdbool.h>

struct suite_spec {
	char *const *argv;   /* of the command, NULL-terminated; found as a shell would */
	struct snapshot_limits limits; /* of each recording */
	/* A run is over; the recording is closed afterwards. */
	void (*recorded)(void *context, struct recording *r);
	void (*note)(void *context, const char *text); /* something to know that is no error */
	void *context;
};

/* status: of the command, as wait gave it. False: it could not be run. */
bool suite_run(const struct suite_spec *spec, int *status, struct err *err);

/* Is somebody recording us already? */
bool suite_is_recorded(void);

#endif
