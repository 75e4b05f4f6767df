/* See sieve.h. Most demands of a path are about one byte: which target a pointer has, which of some values a member. For each such byte the values that all of them allow are a set of 256 bits, found once for the path by trying them all. Most calls give constants there, so that nearly all pairs of
 * paths that do not go together are told apart by some look-ups, where putting them together takes a millisecond.
 *
 * The condition that did not hold at the end says nothing here: its limit depends on how large the caller's object is. */
#include "unit/sieve.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/vec.h"
#include "contract/unit.h"
#include "expr/eval.h"
#include "expr/op.h"

#include <stdlib.h>
#include <string.h>

enum { NODES_MAX = 64 /* of a demand: what is larger is left to the solver */ };

struct hole {
	uint32_t object, offset;
	uint64_t allowed[4];
};

struct sieve {
	struct hole *holes;
	size_t count;
};

/* The nodes of a demand, children before parents, if all of it is over one byte. */
struct cone {
	uint32_t nodes[NODES_MAX];
	size_t count;
	uint32_t input;     /* the node that is the byte; 0: none yet */
};

/* depth: of parents. Whoever is below that many is one too many himself; terms of loops are a hundred thousand deep. */
static bool gather(const struct formula *f, uint32_t node, unsigned depth, struct cone *c)
{
	const struct td_node *n = &f->terms.nodes[node];
	const struct op *op = op_get(n->op);
	const uint32_t children[] = { n->a, n->b, n->c };
	for (size_t i = 0; i < c->count; i++)
		if (c->nodes[i] == node)
			return true;
	if (depth >= NODES_MAX || !op || n->op == TD_TABLE || n->op == TD_LENGTH || (n->op == TD_INPUT && (f->inputs[n->a].kind != TD_IN_MARK || c->input)))
		return false;
	if (n->op == TD_INPUT)
		c->input = node;
	for (unsigned i = 0; i < op->arity; i++)
		if (!gather(f, children[i], depth + 1, c))
			return false;
	if (c->count == NODES_MAX)
		return false;
	c->nodes[c->count++] = node;
	return true;
}

static size_t index_in(const struct cone *c, uint32_t node)
{
	size_t i = 0;
	while (i < c->count && c->nodes[i] != node)
		i++;
	return i;
}

static u128 value_with(const struct formula *f, const struct cone *c, uint8_t byte)
{
	u128 values[NODES_MAX + 1] = {0};
	for (size_t i = 0; i < c->count; i++) {
		const struct td_node *n = &f->terms.nodes[c->nodes[i]];
		const struct op *op = op_get(n->op);
		struct operands x = {0};
		if (op->arity > 0) {
			x.a = values[index_in(c, n->a)];
			x.a_bits = f->terms.nodes[n->a].bits;
		}
		if (op->arity > 1) {
			x.b = values[index_in(c, n->b)];
			x.b_bits = f->terms.nodes[n->b].bits;
		}
		if (op->arity > 2)
			x.c = values[index_in(c, n->c)];
		values[i] = n->op == TD_INPUT ? byte : eval_node(n, &x);
	}
	return values[c->count - 1];
}

/* Paths through large buffers have tens of thousands of them. */
struct holes {
	VEC(struct hole) all;
	struct map by_place;  /* index, plus 1 */
};

static struct hole *hole_at(struct holes *holes, uint32_t object, uint32_t offset)
{
	uint32_t *at = map_at(&holes->by_place, rng_mix((uint64_t)object << 32 | offset) | 1);
	if (*at && holes->all.at[*at - 1].object == object && holes->all.at[*at - 1].offset == offset)
		return &holes->all.at[*at - 1];
	vec_push(&holes->all, (struct hole){ object, offset, { UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX } });
	*at = (uint32_t)holes->all.count;
	return &holes->all.at[holes->all.count - 1];
}

static void add_demand(const struct formula *f, const struct conjunct *c, struct holes *holes)
{
	struct cone cone = {0};
	if (!gather(f, c->node, 0, &cone) || !cone.input)
		return;
	const struct td_node *in = &f->terms.nodes[cone.input];
	struct hole *h = hole_at(holes, f->inputs[in->a].index, in->b);
	for (unsigned byte = 0; byte < 256; byte++)
		if ((value_with(f, &cone, (uint8_t)byte) == c->value) == c->differs)
			h->allowed[byte / 64] &= ~(1ull << byte % 64);
}

const struct sieve *sieve_new(const struct formula *f, struct arena *arena)
{
	struct sieve *s = arena_alloc(arena, sizeof *s);
	struct holes holes = {0};
	for (size_t i = 0; i < f->count; i++)
		if (f->fault.part != i + 1)
			add_demand(f, &f->parts[i], &holes);
	s->count = holes.all.count;
	s->holes = arena_copy(arena, holes.all.count ? (const void *)holes.all.at : "", holes.all.count * sizeof *holes.all.at);
	vec_free(&holes.all);
	map_free(&holes.by_place);
	return s;
}

bool sieve_refutes(const struct sieve *s, const struct formula *caller, uint32_t given)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct hole *h = &s->holes[i];
		uint8_t byte;
		if (h->object < given && formula_constant(caller, h->object, h->offset, &byte) && !(h->allowed[byte / 64] >> byte % 64 & 1))
			return true;
	}
	return false;
}
