/* auto: across the whole tree. Every open choice waits at the edge it would take; edges are in a heap by their score, so a choice costs the logarithm of their number
 * and not a look at everything. The score of an edge is its static distance to an uncovered branch and how often it was tried already: an uncovered edge comes first, if it
 * keeps being refuted others get their turn, and nothing waits for ever. After new coverage distances are measured anew and the heap is made anew, once, when it is next needed.
 *
 * Turns: NEAR   the best of the newest walk, which may be half-way through a comparison, or have opened a part of the program that nothing else leads to;
 *        BEST   the best edge of all: one of its choices, every second time the newest;
 *        ANY    any edge that has one, so that no score can starve it. */
#include "search/icfg.h"
#include "search/search.h"

#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

enum {
	FAR = 40,             /* what a distance counts at most */
	STEP = 4,             /* what a branch of distance counts: as much as so many tries */
	COST_RUN = 2,         /* a try that ran */
	WAITING_MAX = 1 << 16 /* choices of one edge; more of them are left to chance */
};

struct place {
	VEC(struct pick) waiting;
	uint32_t tries, score;
	uint32_t at;          /* in the heap, from 1 on; 0: not there */
};

struct automatic {
	struct world *world;
	struct place *places; /* by edge; the last is for choices without one */
	uint32_t count;
	VEC(uint32_t) heap;   /* of places with something waiting */
	uint32_t *distance;
	uint64_t measured;    /* state of coverage that scores are of */
	uint32_t newest;      /* walk that is looked at by itself, or WALK_NONE */
	uint64_t turns;
};

/* --- the heap --- */

static void put_at(struct automatic *a, size_t i, uint32_t place)
{
	a->heap.at[i] = place;
	a->places[place].at = (uint32_t)i + 1;
}

static void sift_up(struct automatic *a, size_t i)
{
	uint32_t place = a->heap.at[i];
	for (; i && a->places[a->heap.at[(i - 1) / 2]].score > a->places[place].score; i = (i - 1) / 2)
		put_at(a, i, a->heap.at[(i - 1) / 2]);
	put_at(a, i, place);
}

static void sift_down(struct automatic *a, size_t i)
{
	uint32_t place = a->heap.at[i];
	for (size_t k; (k = 2 * i + 1) < a->heap.count; i = k) {
		if (k + 1 < a->heap.count && a->places[a->heap.at[k + 1]].score < a->places[a->heap.at[k]].score)
			k++;
		if (a->places[a->heap.at[k]].score >= a->places[place].score)
			break;
		put_at(a, i, a->heap.at[k]);
	}
	put_at(a, i, place);
}

static void heap_add(struct automatic *a, uint32_t place)
{
	if (a->places[place].at)
		return;
	vec_push(&a->heap, place);
	sift_up(a, a->heap.count - 1);
}

static void heap_remove(struct automatic *a, uint32_t place)
{
	size_t i = a->places[place].at;
	if (!i--)
		return;
	a->places[place].at = 0;
	uint32_t last = a->heap.at[--a->heap.count];
	if (last == place)
		return;
	put_at(a, i, last);
	sift_up(a, i);
	sift_down(a, a->places[last].at - 1);
}

/* --- scores --- */

static uint32_t score_of(const struct automatic *a, uint32_t place)
{
	uint32_t d = place + 1 == a->count ? FAR / 2 : a->distance[place] == ICFG_FAR ? FAR : a->distance[place];
	return STEP * (d < FAR ? d : FAR) + a->places[place].tries;
}

static void rescore(struct automatic *a, uint32_t place)
{
	uint32_t old = a->places[place].score;
	a->places[place].score = score_of(a, place);
	if (!a->places[place].at)
		return;
	if (a->places[place].score < old)
		sift_up(a, a->places[place].at - 1);
	else
		sift_down(a, a->places[place].at - 1);
}

/* Libraries bring edges; the place of choices without one moves to the end. */
static void reserve(struct automatic *a)
{
	uint32_t count = a->world->edges + 1;
	if (count <= a->count)
		return;
	struct place *places = mem_alloc(count * sizeof *places);
	if (a->count) {
		memcpy(places, a->places, (a->count - 1) * sizeof *places);
		places[count - 1] = a->places[a->count - 1];
	}
	for (size_t i = 0; i < a->heap.count; i++)
		if (a->heap.at[i] == a->count - 1)
			a->heap.at[i] = count - 1;
	free(a->places);
	a->places = places;
	a->count = count;
	a->distance = mem_resize_array(a->distance, count, sizeof *a->distance);
	a->measured = UINT64_MAX;
}

