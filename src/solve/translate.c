/* Every operator of op.def is translated once, here, into QF_BV; expr/eval.c says what each must mean, and the unit tests hold one
 * against the other. A term of one bit is a bit-vector of one bit, never a Bool.
 *
 * Bytes are 8-bit variables, a length a 64-bit one. A byte at or past the end is 0, as for the evaluator: by a constraint if the
 * query speaks of the object's length, else as a constant. A table is a tree of choices over runs of equal elements, never an
 * array. Floating point is held at the value it had, and the answer is marked incomplete. */
#include "solve/translate.h"

#include "expr/op.h"

#include <inttypes.h>
#include <stdio.h>

/* --- small words --- */

static Z3_ast constant(struct translation *z, u128 value, unsigned bits)
{
	if (bits <= 64)
		return Z3_mk_unsigned_int64(z->c, (uint64_t)value, Z3_mk_bv_sort(z->c, bits));
	return Z3_mk_concat(z->c, constant(z, value >> 64, bits - 64), constant(z, (uint64_t)value, 64));
}

static Z3_ast bit(struct translation *z, Z3_ast truth)
{
	return Z3_mk_ite(z->c, truth, constant(z, 1, 1), constant(z, 0, 1));
}

static Z3_ast take(struct translation *z, Z3_ast x, unsigned low, unsigned bits)
{
	return Z3_mk_extract(z->c, low + bits - 1, low, x);
}

static Z3_ast is_set(struct translation *z, Z3_ast x, unsigned at)
{
	return Z3_mk_eq(z->c, take(z, x, at, 1), constant(z, 1, 1));
}

static Z3_ast resize(struct translation *z, Z3_ast x, unsigned from, unsigned to)
{
	return to < from ? take(z, x, 0, to) : Z3_mk_zero_ext(z->c, to - from, x);
}

static Z3_ast smallest(struct translation *z, unsigned bits)
{
	return constant(z, (u128)1 << (bits - 1), bits);
}

static Z3_ast largest(struct translation *z, unsigned bits)
{
	return constant(z, value_mask(bits) >> 1, bits);
}

/* --- operators without a Z3 function --- */

static Z3_ast reversed(struct translation *z, Z3_ast x, unsigned bits, unsigned group)
{
	Z3_ast r = take(z, x, 0, group);
	for (unsigned at = group; at < bits; at += group)
		r = Z3_mk_concat(z->c, r, take(z, x, at, group));
	return r;
}

/* At most 128, so eight bits do for the sum; and a width always fits into itself. */
static Z3_ast ones(struct translation *z, Z3_ast x, unsigned bits)
{
	Z3_ast sum = constant(z, 0, 8);
	for (unsigned at = 0; at < bits; at++)
		sum = Z3_mk_bvadd(z->c, sum, Z3_mk_zero_ext(z->c, 7, take(z, x, at, 1)));
	return resize(z, sum, 8, bits);
}

static Z3_ast zeros(struct translation *z, Z3_ast x, unsigned bits, bool leading)
{
	Z3_ast n = constant(z, bits, bits);
	for (unsigned i = bits; i-- > 0;)
		n = Z3_mk_ite(z->c, is_set(z, x, leading ? bits - 1 - i : i), constant(z, i, bits), n);
	return n;
}

static Z3_ast absolute(struct translation *z, Z3_ast x, unsigned bits)
{
	return Z3_mk_ite(z->c, is_set(z, x, bits - 1), Z3_mk_bvneg(z->c, x), x);
}

static Z3_ast of_bits(struct translation *z, unsigned op, unsigned bits, Z3_ast x)
{
	switch (op) {
	case TD_BSWAP: return reversed(z, x, bits, 8);
	case TD_BITREV: return reversed(z, x, bits, 1);
	case TD_CTPOP: return ones(z, x, bits);
	case TD_CTLZ: return zeros(z, x, bits, true);
	case TD_CTTZ: return zeros(z, x, bits, false);
	default: return absolute(z, x, bits);
	}
}

/* A signed product with a constant: two compares, where a multiplier of twice the width would take Z3 a thousand times as long. */
static Z3_ast overflows_times(struct translation *z, unsigned bits, Z3_ast x, Z3_ast factor)
{
	uint64_t word = 0;
	Z3_get_numeral_uint64(z->c, factor, &word);
	__int128 k = (int64_t)(word << (64 - bits)) >> (64 - bits), most = ((__int128)1 << (bits - 1)) - 1, least = -most - 1;
	if (k == 0 || k == 1)
		return Z3_mk_false(z->c);
	__int128 high = k > 0 ? most / k : least / k, low = k > 0 ? least / k : most / k;
	Z3_ast above = high >= most ? Z3_mk_false(z->c) : Z3_mk_bvsgt(z->c, x, constant(z, value_trim((u128)high, bits), bits));
	Z3_ast below = low <= least ? Z3_mk_false(z->c) : Z3_mk_bvslt(z->c, x, constant(z, value_trim((u128)low, bits), bits));
	return Z3_mk_or(z->c, 2, (Z3_ast[]){ above, below });
}

