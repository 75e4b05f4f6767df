/* Arithmetic on vectors of literals, lowest bit first. Out may be one of the operands unless said otherwise. */
#ifndef TANDEM_SOLVE_CIRCUITS_H
#define TANDEM_SOLVE_CIRCUITS_H

#include "solve/gates.h"

#define CIRCUIT_BITS 256u /* at most */

enum shift { SHIFT_LEFT, SHIFT_RIGHT, SHIFT_RIGHT_SIGNED };

/* Returns the carry. */
lit circuits_add(struct gates *g, unsigned bits, const lit *a, const lit *b, lit carry, lit *out);
lit circuits_subtract(struct gates *g, unsigned bits, const lit *a, const lit *b, lit *out); /* returns: no borrow, so a >= b */
void circuits_negate_if(struct gates *g, unsigned bits, lit condition, const lit *a, lit *out);
void circuits_multiply(struct gates *g, unsigned bits, const lit *a, const lit *b, lit *out);
void circuits_divide(struct gates *g, unsigned bits, const lit *a, const lit *b, lit *quotient, lit *rest); /* unsigned; apart from the operands */

lit circuits_equal(struct gates *g, unsigned bits, const lit *a, const lit *b);
lit circuits_less(struct gates *g, unsigned bits, bool is_signed, bool or_equal, const lit *a, const lit *b);

void circuits_mux(struct gates *g, unsigned bits, lit choice, const lit *a, const lit *b, lit *out);
void circuits_shift(struct gates *g, unsigned bits, enum shift how, const lit *a, const lit *by, unsigned by_bits, lit *out);

/* One bit of an array, by the index. The values are as many as the index has, a power of two, and are overwritten. */
lit circuits_choose(struct gates *g, unsigned index_bits, const lit *index, lit *values);

#endif
