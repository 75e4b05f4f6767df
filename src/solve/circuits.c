/* The usual circuits, of the smallest kind rather than the fastest: there is no clock to be met, and fewer gates are fewer clauses.
 * Constant operands need no cases of their own where gates simplify themselves; where they do not, they have one. */
#include "solve/circuits.h"

#include <string.h>

static void fill(lit *out, unsigned bits, lit value)
{
	for (unsigned i = 0; i < bits; i++)
		out[i] = value;
}

lit circuits_add(struct gates *g, unsigned bits, const lit *a, const lit *b, lit carry, lit *out)
{
	for (unsigned i = 0; i < bits; i++) {
		lit x = a[i], y = b[i];
		out[i] = gates_xor(g, gates_xor(g, x, y), carry);
		carry = gates_majority(g, x, y, carry);
	}
	return carry;
}

lit circuits_subtract(struct gates *g, unsigned bits, const lit *a, const lit *b, lit *out)
{
	lit not_b[CIRCUIT_BITS];
	for (unsigned i = 0; i < bits; i++)
		not_b[i] = -b[i];
	return circuits_add(g, bits, a, not_b, GATE_TRUE, out);
}

void circuits_negate_if(struct gates *g, unsigned bits, lit condition, const lit *a, lit *out)
{
	lit carry = condition;
	for (unsigned i = 0; i < bits; i++) {
		lit x = gates_xor(g, a[i], condition);
		out[i] = gates_xor(g, x, carry);
		carry = gates_and(g, x, carry);
	}
}

static unsigned constants_in(unsigned bits, const lit *a)
{
	unsigned n = 0;
	for (unsigned i = 0; i < bits; i++)
		n += gates_is_constant(a[i]);
	return n;
}

/* A row of a multiplication: out += (a << by), or -=, where the bit is set. */
static void add_row(struct gates *g, unsigned bits, const lit *a, lit set, unsigned by, bool minus, lit *out)
{
	lit row[CIRCUIT_BITS];
	for (unsigned i = 0; i < bits - by; i++)
		row[i] = gates_and(g, a[i], set);
	if (minus)
		circuits_subtract(g, bits - by, out + by, row, out + by);
	else
		circuits_add(g, bits - by, out + by, row, GATE_FALSE, out + by);
}

/* By a constant, in digits -1, 0 and 1 of which no two neighbours are set: at most half as many rows as bits. */
static void multiply_by_constant(struct gates *g, unsigned bits, const lit *a, const lit *constant, lit *out)
{
	unsigned carry = 0;
	for (unsigned i = 0; i < bits; i++) {
		unsigned here = (constant[i] == GATE_TRUE) + carry, next = i + 1 < bits && constant[i + 1] == GATE_TRUE;
		bool minus = here == 1 && next;
		carry = here == 2 || minus;
		if (here == 1)
			add_row(g, bits, a, GATE_TRUE, i, minus, out);
	}
}

void circuits_multiply(struct gates *g, unsigned bits, const lit *a, const lit *b, lit *out)
{
	lit sum[CIRCUIT_BITS];
	if (constants_in(bits, a) > constants_in(bits, b)) {
		const lit *swap = a;
		a = b;
		b = swap;
	}
	fill(sum, bits, GATE_FALSE);
	if (constants_in(bits, b) == bits)
		multiply_by_constant(g, bits, a, b, sum);
	else
		for (unsigned i = 0; i < bits; i++)
			if (b[i] != GATE_FALSE)
				add_row(g, bits, a, b[i], i, false, sum);
	memcpy(out, sum, bits * sizeof *out);
}

/* Bits that may be set, counted from the lowest. */
static unsigned width(unsigned bits, const lit *a)
{
	while (bits && a[bits - 1] == GATE_FALSE)
		bits--;
	return bits;
}

/* By hand, bit by bit. The rest is always below the divisor, so it has no more bits than that, and one more before it is reduced.
 * By 0 the quotient comes out as all ones by itself, but the rest has lost its upper bits. */
