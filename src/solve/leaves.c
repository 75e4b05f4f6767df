/* One pass in the order of the nodes, as far as anybody asks. Whole sets of bytes per term would be quadratic in a checksum; what is
 * needed to slice is one byte of each term and whether there are others: who wants all of them walks down. */
#include "solve/leaves.h"

#include "base/rng.h"
#include "expr/op.h"

void leaves_open(struct leaves *l, const struct terms *terms)
{
	*l = (struct leaves){ .terms = *terms, .known = 1 };
	l->of = mem_alloc(((size_t)terms->count + 1) * sizeof *l->of);
}

void leaves_close(struct leaves *l)
{
	free(l->of);
	free(l->table);
	vec_free(&l->nodes);
}

static bool same_leaf(const struct td_node *x, const struct td_node *y)
{
	return x->op == y->op && x->a == y->a && (x->op == TD_LENGTH || x->b == y->b);
}

static uint32_t *place(const struct leaves *l, const struct td_node *n)
{
	uint64_t key = (uint64_t)n->a << 32 | (n->op == TD_LENGTH ? UINT32_MAX : n->b);
	uint32_t at = (uint32_t)rng_mix(key) & (l->room - 1);
	while (l->table[at] && !same_leaf(&l->terms.nodes[l->nodes.at[l->table[at] - 1]], n))
		at = (at + 1) & (l->room - 1);
	return &l->table[at];
}

static void make_room(struct leaves *l)
{
	if (2 * (l->nodes.count + 1) <= l->room)
		return;
	free(l->table);
	l->room = l->room ? 2 * l->room : 64;
	l->table = mem_alloc(l->room * sizeof *l->table);
	for (uint32_t i = 0; i < l->nodes.count; i++)
		*place(l, &l->terms.nodes[l->nodes.at[i]]) = i + 1;
}

static uint32_t name_leaf(struct leaves *l, uint32_t id)
{
	make_room(l);
	uint32_t *at = place(l, &l->terms.nodes[id]);
	if (!*at) {
		vec_push(&l->nodes, id);
		*at = (uint32_t)l->nodes.count;
	}
	return *at;
}

static uint32_t both(uint32_t x, uint32_t y)
{
	if (!x || !y)
		return x | y;
	return x == y ? x : x | LEAVES_MANY;
}

static uint32_t look(struct leaves *l, uint32_t id)
{
	const struct td_node *n = &l->terms.nodes[id];
	if (n->op == TD_INPUT || n->op == TD_LENGTH)
		return name_leaf(l, id);
	switch (op_get(n->op)->arity) {
	case 0: return 0;
	case 1: return l->of[n->a];
	case 2: return both(l->of[n->a], l->of[n->b]);
	default: return both(both(l->of[n->a], l->of[n->b]), l->of[n->c]);
	}
}

void leaves_learn(struct leaves *l, uint32_t node)
{
	for (; l->known <= node; l->known++)
		l->of[l->known] = look(l, l->known);
}
