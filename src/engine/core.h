/* What the parts of the engine share: its state, and an input on its way (attempt.c runs one, answer.c makes one of a pick, engine.c has the loop). Nobody else includes this. */
#ifndef TANDEM_ENGINE_CORE_H
#define TANDEM_ENGINE_CORE_H

#include "base/vec.h"
#include "engine/bugs.h"
#include "engine/edges.h"
#include "engine/engine.h"
#include "engine/flip.h"
#include "engine/judge.h"
#include "engine/known.h"
#include "engine/refusals.h"
#include "engine/restart.h"
#include "engine/risks.h"
#include "engine/runner.h"
#include "engine/stock.h"
#include "engine/survey.h"
#include "engine/variants.h"
#include "search/aside.h"
#include "base/map.h"
#include "search/search.h"

/* Where a search may begin. */
struct beginning {
	uint32_t walk, fresh;
	const struct testcase *feed; /* of those that were given; NULL: it is another's */
};

struct engine {
	const struct engine_options *o;
	struct engine_stats *stats;
	struct runner *runner;
	struct solver *solver;
	struct facts facts;
	struct tree *tree;
	struct stock *stock;
	struct known *known;        /* by other explorations; NULL: nothing is */
	struct survey survey;
	struct world world;
	struct aside *aside;
	const struct strategy *search;
	void *self;                 /* the strategy's */
	struct bugs *bugs;
	struct suspects *suspects;
	struct judge judge;
	struct restart_marks marks;
	struct variants *variants;
	struct refusals refusals;   /* of edges while they were uncovered */
	uint64_t stale;             /* steps since something new was covered */
	VEC(struct beginning) beginnings; /* of the inputs that were given */
	size_t begun;               /* how many of them the search has begun with */
	VEC(uint64_t) own_ends;     /* names of what they end with themselves, for all to see */
	struct arena *scratch;      /* of a step */
	struct edge_list fresh;     /* of the last run */
	double next_tick, next_left;
	size_t walks_size;          /* bytes of steps and choices */
	uint32_t oldest_walk;       /* that still has them */
	uint32_t shape;             /* the walk whose input tells restarts how long things are */
	bool was_empty;             /* an empty input was tried */
	unsigned dry;
	uint64_t next_exchange;     /* at this number of runs */
	bool told_off;              /* by the others */
	bool repeating;             /* what ran in an earlier session */
	bool ended;                 /* a run did, by itself */
	uint64_t slowest_us;        /* of the runs so far that did */
	uint32_t longest;           /* events, of them */
	struct risks *risks;        /* NULL: nobody wants any */
	struct map checked;         /* places of conditions that were asked */
	bool lossy;                 /* something was lost, so what was tried may not be all */
	double start, rested;       /* seconds */
};

/* An input, and what it was made for. */
struct attempt {
	struct testcase feed;
	const struct pick *pick;   /* NULL: the first input, or a random one */
	struct flip flip;
	struct td_event condition; /* that should not hold; kind 0: none */
	bool sure;                 /* all that the run of the flip demands was kept, nothing that it had lost was dropped, and no argument or variable is longer or shorter: how
	                            * a model compares them depends on that (models/compare.c) */
};

bool core_is_over(const struct engine *e);       /* time, runs, a bug, or somebody says so */
size_t core_kept_max(const struct engine *e);    /* bytes */
void core_remember_edges(struct engine *e, const struct past *p); /* what others, or earlier sessions, covered */

void core_meet(struct engine *e, uint32_t walk); /* a new walk: whoever wants to know is told */

/* Runs an input that did not run before. */
bool attempt_run(struct engine *e, const struct attempt *a, uint32_t *walk, uint32_t *fresh, struct err *err);
void attempt_drop_walks(struct engine *e, uint32_t newest); /* the oldest ones, for lack of room */
const struct testcase *attempt_input(const struct engine *e, uint32_t walk); /* that it was fed with; NULL: it was dropped, and is none of those that were given */
struct testcase attempt_own(struct engine *e, struct testcase t); /* what is made of an input and its trace shares memory with them, and may have to outlive them: a new run makes room for itself */

/* Solves a pick, and runs what comes out unless that ran before. */
bool answer_pick(struct engine *e, const struct pick *p, struct result *r, struct err *err);
void answer_known(struct engine *e, const struct pick *p, struct result *r); /* of one that was answered */
bool answer_leap(struct engine *e, const struct pick *p, struct err *err);

#endif
