/* What exploring one function has brought, apart from the runs it comes from: how it fails, and with what it calls others. Alarms are held against the summaries of callers (filter.h). A summary is one row of bytes, to be kept in a file. */
#ifndef TANDEM_UNIT_SUMMARY_H
#define TANDEM_UNIT_SUMMARY_H

#include "base/err.h"
#include "base/pack.h"
#include "testcase/testcase.h"
#include "unit/formula.h"

/* A path of the function, up to its call of another. Each once. */
struct summary_call {
	uint32_t callee;
	struct formula path;
};

/* A failure in the function itself: it has happened twice. */
struct summary_failure {
	uint64_t name;                /* the same for the same failure */
	const char *class;            /* "overflow" */
	const char *what;             /* in a line: "write of 4 bytes ... past the end of ..." */
	const char *place;            /* "f at a.c:12:3" */
	const char *const *frames;
	size_t frames_count;
	const char *input;            /* as a person reads it */
	struct testcase feed;
	uint64_t run;                 /* the how many-th it was */
	const struct formula *paths;  /* that end so, as many as are kept */
	size_t paths_count;
	uint64_t paths_seen;          /* of them all */
};

/* A failure in another function of the unit: that one's own business, but one of its callers has led to it. It has no paths. */
struct summary_other {
	struct summary_failure is;
	bool null;                    /* a pointer among its own arguments was null, which may be why */
};

struct summary {
	const char *trouble;          /* why it could not be tested; NULL: it was */
	struct digest plan;           /* of what it was given; whoever called it with something else has watched another one */
	uint32_t given;
	const struct summary_failure *failures;
	size_t failures_count;
	const struct summary_other *others;
	size_t others_count;
	const struct summary_call *calls;
	size_t calls_count;
	bool calls_left_out;          /* there were more */
	bool exhausted;               /* nothing was left to be tried */
	uint64_t runs;
	double seconds, started;      /* started: until the first run was over */
	const uint32_t *edges;        /* that were taken */
	size_t edges_count;
};

void summary_pack(const struct summary *s, struct pack *out);

/* All of it in the arena. False: these are no bytes of a summary. */
bool summary_unpack(struct summary *s, const void *bytes, size_t size, struct arena *arena, struct err *err);

#endif
