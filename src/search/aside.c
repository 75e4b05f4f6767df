/* Conditions: of each place in the program the 1st, 2nd, 4th, 8th, ... that any walk offers is due, at most one in CONDITION_SHARE steps, newest first
 * every second time; steps whose questions were hard count for more. The others, and lengths, wait until the strategy would start over; lengths also have one step in LENGTH_SHARE when nothing new
 * was covered for a while: a program that is being led through a comparison should not be interrupted.
 *
 * If conditions come first all that are due do, and of the others there is one in LATER_SHARE steps.
 *
 * A condition that is refuted costs no run, and one that is not is a bug: that is what the share is for. */
#include "search/aside.h"

#include "base/mem.h"
#include "base/vec.h"
#include "base/map.h"

#include <stdlib.h>

enum { CONDITION_SHARE = 4, LATER_SHARE = 2 /* if conditions come first: a long path has one for each byte it looks at */, LENGTH_SHARE = 16, CALM = 12 /* steps without new coverage */, WAITING_MAX = 1 << 20, HARD = 4 /* runs; what costs less is a step like any other */ };

/* What is taken from it leaves a gap that the last fills; the order is otherwise that of coming. */
typedef VEC(struct pick) queue;

struct aside {
	struct world *world;
	bool conditions_first;
	queue due, later, lengths;
	struct map counts;        /* of conditions, by place */
	uint64_t steps, conditions, sizes; /* so far */
	uint64_t effort, spent;   /* of all steps, and of those for conditions */
	bool asked;               /* the step under way is a condition's */
	uint64_t calm;            /* steps since something new */
	unsigned turn;
};

struct aside *aside_new(struct world *w, bool conditions_first)
{
	struct aside *a = mem_alloc(sizeof *a);
	a->world = w;
	a->conditions_first = conditions_first;
	return a;
}

void aside_free(struct aside *a)
{
	if (!a)
		return;
	vec_free(&a->due);
	vec_free(&a->later);
	vec_free(&a->lengths);
	map_free(&a->counts);
	free(a);
}

/* How many of this place there were, this one included. */
static uint32_t count_place(struct aside *a, uint32_t place)
{
	uint32_t *seen = map_at(&a->counts, rng_mix(place));
	*seen += *seen < UINT32_MAX;
	return *seen;
}

/* --- queues --- */

static void put(queue *q, uint32_t walk, const struct walk_choice *c)
{
	if (q->count < WAITING_MAX)
		vec_push(q, (struct pick){ walk, *c });
}

void aside_meet(struct aside *a, uint32_t walk)
{
	const struct walk *w = &a->world->walks.at[walk];
	for (uint32_t i = 0; i < w->choices_count; i++) {
		const struct walk_choice *c = &w->choices[i];
		if (choice_is_branch(c) || !c->is_new)
			continue;
		uint32_t nth = c->kind == CHOICE_LENGTH ? 0 : count_place(a, c->place);
		put(c->kind == CHOICE_LENGTH ? &a->lengths : (nth & (nth - 1)) == 0 ? &a->due : &a->later, walk, c);
	}
}

/* The newest, or any; those that were answered in the meantime are left out. */
static bool take(struct aside *a, queue *q, bool newest, struct pick *out)
{
	while (q->count) {
		size_t i = newest ? q->count - 1 : (size_t)rng_below(&a->world->rng, q->count);
		*out = q->at[i];
		q->at[i] = q->at[--q->count];
		if (a->world->states[out->choice.id] == CHOICE_OPEN)
			return true;
	}
	return false;
}

static bool take_condition(struct aside *a, queue *q, struct pick *out)
{
	bool found = take(a, q, a->conditions % 2 == 0, out);
	a->conditions += found;
	a->spent += found;
	a->asked = found;
	return found;
}

static bool take_length(struct aside *a, struct pick *out)
{
	bool found = take(a, &a->lengths, a->sizes % 2 == 0, out);
	a->sizes += found;
	return found;
}

bool aside_choose(struct aside *a, struct pick *out)
{
	a->steps++;
	a->effort++;
	a->asked = false;
	if (a->conditions_first && (take_condition(a, &a->due, out) || (a->steps % LATER_SHARE == 0 && take_condition(a, &a->later, out))))
		return true;
	if (CONDITION_SHARE * (a->spent + 1) <= a->effort && take_condition(a, &a->due, out))
		return true;
	return a->calm >= CALM && a->steps % LENGTH_SHARE == 0 && take_length(a, out);
}

/* A length, one of the other conditions, a restart: in turns, but all of the first two if there is nothing else to do. */
bool aside_instead(struct aside *a, bool idle, struct pick *out)
{
	for (unsigned turn = a->turn++ % 3, tries = 0; tries < 3; turn = (turn + 1) % 3, tries++) {
		if (turn == 0 && take_length(a, out))
			return true;
		if (turn == 1 && (take_condition(a, &a->due, out) || take_condition(a, &a->later, out)))
			return true;
		if (turn == 2 && !idle)
			return false;
	}
	return false;
}

void aside_learn(struct aside *a, const struct result *r)
{
	a->calm = r->fresh ? 0 : a->calm + 1;
	a->effort += r->effort / HARD;
	a->spent += a->asked ? r->effort / HARD : 0;
}
