/* The check that keeps us honest: does what was recorded of run A say which way run B goes? */
#ifndef TANDEM_TRACE_PREDICT_H
#define TANDEM_TRACE_PREDICT_H

#include "trace/trace.h"

enum predict_result {
	PREDICT_SAME,   /* B takes A's path to its end (or as far as both were recorded: `cut`) */
	PREDICT_FLIP,   /* B leaves A's path, exactly where A's terms say */
	PREDICT_WRONG   /* A's terms say something else than what B did: symbolism was lost, or a term is wrong */
};

struct prediction {
	enum predict_result result;
	uint32_t a, b;      /* the events where the comparison ended */
	uint32_t compared;  /* events that agreed before that */
	uint32_t promised;  /* branches and switches of B that were foretold, the one that flips included */
	bool cut;           /* a trace stopped being complete, or deterministic, there */
	char text[200];     /* for people: what flipped or what is wrong */
};

/* Both traces recorded with TD_ALL_BRANCHES. input: what B ran on, by A's input objects. */
struct prediction predict_compare(const struct trace *a, const struct trace *b, const struct assignment *input);

/* The first event that A's terms say comes out differently on another input; events_count: none. */
uint32_t predict_first_flip(const struct trace *a, const struct assignment *input);

/* The weaker check on one trace: a term's recorded value is what its event says happened. */
struct prediction predict_self(const struct trace *t);

#endif
