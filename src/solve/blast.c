/* Terms to literals, each bit that matters once. expr/eval.c says what every operator means; the tests hold one against the other.
 *
 * What narrowing has decided is no circuit any more: known bytes are constants, and the sets of others are trees over their bits.
 * Goals are hard; other parts and the sets are assumed, so that CaDiCaL says which of them it is due to if there is no model. Together
 * with what the known bytes and the sets are due to, that is a core. */
#include "solve/blast.h"

#include "base/rng.h"
#include "expr/op.h"
#include "solve/circuits.h"
#include "solve/demand.h"
#include "solve/sat.h"

#include <string.h>

#define FEW_PARTS 32u        /* are all made circuits of at once */
#define TABLE_MAX (1u << 16) /* elements: past that the circuit is too large, as with too many gates */

struct blaster {
	const struct problem *p;
	const struct narrow *n;
	const u128 *wanted;
	struct gates *g;
	struct arena *arena;
	lit **bits;          /* by node */
	lit **variables;
};

static lit constant_bit(u128 value, unsigned at)
{
	return value >> at & 1 ? GATE_TRUE : GATE_FALSE;
}

static void constant(u128 value, unsigned bits, lit *out)
{
	for (unsigned i = 0; i < bits; i++)
		out[i] = constant_bit(value, i);
}

/* --- operators --- */

static unsigned highest(u128 wanted)
{
	uint64_t high = (uint64_t)(wanted >> 64), low = (uint64_t)wanted;
	return high ? 128 - (unsigned)__builtin_clzll(high) : low ? 64 - (unsigned)__builtin_clzll(low) : 0;
}

static void divide_signed(struct gates *g, unsigned bits, bool remainder, const lit *a, const lit *b, lit *out)
{
	lit x[CIRCUIT_BITS], y[CIRCUIT_BITS], quotient[CIRCUIT_BITS], rest[CIRCUIT_BITS], minus_a = a[bits - 1], minus_b = b[bits - 1];
	circuits_negate_if(g, bits, minus_a, a, x);
	circuits_negate_if(g, bits, minus_b, b, y);
	circuits_divide(g, bits, x, y, quotient, rest);
	circuits_negate_if(g, bits, remainder ? minus_a : gates_xor(g, minus_a, minus_b), remainder ? rest : quotient, out);
}

static void divide(struct gates *g, unsigned op, unsigned bits, const lit *a, const lit *b, lit *out)
{
	lit other[CIRCUIT_BITS];
	switch (op) {
	case TD_UDIV: circuits_divide(g, bits, a, b, out, other); break;
	case TD_UREM: circuits_divide(g, bits, a, b, other, out); break;
	default: divide_signed(g, bits, op == TD_SREM, a, b, out);
	}
}

static void bitwise(struct gates *g, unsigned op, unsigned bits, u128 wanted, const lit *a, const lit *b, lit *out)
{
	for (unsigned i = 0; i < bits; i++)
		if (wanted >> i & 1)
			out[i] = op == TD_AND ? gates_and(g, a[i], b[i]) : op == TD_OR ? gates_or(g, a[i], b[i]) : gates_xor(g, a[i], b[i]);
}

static lit compare(struct gates *g, unsigned op, unsigned bits, const lit *a, const lit *b)
{
	switch (op) {
	case TD_EQ: return circuits_equal(g, bits, a, b);
	case TD_NE: return -circuits_equal(g, bits, a, b);
	default: return circuits_less(g, bits, op == TD_SLT || op == TD_SLE, op == TD_ULE || op == TD_SLE, a, b);
	}
}

static void reversed(unsigned bits, unsigned group, const lit *a, lit *out)
{
	for (unsigned i = 0; i < bits; i++)
		out[bits - group - i / group * group + i % group] = a[i];
}

static void count_ones(struct gates *g, unsigned bits, const lit *a, lit *out)
{
	lit one[CIRCUIT_BITS];
	constant(0, bits, out);
	constant(0, bits, one);
	for (unsigned i = 0; i < bits; i++) {
		unsigned width = highest(i + 1u);
		one[0] = a[i];
		circuits_add(g, width < bits ? width : bits, out, one, GATE_FALSE, out);
	}
}

