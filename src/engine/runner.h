/* Traced runs, one after the other, of one program: fork server, trace file and scratch directory together. */
#ifndef TANDEM_ENGINE_RUNNER_H
#define TANDEM_ENGINE_RUNNER_H

#include "engine/feed.h"
#include "run/target.h"
#include "trace/trace.h"

struct runner;

struct runner_options {
	const char *program;
	uint32_t flags;      /* enum td_flag */
	bool fresh;          /* each run in a process of its own, never in one that was used before and put back to how it was */
	bool sandbox;        /* false: in the current directory, without containment */
	int wall_ms;         /* of one run */
	uint64_t memory;     /* bytes of data; 0: no limit */
	size_t output_max;   /* bytes kept of what it writes to standard output and error */
	uint32_t nodes_max, events_max; /* 0: TRACE_ROOM */
	uint32_t window;     /* bytes of a file that are symbolic; 0: all */
	const char *const *outside; /* absolute names of files that test cases have otherwise than they are: see standin.h */
	size_t outside_count;
	const char *directory; /* where those were run that have such files; NULL: nowhere */
	const void *unit;    /* a plan (contract/unit.h): that function is run, always traced, since stubs are there in traced code alone. NULL: the program */
	size_t unit_size;
};

struct runner *runner_open(const struct runner_options *o, struct err *err);
void runner_close(struct runner *r);

/* The trace is a view that the next run overwrites. A dead server is started anew, once. A program may have written
 * nonsense into its trace: then t->header is NULL, and err says what is wrong although the result is true. */
bool runner_run(struct runner *r, const struct testcase *f, struct outcome *out, struct trace *t, struct err *err);

/* No run has loaded a library that the program does not load when it starts: then sites have the numbers that they have in a new one. */
bool runner_is_as_new(const struct runner *r);

/* What a run may take from now on. */
void runner_patience(struct runner *r, int wall_ms);

/* Others than the runner's own. */
struct runner_limits {
	int wall_ms;
	unsigned cpu_s;
	uint64_t memory;     /* bytes of data; 0: no limit */
};

/* Once more, in a fresh process and untraced. Marks in the program get their values all the same. limits may be NULL. */
bool runner_replay(struct runner *r, const struct testcase *f, const struct runner_limits *limits, struct outcome *out, struct err *err);

/* Untraced as well, but forked like a traced run: for what is asked often. A fresh process it is if that cannot be had. */
bool runner_untraced(struct runner *r, const struct testcase *f, struct outcome *out, struct err *err);

/* A request without a trace, in which an untraced program finds the values of its marks; if it has none, values->fd is -1. To be given to trace_destroy. */
bool runner_values(struct live *values, const struct testcase *f, struct err *err);

/* A trace that stays, in one block that the caller frees (trace->map is NULL). */
void *runner_keep(const struct trace *from, struct trace *to, size_t *size);

#endif
