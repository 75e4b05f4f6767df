/* Makes a walk of a trace and enters it in the tree. */
#ifndef TANDEM_ENGINE_SURVEY_H
#define TANDEM_ENGINE_SURVEY_H

#include "engine/feed.h"
#include "engine/flip.h"
#include "engine/tree.h"

struct survey {
	struct tree *tree;
	const struct facts *facts;
	const struct testcase *feeds; /* no input grows by more than grow_max over the longest of these */
	size_t feeds_count;
	size_t grow_max;
	uint64_t left_out;            /* choices that were not kept: too many of one edge in one walk */
};

/* number: the walk's. parent: the walk it was made from, which shares a prefix with it, or NULL. */
struct walk survey_walk(struct survey *s, const struct trace *t, uint32_t number, const struct walk *parent);

/* The flip that a choice stands for, in the trace of its walk. */
bool survey_flip(const struct trace *t, const struct facts *facts, const struct walk_choice *c, struct flip *out);

/* Did a walk go where a choice of another should have led? */
bool survey_came_true(const struct walk *w, const struct walk_choice *c);

size_t survey_size(const struct walk *w); /* bytes of steps and choices */

/* May standard input be as long? */
bool survey_has_room(const struct survey *s, size_t size);

#endif