static void count_zeros(struct gates *g, unsigned bits, bool leading, const lit *a, lit *out)
{
	lit here[CIRCUIT_BITS];
	constant(bits, bits, out);
	for (unsigned i = bits; i-- > 0;) {
		constant(i, bits, here);
		circuits_mux(g, bits, a[leading ? bits - 1 - i : i], here, out, out);
	}
}

static void of_bits(struct gates *g, unsigned op, unsigned bits, const lit *a, lit *out)
{
	switch (op) {
	case TD_BSWAP: reversed(bits, 8, a, out); break;
	case TD_BITREV: reversed(bits, 1, a, out); break;
	case TD_CTPOP: count_ones(g, bits, a, out); break;
	case TD_CTLZ: count_zeros(g, bits, true, a, out); break;
	case TD_CTTZ: count_zeros(g, bits, false, a, out); break;
	default: circuits_negate_if(g, bits, a[bits - 1], a, out);
	}
}

/* A sum overflows if its sign is that of neither operand; a difference likewise, with b turned. */
static lit sum_overflows(struct gates *g, unsigned bits, bool minus, const lit *a, const lit *b)
{
	lit sum[CIRCUIT_BITS], sign_a = a[bits - 1], sign_b = minus ? -b[bits - 1] : b[bits - 1];
	if (minus)
		circuits_subtract(g, bits, a, b, sum);
	else
		circuits_add(g, bits, a, b, GATE_FALSE, sum);
	return gates_and(g, -gates_xor(g, sign_a, sign_b), gates_xor(g, sign_a, sum[bits - 1]));
}

/* In twice the width. What is above must be the sign's copies, or zero. */
static lit product_overflows(struct gates *g, unsigned bits, bool is_signed, const lit *a, const lit *b)
{
	lit x[CIRCUIT_BITS], y[CIRCUIT_BITS], product[CIRCUIT_BITS], same[CIRCUIT_BITS];
	unsigned n = 0;
	for (unsigned i = 0; i < 2 * bits; i++) {
		x[i] = i < bits ? a[i] : is_signed ? a[bits - 1] : GATE_FALSE;
		y[i] = i < bits ? b[i] : is_signed ? b[bits - 1] : GATE_FALSE;
	}
	circuits_multiply(g, 2 * bits, x, y, product);
	for (unsigned i = bits; i < 2 * bits; i++)
		same[n++] = is_signed ? -gates_xor(g, product[i], product[bits - 1]) : -product[i];
	return -gates_and_all(g, same, n);
}

static lit overflow(struct gates *g, unsigned op, unsigned bits, const lit *a, const lit *b)
{
	lit sum[CIRCUIT_BITS];
	switch (op) {
	case TD_UADDO: return circuits_add(g, bits, a, b, GATE_FALSE, sum);
	case TD_USUBO: return circuits_less(g, bits, false, false, a, b);
	case TD_SADDO: case TD_SSUBO: return sum_overflows(g, bits, op == TD_SSUBO, a, b);
	default: return product_overflows(g, bits, op == TD_SMULO, a, b);
	}
}

/* The limit on the side of a: the largest or the smallest number. */
static void limit_toward(unsigned bits, bool is_signed, lit sign, lit *out)
{
	for (unsigned i = 0; i < bits; i++)
		out[i] = !is_signed ? GATE_TRUE : i + 1 == bits ? sign : -sign;
}

static void saturated_shift(struct gates *g, bool is_signed, unsigned bits, const lit *a, const lit *by, lit *out)
{
	lit shifted[CIRCUIT_BITS], back[CIRCUIT_BITS], limit[CIRCUIT_BITS];
	circuits_shift(g, bits, SHIFT_LEFT, a, by, bits, shifted);
	circuits_shift(g, bits, is_signed ? SHIFT_RIGHT_SIGNED : SHIFT_RIGHT, shifted, by, bits, back);
	limit_toward(bits, is_signed, a[bits - 1], limit);
	circuits_mux(g, bits, circuits_equal(g, bits, back, a), shifted, limit, out);
}

