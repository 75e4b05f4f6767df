/* generational: every branch of the chosen path from its bound on is negated; what comes out are its children, bound behind the branch that was
 * negated, so that no two paths try the same. The next to be chosen is the child that covered the most new branches, of several the newest. When there is none left,
 * a random input. */
#include "search/search.h"

#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>

struct child {
	uint32_t walk, bound, fresh;
	uint64_t age; /* in the order of coming */
};

struct generational {
	struct world *world;
	struct child parent;
	uint32_t next;             /* choice of it */
	VEC(struct child) heap;    /* the best first */
	uint64_t children;
};

/* --- a heap --- */

static bool is_better(const struct child *a, const struct child *b)
{
	return a->fresh != b->fresh ? a->fresh > b->fresh : a->age > b->age;
}

static void put(struct generational *g, struct child c)
{
	size_t i = g->heap.count;
	vec_push(&g->heap, c);
	for (; i && is_better(&c, &g->heap.at[(i - 1) / 2]); i = (i - 1) / 2)
		g->heap.at[i] = g->heap.at[(i - 1) / 2];
	g->heap.at[i] = c;
}

static struct child take(struct generational *g)
{
	struct child best = g->heap.at[0], last = g->heap.at[--g->heap.count];
	size_t i = 0, count = g->heap.count;
	for (size_t k; (k = 2 * i + 1) < count; i = k) {
		if (k + 1 < count && is_better(&g->heap.at[k + 1], &g->heap.at[k]))
			k++;
		if (!is_better(&g->heap.at[k], &last))
			break;
		g->heap.at[i] = g->heap.at[k];
	}
	g->heap.at[i] = last;
	return best;
}

/* --- the search --- */

static void *generational_open(struct world *w, const struct strategy *self)
{
	struct generational *g = mem_alloc(sizeof *g);
	(void)self;
	g->world = w;
	return g;
}

static void expand(struct generational *g, struct child c)
{
	g->parent = c;
	g->next = walk_choice_from(&g->world->walks.at[c.walk], c.bound);
}

/* Children that are waiting stay. */
static void generational_begin(void *s, uint32_t walk, uint32_t fresh)
{
	struct generational *g = s;
	expand(g, (struct child){ walk, 0, fresh, g->children++ });
}

static bool next_choice(struct generational *g, struct pick *out)
{
	const struct walk *w = &g->world->walks.at[g->parent.walk];
	for (; !w->dropped && g->next < w->choices_count; g->next++)
		if (choice_is_branch(&w->choices[g->next])) {
			*out = (struct pick){ g->parent.walk, w->choices[g->next++] };
			return true;
		}
	return false;
}

static enum search_move generational_choose(void *s, struct pick *out)
{
	struct generational *g = s;
	while (!next_choice(g, out)) {
		if (!g->heap.count)
			return SEARCH_RESTART;
		expand(g, take(g));
	}
	return SEARCH_TRY;
}

/* A child that did not go where it should shares no prefix that its bound could be about, but SAGE does not ask. One that was there before has been chosen or is waiting. */
static void generational_learn(void *s, const struct pick *p, const struct result *r)
{
	struct generational *g = s;
	if (r->kind == RESULT_WALK && r->is_new)
		put(g, (struct child){ r->walk, p->choice.step + 1, r->fresh, g->children++ });
}

static void generational_close(void *s)
{
	struct generational *g = s;
	vec_free(&g->heap);
	free(g);
}

const struct strategy search_generational = {
	.name = "generational", .text = "all branches of the path that covered the most",
	.open = generational_open, .begin = generational_begin, .choose = generational_choose, .learn = generational_learn, .close = generational_close,
};
