/* The honesty check on a real program: does the trace of one run foretell what others do? */
#ifndef TANDEM_ENGINE_FORETELL_H
#define TANDEM_ENGINE_FORETELL_H

#include "base/err.h"
#include "engine/feed.h"

/* How the inputs of the other runs are made. */
enum foretell_how { FORETELL_RANDOM, FORETELL_SOLVER, FORETELL_LATE, FORETELL_HOWS };

struct foretell_options {
	const char *program;
	struct testcase feed;      /* run A's */
	unsigned pairs;
	unsigned late_share;   /* in percent: how many should be made to differ in the last quarter of A's path */
	uint64_t seed;
	bool sandbox;
	int wall_ms;
};

#define FORETELL_MESSAGES 8

struct foretell_report {
	uint64_t decisions, symbolic;       /* of run A: events, and those with a term */
	uint64_t nodes, lost;
	unsigned made[FORETELL_HOWS];       /* pairs by how they were made; fewer than asked for if there are no more inputs */
	unsigned same, cut, wrong, skipped; /* skipped: a run over time */
	unsigned flips[TD_EV_KINDS];
	unsigned late;                      /* flips in the last quarter */
	uint64_t promised, branches;        /* of the other runs: branches that were foretold, of how many */
	unsigned crashed;                   /* runs, A too, that a signal ended */
	unsigned bad_traces;                /* a node, an event or a counter of a trace disagrees with itself */
	unsigned solver_calls;
	unsigned messages_count;
	char messages[FORETELL_MESSAGES][320];
};

/* False: it could not be done. Whether the check was passed is in the report: nothing wrong and no bad trace. */
bool foretell(const struct foretell_options *o, struct foretell_report *report, struct err *err);

#endif