static void saturated(struct gates *g, unsigned op, unsigned bits, const lit *a, const lit *b, lit *out)
{
	bool minus = op == TD_USUBSAT || op == TD_SSUBSAT, is_signed = op == TD_SADDSAT || op == TD_SSUBSAT || op == TD_SSHLSAT;
	lit plain[CIRCUIT_BITS], limit[CIRCUIT_BITS], over;
	if (op == TD_USHLSAT || op == TD_SSHLSAT) {
		saturated_shift(g, is_signed, bits, a, b, out);
		return;
	}
	if (minus)
		over = -circuits_subtract(g, bits, a, b, plain);
	else
		over = circuits_add(g, bits, a, b, GATE_FALSE, plain);
	if (is_signed)
		over = sum_overflows(g, bits, minus, a, b);
	limit_toward(bits, is_signed, a[bits - 1], limit);
	if (op == TD_USUBSAT)
		constant(0, bits, limit);
	circuits_mux(g, bits, over, limit, plain, out);
}

static void extreme(struct gates *g, unsigned op, unsigned bits, const lit *a, const lit *b, lit *out)
{
	lit less = circuits_less(g, bits, op == TD_SMIN || op == TD_SMAX, false, a, b);
	circuits_mux(g, bits, op == TD_UMIN || op == TD_SMIN ? less : -less, a, b, out);
}

/* Half of a:b, shifted by c modulo the width. */
static void funnel(struct gates *g, bool left, unsigned bits, const lit *a, const lit *b, const lit *c, lit *out)
{
	lit both[CIRCUIT_BITS], width[CIRCUIT_BITS], quotient[CIRCUIT_BITS], by[CIRCUIT_BITS];
	memcpy(both, b, bits * sizeof *b);
	memcpy(both + bits, a, bits * sizeof *a);
	constant(bits, bits, width);
	memcpy(by, c, bits * sizeof *c);
	if (bits == 1)
		by[0] = GATE_FALSE;
	else if (bits & (bits - 1))
		circuits_divide(g, bits, c, width, quotient, by);
	else
		for (unsigned i = highest(bits - 1u); i < bits; i++)
			by[i] = GATE_FALSE;
	circuits_shift(g, 2 * bits, left ? SHIFT_LEFT : SHIFT_RIGHT, both, by, bits, both);
	memcpy(out, left ? both + bits : both, bits * sizeof *out);
}

/* Bits of the index past the array's end, all together, choose 0. */
static void table(struct blaster *z, uint32_t id, const lit *index, unsigned index_bits, lit *out)
{
	const struct terms *t = &z->p->terms;
	const struct td_node *n = &t->nodes[id];
	uint32_t count = t->arrays[n->b].count;
	if (count > TABLE_MAX) {
		z->g->overflown = true;
		return;
	}
	unsigned inner = highest(count - 1u), used = inner < index_bits ? inner : index_bits;
	lit *values = arena_alloc(z->arena, sizeof *values << used), inside[CIRCUIT_BITS];
	for (unsigned i = used; i < index_bits; i++)
		inside[i - used] = -index[i];
	lit is_inside = gates_and_all(z->g, inside, index_bits - used);
	for (unsigned k = 0; k < n->bits; k++) {
		if (!(z->wanted[id] >> k & 1))
			continue;
		for (uint32_t i = 0; i < 1u << used; i++)
			values[i] = constant_bit(terms_element(t, n->b, i), k);
		out[k] = gates_and(z->g, is_inside, circuits_choose(z->g, used, index, values));
	}
}

/* --- all of them --- */

static void arithmetic(struct gates *g, unsigned op, unsigned bits, u128 wanted, const lit *a, const lit *b, lit *out)
{
	unsigned low = highest(wanted); /* what is above does not matter */
	switch (op) {
	case TD_ADD: circuits_add(g, low, a, b, GATE_FALSE, out); break;
	case TD_SUB: circuits_subtract(g, low, a, b, out); break;
	case TD_MUL: circuits_multiply(g, low, a, b, out); break;
	case TD_SHL: circuits_shift(g, bits, SHIFT_LEFT, a, b, bits, out); break;
	case TD_LSHR: circuits_shift(g, bits, SHIFT_RIGHT, a, b, bits, out); break;
	case TD_ASHR: circuits_shift(g, bits, SHIFT_RIGHT_SIGNED, a, b, bits, out); break;
	case TD_AND: case TD_OR: case TD_XOR: bitwise(g, op, bits, wanted, a, b, out); break;
	default: divide(g, op, bits, a, b, out);
	}
}