/* As a truth. One bit more is enough for sums and differences. */
static Z3_ast overflows(struct translation *z, unsigned op, unsigned bits, Z3_ast a, Z3_ast b)
{
	Z3_context c = z->c;
	bool is_sum = op == TD_UADDO || op == TD_SADDO;
	Z3_ast wide;
	switch (op) {
	case TD_UADDO: case TD_SADDO: case TD_SSUBO:
		a = op == TD_UADDO ? Z3_mk_zero_ext(c, 1, a) : Z3_mk_sign_ext(c, 1, a);
		b = op == TD_UADDO ? Z3_mk_zero_ext(c, 1, b) : Z3_mk_sign_ext(c, 1, b);
		wide = is_sum ? Z3_mk_bvadd(c, a, b) : Z3_mk_bvsub(c, a, b);
		if (op == TD_UADDO)
			return is_set(z, wide, bits);
		return Z3_mk_not(c, Z3_mk_eq(c, take(z, wide, bits, 1), take(z, wide, bits - 1, 1)));
	case TD_USUBO:
		return Z3_mk_bvult(c, a, b);
	case TD_UMULO:
		return Z3_mk_not(c, Z3_mk_bvmul_no_overflow(c, a, b, false));
	default:
		if (bits <= 64 && Z3_is_numeral_ast(c, a))
			return overflows_times(z, bits, b, a);
		if (bits <= 64 && Z3_is_numeral_ast(c, b))
			return overflows_times(z, bits, a, b);
		a = Z3_mk_sign_ext(c, bits, a);
		wide = Z3_mk_bvmul(c, a, Z3_mk_sign_ext(c, bits, b));
		return Z3_mk_not(c, Z3_mk_eq(c, wide, Z3_mk_sign_ext(c, bits, take(z, wide, 0, bits))));
	}
}

static Z3_ast shift_saturated(struct translation *z, bool is_signed, unsigned bits, Z3_ast a, Z3_ast by)
{
	Z3_context c = z->c;
	Z3_ast r = Z3_mk_bvshl(c, a, by);
	Z3_ast back = is_signed ? Z3_mk_bvashr(c, r, by) : Z3_mk_bvlshr(c, r, by);
	Z3_ast limit = constant(z, value_mask(bits), bits);
	if (is_signed)
		limit = Z3_mk_ite(c, is_set(z, a, bits - 1), smallest(z, bits), largest(z, bits));
	return Z3_mk_ite(c, Z3_mk_eq(c, back, a), r, limit);
}

static Z3_ast saturated(struct translation *z, unsigned op, unsigned bits, Z3_ast a, Z3_ast b)
{
	Z3_context c = z->c;
	Z3_ast toward_a = Z3_mk_ite(c, is_set(z, a, bits - 1), smallest(z, bits), largest(z, bits));
	switch (op) {
	case TD_UADDSAT:
		return Z3_mk_ite(c, overflows(z, TD_UADDO, bits, a, b), constant(z, value_mask(bits), bits), Z3_mk_bvadd(c, a, b));
	case TD_SADDSAT:
		return Z3_mk_ite(c, overflows(z, TD_SADDO, bits, a, b), toward_a, Z3_mk_bvadd(c, a, b));
	case TD_USUBSAT:
		return Z3_mk_ite(c, Z3_mk_bvult(c, a, b), constant(z, 0, bits), Z3_mk_bvsub(c, a, b));
	case TD_SSUBSAT:
		return Z3_mk_ite(c, overflows(z, TD_SSUBO, bits, a, b), toward_a, Z3_mk_bvsub(c, a, b));
	default:
		return shift_saturated(z, op == TD_SSHLSAT, bits, a, b);
	}
}

static Z3_ast extreme(struct translation *z, unsigned op, Z3_ast a, Z3_ast b)
{
	bool is_signed = op == TD_SMIN || op == TD_SMAX, is_min = op == TD_UMIN || op == TD_SMIN;
	Z3_ast less = is_signed ? Z3_mk_bvslt(z->c, a, b) : Z3_mk_bvult(z->c, a, b);
	return is_min ? Z3_mk_ite(z->c, less, a, b) : Z3_mk_ite(z->c, less, b, a);
}

/* Half of a:b, shifted by c modulo the width. */
static Z3_ast funnel(struct translation *z, const struct td_node *n)
{
	unsigned bits = n->bits;
	Z3_ast both = Z3_mk_concat(z->c, z->ast[n->a], z->ast[n->b]);
	Z3_ast by = Z3_mk_bvurem(z->c, z->ast[n->c], constant(z, bits, bits));
	by = Z3_mk_zero_ext(z->c, bits, by);
	if (n->op == TD_FSHL)
		return take(z, Z3_mk_bvshl(z->c, both, by), bits, bits);
	return take(z, Z3_mk_bvlshr(z->c, both, by), 0, bits);
}

