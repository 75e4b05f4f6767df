/* Why was this side of a branch never taken? Asked of test cases that are there, and of the solver. */
#ifndef TANDEM_ENGINE_INQUIRY_H
#define TANDEM_ENGINE_INQUIRY_H

#include "base/arena.h"
#include "base/err.h"
#include "testcase/testcase.h"
#include "trace/facts.h"

/* Of one side of a branch. VERDICT(name, word) */
#define INQUIRY_VERDICT_TABLE(VERDICT) \
	VERDICT(TAKEN, "taken") \
	VERDICT(UNREACHED, "never reached") \
	VERDICT(CONCRETE, "concrete") \
	VERDICT(REFUTED, "refuted") \
	VERDICT(GAVE_UP, "gave up") \
	VERDICT(ASTRAY, "went elsewhere") /* there were inputs for it, and their runs did not take it */ \
	VERDICT(POSSIBLE, "can be taken") \
	VERDICT(SELECT, "no branch") /* a choice without a jump, which nobody asks for */

enum inquiry_verdict {
#define VERDICT(name, word) INQUIRY_##name,
	INQUIRY_VERDICT_TABLE(VERDICT)
#undef VERDICT
	INQUIRY_VERDICTS
};

/* Texts are in the arena that was given; what is not told about a verdict is 0 or NULL. */
struct inquiry_side {
	enum inquiry_verdict verdict;
	uint32_t tests;            /* TAKEN: by how many */
	size_t test;               /* TAKEN: the first of them; of what was asked: the one whose path the rest is about */
	uint32_t asked, refuted, given_up, astray; /* questions, and what came of them */
	const char *wanted;        /* the condition that was asked for */
	const char *const *causes; /* REFUTED: the conditions it contradicts, a line each; CONCRETE: what was lost */
	size_t causes_count;
	bool least;                /* REFUTED: none of them can be left out */
	struct testcase input;     /* POSSIBLE */
	const char *ending;        /* POSSIBLE: a crash or a report, if that is how the run of it ends */
};

/* A branch on the way to one that was never reached. */
struct inquiry_gate {
	const struct facts_place *place;
	uint32_t side;             /* of it: leads there */
	uint32_t distance;         /* branches from there, its own not counted */
	bool taken;                /* and was taken: runs end or turn off behind it */
};

struct inquiry_site {
	const struct facts_place *place;
	uint32_t reached, symbolic; /* by so many tests; in so many of them its condition depended on the input */
	struct inquiry_side *sides; /* place->site->edges of them */
	struct inquiry_gate gates[3]; /* if it was never reached; the nearest first */
	size_t gates_count;
};

struct inquiry_options {
	const char *program;
	const struct testcase *tests;
	size_t tests_count;
	bool sandbox;
	int wall_ms;       /* of one run */
	unsigned paths;    /* that a side is asked for on at most */
	double seconds;    /* after which nothing more is asked; 0: no limit */
	void (*note)(void *context, const char *text);
	void (*left_out)(void *context, size_t test, const char *why); /* a test that cannot be run */
	void *context;
};

struct inquiry;

/* Runs all tests. */
struct inquiry *inquiry_open(const struct inquiry_options *o, struct err *err);
void inquiry_close(struct inquiry *q);
const struct facts *inquiry_facts(const struct inquiry *q); /* of all modules that the runs loaded */

/* False: something could not be run, or the solver failed. */
bool inquiry_ask(struct inquiry *q, const struct facts_place *place, struct arena *arena, struct inquiry_site *out, struct err *err);

const char *inquiry_word(enum inquiry_verdict v);

#endif