static void operate(struct blaster *z, uint32_t id, lit *out)
{
	const struct td_node *n = &z->p->terms.nodes[id];
	unsigned arity = op_get(n->op)->arity, bits = n->bits, a_bits = arity > 0 ? z->p->terms.nodes[n->a].bits : 0;
	const lit *a = arity > 0 ? z->bits[n->a] : NULL, *b = arity > 1 ? z->bits[n->b] : NULL, *c = arity > 2 ? z->bits[n->c] : NULL;
	unsigned b_bits = arity > 1 ? z->p->terms.nodes[n->b].bits : 0;
	switch (n->op) {
	case TD_ADD: case TD_SUB: case TD_MUL: case TD_UDIV: case TD_SDIV: case TD_UREM: case TD_SREM:
	case TD_SHL: case TD_LSHR: case TD_ASHR: case TD_AND: case TD_OR: case TD_XOR:
		arithmetic(z->g, n->op, bits, z->wanted[id], a, b, out);
		break;
	case TD_EQ: case TD_NE: case TD_ULT: case TD_ULE: case TD_SLT: case TD_SLE:
		out[0] = compare(z->g, n->op, a_bits, a, b);
		break;
	case TD_ZEXT: case TD_SEXT:
		for (unsigned i = 0; i < bits; i++)
			out[i] = i < a_bits ? a[i] : n->op == TD_SEXT ? a[a_bits - 1] : GATE_FALSE;
		break;
	case TD_EXTRACT:
		memcpy(out, a + n->b, bits * sizeof *out);
		break;
	case TD_CONCAT:
		memcpy(out, b, b_bits * sizeof *out);
		memcpy(out + b_bits, a, a_bits * sizeof *out);
		break;
	case TD_ITE:
		circuits_mux(z->g, bits, a[0], b, c, out);
		break;
	case TD_BSWAP: case TD_BITREV: case TD_CTPOP: case TD_CTLZ: case TD_CTTZ: case TD_ABS:
		of_bits(z->g, n->op, bits, a, out);
		break;
	case TD_UADDO: case TD_SADDO: case TD_USUBO: case TD_SSUBO: case TD_UMULO: case TD_SMULO:
		out[0] = overflow(z->g, n->op, a_bits, a, b);
		break;
	case TD_UADDSAT: case TD_SADDSAT: case TD_USUBSAT: case TD_SSUBSAT: case TD_USHLSAT: case TD_SSHLSAT:
		saturated(z->g, n->op, bits, a, b, out);
		break;
	case TD_UMIN: case TD_UMAX: case TD_SMIN: case TD_SMAX:
		extreme(z->g, n->op, bits, a, b, out);
		break;
	case TD_FSHL: case TD_FSHR:
		funnel(z->g, n->op == TD_FSHL, bits, a, b, c, out);
		break;
	case TD_TABLE:
		table(z, id, a, a_bits, out);
		break;
	default: /* a constant, or held */
		constant(z->n->base[id], bits, out);
	}
}

/* Bits that nobody wants are false, which is as good as anything. */
static void blast_nodes(struct blaster *z)
{
	lit *nothing = arena_alloc(z->arena, 128 * sizeof *nothing);
	constant(0, 128, nothing);
	z->bits = arena_alloc(z->arena, z->p->terms.count * sizeof *z->bits);
	for (uint32_t id = 1; id < z->p->terms.count && !z->g->overflown; id++) {
		const struct td_node *n = &z->p->terms.nodes[id];
		bool is_leaf = n->op == TD_INPUT || n->op == TD_LENGTH;
		z->bits[id] = nothing;
		if (!z->wanted[id])
			continue;
		z->bits[id] = is_leaf ? z->variables[n->c] : arena_alloc(z->arena, n->bits * sizeof(lit));
		if (is_leaf)
			continue;
		constant(0, n->bits, z->bits[id]);
		operate(z, id, z->bits[id]);
	}
}

/* --- variables --- */

/* A length has no more bits than its limit. */
static unsigned bits_of(const struct variable *v)
{
	return v->is_fixed ? 0 : v->is_length ? highest(v->limit) : 8;
}

