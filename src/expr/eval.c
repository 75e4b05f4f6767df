/* Reference semantics, integer half (feval.c has floating point). The runtime records what the machine computed, the
 * solver blasts the same operators to bits; both are tested against this file, which is written to be read rather than
 * to be fast. SMT-LIB's QF_BV decides where it has the operator, LLVM elsewhere. Where LLVM says poison
 * (a shift by the width or more) the total SMT-LIB answer is given: a program that gets there is wrong anyway, but
 * solver and evaluator must agree.
 *
 * Invariant: operands come trimmed to their widths and results leave trimmed. */
#include "expr/eval.h"

#include "expr/feval.h"
#include "expr/op.h"

static u128 all_ones(unsigned bits)
{
	return value_mask(bits);
}

static u128 smallest(unsigned bits)
{
	return (u128)1 << (bits - 1);
}

static u128 largest(unsigned bits)
{
	return value_mask(bits) >> 1;
}

static u128 magnitude(u128 v, unsigned bits)
{
	return value_negative(v, bits) ? value_trim(-v, bits) : v;
}

static u128 divide_signed(u128 a, u128 b, unsigned bits)
{
	if (b == 0)
		return value_negative(a, bits) ? 1 : all_ones(bits);
	u128 quotient = magnitude(a, bits) / magnitude(b, bits);
	return value_negative(a, bits) != value_negative(b, bits) ? -quotient : quotient;
}

static u128 remainder_signed(u128 a, u128 b, unsigned bits)
{
	if (b == 0)
		return a;
	u128 remainder = magnitude(a, bits) % magnitude(b, bits);
	return value_negative(a, bits) ? -remainder : remainder;
}

static u128 shift_left(u128 a, u128 by, unsigned bits)
{
	return by >= bits ? 0 : a << by;
}

static u128 shift_right(u128 a, u128 by, unsigned bits)
{
	return by >= bits ? 0 : a >> by;
}

static u128 shift_right_signed(u128 a, u128 by, unsigned bits)
{
	u128 last = bits - 1;
	return (u128)(value_signed(a, bits) >> (by > last ? last : by));
}

static u128 eval_arithmetic(unsigned op, unsigned bits, u128 a, u128 b)
{
	switch (op) {
	case TD_ADD: return a + b;
	case TD_SUB: return a - b;
	case TD_MUL: return a * b;
	case TD_UDIV: return b ? a / b : all_ones(bits);
	case TD_SDIV: return divide_signed(a, b, bits);
	case TD_UREM: return b ? a % b : a;
	case TD_SREM: return remainder_signed(a, b, bits);
	case TD_SHL: return shift_left(a, b, bits);
	case TD_LSHR: return shift_right(a, b, bits);
	case TD_ASHR: return shift_right_signed(a, b, bits);
	case TD_AND: return a & b;
	case TD_OR: return a | b;
	default: return a ^ b;
	}
}

static bool eval_comparison(unsigned op, unsigned bits, u128 a, u128 b)
{
	switch (op) {
	case TD_EQ: return a == b;
	case TD_NE: return a != b;
	case TD_ULT: return a < b;
	case TD_ULE: return a <= b;
	case TD_SLT: return value_signed(a, bits) < value_signed(b, bits);
	default: return value_signed(a, bits) <= value_signed(b, bits);
	}
}

static bool product_overflows(u128 a, u128 b, u128 limit)
{
	return a && b > limit / a;
}

static bool signed_product_overflows(u128 a, u128 b, unsigned bits)
{
	bool negative = value_negative(a, bits) != value_negative(b, bits);
	return product_overflows(magnitude(a, bits), magnitude(b, bits), negative ? smallest(bits) : largest(bits));
}

static bool eval_overflow(unsigned op, unsigned bits, u128 a, u128 b)
{
	u128 sum = value_trim(a + b, bits), difference = value_trim(a - b, bits);
	switch (op) {
	case TD_UADDO: return sum < a;
	case TD_SADDO: return value_negative((a ^ sum) & (b ^ sum), bits);
	case TD_USUBO: return a < b;
	case TD_SSUBO: return value_negative((a ^ b) & (a ^ difference), bits);
	case TD_UMULO: return product_overflows(a, b, all_ones(bits));
	default: return signed_product_overflows(a, b, bits);
	}
}

static u128 shift_left_saturated(u128 a, u128 by, unsigned bits, bool is_signed)
{
	u128 r = value_trim(shift_left(a, by, bits), bits);
	u128 back = is_signed ? value_trim(shift_right_signed(r, by, bits), bits) : shift_right(r, by, bits);
	if (back == a && (by < bits || a == 0))
		return r;
	if (!is_signed)
		return all_ones(bits);
	return value_negative(a, bits) ? smallest(bits) : largest(bits);
}

