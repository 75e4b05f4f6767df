/* The decisions of a path, and what else could be decided at each: flips, and the queries that ask for them. */
#ifndef TANDEM_ENGINE_FLIP_H
#define TANDEM_ENGINE_FLIP_H

#include "engine/feed.h"
#include "solve/path.h"
#include "trace/facts.h"
#include "trace/trace.h"

#include "base/arena.h"

enum flip_kind { FLIP_BRANCH, FLIP_CASE, FLIP_DEFAULT, FLIP_OUTSIDE, FLIP_LONGER, FLIP_SHORTER };

struct flip {
	uint8_t kind;       /* enum flip_kind */
	uint32_t event;
	uint32_t edge;      /* dense index of the edge it would take; TD_NO_SITE: a model's or a length */
	uint64_t value;     /* BRANCH: the side; CASE: the case; LONGER, SHORTER: the new length of */
	uint32_t object;    /* this input */
	uint64_t key;       /* the same for the same flip of the same path, in whatever run */
	uint64_t path;      /* hash of the path as it should go, the flip included */
	uint32_t decisions; /* how many decisions that hash covers */
};

typedef void flip_visit(void *context, const struct flip *f);

/* A decision as it was taken. */
struct flip_taken {
	uint32_t edge;
	uint64_t path;      /* hash of the path, this decision included */
	uint64_t key;       /* of the flip that asks for what was taken here, offered by a run that came the same way and went another; 0: nobody asks */
};

typedef void flip_visit_taken(void *context, const struct flip_taken *d);

/* Every decision of a trace, and in front of it the flips there; lengths last. */
void flip_walk(const struct trace *t, const struct facts *facts, flip_visit *visit, flip_visit_taken *taken, void *context);

/* Every flip of a trace; facts give the cases of a switch and may be NULL. */
void flip_each(const struct trace *t, const struct facts *facts, flip_visit *visit, void *context);

/* The flip of an event, given its kind and the edge it would take; without key and path. False: there is none. */
bool flip_at(const struct trace *t, const struct facts *facts, uint32_t event, enum flip_kind kind, uint32_t edge, struct flip *out);

/* What a run demanded of its input, in order: built once, asked about as often as there are flips. */
struct demands;

/* What the trace points to, the facts and the test case the run was fed with are borrowed. */
struct demands *flip_demands(const struct trace *t, const struct facts *facts, const struct testcase *feed);
void flip_demands_free(struct demands *d);
size_t flip_demands_size(const struct demands *d);
const uint32_t *flip_demands_events(const struct demands *d); /* of each demand of the path */
const struct path *flip_demands_path(const struct demands *d);

/* The prefix and the negated decision. Not for LONGER and SHORTER, which need no solver. */
struct question flip_question(const struct demands *d, const struct flip *f, struct arena *arena);

/* Did this run go where the flip said it would? */
bool flip_came_true(const struct trace *t, const struct facts *facts, const struct flip *f);

/* The edge a decision took, or TD_NO_SITE. */
/* Does it decide where the path goes on? */
bool flip_is_decision(const struct td_event *e);

uint32_t flip_edge(const struct facts *facts, const struct trace *t, const struct td_event *e);

#endif
