/* Explorations that are compared: many, each with a search, perhaps weights, and a seed; by several processes, and none twice. Results are kept in a file as they come (docs/trials-format.md), so whoever is interrupted
 * goes on; what was found on the way, tests and bugs, is kept too: to learn is to test. */
#ifndef TANDEM_CLI_TRIALS_H
#define TANDEM_CLI_TRIALS_H

#include "base/err.h"
#include "engine/engine.h"

struct strategy;
struct trials;

struct trial {
	const struct strategy *search;
	const double *weights;    /* WEIGHTS of them; NULL: the search has none */
	uint64_t seed;
	uint64_t execs;           /* runs; 0: as many as the engine's options say */
	bool compared;            /* nobody learns from it: what it covers is counted apart */
};

struct trial_result {
	double covered;           /* sides of branches; */
	double chained;           /* a switch counted as a chain of comparisons, as the literature does */
};

struct trials_options {
	const char *directory;
	const struct engine_options *engine; /* of each: program, inputs, runs; the rest is replaced */
	unsigned jobs;
	bool apart;               /* nothing is shared: every trial makes all of its runs */
	uint64_t tree_size;       /* bytes that shared runs and answers may take on disk */
	const volatile sig_atomic_t *stop;
	double until;             /* clock_seconds: then it is stopped too */
	void (*progress)(void *context, size_t done, size_t count, double seconds); /* of the batch that runs; seconds: that all of its trials took so far. Or NULL */
	void *context;
};

/* A directory that is there is gone on with, if its trials are of the same program and libraries, inputs and number of runs, and were made by the same build of Tandem. */
struct trials *trials_open(const struct trials_options *o, struct err *err);
void trials_close(struct trials *t);

/* False: it was stopped, or cannot go on, and why (an empty text: it was stopped). */
bool trials_run(struct trials *t, const struct trial *list, size_t count, struct trial_result *results, struct err *err);

struct trials_sums {
	uint64_t made, known;     /* trials: now, and of those that were there before each that was asked for */
	double runs, seconds;     /* of those that were made now */
	double runs_made;         /* of these runs: the others were known */
	uint64_t tree_size;       /* bytes on disk; */
	bool tree_full;           /* what is new is not shared any more */
	uint64_t covered, sides;  /* by all trials ever, and how many there are; */
	uint64_t learnt;          /* by those that were made to learn */
};

struct trials_sums trials_sums(const struct trials *t);

/* Somebody wants it to end, or its time has come. */
bool trials_is_over(const struct trials *t);

/* How coverage grew in a trial that was made. NULL: it is not known. */
struct ledger_step;
const struct ledger_step *trials_curve(struct trials *t, const struct trial *one, size_t *count);

#endif
