/* Terms as a whole. A trace comes out of a program that may have been overwriting any memory, ours included, so
 * terms_check is total: it trusts nothing. Everything after it trusts it and may index children without looking.
 * Evaluation is one pass in id order, since children come first. */
#include "expr/terms.h"

#include "expr/eval.h"
#include "expr/op.h"

#include <stddef.h>
#include <string.h>

static bool is_float_width(unsigned bits)
{
	return bits == 32 || bits == 64 || bits == 80;
}

/* Widths of a node and of its children (0: none). */
struct widths {
	unsigned own, a, b, c;
};

static bool float_widths_fit(const struct td_node *n, struct widths w)
{
	switch (n->op) {
	case TD_FCMP:
		return w.own == 1 && w.a == w.b && is_float_width(w.a) && n->c <= TD_FCMP_TRUE;
	case TD_FPTOUI: case TD_FPTOSI:
		return is_float_width(w.a);
	case TD_UITOFP: case TD_SITOFP:
		return is_float_width(w.own);
	case TD_FPCAST:
		return is_float_width(w.a) && is_float_width(w.own);
	case TD_FROUND:
		return w.a == w.own && is_float_width(w.own) && n->b <= TD_ROUND_EVEN;
	default:
		return is_float_width(w.own) && w.a == w.own && (!w.b || w.b == w.own) && (!w.c || w.c == w.own);
	}
}

static bool widths_fit(const struct td_node *n, struct widths w)
{
	switch (n->op) {
	case TD_CONST:
		return true;
	case TD_INPUT:
		return w.own == 8;
	case TD_LENGTH:
		return w.own == 64;
	case TD_EQ: case TD_NE: case TD_ULT: case TD_ULE: case TD_SLT: case TD_SLE:
	case TD_UADDO: case TD_SADDO: case TD_USUBO: case TD_SSUBO: case TD_UMULO: case TD_SMULO:
		return w.own == 1 && w.a == w.b;
	case TD_ZEXT: case TD_SEXT:
		return w.a <= w.own;
	case TD_EXTRACT:
		return n->b < w.a && w.own <= w.a - n->b;
	case TD_CONCAT:
		return w.own == w.a + w.b;
	case TD_ITE:
		return w.a == 1 && w.b == w.own && w.c == w.own;
	case TD_BSWAP:
		return w.a == w.own && w.own % 8 == 0;
	default:
		if (op_is_float(n->op))
			return float_widths_fit(n, w);
		return w.a == w.own && (!w.b || w.b == w.own) && (!w.c || w.c == w.own);
	}
}

static bool node_fits(const struct terms *t, uint32_t id)
{
	const struct td_node *n = &t->nodes[id];
	const struct op *op = op_get(n->op);
	if (!op || n->bits < 1 || n->bits > 128)
		return false;
	const uint32_t children[3] = { n->a, n->b, n->c };
	unsigned widths[3] = {0};
	for (unsigned i = 0; i < op->arity; i++) {
		if (children[i] == 0 || children[i] >= id)
			return false;
		widths[i] = t->nodes[children[i]].bits;
	}
	if (n->op == TD_TABLE)
		return n->b < t->arrays_count && t->arrays[n->b].bits == n->bits;
	return widths_fit(n, (struct widths){ n->bits, widths[0], widths[1], widths[2] });
}

bool terms_check_arrays(const struct terms *t, uint64_t bytes, uint32_t *bad)
{
	for (uint32_t i = 0; i < t->arrays_count; i++) {
		const struct td_array *a = &t->arrays[i];
		bool fits = a->bits >= 8 && a->bits <= 64 && a->bits % 8 == 0 && a->offset <= bytes && a->count &&
		            a->count <= (bytes - a->offset) / (a->bits / 8u);
		if (fits && memchr(a->name, 0, sizeof a->name))
			continue;
		if (bad)
			*bad = i;
		return false;
	}
	return true;
}

uint64_t terms_element(const struct terms *t, uint32_t array, u128 index)
{
	const struct td_array *a = &t->arrays[array];
	unsigned size = a->bits / 8u;
	uint64_t v = 0;
	if (index >= a->count)
		return 0;
	memcpy(&v, t->array_bytes + a->offset + (uint64_t)index * size, size);
	return v;
}

bool terms_check(const struct terms *t, uint32_t *bad)
{
	for (uint32_t id = 1; id < t->count; id++)
		if (!node_fits(t, id)) {
			if (bad)
				*bad = id;
			return false;
		}
	return true;
}

static u128 input_byte(const struct assignment *in, uint32_t object, uint32_t offset)
{
	return object < in->count && offset < in->objects[object].length ? in->objects[object].bytes[offset] : 0;
}

/* values: those of all nodes, or NULL for the recorded ones. */
static struct operands gather(const struct terms *t, const struct td_node *n, const u128 *values)
{
	unsigned arity = op_get(n->op)->arity;
	struct operands x = {0};
	if (arity > 0) {
		x.a = values ? values[n->a] : terms_value(t, n->a);
		x.a_bits = t->nodes[n->a].bits;
	}
	if (arity > 1) {
		x.b = values ? values[n->b] : terms_value(t, n->b);
		x.b_bits = t->nodes[n->b].bits;
	}
	if (arity > 2)
		x.c = values ? values[n->c] : terms_value(t, n->c);
	return x;
}

u128 terms_eval_one(const struct terms *t, const struct assignment *in, uint32_t id, const u128 *values)
{
	const struct td_node *n = &t->nodes[id];
	if (n->op == TD_INPUT)
		return input_byte(in, n->a, n->b);
	if (n->op == TD_LENGTH)
		return n->a < in->count ? in->objects[n->a].length : 0;
	struct operands x = gather(t, n, values);
	return n->op == TD_TABLE ? terms_element(t, n->b, x.a) : eval_node(n, &x);
}

void terms_eval_all(const struct terms *t, const struct assignment *in, u128 *out)
{
	out[0] = 0;
	for (uint32_t id = 1; id < t->count; id++)
		out[id] = terms_eval_one(t, in, id, out);
}

static bool value_follows(const struct terms *t, uint32_t id)
{
	const struct td_node *n = &t->nodes[id];
	u128 own = terms_value(t, id);
	if (own != value_trim(own, n->bits))
		return false;
	if (n->op == TD_INPUT || n->op == TD_LENGTH)
		return true;
	struct operands x = gather(t, n, NULL);
	return (n->op == TD_TABLE ? terms_element(t, n->b, x.a) : eval_node(n, &x)) == own;
}

uint32_t terms_verify(const struct terms *t, uint32_t *bad)
{
	uint32_t wrong = 0;
	for (uint32_t id = 1; id < t->count; id++) {
		if (node_fits(t, id) && value_follows(t, id))
			continue;
		if (wrong++ == 0 && bad)
			*bad = id;
	}
	return wrong;
}
