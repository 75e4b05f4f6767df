/* random: a uniformly random branch of the current path, without replacement until one is solved. The new path becomes the current one if it
 * covered something new or went where it should; otherwise the old one stays. After a long time without new coverage, or when
 * every branch of the path was tried in vain, it starts over. */
#include "search/deck.h"
#include "search/search.h"

#include "base/mem.h"

#include <stdlib.h>

#define PATIENCE 10000 /* walks without new coverage */

struct random {
	struct world *world;
	uint32_t walk, idle;
	struct deck deck;   /* choices of the walk not yet tried */
};

static void move_to(struct random *r, uint32_t walk)
{
	r->walk = walk;
	deck_fill(&r->deck, &r->world->walks.at[walk], 0);
}

static void *random_open(struct world *w, const struct strategy *self)
{
	struct random *r = mem_alloc(sizeof *r);
	(void)self;
	r->world = w;
	return r;
}

static void random_begin(void *s, uint32_t walk, uint32_t fresh)
{
	struct random *r = s;
	(void)fresh;
	r->idle = 0;
	move_to(r, walk);
}

static enum search_move random_choose(void *s, struct pick *out)
{
	struct random *r = s;
	const struct walk *w = &r->world->walks.at[r->walk];
	if (r->idle >= PATIENCE || w->dropped || !r->deck.count)
		return SEARCH_RESTART;
	*out = (struct pick){ r->walk, w->choices[deck_draw(&r->deck, &r->world->rng)] };
	return SEARCH_TRY;
}

static void random_learn(void *s, const struct pick *p, const struct result *result)
{
	struct random *r = s;
	(void)p;
	if (result->kind != RESULT_WALK)
		return;
	r->idle = result->fresh ? 0 : r->idle + 1;
	move_to(r, result->fresh || result->predicted ? result->walk : r->walk);
}

static void random_close(void *s)
{
	struct random *r = s;
	deck_free(&r->deck);
	free(r);
}

const struct strategy search_random = {
	.name = "random", .text = "a random branch of the last path",
	.open = random_open, .begin = random_begin, .choose = random_choose, .learn = random_learn, .close = random_close,
};