/* --- operators that Z3 has --- */

static Z3_ast arithmetic(Z3_context c, unsigned op, Z3_ast a, Z3_ast b)
{
	switch (op) {
	case TD_ADD: return Z3_mk_bvadd(c, a, b);
	case TD_SUB: return Z3_mk_bvsub(c, a, b);
	case TD_MUL: return Z3_mk_bvmul(c, a, b);
	case TD_UDIV: return Z3_mk_bvudiv(c, a, b);
	case TD_SDIV: return Z3_mk_bvsdiv(c, a, b);
	case TD_UREM: return Z3_mk_bvurem(c, a, b);
	case TD_SREM: return Z3_mk_bvsrem(c, a, b);
	case TD_SHL: return Z3_mk_bvshl(c, a, b);
	case TD_LSHR: return Z3_mk_bvlshr(c, a, b);
	case TD_ASHR: return Z3_mk_bvashr(c, a, b);
	case TD_AND: return Z3_mk_bvand(c, a, b);
	case TD_OR: return Z3_mk_bvor(c, a, b);
	default: return Z3_mk_bvxor(c, a, b);
	}
}

static Z3_ast comparison(Z3_context c, unsigned op, Z3_ast a, Z3_ast b)
{
	switch (op) {
	case TD_EQ: return Z3_mk_eq(c, a, b);
	case TD_NE: return Z3_mk_not(c, Z3_mk_eq(c, a, b));
	case TD_ULT: return Z3_mk_bvult(c, a, b);
	case TD_ULE: return Z3_mk_bvule(c, a, b);
	case TD_SLT: return Z3_mk_bvslt(c, a, b);
	default: return Z3_mk_bvsle(c, a, b);
	}
}

/* --- leaves --- */

static Z3_ast variable(struct translation *z, const struct variable *v)
{
	char name[40];
	if (v->is_fixed)
		return constant(z, 0, 8);
	snprintf(name, sizeof name, v->is_length ? "length%" PRIu32 : "byte%" PRIu32 "_%" PRIu32, v->object, v->offset);
	return Z3_mk_const(z->c, Z3_mk_string_symbol(z->c, name), Z3_mk_bv_sort(z->c, v->is_length ? 64 : 8));
}

static Z3_ast held(struct translation *z, uint32_t id)
{
	return constant(z, z->p->seed[id], z->p->terms.nodes[id].bits);
}

/* --- tables --- */

struct runs {
	uint64_t *end;   /* index behind the last element of each run */
	Z3_ast *value;
	size_t count;
};

static void add_run(struct translation *z, struct runs *r, uint64_t end, uint64_t value, unsigned bits)
{
	Z3_ast v = constant(z, value, bits);
	if (!r->count || r->value[r->count - 1] != v) /* Z3 makes equal terms once */
		r->value[r->count++] = v;
	r->end[r->count - 1] = end;
}

static Z3_ast choose_run(struct translation *z, const struct runs *r, size_t from, size_t to, Z3_ast index, unsigned bits)
{
	if (to - from == 1)
		return r->value[from];
	size_t middle = from + (to - from) / 2;
	Z3_ast before = Z3_mk_bvult(z->c, index, constant(z, r->end[middle - 1], bits));
	return Z3_mk_ite(z->c, before, choose_run(z, r, from, middle, index, bits), choose_run(z, r, middle, to, index, bits));
}

static Z3_ast table(struct translation *z, const struct td_node *n, Z3_ast index, unsigned index_bits)
{
	const struct terms *t = &z->p->terms;
	uint64_t count = t->arrays[n->b].count, most = index_bits < 32 ? 1ull << index_bits : UINT64_MAX;
	struct runs r = {
		arena_alloc(z->arena, (count + 1) * sizeof *r.end), arena_alloc(z->arena, (count + 1) * sizeof *r.value), 0,
	};
	for (uint64_t i = 0; i < count && i < most; i++)
		add_run(z, &r, i + 1, terms_element(t, n->b, i), n->bits);
	if (count < most)
		add_run(z, &r, UINT64_MAX, 0, n->bits);
	return choose_run(z, &r, 0, r.count, index, index_bits);
}

/* --- all of them --- */

