/* Circuits of a few kinds of gates, simplified while they are built. */
#ifndef TANDEM_SOLVE_GATES_H
#define TANDEM_SOLVE_GATES_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

/* A literal: a variable, or its negation if negative. Variables are turned so that the sign of a literal is its value on the
 * seed: whoever sets every variable to true gets the seed. */
typedef int32_t lit;

#define GATE_TRUE 1
#define GATE_FALSE (-1)

enum gate_kind { GATE_CONSTANT, GATE_INPUT, GATE_AND, GATE_XOR, GATE_MUX, GATE_MAJORITY };

struct gate {
	uint8_t kind;        /* enum gate_kind */
	bool turned;         /* the variable is the negation of what the gate computes */
	uint32_t first;      /* of its operands */
	uint32_t count;
};

struct gates {
	VEC(struct gate) at;    /* by variable; 0 is none, 1 is the constant */
	VEC(lit) operands;
	uint32_t *table, room;  /* of variables, hashed */
	uint32_t limit;         /* gates at most: past that all gates are nonsense, and overflown is set */
	bool overflown;
	uint64_t made;          /* in circuits that were cleared since */
	VEC(lit) scratch;
};

void gates_open(struct gates *g, uint32_t limit);
void gates_clear(struct gates *g);
void gates_close(struct gates *g);

lit gates_input(struct gates *g, bool value); /* a new variable that has this value on the seed */
lit gates_and_all(struct gates *g, const lit *x, unsigned count);
lit gates_and(struct gates *g, lit x, lit y);
lit gates_xor(struct gates *g, lit x, lit y);
lit gates_mux(struct gates *g, lit choice, lit x, lit y); /* choice ? x : y */
lit gates_majority(struct gates *g, lit x, lit y, lit z);

static inline lit gates_or(struct gates *g, lit x, lit y)
{
	return -gates_and(g, -x, -y);
}

static inline bool gates_is_constant(lit x)
{
	return x == GATE_TRUE || x == GATE_FALSE;
}

static inline uint32_t gates_variable(lit x)
{
	return (uint32_t)(x < 0 ? -x : x);
}

#endif
