/* One pass from the parts down to the leaves. A test of one bit of a table of character classes then costs a sixteenth of the table,
 * and of a sum that is cut to a byte the upper carries are never made. */
#include "solve/demand.h"

#include "expr/op.h"

struct pass {
	const struct problem *p;
	u128 *of;
};

/* All bits up to the highest one that is wanted: carries come from below. */
static u128 from_below(u128 wanted)
{
	for (unsigned by = 1; by < 128; by *= 2)
		wanted |= wanted >> by;
	return wanted;
}

static const struct td_node *node(const struct pass *d, uint32_t id)
{
	return &d->p->terms.nodes[id];
}

static bool is_constant(const struct pass *d, uint32_t id, u128 *value)
{
	*value = d->p->seed[id];
	return node(d, id)->op == TD_CONST;
}

/* What an AND, or an OR, with a constant lets through. */
static u128 let_through(const struct pass *d, const struct td_node *n, uint32_t other, u128 wanted)
{
	u128 k;
	if (!is_constant(d, other, &k))
		return wanted;
	return n->op == TD_AND ? wanted & k : n->op == TD_OR ? wanted & ~k : wanted;
}

static u128 before_shift(const struct td_node *n, u128 wanted, u128 by)
{
	u128 sign = (u128)1 << (n->bits - 1);
	if (by >= n->bits)
		return n->op == TD_ASHR ? sign : 0;
	if (n->op == TD_SHL)
		return wanted >> by;
	return value_trim(wanted << by, n->bits) | (n->op == TD_ASHR ? sign : 0);
}

static void pass_on(struct pass *d, uint32_t id)
{
	const struct td_node *n = node(d, id);
	u128 wanted = d->of[id], k;
	unsigned arity = op_get(n->op)->arity, a_bits = arity > 0 ? node(d, n->a)->bits : 0, b_bits = arity > 1 ? node(d, n->b)->bits : 0;
	switch (n->op) {
	case TD_ADD: case TD_SUB: case TD_MUL:
		d->of[n->a] |= from_below(wanted);
		d->of[n->b] |= from_below(wanted);
		return;
	case TD_AND: case TD_OR: case TD_XOR:
		d->of[n->a] |= let_through(d, n, n->b, wanted);
		d->of[n->b] |= let_through(d, n, n->a, wanted);
		return;
	case TD_ZEXT:
		d->of[n->a] |= value_trim(wanted, a_bits);
		return;
	case TD_SEXT:
		d->of[n->a] |= value_trim(wanted, a_bits) | (wanted >> (a_bits - 1) ? (u128)1 << (a_bits - 1) : 0);
		return;
	case TD_EXTRACT:
		d->of[n->a] |= wanted << n->b;
		return;
	case TD_CONCAT:
		d->of[n->a] |= wanted >> b_bits;
		d->of[n->b] |= value_trim(wanted, b_bits);
		return;
	case TD_ITE:
		d->of[n->a] |= 1;
		d->of[n->b] |= wanted;
		d->of[n->c] |= wanted;
		return;
	case TD_SHL: case TD_LSHR: case TD_ASHR:
		if (is_constant(d, n->b, &k)) {
			d->of[n->a] |= before_shift(n, wanted, k);
			d->of[n->b] = value_mask(b_bits);
			return;
		}
		break;
	default:
		break;
	}
	const uint32_t children[3] = { n->a, n->b, n->c };
	for (unsigned i = 0; i < arity; i++)
		d->of[children[i]] |= value_mask(node(d, children[i])->bits);
}

const u128 *demand_bits(const struct problem *p, const bool *parts, struct arena *arena)
{
	struct pass d = { p, arena_alloc(arena, p->terms.count * sizeof *d.of) };
	for (size_t i = 0; i < p->count; i++)
		d.of[p->parts[i].node] |= parts[i] ? value_mask(p->terms.nodes[p->parts[i].node].bits) : 0;
	for (uint32_t id = p->terms.count; id-- > 1;)
		if (d.of[id] && !op_is_float(p->terms.nodes[id].op)) /* what a held term reads does not matter */
			pass_on(&d, id);
	return d.of;
}
