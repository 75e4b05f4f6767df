/* A term that depends on the byte is a row of 256 numbers, computed from its operands' rows in loops that the compiler makes vector
 * instructions of; every other term is what it was on the seed. For a query of one byte that is a decision procedure,
 * and for others a quick look whether changing one byte is enough.
 *
 * Terms of more than 64 bits are left to others. Floating point is not: the evaluator computes it. */
#include "solve/lanes.h"

#include "base/rng.h"
#include "expr/eval.h"
#include "expr/op.h"

#include <string.h>

void lanes_free(struct lanes *l)
{
	vec_free(&l->values);
}

static uint64_t *row_at(const struct sweep *s, uint32_t row)
{
	return s->l->values.at + (size_t)row * LANES;
}

static const uint64_t *operand(struct sweep *s, uint32_t id, unsigned which)
{
	if (s->row[id])
		return row_at(s, s->row[id] - 1);
	for (unsigned i = 0; i < LANES; i++)
		s->plain[which][i] = (uint64_t)s->base[id];
	return s->plain[which];
}

/* Elements of an array, in loops that know how large one is. */
static void look_up(const struct terms *t, uint32_t array, const uint64_t *index, uint64_t *restrict out)
{
	const struct td_array *a = &t->arrays[array];
	const uint8_t *bytes = t->array_bytes + a->offset;
	uint64_t count = a->count;
#define EACH(type) \
	for (unsigned i = 0; i < LANES; i++) { \
		type v = 0; \
		if (index[i] < count) \
			memcpy(&v, bytes + index[i] * sizeof v, sizeof v); \
		out[i] = v; \
	} \
	break
	switch (a->bits) {
	case 8: EACH(uint8_t);
	case 16: EACH(uint16_t);
	case 32: EACH(uint32_t);
	case 64: EACH(uint64_t);
	default:
		for (unsigned i = 0; i < LANES; i++)
			out[i] = terms_element(t, array, index[i]);
	}
#undef EACH
}

/* One lane at a time: whatever has no loop of its own. */
static void one_by_one(const struct sweep *s, const struct td_node *n, const uint64_t *const x[3], uint64_t *out)
{
	const struct td_node *nodes = s->p->terms.nodes;
	unsigned arity = op_get(n->op)->arity;
	struct operands at = { .a_bits = arity > 0 ? nodes[n->a].bits : 0, .b_bits = arity > 1 ? nodes[n->b].bits : 0 };
	for (unsigned i = 0; i < LANES; i++) {
		at.a = x[0][i];
		at.b = arity > 1 ? x[1][i] : 0;
		at.c = arity > 2 ? x[2][i] : 0;
		out[i] = (uint64_t)eval_node(n, &at);
	}
}

static void compute(struct sweep *s, uint32_t id, uint64_t *restrict out)
{
	const struct td_node *n = &s->p->terms.nodes[id], *nodes = s->p->terms.nodes;
	unsigned arity = op_get(n->op)->arity, sign = 64u - nodes[n->a].bits;
	const uint32_t children[3] = { n->a, n->b, n->c };
	const uint64_t *x[3] = { 0 }, mask = (uint64_t)value_mask(n->bits);
	for (unsigned k = 0; k < arity; k++)
		x[k] = operand(s, children[k], k);
	const uint64_t *a = x[0], *b = x[1], *c = x[2];
#define EACH(value) for (unsigned i = 0; i < LANES; i++) out[i] = (value); break
	switch (n->op) {
	case TD_ADD: EACH((a[i] + b[i]) & mask);
	case TD_SUB: EACH((a[i] - b[i]) & mask);
	case TD_MUL: EACH((a[i] * b[i]) & mask);
	case TD_AND: EACH(a[i] & b[i]);
	case TD_OR: EACH(a[i] | b[i]);
	case TD_XOR: EACH(a[i] ^ b[i]);
	case TD_EQ: EACH(a[i] == b[i]);
	case TD_NE: EACH(a[i] != b[i]);
	case TD_ULT: EACH(a[i] < b[i]);
	case TD_ULE: EACH(a[i] <= b[i]);
	case TD_SLT: EACH((int64_t)(a[i] << sign) < (int64_t)(b[i] << sign));
	case TD_SLE: EACH((int64_t)(a[i] << sign) <= (int64_t)(b[i] << sign));
	case TD_ZEXT: EACH(a[i]);
	case TD_SEXT: EACH((uint64_t)((int64_t)(a[i] << sign) >> sign) & mask);
	case TD_EXTRACT: EACH((a[i] >> n->b) & mask);
	case TD_CONCAT: EACH((a[i] << nodes[n->b].bits | b[i]) & mask);
	case TD_ITE: EACH(a[i] ? b[i] : c[i]);
	case TD_TABLE: look_up(&s->p->terms, n->b, a, out); break;
	default: one_by_one(s, n, x, out);
	}
#undef EACH
}

