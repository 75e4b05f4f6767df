/* Running a program once, contained: what to run, and what came of it. */
#ifndef TANDEM_RUN_TARGET_H
#define TANDEM_RUN_TARGET_H

#include "run/sandbox.h"
#include "testcase/testcase.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

struct target_spec {
	const char *program;             /* a path; PATH is not searched */
	const char *const *argv;         /* program name included; argc 0: just that */
	size_t argc;
	const char *const *envp;         /* NULL-terminated; NULL: a small fixed environment, and */
	const char *const *more_env;     /* these variables besides, or in place of those of the same name; a name alone: it is not set */
	size_t more_env_count;
	const void *input;               /* standard input */
	size_t input_size;
	enum testcase_stdin input_kind;  /* a fork server's is a file */
	unsigned umask;                  /* TESTCASE_UMASK and the mask; 0: 022 */
	struct sandbox_policy policy;
	int wall_ms;                     /* 0: no limit */
	size_t output_max;               /* bytes kept of each stream; the rest is dropped. 0: both go to /dev/null */
	int trace_fd;                    /* -1: none, else above 2; passed on, its number as TANDEM= */
};

struct output {
	char *bytes;
	size_t size;
	bool cut;                        /* there was more */
};

enum outcome_kind { OUTCOME_FAILED_TO_START, OUTCOME_EXIT, OUTCOME_SIGNAL, OUTCOME_TIMEOUT, OUTCOME_AGAIN /* server.h */ };

struct outcome {
	enum outcome_kind kind;
	int code;                        /* EXIT */
	int signal;                      /* SIGNAL; TIMEOUT: SIGXCPU for processor time, SIGKILL for wall time */
	int status;                      /* as wait gave it */
	uint64_t cpu_us;                 /* 0 under a fork server, which does not say */
	uint64_t wall_us;
	bool reused;                     /* in a process that had run before */
	uint64_t peak;                   /* bytes of memory it had at most, or ourselves before it began; 0 under a fork server */
	struct output out, err;
};

/* False: the program could not be run, err says why. How it ended, even badly, is an outcome. */
bool target_run(const struct target_spec *spec, struct outcome *out, struct err *err);
void outcome_free(struct outcome *out);

#endif
