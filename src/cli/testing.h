/* All functions of a program, tested and held against their callers: what comes of each function is a file in a directory, made by a process of its own, so that an interrupted session goes on where it was. */
#ifndef TANDEM_CLI_TESTING_H
#define TANDEM_CLI_TESTING_H

#include "cli/probe.h"
#include "unit/filter.h"

enum verdict_kind {
	VERDICT_SEEN,       /* kept: a caller's own run failed so */
	VERDICT_POSSIBLE,   /* kept: its callers' paths and its own go together */
	VERDICT_CONTEXTLESS,/* kept: nobody calls it that it depends on */
	VERDICT_NO_CALL,    /* kept: a caller was never seen to call it */
	VERDICT_UNDECIDED,  /* kept: the solver gave up */
	VERDICT_UNFILTERED, /* kept: nobody asked */
	VERDICT_DROPPED,
	VERDICT_KINDS
};

extern const char *const verdict_names[VERDICT_KINDS];

/* What is to be thought of one failure of a function. Texts are in the arena. */
struct verdict_row {
	enum verdict_kind kind;
	const char *context;             /* SEEN, POSSIBLE: "b(x = 7) -> f(x = -1)"; else empty */
	const char *const *reasons;      /* of each context that does not allow it, or of which nothing is known: "b -> f: ..." */
	size_t reasons_count;
};

struct testing_options {
	struct probe_options probe;      /* but `watching` */
	const char *directory;
	unsigned jobs;
	bool filter;
	bool nulls;                      /* an argument may be null though no caller was seen to give that */
	struct digest key;               /* of all options that decide what comes out */
	void (*progress)(void *context, const char *what, size_t done, size_t count);
	void *context;
};

struct testing;

struct testing *testing_new(const struct testing_options *o, struct err *err);
void testing_free(struct testing *t);

/* Explores these functions, and holds what failed in them against their callers. What is known from before is not done again. */
bool testing_run(struct testing *t, const uint32_t *functions, size_t count, struct err *err);

/* Of functions that testing_run was given, or that call them. NULL: it was interrupted. */
const struct summary *testing_summary(struct testing *t, uint32_t function);

/* A failure in a function, and what is to be thought of it. */
struct testing_row {
	const struct summary_failure *failure;
	const struct verdict_row *verdict;
	uint32_t tested;             /* the function that was tested when it was seen: it, or one whose own run led to it */
};

/* Its own failures first, then those that its callers alone have led to. */
const struct testing_row *testing_rows(struct testing *t, uint32_t function, size_t *count);

#endif
