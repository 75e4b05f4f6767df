/* cgs (context-guided): breadth first over the tree, for contexts of length k = 1 .. K. At depth d = 0, 1, ... every path's branch at d is looked at; its context is
 * the k preceding decisions of the path that do not dominate it, and it is negated only if no run was made in that context. After K the search starts over with the tree of a
 * random input and k = 1; contexts that were seen stay seen.
 *
 * Our paths have only what depends on the input, so the k preceding decisions reach further back than the k preceding branches would, and there are more contexts than a pass can try. One
 * decision less is taken, k - 1. This is a choice by measurement, of one seed at 1000 runs, and not what the papers say; branches covered of replace, tree, sed, grep: k decisions 169, 360, 503, 835; k
 * of all branches, recorded 169, 360, 436, 1371; k - 1 decisions 169, 394, 493, 1302. (Then one impossible question used its context up as well. Since it takes IMPOSSIBLE of them: seeds 11 and 12,
 * switches counted as chains of comparisons, tree 515 for 509, sed 604 for 576, grep 1446 for 1428. Without such a limit sed asked 137,000 questions for 4,400, and covered the same.)
 *
 * A path has something of its own only behind the branch where it left its parent's, so it is looked at from there on; ids of choices tell whether another path had
 * the same. Paths that are found while a depth is under way are looked at in the same pass: nothing above is new in them.
 *
 * auto has one of these that is asked now and then, and must not keep it waiting: the option of its row is how many choices may be looked at before the answer is that there is nothing yet. */
#include "search/context.h"
#include "search/search.h"
#include "search/set.h"

#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>

enum { LONGEST = 5, IMPOSSIBLE = 8 /* questions that may be asked in one context; a program has places where all of thousands are */ };

/* Where a walk left its parent's, which was looked at up to there. */
struct fork {
	uint32_t step, depth;
};

struct entry {
	uint32_t walk, depth; /* from which on it is looked at */
	uint32_t choice;      /* the next of it */
};

struct cgs {
	struct world *world;
	uint64_t most, looks;    /* at choices, in one turn; 0: any number */
	unsigned k;
	uint32_t base;           /* the first walk of this tree */
	uint32_t depth, at;      /* the next to look at: of the list */
	VEC(struct entry) alive; /* walks that reach the depth; those that do not leave the list */
	uint32_t met;            /* walks before that were put there */
	VEC(struct fork) forks;  /* by walk */
	VEC(uint8_t) seen;       /* by choice: the last k it was looked at for */
	struct set contexts;     /* that are used up */
	uint64_t context;        /* of the pick under way */
};

static void *cgs_open(struct world *w, const struct strategy *self)
{
	struct cgs *c = mem_alloc(sizeof *c);
	c->world = w;
	c->most = (uint64_t)self->option;
	c->k = 1;
	return c;
}

/* --- going through the tree --- */

static struct fork *fork_of(struct cgs *c, uint32_t walk)
{
	while (c->forks.count <= walk)
		vec_push(&c->forks, (struct fork){ 0, 0 });
	return &c->forks.at[walk];
}

static void take_in(struct cgs *c)
{
	for (; c->met < c->world->walks.count; c->met++) {
		const struct fork *f = fork_of(c, c->met);
		vec_push(&c->alive, (struct entry){ c->met, f->depth, walk_choice_from(&c->world->walks.at[c->met], f->step) });
	}
}

static void next_pass(struct cgs *c)
{
	c->k++;
	c->depth = c->at = 0;
	c->met = c->base;
	vec_clear(&c->alive);
}

static void next_depth(struct cgs *c)
{
	size_t n = 0;
	c->depth++;
	c->at = 0;
	for (size_t i = 0; i < c->alive.count; i++)
		if (c->alive.at[i].choice < c->world->walks.at[c->alive.at[i].walk].choices_count)
			c->alive.at[n++] = c->alive.at[i];
	c->alive.count = n;
}

static bool was_seen(struct cgs *c, uint32_t id)
{
	while (c->seen.count <= id)
		vec_push(&c->seen, 0);
	bool seen = c->seen.at[id] == c->k;
	c->seen.at[id] = (uint8_t)c->k;
	return seen;
}

static bool is_wanted(struct cgs *c, const struct walk *w, const struct walk_choice *choice)
{
	if (!choice_is_branch(choice) || c->world->states[choice->id] != CHOICE_OPEN || was_seen(c, choice->id))
		return false;
	c->context = rng_mix(context_of(w, choice, c->k - 1, world_dominators(c->world)) ^ c->k);
	return !set_has(&c->contexts, c->context);
}

/* The next wanted choice of a walk at the depth: those of one decision. The entry is then where the next depth begins. */
static bool look(struct cgs *c, struct entry *e, struct pick *out)
{
	const struct walk *w = &c->world->walks.at[e->walk];
	uint32_t step = WALK_NONE;
	for (; e->choice < w->choices_count; e->choice++) {
		const struct walk_choice *choice = &w->choices[e->choice];
		c->looks++;
		if (!choice_is_branch(choice))
			continue;
		if (step != WALK_NONE && choice->step != step)
			return false;
		step = choice->step;
		if (!is_wanted(c, w, choice))
			continue;
		*out = (struct pick){ e->walk, *choice };
		return true;
	}
	return false;
}

static enum search_move cgs_choose(void *s, struct pick *out)
{
	struct cgs *c = s;
	c->looks = 0;
	while (c->k <= LONGEST) {
		take_in(c);
		for (; c->at < c->alive.count; c->at++, c->looks++) {
			if (c->most && c->looks > c->most)
				return SEARCH_NOTHING;
			if (c->alive.at[c->at].depth <= c->depth && look(c, &c->alive.at[c->at], out))
				return SEARCH_TRY;
		}
		if (c->alive.count)
			next_depth(c);
		else
			next_pass(c);
	}
	return SEARCH_RESTART;
}

static void cgs_begin(void *s, uint32_t walk, uint32_t fresh)
{
	struct cgs *c = s;
	(void)fresh;
	c->base = walk;
	next_pass(c);
	c->k = 1;
}

/* So many are remembered by as many hashes. */
static void note_impossible(struct cgs *c)
{
	unsigned n = 1;
	while (n < IMPOSSIBLE && !set_add(&c->contexts, rng_mix(c->context + n)))
		n++;
	if (n == IMPOSSIBLE)
		set_add(&c->contexts, c->context);
}

static void cgs_learn(void *s, const struct pick *p, const struct result *r)
{
	struct cgs *c = s;
	if (r->kind == RESULT_WALK)
		set_add(&c->contexts, c->context);
	else
		note_impossible(c);
	if (r->kind == RESULT_WALK && r->is_new && r->predicted)
		*fork_of(c, r->walk) = (struct fork){ p->choice.step + 1, c->depth + 1 };
}

static void cgs_close(void *s)
{
	struct cgs *c = s;
	vec_free(&c->alive);
	vec_free(&c->seen);
	vec_free(&c->forks);
	set_free(&c->contexts);
	free(c);
}

const struct strategy search_cgs = {
	.name = "cgs", .text = "breadth first, only branches in a new context",
	.open = cgs_open, .begin = cgs_begin, .choose = cgs_choose, .learn = cgs_learn, .close = cgs_close,
};
