/* cfds (control-flow directed): the choices of the path are tried in the order of how few branches the side they lead to is away from an uncovered one in the static
 * graph, plus the number of choices before that lead to the same side. The first TRIES that can be solved run. A run that covers something new is the next path, and distances are
 * measured anew. One that does not, but went where it should, is followed: along its decisions behind the branch, as long as the distance shrinks, taking
 * the other side where only that brings it closer. If all fails, a random input, and coverage is counted afresh: other ways to the same places may lead on.
 *
 * Choices without a place in the graph (branches of models) come behind all others, as if they were a distance away that leaves the rest of the tries to them. */
#include "search/icfg.h"
#include "search/search.h"

#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

enum { TRIES = 30, PLACELESS = 1000, FOLLOW_MAX = 64 /* decisions looked at to find the next that is closer */ };

struct scored {
	uint32_t score, order, choice;
};

/* Where a followed run is: distances have to become smaller than `distance` behind `step`. */
struct trail {
	uint32_t walk, step, distance;
};

struct cfds {
	struct world *world;
	struct tally afresh;
	uint64_t measured;         /* state of coverage that the distances are of */
	uint32_t *distance, room;  /* by edge */
	uint32_t walk;
	VEC(struct scored) order;  /* of its choices: a heap, as few of many are tried */
	unsigned tries;            /* left */
	bool sorted;
	uint32_t *met, *met_at;    /* by edge: choices so far that lead to it, in this sort */
	uint32_t *failed;          /* by edge: runs for it that found nothing, since the last restart */
	uint32_t sorts;
	VEC(struct trail) trails;  /* the last is followed first */
	struct trail trail;        /* of the pick under way; walk WALK_NONE: it is one of the order */
};

static void *cfds_open(struct world *w, const struct strategy *self)
{
	struct cfds *c = mem_alloc(sizeof *c);
	(void)self;
	c->world = w;
	c->measured = UINT64_MAX;
	c->trail.walk = WALK_NONE;
	return c;
}

/* --- distances --- */

static void reserve(struct cfds *c)
{
	uint32_t edges = c->world->edges + 1;
	if (edges <= c->room)
		return;
	c->distance = mem_resize_array(c->distance, edges, sizeof *c->distance);
	c->met = mem_resize_array(c->met, edges, sizeof *c->met);
	c->met_at = mem_resize_array(c->met_at, edges, sizeof *c->met_at);
	c->failed = mem_resize_array(c->failed, edges, sizeof *c->failed);
	memset(c->met_at + c->room, 0, (edges - c->room) * sizeof *c->met_at);
	memset(c->failed + c->room, 0, (edges - c->room) * sizeof *c->failed);
	c->room = edges;
	c->measured = UINT64_MAX;
}

static void measure(struct cfds *c)
{
	reserve(c);
	struct icfg *g = world_icfg(c->world);
	if (c->measured == c->afresh.changes)
		return;
	if (g)
		icfg_measure(g, &c->afresh, c->distance, c->room);
	for (uint32_t i = 0; !g && i < c->room; i++)
		c->distance[i] = tally_has(&c->afresh, i);
	c->measured = c->afresh.changes;
}

static uint32_t distance_of(const struct cfds *c, uint32_t edge)
{
	return edge < c->room ? c->distance[edge] : ICFG_FAR;
}

/* --- the order of a path's choices --- */

static bool is_before(const struct scored *a, const struct scored *b)
{
	return a->score != b->score ? a->score < b->score : a->order < b->order;
}

/* Down to where it belongs. */
static void sink(struct scored *heap, size_t count, size_t at)
{
	struct scored moved = heap[at];
	for (size_t child; (child = 2 * at + 1) < count; at = child) {
		child += child + 1 < count && is_before(&heap[child + 1], &heap[child]);
		if (!is_before(&heap[child], &moved))
			break;
		heap[at] = heap[child];
	}
	heap[at] = moved;
}

static uint32_t take_first(struct cfds *c)
{
	uint32_t choice = c->order.at[0].choice;
	c->order.at[0] = c->order.at[--c->order.count];
	if (c->order.count)
		sink(c->order.at, c->order.count, 0);
	return choice;
}

static void shuffle(struct cfds *c)
{
	for (size_t i = c->order.count; i > 1; i--) {
		size_t k = (size_t)rng_below(&c->world->rng, i);
		struct scored t = c->order.at[i - 1];
		c->order.at[i - 1] = c->order.at[k];
		c->order.at[k] = t;
	}
}

/* How many choices before this one, in the order of the shuffle, lead to the same side. */
static uint32_t picks_before(struct cfds *c, uint32_t edge)
{
	if (edge >= c->room)
		return 0;
	if (c->met_at[edge] != c->sorts) {
		c->met_at[edge] = c->sorts;
		c->met[edge] = 0;
	}
	return c->met[edge]++;
}

static uint32_t score(struct cfds *c, const struct walk_choice *choice)
{
	uint32_t d = distance_of(c, choice->edge);
	const struct counted *counted = &c->world->counted;
	if (choice->edge >= c->room || (counted->words && !bits_have(counted->words, counted->count, choice->edge)))
		d = PLACELESS;
	return d == ICFG_FAR ? ICFG_FAR : d + picks_before(c, choice->edge) + (choice->edge < c->room ? c->failed[choice->edge] : 0);
}