void lanes_start(struct sweep *s, const struct problem *p, const u128 *base, struct lanes *l, struct arena *arena)
{
	s->p = p;
	s->l = l;
	s->base = base;
	s->rows = 0;
	s->row = arena_alloc(arena, p->terms.count * sizeof *s->row);
}

void lanes_compute(struct sweep *s, uint32_t id)
{
	vec_reserve(&s->l->values, (size_t)(s->rows + 1) * LANES);
	uint64_t *out = row_at(s, s->rows);
	if (s->p->terms.nodes[id].op == TD_INPUT)
		for (unsigned i = 0; i < LANES; i++)
			out[i] = i;
	else
		compute(s, id, out);
	s->row[id] = ++s->rows;
}

struct lane_set lanes_where(const struct sweep *s, const struct conjunct *c)
{
	struct lane_set set = {{0}};
	const uint64_t *row = s->row[c->node] ? row_at(s, s->row[c->node] - 1) : NULL;
	if (!row)
		memset(&set, conjunct_holds(c, s->base) ? 0xff : 0, sizeof set);
	for (unsigned i = 0; row && i < LANES; i++)
		set.words[i >> 6] |= (uint64_t)((row[i] == (uint64_t)c->value) != c->differs) << (i & 63);
	return set;
}

static bool depends(const struct sweep *s, const struct td_node *n)
{
	const uint32_t children[3] = { n->a, n->b, n->c };
	for (unsigned k = op_get(n->op)->arity; k-- > 0;)
		if (s->row[children[k]])
			return true;
	return false;
}

/* Gives every term that depends on the variable a row. */
static bool compute_all(struct sweep *s, uint32_t variable, unsigned *steps)
{
	for (uint32_t id = 1; id < s->p->terms.count; id++) {
		const struct td_node *n = &s->p->terms.nodes[id];
		bool is_leaf = n->op == TD_INPUT || n->op == TD_LENGTH;
		if (is_leaf ? n->c != variable : !depends(s, n))
			continue;
		if (!lanes_can(n) || !*steps)
			return false;
		lanes_compute(s, id);
		--*steps;
	}
	return true;
}

bool lanes_solve(const struct problem *p, uint32_t variable, const u128 *base, const bool *parts, struct lanes *l, unsigned *steps,
                 struct arena *arena, struct lane_set *out)
{
	struct sweep s;
	lanes_start(&s, p, base, l, arena);
	memset(out, 0xff, sizeof *out);
	if (!compute_all(&s, variable, steps))
		return false;
	for (size_t i = 0; i < p->count && !lanes_is_empty(out); i++)
		if (parts[i]) {
			struct lane_set set = lanes_where(&s, &p->parts[i]);
			lanes_intersect(out, &set);
		}
	return true;
}

/* --- choosing --- */

static bool is_text(unsigned c)
{
	return (c >= ' ' && c < 127) || c == '\n' || c == '\t';
}

static unsigned distance(unsigned x, unsigned y)
{
	return x > y ? x - y : y - x;
}

/* If the parent's byte is text, a byte that is text too is more likely to get somewhere; among those nobody knows better than dice. */
unsigned lanes_choose(const struct lane_set *s, unsigned parent, uint64_t dice)
{
	uint64_t best = UINT64_MAX;
	unsigned choice = 0;
	for (unsigned v = 0; v < LANES; v++) {
		if (!lanes_has(s, v))
			continue;
		uint64_t rank = dice ? rng_mix(dice + v) >> 2 : distance(v, parent);
		rank |= (uint64_t)(is_text(parent) && !is_text(v)) << 62;
		if (rank < best) {
			best = rank;
			choice = v;
		}
	}
	return choice;
}