static void measure(struct automatic *a)
{
	struct icfg *g = world_icfg(a->world);
	reserve(a);
	if (a->measured == a->world->ever.changes)
		return;
	if (g)
		icfg_measure(g, &a->world->ever, a->distance, a->count);
	for (uint32_t i = 0; i + 1 < a->count; i++) {
		bool counts = bits_have(a->world->counted.words, a->world->counted.count, i) || !a->world->counted.words;
		if (!g || !counts) /* in a model: of use if it is new, but nothing is known of what it leads to */
			a->distance[i] = tally_has(&a->world->ever, i) ? FAR / 4 : !counts;
		a->places[i].score = score_of(a, i);
	}
	a->places[a->count - 1].score = score_of(a, a->count - 1);
	for (size_t i = a->heap.count / 2; i-- > 0;)
		sift_down(a, i);
	a->measured = a->world->ever.changes;
}

/* --- choices --- */

static uint32_t place_of(const struct automatic *a, const struct walk_choice *c)
{
	return c->edge + 1 < a->count ? c->edge : a->count - 1;
}

static void wait_at(struct automatic *a, uint32_t place, const struct pick *p)
{
	struct place *at = &a->places[place];
	if (at->waiting.count < WAITING_MAX)
		vec_push(&at->waiting, *p);
	else
		at->waiting.at[rng_below(&a->world->rng, at->waiting.count)] = *p;
	heap_add(a, place);
}

static void auto_meet(void *s, uint32_t walk)
{
	struct automatic *a = s;
	const struct walk *w = &a->world->walks.at[walk];
	reserve(a);
	for (uint32_t i = 0; i < w->choices_count; i++)
		if (w->choices[i].is_new && choice_is_branch(&w->choices[i]))
			wait_at(a, place_of(a, &w->choices[i]), &(struct pick){ walk, w->choices[i] });
	a->newest = walk;
}

static bool is_open(const struct automatic *a, const struct walk_choice *c)
{
	return a->world->states[c->id] == CHOICE_OPEN;
}

/* One that waits at a place; what was answered in the meantime goes. */
static bool take(struct automatic *a, uint32_t place, struct pick *out)
{
	struct place *at = &a->places[place];
	while (at->waiting.count) {
		bool newest = rng_below(&a->world->rng, 2);
		size_t i = newest ? at->waiting.count - 1 : (size_t)rng_below(&a->world->rng, at->waiting.count);
		*out = at->waiting.at[i];
		at->waiting.at[i] = at->waiting.at[--at->waiting.count];
		if (is_open(a, &out->choice))
			return true;
	}
	heap_remove(a, place);
	return false;
}

/* The best of the newest walk's own choices; of equals any. */
static bool take_near(struct automatic *a, struct pick *out)
{
	const struct walk *w = a->newest == WALK_NONE ? NULL : &a->world->walks.at[a->newest];
	uint32_t best = UINT32_MAX;
	uint64_t ties = 0;
	for (uint32_t i = 0; w && i < w->choices_count; i++) {
		const struct walk_choice *c = &w->choices[i];
		if (!c->is_new || !choice_is_branch(c) || !is_open(a, c))
			continue;
		uint32_t score = a->places[place_of(a, c)].score;
		if (score > best)
			continue;
		ties = score < best ? 1 : ties + 1;
		best = score;
		if (rng_below(&a->world->rng, ties) == 0)
			*out = (struct pick){ a->newest, *c };
	}
	return best != UINT32_MAX;
}

static enum search_move auto_choose(void *s, struct pick *out)
{
	struct automatic *a = s;
	measure(a);
	a->turns++;
	if (a->turns % 2 && take_near(a, out))
		return SEARCH_TRY;
	while (a->heap.count) {
		bool any = a->turns % 16 == 0;
		if (take(a, a->heap.at[any ? rng_below(&a->world->rng, a->heap.count) : 0], out))
			return SEARCH_TRY;
	}
	return SEARCH_RESTART;
}

static void auto_learn(void *s, const struct pick *p, const struct result *r)
{
	struct automatic *a = s;
	uint32_t place = place_of(a, &p->choice);
	a->places[place].tries += r->kind == RESULT_WALK ? COST_RUN : 1;
	rescore(a, place);
}

static void auto_begin(void *s, uint32_t walk, uint32_t fresh)
{
	(void)s;
	(void)walk;
	(void)fresh;
}

static void *auto_open(struct world *w, const struct strategy *self)
{
	struct automatic *a = mem_alloc(sizeof *a);
	(void)self;
	a->world = w;
	a->newest = WALK_NONE;
	a->measured = UINT64_MAX;
	return a;
}

static void auto_close(void *s)
{
	struct automatic *a = s;
	for (uint32_t i = 0; i < a->count; i++)
		vec_free(&a->places[i].waiting);
	vec_free(&a->heap);
	free(a->places);
	free(a->distance);
	free(a);
}

const struct strategy search_auto = {
	.name = "auto", .text = "the best of the whole tree: closest to what is uncovered, tried least",
	.open = auto_open, .begin = auto_begin, .choose = auto_choose, .learn = auto_learn, .meet = auto_meet, .close = auto_close,
};
