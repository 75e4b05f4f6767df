/* Slicing, the plain way, which visits the whole query: the reference that the tests hold path.c against. By union-find over input bytes. Every term stands for one of the bytes it reads; the bytes read by one
 * conjunct are put into one set, and a conjunct stays if its set is a goal's. A shared subterm is visited once:
 * whatever it reads was united when it was first met, as all of it belongs to some conjunct.
 *
 * Children come before parents, so reaching is one pass down and uniting one pass up, without recursion. */
#include "solve/slice.h"

#include "base/rng.h"
#include "expr/op.h"

#include <stdlib.h>

static uint32_t highest_node(const struct query *q)
{
	uint32_t highest = 0;
	for (size_t i = 0; i < q->count; i++)
		if (q->parts[i].node > highest)
			highest = q->parts[i].node;
	return highest;
}

static unsigned children_of(const struct terms *t, uint32_t id, uint32_t children[3])
{
	const struct td_node *n = &t->nodes[id];
	children[0] = n->a;
	children[1] = n->b;
	children[2] = n->c;
	return op_get(n->op)->arity;
}

struct reach slice_reach(const struct query *q, struct arena *arena)
{
	uint32_t count = highest_node(q) + 1, children[3];
	struct reach r = { arena_alloc(arena, count), count };
	for (size_t i = 0; i < q->count; i++)
		r.needed[q->parts[i].node] = true;
	for (uint32_t id = count - 1; id > 0; id--)
		for (unsigned k = r.needed[id] ? children_of(&q->terms, id, children) : 0; k-- > 0;)
			r.needed[children[k]] = true;
	return r;
}

/* --- sets of bytes; a byte, or a length, is named by the first node that reads it --- */

struct sets {
	const struct terms *terms;
	uint32_t *parent;   /* of leaves; by node */
	uint32_t *leaf;     /* a leaf the node reads, or 0 */
	uint32_t *seen;     /* hash table of leaves */
	uint32_t mask;
};

static bool is_leaf(const struct td_node *n)
{
	return n->op == TD_INPUT || n->op == TD_LENGTH;
}

static bool same_leaf(const struct td_node *x, const struct td_node *y)
{
	return x->op == y->op && x->a == y->a && (x->op == TD_LENGTH || x->b == y->b);
}

static uint32_t name_leaf(struct sets *s, uint32_t id)
{
	const struct td_node *n = &s->terms->nodes[id];
	uint64_t key = (uint64_t)n->a << 32 | (n->op == TD_LENGTH ? UINT32_MAX : n->b);
	uint32_t at = (uint32_t)rng_mix(key) & s->mask;
	while (s->seen[at] && !same_leaf(&s->terms->nodes[s->seen[at]], n))
		at = (at + 1) & s->mask;
	if (!s->seen[at]) {
		s->seen[at] = id;
		s->parent[id] = id;
	}
	return s->seen[at];
}

static uint32_t find(struct sets *s, uint32_t leaf)
{
	while (s->parent[leaf] != leaf)
		leaf = s->parent[leaf] = s->parent[s->parent[leaf]];
	return leaf;
}

static uint32_t unite(struct sets *s, uint32_t x, uint32_t y)
{
	if (!x || !y)
		return x ? x : y;
	return s->parent[find(s, x)] = find(s, y);
}

static struct sets sets_new(const struct terms *t, const struct reach *r, struct arena *arena)
{
	uint32_t leaves = 0, room = 16;
	for (uint32_t id = 1; id < r->count; id++)
		leaves += r->needed[id] && is_leaf(&t->nodes[id]);
	while (room < 2 * leaves)
		room *= 2;
	return (struct sets){
		t, arena_alloc(arena, r->count * sizeof(uint32_t)), arena_alloc(arena, r->count * sizeof(uint32_t)),
		arena_alloc(arena, room * sizeof(uint32_t)), room - 1,
	};
}

static void sets_fill(struct sets *s, const struct reach *r)
{
	uint32_t children[3];
	for (uint32_t id = 1; id < r->count; id++) {
		if (!r->needed[id])
			continue;
		if (is_leaf(&s->terms->nodes[id]))
			s->leaf[id] = name_leaf(s, id);
		for (unsigned k = children_of(s->terms, id, children); k-- > 0;)
			s->leaf[id] = unite(s, s->leaf[id], s->leaf[children[k]]);
	}
}

/* All goals are one demand, so what they read is one set. 0: they read nothing. */
static uint32_t unite_goals(struct sets *s, const struct query *q)
{
	uint32_t all = 0;
	for (size_t i = 0; i < q->count; i++)
		if (q->parts[i].kind == CONJUNCT_GOAL)
			all = unite(s, all, s->leaf[q->parts[i].node]);
	return all;
}

struct query slice_query(const struct query *q, struct arena *arena)
{
	struct query out = *q;
	struct reach r = slice_reach(q, arena);
	struct sets s = sets_new(&q->terms, &r, arena);
	struct conjunct *kept = arena_alloc(arena, q->count * sizeof *kept);
	uint32_t *last = arena_alloc(arena, r.count * sizeof *last); /* by node: its newest conjunct's place, plus one */
	sets_fill(&s, &r);
	uint32_t goals = unite_goals(&s, q);
	out.parts = kept;
	out.count = 0;
	for (size_t i = 0; i < q->count; i++) {
		const struct conjunct *c = &q->parts[i];
		uint32_t leaf = s.leaf[c->node];
		bool stays = c->kind == CONJUNCT_GOAL || (goals && leaf && find(&s, leaf) == find(&s, goals));
		bool again = last[c->node] && c->kind != CONJUNCT_GOAL && conjunct_same(&kept[last[c->node] - 1], c);
		if (!stays || again)
			continue;
		kept[out.count++] = *c;
		last[c->node] = (uint32_t)out.count;
	}
	return out;
}