/* At random first, so that of equals none comes first by its place. Without a way to anything uncovered a choice is not tried. */
static void sort(struct cfds *c)
{
	const struct walk *w = &c->world->walks.at[c->walk];
	size_t n = 0;
	measure(c);
	vec_clear(&c->order);
	for (uint32_t i = 0; i < w->choices_count; i++)
		if (choice_is_branch(&w->choices[i]))
			vec_push(&c->order, (struct scored){ 0, 0, i });
	shuffle(c);
	c->sorts++;
	for (size_t i = 0; i < c->order.count; i++) {
		struct scored s = { score(c, &w->choices[c->order.at[i].choice]), (uint32_t)i, c->order.at[i].choice };
		if (s.score != ICFG_FAR)
			c->order.at[n++] = s;
	}
	c->order.count = n;
	for (size_t i = n / 2; i-- > 0;)
		sink(c->order.at, n, i);
	c->sorted = true;
}

static void move_to(struct cfds *c, uint32_t walk)
{
	c->walk = walk;
	c->tries = TRIES;
	c->sorted = false;
	vec_clear(&c->trails);
}

static void cfds_begin(void *s, uint32_t walk, uint32_t fresh)
{
	struct cfds *c = s;
	(void)fresh;
	tally_empty(&c->afresh);
	if (c->room)
		memset(c->failed, 0, c->room * sizeof *c->failed);
	tally_add(&c->afresh, &c->world->walks.at[walk], &c->world->counted);
	move_to(c, walk);
}

/* --- following --- */

/* The closest choice of the walk at a step, if it is closer than this. */
static const struct walk_choice *closer(const struct cfds *c, const struct walk *w, uint32_t step, uint32_t than)
{
	const struct walk_choice *best = NULL;
	for (uint32_t i = walk_choice_from(w, step); i < w->choices_count && w->choices[i].step == step; i++) {
		uint32_t d = choice_is_branch(&w->choices[i]) ? distance_of(c, w->choices[i].edge) : ICFG_FAR;
		if (d < than) {
			best = &w->choices[i];
			than = d;
		}
	}
	return best;
}

/* Goes along the walk from where the trail is. What it passes that is closer becomes the mark to beat; the first choice that beats it is taken, and if that
 * fails the trail goes on behind it. */
static bool follow(struct cfds *c, struct trail *t, struct pick *out)
{
	const struct walk *w = &c->world->walks.at[t->walk];
	for (unsigned looked = 0; !w->dropped && t->distance && t->step + 1 < w->steps_count && looked < FOLLOW_MAX; looked++) {
		t->step++;
		const struct walk_choice *choice = closer(c, w, t->step, t->distance);
		uint32_t passed = distance_of(c, w->steps[t->step].edge);
		if (choice && distance_of(c, choice->edge) < passed) {
			*out = (struct pick){ t->walk, *choice };
			return true;
		}
		if (passed < t->distance)
			t->distance = passed;
	}
	return false;
}

static enum search_move cfds_choose(void *s, struct pick *out)
{
	struct cfds *c = s;
	const struct walk *w = &c->world->walks.at[c->walk];
	for (; c->trails.count; c->trails.count--)
		if (follow(c, &c->trails.at[c->trails.count - 1], out)) {
			c->trail = c->trails.at[c->trails.count - 1];
			return SEARCH_TRY;
		}
	c->trail.walk = WALK_NONE;
	if (!c->sorted && !w->dropped)
		sort(c);
	if (w->dropped || !c->tries || !c->order.count)
		return SEARCH_RESTART;
	*out = (struct pick){ c->walk, w->choices[take_first(c)] };
	return SEARCH_TRY;
}

static void cfds_learn(void *s, const struct pick *p, const struct result *r)
{
	struct cfds *c = s;
	if (r->kind != RESULT_WALK)
		return;
	c->tries -= c->trail.walk == WALK_NONE && c->tries;
	uint32_t distance = distance_of(c, p->choice.edge);
	if (tally_add(&c->afresh, &c->world->walks.at[r->walk], &c->world->counted)) {
		move_to(c, r->walk);
		return;
	}
	if (p->choice.edge < c->room)
		c->failed[p->choice.edge]++;
	if (r->predicted && distance != ICFG_FAR && distance && c->trails.count < TRIES)
		vec_push(&c->trails, (struct trail){ r->walk, p->choice.step, distance });
}

static void cfds_close(void *s)
{
	struct cfds *c = s;
	tally_free(&c->afresh);
	vec_free(&c->order);
	vec_free(&c->trails);
	free(c->distance);
	free(c->met);
	free(c->met_at);
	free(c->failed);
	free(c);
}

const struct strategy search_cfds = {
	.name = "cfds", .text = "the branch of the last path closest to an uncovered one",
	.open = cfds_open, .begin = cfds_begin, .choose = cfds_choose, .learn = cfds_learn, .close = cfds_close,
};
