/* Union-find that remembers when. Trees are joined by size and never flattened, so a way to the root has logarithmic length, and
 * stopping at the first edge that is too young gives the root of any earlier time. Children are kept in the order of their
 * joining, so walking down an earlier set costs no more than that set has elements. */
#include "solve/forest.h"

void forest_free(struct forest *f)
{
	vec_free(&f->trees);
	vec_free(&f->next_item);
}

void forest_grow(struct forest *f, uint32_t elements)
{
	static const struct tree lone = {
		FOREST_NONE, FOREST_NONE, 1, FOREST_NONE, FOREST_NONE, FOREST_NONE, FOREST_NONE, FOREST_NONE,
	};
	while (f->trees.count < elements)
		vec_push(&f->trees, lone);
}

uint32_t forest_root(const struct forest *f, uint32_t x, uint32_t time)
{
	while (f->trees.at[x].joined < time)
		x = f->trees.at[x].parent;
	return x;
}

static void hang(struct forest *f, uint32_t child, uint32_t parent, uint32_t time)
{
	struct tree *p = &f->trees.at[parent], *c = &f->trees.at[child];
	c->parent = parent;
	c->joined = time;
	p->size += c->size;
	if (p->last_child == FOREST_NONE)
		p->first_child = child;
	else
		f->trees.at[p->last_child].next = child;
	p->last_child = child;
}

void forest_join(struct forest *f, uint32_t x, uint32_t y, uint32_t time)
{
	x = forest_root(f, x, FOREST_NONE);
	y = forest_root(f, y, FOREST_NONE);
	if (x == y)
		return;
	if (f->trees.at[x].size < f->trees.at[y].size)
		hang(f, x, y, time);
	else
		hang(f, y, x, time);
}

void forest_put(struct forest *f, uint32_t element, uint32_t item)
{
	struct tree *t = &f->trees.at[element];
	while (f->next_item.count <= item)
		vec_push(&f->next_item, FOREST_NONE);
	if (t->last_item == FOREST_NONE)
		t->first_item = item;
	else
		f->next_item.at[t->last_item] = item;
	t->last_item = item;
}

/* The list of elements is its own queue. */
void forest_collect(const struct forest *f, uint32_t root, uint32_t time, forest_list *elements, forest_list *items)
{
	size_t at = elements->count;
	vec_push(elements, root);
	for (; at < elements->count; at++) {
		const struct tree *t = &f->trees.at[elements->at[at]];
		for (uint32_t i = t->first_item; i < time; i = f->next_item.at[i])
			vec_push(items, i);
		for (uint32_t c = t->first_child; c != FOREST_NONE && f->trees.at[c].joined < time; c = f->trees.at[c].next)
			vec_push(elements, c);
	}
}