static Z3_ast translate_node(struct translation *z, uint32_t id)
{
	const struct td_node *n = &z->p->terms.nodes[id];
	unsigned arity = op_get(n->op)->arity, bits = n->bits;
	Z3_ast a = arity > 0 ? z->ast[n->a] : NULL, b = arity > 1 ? z->ast[n->b] : NULL;
	unsigned a_bits = arity > 0 ? z->p->terms.nodes[n->a].bits : 0;
	switch (n->op) {
	case TD_CONST:
		return constant(z, value_trim(terms_value(&z->p->terms, id), bits), bits);
	case TD_INPUT: case TD_LENGTH:
		return z->variables[n->c];
	case TD_ADD: case TD_SUB: case TD_MUL: case TD_UDIV: case TD_SDIV: case TD_UREM: case TD_SREM:
	case TD_SHL: case TD_LSHR: case TD_ASHR: case TD_AND: case TD_OR: case TD_XOR:
		return arithmetic(z->c, n->op, a, b);
	case TD_EQ: case TD_NE: case TD_ULT: case TD_ULE: case TD_SLT: case TD_SLE:
		return bit(z, comparison(z->c, n->op, a, b));
	case TD_ZEXT:
		return Z3_mk_zero_ext(z->c, bits - a_bits, a);
	case TD_SEXT:
		return Z3_mk_sign_ext(z->c, bits - a_bits, a);
	case TD_EXTRACT:
		return take(z, a, n->b, bits);
	case TD_CONCAT:
		return Z3_mk_concat(z->c, a, b);
	case TD_ITE:
		return Z3_mk_ite(z->c, is_set(z, a, 0), b, z->ast[n->c]);
	case TD_BSWAP: case TD_BITREV: case TD_CTPOP: case TD_CTLZ: case TD_CTTZ: case TD_ABS:
		return of_bits(z, n->op, bits, a);
	case TD_UADDO: case TD_SADDO: case TD_USUBO: case TD_SSUBO: case TD_UMULO: case TD_SMULO:
		return bit(z, overflows(z, n->op, a_bits, a, b));
	case TD_UADDSAT: case TD_SADDSAT: case TD_USUBSAT: case TD_SSUBSAT: case TD_USHLSAT: case TD_SSHLSAT:
		return saturated(z, n->op, bits, a, b);
	case TD_UMIN: case TD_UMAX: case TD_SMIN: case TD_SMAX:
		return extreme(z, n->op, a, b);
	case TD_FSHL: case TD_FSHR:
		return funnel(z, n);
	case TD_TABLE:
		return table(z, n, a, a_bits);
	default:
		return held(z, id);
	}
}

/* What a held term reads is not looked at by Z3, so it needs no translation of its own; it is harmless. */
static void translate_nodes(struct translation *z)
{
	z->variables = arena_alloc(z->arena, (z->p->variables_count + 1) * sizeof(Z3_ast));
	for (uint32_t i = 0; i < z->p->variables_count; i++)
		z->variables[i] = variable(z, &z->p->variables[i]);
	z->ast = arena_alloc(z->arena, z->p->terms.count * sizeof(Z3_ast));
	for (uint32_t id = 1; id < z->p->terms.count; id++)
		z->ast[id] = translate_node(z, id);
}

static void translate_parts(struct translation *z)
{
	z->parts = arena_alloc(z->arena, (z->p->count + 1) * sizeof(Z3_ast));
	for (size_t i = 0; i < z->p->count; i++) {
		const struct conjunct *c = &z->p->parts[i];
		Z3_ast is = Z3_mk_eq(z->c, z->ast[c->node], constant(z, c->value, z->p->terms.nodes[c->node].bits));
		z->parts[i] = c->differs ? Z3_mk_not(z->c, is) : is;
	}
}

static Z3_ast ends_before(struct translation *z, uint32_t byte, uint32_t length)
{
	return Z3_mk_bvule(z->c, z->variables[length], constant(z, z->p->variables[byte].offset, 64));
}

/* A byte is there or 0. Lengths come behind the bytes of their object. */
static void translate_ties(struct translation *z)
{
	const struct variable *v = z->p->variables;
	uint32_t count = z->p->variables_count, length = count;
	z->ties = arena_alloc(z->arena, (count + 1) * sizeof(Z3_ast));
	z->near = arena_alloc(z->arena, (count + 1) * sizeof(Z3_ast));
	for (uint32_t i = count; i-- > 0;)
		if (v[i].is_length) {
			length = i;
			z->ties[z->ties_count++] = Z3_mk_bvule(z->c, z->variables[i], constant(z, v[i].limit, 64));
			z->near[z->near_count++] = Z3_mk_bvule(z->c, z->variables[i], constant(z, v[i].near, 64));
		} else if (length < count && v[length].object == v[i].object) {
			Z3_ast is_zero = Z3_mk_eq(z->c, z->variables[i], constant(z, 0, 8));
			z->ties[z->ties_count++] = Z3_mk_implies(z->c, ends_before(z, i, length), is_zero);
		}
}

void translate(struct translation *z)
{
	translate_nodes(z);
	translate_parts(z);
	translate_ties(z);
}
