/* Operators on literals. Each is what expr/eval.c says; the tests hold one against the other. */
#include "solve/operators.h"

#include "contract/op.h"
#include "solve/circuits.h"

#include <string.h>

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
	operators_constant(0, bits, out);
	operators_constant(0, bits, one);
	for (unsigned i = 0; i < bits; i++) {
		unsigned width = operators_width(i + 1u);
		one[0] = a[i];
		circuits_add(g, width < bits ? width : bits, out, one, GATE_FALSE, out);
	}
}

static void count_zeros(struct gates *g, unsigned bits, bool leading, const lit *a, lit *out)
{
	lit here[CIRCUIT_BITS];
	operators_constant(bits, bits, out);
	for (unsigned i = bits; i-- > 0;) {
		operators_constant(i, bits, here);
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
		operators_constant(0, bits, limit);
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
	operators_constant(bits, bits, width);
	memcpy(by, c, bits * sizeof *c);
	if (bits == 1)
		by[0] = GATE_FALSE;
	else if (bits & (bits - 1))
		circuits_divide(g, bits, c, width, quotient, by);
	else
		for (unsigned i = operators_width(bits - 1u); i < bits; i++)
			by[i] = GATE_FALSE;
	circuits_shift(g, 2 * bits, left ? SHIFT_LEFT : SHIFT_RIGHT, both, by, bits, both);
	memcpy(out, left ? both + bits : both, bits * sizeof *out);
}

static void arithmetic(struct gates *g, unsigned op, unsigned bits, u128 wanted, const lit *a, const lit *b, lit *out)
{
	unsigned low = operators_width(wanted); /* what is above does not matter */
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

void operators_apply(struct gates *g, const struct td_node *n, u128 wanted, const struct bits x[3], lit *out)
{
	const lit *a = x[0].at, *b = x[1].at, *c = x[2].at;
	unsigned bits = n->bits, a_bits = x[0].count;
	switch (n->op) {
	case TD_ADD: case TD_SUB: case TD_MUL: case TD_UDIV: case TD_SDIV: case TD_UREM: case TD_SREM:
	case TD_SHL: case TD_LSHR: case TD_ASHR: case TD_AND: case TD_OR: case TD_XOR:
		arithmetic(g, n->op, bits, wanted, a, b, out);
		break;
	case TD_EQ: case TD_NE: case TD_ULT: case TD_ULE: case TD_SLT: case TD_SLE:
		out[0] = compare(g, n->op, a_bits, a, b);
		break;
	case TD_ZEXT: case TD_SEXT:
		for (unsigned i = 0; i < bits; i++)
			out[i] = i < a_bits ? a[i] : n->op == TD_SEXT ? a[a_bits - 1] : GATE_FALSE;
		break;
	case TD_EXTRACT:
		memcpy(out, a + n->b, bits * sizeof *out);
		break;
	case TD_CONCAT:
		memcpy(out, b, x[1].count * sizeof *out);
		memcpy(out + x[1].count, a, a_bits * sizeof *out);
		break;
	case TD_ITE:
		circuits_mux(g, bits, a[0], b, c, out);
		break;
	case TD_BSWAP: case TD_BITREV: case TD_CTPOP: case TD_CTLZ: case TD_CTTZ: case TD_ABS:
		of_bits(g, n->op, bits, a, out);
		break;
	case TD_UADDO: case TD_SADDO: case TD_USUBO: case TD_SSUBO: case TD_UMULO: case TD_SMULO:
		out[0] = overflow(g, n->op, a_bits, a, b);
		break;
	case TD_UADDSAT: case TD_SADDSAT: case TD_USUBSAT: case TD_SSUBSAT: case TD_USHLSAT: case TD_SSHLSAT:
		saturated(g, n->op, bits, a, b, out);
		break;
	case TD_UMIN: case TD_UMAX: case TD_SMIN: case TD_SMAX:
		extreme(g, n->op, bits, a, b, out);
		break;
	case TD_FSHL: case TD_FSHR:
		funnel(g, n->op == TD_FSHL, bits, a, b, c, out);
		break;
	default:
		break;
	}
}
