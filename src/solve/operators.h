/* What one operator makes of the literals of its operands. */
#ifndef TANDEM_SOLVE_OPERATORS_H
#define TANDEM_SOLVE_OPERATORS_H

#include "contract/trace.h"
#include "expr/value.h"
#include "solve/gates.h"

struct bits {
	const lit *at;   /* lowest first */
	unsigned count;
};

/* Of integer operators: not leaves, tables and floating point. wanted: the bits that matter; others of out may be anything. */
void operators_apply(struct gates *g, const struct td_node *n, u128 wanted, const struct bits operands[3], lit *out);

static inline lit operators_bit(u128 value, unsigned at)
{
	return value >> at & 1 ? GATE_TRUE : GATE_FALSE;
}

static inline void operators_constant(u128 value, unsigned bits, lit *out)
{
	for (unsigned i = 0; i < bits; i++)
		out[i] = operators_bit(value, i);
}

/* How many bits a number has. */
static inline unsigned operators_width(u128 value)
{
	uint64_t high = (uint64_t)(value >> 64), low = (uint64_t)value;
	return high ? 128 - (unsigned)__builtin_clzll(high) : low ? 64 - (unsigned)__builtin_clzll(low) : 0;
}

#endif
