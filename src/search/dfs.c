/* dfs: depth first over the tree of paths. The choices of a path are tried from the shallowest to the deepest; if one leads where it should, the search goes on
 * below it in the new path, and comes back for the rest. dfs-deep is the same with the deepest choice first. When all is done it starts
 * over from a random input.
 *
 * The state is a stack of paths, each with the step below which its choices are free and the next choice to try. */
#include "search/search.h"

#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>

enum { SHALLOW, DEEP };

/* Choices first .. end - 1 are left to be tried. */
struct frame {
	uint32_t walk, first, end;
};

struct dfs {
	struct world *world;
	bool deep;
	VEC(struct frame) stack;
};

static void *dfs_open(struct world *w, const struct strategy *self)
{
	struct dfs *d = mem_alloc(sizeof *d);
	d->world = w;
	d->deep = self->option == DEEP;
	return d;
}

static void enter(struct dfs *d, uint32_t walk, uint32_t step)
{
	const struct walk *w = &d->world->walks.at[walk];
	vec_push(&d->stack, (struct frame){ walk, walk_choice_from(w, step), w->choices_count });
}

static void dfs_begin(void *s, uint32_t walk, uint32_t fresh)
{
	struct dfs *d = s;
	(void)fresh;
	vec_clear(&d->stack);
	enter(d, walk, 0);
}

static bool next_choice(struct dfs *d, struct frame *f, struct pick *out)
{
	const struct walk *w = &d->world->walks.at[f->walk];
	while (!w->dropped && f->first < f->end) {
		uint32_t i = d->deep ? --f->end : f->first++;
		if (!choice_is_branch(&w->choices[i]))
			continue;
		*out = (struct pick){ f->walk, w->choices[i] };
		return true;
	}
	return false;
}

static enum search_move dfs_choose(void *s, struct pick *out)
{
	struct dfs *d = s;
	for (; d->stack.count; d->stack.count--)
		if (next_choice(d, &d->stack.at[d->stack.count - 1], out))
			return SEARCH_TRY;
	return SEARCH_RESTART;
}

static void dfs_learn(void *s, const struct pick *p, const struct result *r)
{
	if (r->kind == RESULT_WALK && r->predicted)
		enter(s, r->walk, p->choice.step + 1);
}

static void dfs_close(void *s)
{
	struct dfs *d = s;
	vec_free(&d->stack);
	free(d);
}

#define FUNCTIONS .open = dfs_open, .begin = dfs_begin, .choose = dfs_choose, .learn = dfs_learn, .close = dfs_close

const struct strategy search_dfs = { .name = "dfs", .text = "depth first, the shallowest branch of a path first", FUNCTIONS, .option = SHALLOW };
const struct strategy search_dfs_deep = { .name = "dfs-deep", .text = "depth first, the deepest branch of a path first", FUNCTIONS, .option = DEEP };