/* One bit of every fourth byte or so is pulled. */
static uint64_t pull(const struct blaster *z, uint32_t i, uint64_t seed)
{
	uint64_t dice = rng_mix(seed ^ rng_mix(z->p->key.a + i));
	return dice & 3 || z->p->variables[i].is_length ? 0 : 1ull << (dice >> 8 & 7);
}

static void blast_variables(struct blaster *z, uint64_t seed)
{
	const bool *pulled = seed ? problem_goal_variables(z->p, z->arena) : NULL;
	z->variables = arena_alloc(z->arena, (z->p->variables_count + 1) * sizeof *z->variables);
	for (uint32_t i = 0; i < z->p->variables_count; i++) {
		const struct variable *v = &z->p->variables[i];
		unsigned all = v->is_length ? 64 : 8, used = bits_of(v);
		uint64_t value = z->n->value[i] ^ (pulled && pulled[i] ? pull(z, i, seed) : 0);
		z->variables[i] = arena_alloc(z->arena, all * sizeof(lit));
		constant(z->n->value[i], all, z->variables[i]);
		for (unsigned k = 0; k < all && !z->n->fixed[i]; k++)
			z->variables[i][k] = k < used ? gates_input(z->g, value >> k & 1) : GATE_FALSE;
	}
}

/* What nothing depends on is as narrowing has left it. */
static void read_model(const struct blaster *z, const int8_t *values, uint64_t *model)
{
	for (uint32_t i = 0; i < z->p->variables_count; i++) {
		const struct variable *v = &z->p->variables[i];
		model[i] = z->n->value[i];
		for (unsigned k = 0; k < bits_of(v) && !z->n->fixed[i]; k++) {
			lit x = z->variables[i][k];
			int8_t value = values[gates_variable(x)];
			if (value)
				model[i] = (model[i] & ~(1ull << k)) | (uint64_t)((value > 0) == (x > 0)) << k;
		}
	}
}

/* --- what must be true --- */

static lit part(struct blaster *z, const struct conjunct *c)
{
	lit value[CIRCUIT_BITS];
	unsigned bits = z->p->terms.nodes[c->node].bits;
	constant(c->value, bits, value);
	lit is = circuits_equal(z->g, bits, z->bits[c->node], value);
	return c->differs ? -is : is;
}

/* A byte is there or 0; no length is above its limit. Lengths come behind the bytes of their object. near: no object grows much. */
static size_t ties(struct blaster *z, lit *out, lit *near)
{
	const struct variable *v = z->p->variables;
	uint32_t count = z->p->variables_count, length = count;
	lit bound[64];
	size_t n = 0;
	*near = GATE_TRUE;
	for (uint32_t i = count; i-- > 0;)
		if (v[i].is_length) {
			length = i;
			constant(v[i].limit, 64, bound);
			out[n++] = circuits_less(z->g, 64, false, true, z->variables[i], bound);
			constant(v[i].near, 64, bound);
			*near = gates_and(z->g, *near, circuits_less(z->g, 64, false, true, z->variables[i], bound));
		} else if (length < count && v[length].object == v[i].object) {
			lit zero[8];
			constant(0, 8, zero);
			constant(v[i].offset, 64, bound);
			lit is_there = circuits_less(z->g, 64, false, false, bound, z->variables[length]);
			out[n++] = gates_or(z->g, is_there, circuits_equal(z->g, 8, z->variables[i], zero));
		}
	return n;
}

/* A byte's set as a tree over its bits. */
static lit membership(struct blaster *z, uint32_t variable)
{
	lit values[LANES];
	for (unsigned i = 0; i < LANES; i++)
		values[i] = lanes_has(&z->n->sets[variable], i) ? GATE_TRUE : GATE_FALSE;
	return circuits_choose(z->g, 8, z->variables[variable], values);
}

/* --- asking --- */

/* What is assumed, and on whose account: a part, or a variable's set. */
struct assumed {
	lit *at;
	size_t *account; /* the part; p->count and above: the variable */
	size_t count;
};

static void assume(struct assumed *a, lit x, size_t account)
{
	a->at[a->count] = x;
	a->account[a->count++] = account;
}

