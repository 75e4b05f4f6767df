/* A run in the form a strategy can use: which decisions it took, and what else could have been decided. No terms, no
 * traces: who writes a strategy, or a test of one, can make walks by hand. */
#ifndef TANDEM_SEARCH_WALK_H
#define TANDEM_SEARCH_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WALK_NO_EDGE UINT32_MAX /* the same as TD_NO_SITE */
#define WALK_NONE UINT32_MAX

/* A decision that depended on the input, in the order of the run. */
struct walk_step {
	uint32_t edge;  /* dense index of the side taken, or WALK_NO_EDGE */
	uint32_t path;  /* hash of all decisions up to here, this one included */
};

enum choice_kind {
	CHOICE_BRANCH, CHOICE_CASE, CHOICE_DEFAULT,
	CHOICE_SAFETY, /* a rule that must hold */
	CHOICE_BOUND,  /* what was so on the way, and breaks no rule if it is not: a table was read within its window, a size did not wrap; or a rule was broken */
	CHOICE_LENGTH,
	CHOICE_KINDS
};

/* Something that could have gone another way. */
struct walk_choice {
	uint32_t id;        /* names (prefix, flip) in the whole campaign: equal ids are the same question, in whatever walk */
	union {
		uint32_t edge;  /* BRANCH, CASE, DEFAULT: the side it would take, or WALK_NO_EDGE */
		uint32_t place; /* SAFETY, BOUND, LENGTH: names the condition in the program, or the input */
	};
	uint32_t step;      /* SAFETY, BOUND: the decision that comes next; LENGTH: behind the last; others: the decision it changes */
	uint32_t path;      /* hash of the decisions up to it, its own included, as they should be */
	uint32_t event : 27, kind : 4; /* of the trace; enum choice_kind */
	uint32_t is_new : 1;/* no walk before had it */
};

/* Something that could go wrong, on the input's account or not. */
struct walk_risk {
	uint32_t step;      /* the decision that comes next */
	uint32_t place;     /* names it in the program */
};

/* What is known of a choice. */
enum choice_state { CHOICE_OPEN, CHOICE_REFUTED, CHOICE_GAVE_UP, CHOICE_TAKEN, CHOICE_STATES };

struct walk {
	struct walk_step *steps;
	struct walk_choice *choices;  /* by step */
	uint32_t steps_count, choices_count;
	uint64_t *covered;            /* bit set of edges, all that it took, on the input's account or not */
	uint32_t words;               /* of that */
	struct walk_risk *risks;      /* by step; of inputs to start from, for strategies that want them, else none */
	uint32_t risks_count;
	bool failed;                  /* something went wrong */
	bool stopped;                 /* it did not end by itself: to go on from it takes as long */
	bool dropped;                 /* no steps and choices any more, for lack of memory */
};

/* Walks by number, the oldest first. */
struct walks {
	struct walk *at;
	size_t count, room;
};

static inline bool choice_is_branch(const struct walk_choice *c)
{
	return c->kind <= CHOICE_DEFAULT;
}

/* The first choice at a step or behind it. */
static inline uint32_t walk_choice_from(const struct walk *w, uint32_t step)
{
	uint32_t low = 0, high = w->choices_count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (w->choices[middle].step < step)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

#endif