void circuits_divide(struct gates *g, unsigned bits, const lit *a, const lit *b, lit *quotient, lit *rest)
{
	unsigned needed = width(bits, b);
	lit r[CIRCUIT_BITS + 1], less[CIRCUIT_BITS + 1], divisor[CIRCUIT_BITS + 1];
	memcpy(divisor, b, needed * sizeof *b);
	divisor[needed] = GATE_FALSE;
	fill(r, needed + 1, GATE_FALSE);
	for (unsigned i = bits; i-- > 0;) {
		memmove(r + 1, r, needed * sizeof *r);
		r[0] = a[i];
		quotient[i] = circuits_subtract(g, needed + 1, r, divisor, less);
		circuits_mux(g, needed + 1, quotient[i], less, r, r);
	}
	lit zero = circuits_equal(g, bits, b, (lit[CIRCUIT_BITS]){0});
	fill(rest, bits, GATE_FALSE);
	memcpy(rest, r, needed * sizeof *r);
	circuits_mux(g, bits, zero, a, rest, rest);
}

lit circuits_equal(struct gates *g, unsigned bits, const lit *a, const lit *b)
{
	lit same[CIRCUIT_BITS];
	for (unsigned i = 0; i < bits; i++)
		same[i] = b[i] ? -gates_xor(g, a[i], b[i]) : -a[i]; /* no literal at all counts as 0 */
	return gates_and_all(g, same, bits);
}

/* Step by step upwards: less so far, unless this bit says otherwise. */
lit circuits_less(struct gates *g, unsigned bits, bool is_signed, bool or_equal, const lit *a, const lit *b)
{
	lit less = or_equal ? GATE_TRUE : GATE_FALSE;
	for (unsigned i = 0; i < bits; i++) {
		bool sign = is_signed && i + 1 == bits;
		less = gates_majority(g, sign ? a[i] : -a[i], sign ? -b[i] : b[i], less);
	}
	return less;
}

void circuits_mux(struct gates *g, unsigned bits, lit choice, const lit *a, const lit *b, lit *out)
{
	for (unsigned i = 0; i < bits; i++)
		out[i] = gates_mux(g, choice, a[i], b[i]);
}

static lit shifted_bit(unsigned bits, enum shift how, const lit *a, unsigned at, unsigned by, lit filler)
{
	if (how == SHIFT_LEFT)
		return at >= by ? a[at - by] : filler;
	return at + by < bits ? a[at + by] : filler;
}

/* A bit of the amount that is worth the width or more shifts everything out. */
void circuits_shift(struct gates *g, unsigned bits, enum shift how, const lit *a, const lit *by, unsigned by_bits, lit *out)
{
	lit now[CIRCUIT_BITS], next[CIRCUIT_BITS], all = GATE_FALSE, filler = how == SHIFT_RIGHT_SIGNED ? a[bits - 1] : GATE_FALSE;
	memcpy(now, a, bits * sizeof *a);
	for (unsigned k = 0; k < by_bits; k++) {
		if (k >= 8 || 1u << k >= bits) {
			all = gates_or(g, all, by[k]);
			continue;
		}
		for (unsigned i = 0; i < bits; i++)
			next[i] = gates_mux(g, by[k], shifted_bit(bits, how, now, i, 1u << k, filler), now[i]);
		memcpy(now, next, bits * sizeof *now);
	}
	for (unsigned i = 0; i < bits; i++)
		out[i] = gates_mux(g, all, filler, now[i]);
}

lit circuits_choose(struct gates *g, unsigned index_bits, const lit *index, lit *values)
{
	for (unsigned k = 0; k < index_bits; k++)
		for (uint32_t i = 0; i < 1u << (index_bits - k - 1); i++)
			values[i] = gates_mux(g, index[k], values[2 * i + 1], values[2 * i]);
	return values[0];
}