static const bool *core_of(const struct blaster *z, const struct assumed *a, const bool *to_blame)
{
	const struct problem *p = z->p;
	bool *core = arena_alloc(z->arena, p->count + 1), *variables = arena_alloc(z->arena, p->variables_count + 1);
	for (size_t i = p->count - p->goals; i < p->count; i++)
		core[i] = z->n->open[i];
	for (size_t i = 0; i < a->count; i++) {
		if (!to_blame[i])
			continue;
		if (a->account[i] < p->count)
			core[a->account[i]] = true;
		else
			variables[a->account[i] - p->count] = true;
	}
	narrow_blame(z->n, core, variables, z->arena);
	return core;
}

static struct blast_answer solve(struct blaster *z, const struct blast_limits *limits, uint64_t *model)
{
	const struct problem *p = z->p;
	size_t goals = p->count - p->goals, most = p->count + p->variables_count + 1;
	struct assumed a = { arena_alloc(z->arena, most * sizeof *a.at), arena_alloc(z->arena, most * sizeof *a.account), 0 };
	lit *hard = arena_alloc(z->arena, most * sizeof *hard);
	struct sat_request r = { .gates = z->g, .hard = hard, .conflicts = limits->conflicts };
	for (size_t i = 0; i < p->count; i++)
		if (z->n->open[i] && i < goals)
			assume(&a, part(z, &p->parts[i]), i);
		else if (z->n->open[i])
			hard[r.hard_count++] = part(z, &p->parts[i]);
	for (uint32_t i = 0; i < p->variables_count; i++)
		if (!z->n->fixed[i] && !p->variables[i].is_length)
			assume(&a, membership(z, i), p->count + i);
	r.hard_count += ties(z, hard + r.hard_count, &r.wish);
	r.soft = a.at;
	r.soft_count = a.count;
	if (z->g->overflown)
		return (struct blast_answer){ VERDICT_UNKNOWN, NULL };
	struct sat_answer s = sat_solve(&r, z->arena);
	if (s.verdict == VERDICT_SAT)
		read_model(z, s.values, model);
	return (struct blast_answer){ s.verdict, s.verdict == VERDICT_UNSAT ? core_of(z, &a, s.to_blame) : NULL };
}

static struct blast_answer ask(const struct narrow *n, const struct blast_limits *limits, uint64_t seed, struct gates *gates,
                               struct arena *arena, uint64_t *model)
{
	struct blaster z = { .p = n->p, .n = n, .g = gates, .arena = arena, .wanted = demand_bits(n->p, n->open, arena) };
	gates_clear(gates);
	gates->limit = limits->gates;
	blast_variables(&z, seed);
	blast_nodes(&z);
	if (gates->overflown)
		return (struct blast_answer){ VERDICT_UNKNOWN, NULL };
	return solve(&z, limits, model);
}

/* Opens parts that the model does not satisfy, the latest first, some at most; false: it satisfies all. */
static bool open_violated(const struct narrow *n, const uint64_t *model, bool *open, size_t most, u128 *values)
{
	bool any = false;
	problem_eval(n->p, model, values);
	for (size_t i = n->p->count; i-- > 0 && most;)
		if (n->open[i] && !open[i] && !conjunct_holds(&n->p->parts[i], values)) {
			open[i] = any = true;
			most--;
		}
	return any;
}

/* Of a hundred thousand parts, most are so that whoever meets the few that matter meets them too: `i < n` for every i. So the goals
 * come first, and then what their models violate. If some parts are impossible, all of them are. */
struct blast_answer blast_ask(const struct narrow *n, const struct blast_limits *limits, uint64_t seed, struct gates *gates,
                              struct arena *arena, uint64_t *model)
{
	const struct problem *p = n->p;
	if (n->open_count <= FEW_PARTS)
		return ask(n, limits, seed, gates, arena, model);
	struct narrow some = *n;
	u128 *values = arena_alloc(arena, p->terms.count * sizeof *values);
	some.open = arena_alloc(arena, p->count + 1);
	for (size_t i = p->count - p->goals; i < p->count; i++)
		some.open[i] = n->open[i];
	for (size_t most = FEW_PARTS;; most *= 2) {
		struct blast_answer a = ask(&some, limits, seed, gates, arena, model);
		if (a.verdict != VERDICT_SAT || !open_violated(n, model, some.open, most, values))
			return a;
	}
}