static u128 eval_saturated(unsigned op, unsigned bits, u128 a, u128 b)
{
	u128 toward_a = value_negative(a, bits) ? smallest(bits) : largest(bits);
	switch (op) {
	case TD_UADDSAT: return eval_overflow(TD_UADDO, bits, a, b) ? all_ones(bits) : a + b;
	case TD_SADDSAT: return eval_overflow(TD_SADDO, bits, a, b) ? toward_a : a + b;
	case TD_USUBSAT: return a < b ? 0 : a - b;
	case TD_SSUBSAT: return eval_overflow(TD_SSUBO, bits, a, b) ? toward_a : a - b;
	default: return shift_left_saturated(a, b, bits, op == TD_SSHLSAT);
	}
}

static u128 eval_extreme(unsigned op, unsigned bits, u128 a, u128 b)
{
	bool is_signed = op == TD_SMIN || op == TD_SMAX, is_min = op == TD_UMIN || op == TD_SMIN;
	bool less = eval_comparison(is_signed ? TD_SLT : TD_ULT, bits, a, b);
	return less == is_min ? a : b;
}

static u128 reverse(u128 a, unsigned bits, unsigned group)
{
	u128 r = 0;
	for (unsigned i = 0; i < bits; i += group)
		r = r << group | (a >> i & value_mask(group));
	return r;
}

static unsigned count_ones(u128 a)
{
	return (unsigned)__builtin_popcountll((uint64_t)a) + (unsigned)__builtin_popcountll((uint64_t)(a >> 64));
}

static unsigned count_leading(u128 a, unsigned bits)
{
	unsigned n = 0;
	while (n < bits && !(a >> (bits - 1 - n) & 1))
		n++;
	return n;
}

static u128 eval_bits(unsigned op, unsigned bits, u128 a)
{
	switch (op) {
	case TD_BSWAP: return reverse(a, bits, 8);
	case TD_BITREV: return reverse(a, bits, 1);
	case TD_CTPOP: return count_ones(a);
	case TD_CTLZ: return count_leading(a, bits);
	case TD_CTTZ: return count_leading(reverse(a, bits, 1), bits);
	default: return magnitude(a, bits);
	}
}

/* The high (FSHL) or low (FSHR) half of a:b shifted by c modulo the width. */
static u128 eval_funnel(unsigned op, unsigned bits, u128 a, u128 b, u128 c)
{
	unsigned by = (unsigned)(c % bits);
	if (op == TD_FSHL)
		return by ? a << by | b >> (bits - by) : a;
	return by ? a << (bits - by) | b >> by : b;
}

static u128 eval_untrimmed(const struct td_node *n, const struct operands *x)
{
	switch (n->op) {
	case TD_CONST:
		return value_join(n->lo, n->hi);
	case TD_ADD: case TD_SUB: case TD_MUL: case TD_UDIV: case TD_SDIV: case TD_UREM: case TD_SREM:
	case TD_SHL: case TD_LSHR: case TD_ASHR: case TD_AND: case TD_OR: case TD_XOR:
		return eval_arithmetic(n->op, n->bits, x->a, x->b);
	case TD_EQ: case TD_NE: case TD_ULT: case TD_ULE: case TD_SLT: case TD_SLE:
		return eval_comparison(n->op, x->a_bits, x->a, x->b);
	case TD_ZEXT:
		return x->a;
	case TD_SEXT:
		return (u128)value_signed(x->a, x->a_bits);
	case TD_EXTRACT:
		return x->a >> n->b;
	case TD_CONCAT:
		return x->a << x->b_bits | x->b;
	case TD_ITE:
		return x->a ? x->b : x->c;
	case TD_BSWAP: case TD_BITREV: case TD_CTPOP: case TD_CTLZ: case TD_CTTZ: case TD_ABS:
		return eval_bits(n->op, n->bits, x->a);
	case TD_UADDO: case TD_SADDO: case TD_USUBO: case TD_SSUBO: case TD_UMULO: case TD_SMULO:
		return eval_overflow(n->op, x->a_bits, x->a, x->b);
	case TD_UADDSAT: case TD_SADDSAT: case TD_USUBSAT: case TD_SSUBSAT: case TD_USHLSAT: case TD_SSHLSAT:
		return eval_saturated(n->op, n->bits, x->a, x->b);
	case TD_UMIN: case TD_UMAX: case TD_SMIN: case TD_SMAX:
		return eval_extreme(n->op, n->bits, x->a, x->b);
	case TD_FSHL: case TD_FSHR:
		return eval_funnel(n->op, n->bits, x->a, x->b, x->c);
	default:
		return op_is_float(n->op) ? feval_node(n, x) : 0;
	}
}

u128 eval_node(const struct td_node *n, const struct operands *x)
{
	return value_trim(eval_untrimmed(n, x), n->bits);
}
