/* A program run as it is, for real, of which we are told each name of a file before the system is asked for it. Any program: plain, static, a
 * shell script with all that it starts. */
#ifndef TANDEM_RUN_WATCH_H
#define TANDEM_RUN_WATCH_H

#include "base/str.h"
#include "run/names.h"

#include <stdbool.h>

struct err;

struct watch_spec {
	const char *program;      /* a path */
	char *const *argv;        /* NULL-terminated; the environment is our own */
	names_visit *named;       /* NULL: nothing is watched */
	void *context;
	struct str *fed;          /* not NULL: standard input is read here, kept in it and passed on by a pipe; else it is our own */
};

/* status: as wait gave it. False: it could not be run. */
bool watch_run(const struct watch_spec *spec, int *status, struct err *err);

#endif
