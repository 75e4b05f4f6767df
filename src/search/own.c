/* own: depth first with two queues, for exploring one function among others. Branches of the function itself come first, whatever path they are on; those of the functions around it have their turn when no such branch is left. In each queue the newest path's deepest branch is the next.
 * Where nobody says what the function is, all branches are its own, and this is dfs-deep without going back below what was tried. */
#include "search/search.h"

#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>

enum { WAITING_MAX = 1 << 20 };

typedef VEC(struct pick) queue;

struct own {
	struct world *world;
	queue first, others;
};

static void *own_open(struct world *w, const struct strategy *self)
{
	struct own *o = mem_alloc(sizeof *o);
	(void)self;
	o->world = w;
	return o;
}

static bool is_own(const struct own *o, const struct walk_choice *c)
{
	return !o->world->own || (c->edge < o->world->own_edges && o->world->own[c->edge]);
}

static void put(queue *q, uint32_t walk, const struct walk_choice *c)
{
	if (q->count < WAITING_MAX)
		vec_push(q, (struct pick){ walk, *c });
}

/* What is there already is further down. */
static void enter(struct own *o, uint32_t walk, uint32_t step)
{
	const struct walk *w = &o->world->walks.at[walk];
	for (uint32_t i = walk_choice_from(w, step); i < w->choices_count; i++)
		if (choice_is_branch(&w->choices[i]) && o->world->states[w->choices[i].id] == CHOICE_OPEN)
			put(is_own(o, &w->choices[i]) ? &o->first : &o->others, walk, &w->choices[i]);
}

static void own_begin(void *s, uint32_t walk, uint32_t fresh)
{
	(void)fresh;
	enter(s, walk, 0);
}

static bool take(struct own *o, queue *q, struct pick *out)
{
	while (q->count) {
		*out = q->at[--q->count];
		if (o->world->states[out->choice.id] == CHOICE_OPEN)
			return true;
	}
	return false;
}

static enum search_move own_choose(void *s, struct pick *out)
{
	struct own *o = s;
	return take(o, &o->first, out) || take(o, &o->others, out) ? SEARCH_TRY : SEARCH_RESTART;
}

/* Behind what was negated only: what is in front of it is waiting already. */
static void own_learn(void *s, const struct pick *p, const struct result *r)
{
	if (r->kind == RESULT_WALK && r->is_new)
		enter(s, r->walk, r->predicted ? p->choice.step + 1 : 0);
}

static void own_close(void *s)
{
	struct own *o = s;
	vec_free(&o->first);
	vec_free(&o->others);
	free(o);
}

const struct strategy search_own = {
	.name = "own", .text = "depth first, branches of the function under test before those of others",
	.open = own_open, .begin = own_begin, .choose = own_choose, .learn = own_learn, .close = own_close,
};
