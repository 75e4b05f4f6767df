/* What is said of a branch of a path before its score is computed: 40 yes-or-no features, those of ParaDySE (Cha, Hong, Lee, Oh: Automatically Generating Search Heuristics for Concolic Testing,
 * ICSE 2018). A branch is a choice of the path that has an edge: the side that was not taken, its *opposite*. Counts of branches are by that edge, so each case of a switch is a branch of its own. */
#ifndef TANDEM_SEARCH_FEATURE_H
#define TANDEM_SEARCH_FEATURE_H

#include "search/walk.h"

struct features;
struct world;

#define FEATURES 40

/* What it depends on, which is how often it has to be looked at. */
enum feature_scope {
	FEATURE_FIXED,    /* the program and the opposite: once for an edge */
	FEATURE_OPPOSITE, /* the opposite and what is known by now: once for each of a path's edges */
	FEATURE_TAKEN,    /* likewise, the side taken */
	FEATURE_STRETCH,  /* where on the path it is: one stretch for a path */
	FEATURE_CONTEXT   /* the decisions before it */
};

struct stretch {
	uint32_t from, count; /* steps */
};

/* A row of the table. The number is for features that are alike. */
struct feature {
	const char *name, *text;
	enum feature_scope scope;
	uint32_t number;
	bool (*has)(const struct features *f, uint32_t edge, uint32_t number); /* FIXED, OPPOSITE, TAKEN */
	struct stretch (*stretch)(const struct features *f);                   /* STRETCH */
};

extern const struct feature *const feature_table; /* FEATURES rows; the paper's feature k is row k - 1 */

/* What a search remembers of branches. */
struct features *features_new(struct world *w);
void features_free(struct features *f);

void features_meet(struct features *f, uint32_t walk);   /* any new walk, when its coverage is counted */
void features_execute(struct features *f);               /* one more run of the search's own */
void features_negated(struct features *f, uint32_t walk, const struct walk_choice *c); /* the choice of this walk could be taken */
void features_failed(struct features *f, uint32_t edge); /* a branch with this opposite could not */
uint32_t features_failures(const struct features *f, uint32_t edge);

/* The path that is looked at from now on. Negated: the decision where it left the one before; WALK_NONE: it did not. Is_news: its run was the last, so that what it covered for the first time is newly covered. */
void features_move(struct features *f, uint32_t walk, uint32_t negated, bool is_news);

/* Something that features depend on is not as it was at the last call: they are looked at anew. */
bool features_update(struct features *f);

/* Of a choice of the path, by its index: bit k is row k. */
uint64_t features_of(struct features *f, uint32_t choice);

#endif
