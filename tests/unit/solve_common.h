/* Questions to the solver from hand-made traces, and random ones. */
#ifndef TANDEM_TESTS_SOLVE_COMMON_H
#define TANDEM_TESTS_SOLVE_COMMON_H

#include "trace_build.h"

#include "base/arena.h"
#include "base/rng.h"
#include "expr/op.h"
#include "solve/solver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define INPUT_SIZE 24u

static inline struct query query_of(struct build *b, const struct conjunct *parts, size_t count)
{
	return (struct query){ build_terms(b), parts, count, build_input(&b->content) };
}

static inline struct conjunct is(uint32_t node, unsigned kind, u128 value)
{
	return (struct conjunct){ node, (uint8_t)kind, false, value };
}

/* A query as a path and a question; goals may be anywhere. The path is the caller's to free. */
static inline struct question question_of(const struct query *q, const struct td_input *inputs, uint32_t inputs_count, struct arena *arena)
{
	struct conjunct *demands = arena_alloc(arena, (q->count + 1) * sizeof *demands), *goals = arena_alloc(arena, (q->count + 1) * sizeof *goals);
	size_t prefix = 0, count = 0;
	for (size_t i = 0; i < q->count; i++)
		if (q->parts[i].kind == CONJUNCT_GOAL)
			goals[count++] = q->parts[i];
		else
			demands[prefix++] = q->parts[i];
	struct path_source from = { q->terms, inputs, inputs_count, q->seed, demands, prefix };
	return (struct question){ path_new(&from), prefix, goals, count };
}

static inline struct answer ask_solver(struct solver *s, const struct query *q, struct arena *arena)
{
	struct question question = question_of(q, NULL, 0, arena);
	struct answer a;
	struct err err = {0};
	bool ok = solver_check(s, &question, arena, &a, &err);
	path_free(question.path);
	if (!ok)
		fail_msg("%s", err.text);
	return a;
}

static inline struct solver_options only(const char *stages)
{
	struct solver_options o = solver_options_default();
	o.stages = 0;
	o.self_check = true;
	o.z3_inside = true;
	if (!solver_parse_stages(stages, &o.stages, NULL))
		fail_msg("no such stages: %s", stages);
	return o;
}

static inline uint32_t operand(struct build *b, unsigned which, unsigned bits)
{
	uint32_t wide = build_byte(b, which * 8);
	for (unsigned i = 1; i * 8 < bits && i < 8; i++)
		wide = build_node(b, TD_CONCAT, 8 * (i + 1), build_byte(b, which * 8 + i), wide, 0);
	unsigned have = build_nodes(b)[wide].bits;
	if (have < bits)
		return build_node(b, TD_SEXT, bits, wide, 0, 0);
	return have == bits ? wide : build_node(b, TD_EXTRACT, bits, wide, 0, 0);
}

static inline bool is_predicate(unsigned op)
{
	return (op >= TD_EQ && op <= TD_SLE) || (op >= TD_UADDO && op <= TD_SMULO);
}

static inline uint32_t build_op(struct build *b, unsigned op, unsigned bits)
{
	if (op == TD_ITE)
		return build_node(b, op, bits, operand(b, 0, 1), operand(b, 1, bits), operand(b, 2, bits));
	uint32_t x = operand(b, 0, bits), y = op_get(op)->arity > 1 ? operand(b, 1, bits) : 0;
	uint32_t z = op_get(op)->arity > 2 ? operand(b, 2, bits) : 0;
	switch (op) {
	case TD_ZEXT: case TD_SEXT: return build_node(b, op, bits + 5 > 128 ? 128 : bits + 5, x, 0, 0);
	case TD_EXTRACT: return build_node(b, op, bits - bits / 3, x, bits / 3, 0);
	case TD_CONCAT: return build_node(b, op, 2 * bits, x, y, 0);
	default: return build_node(b, op, is_predicate(op) ? 1 : bits, x, y, z);
	}
}

/* Is there such an operator of such a width? */
static inline bool op_fits(unsigned op, unsigned bits)
{
	return !(op == TD_BSWAP && bits % 8) && !(op == TD_CONCAT && bits > 64);
}

/* Small operands are where the corners are, so half of the bytes are near 0 or 255. */
static inline void random_text(struct rng *r, char text[INPUT_SIZE + 1])
{
	uint64_t style = rng_below(r, 4);
	for (unsigned i = 0; i < INPUT_SIZE; i++) {
		uint64_t c = style == 0 ? rng_below(r, 256) : style == 1 ? rng_below(r, 10) : style == 2 ? 255 - rng_below(r, 9) :
		             i % 8 ? 0 : rng_below(r, 256);
		text[i] = (char)(c ? c : 1 + (i % 8 == 0)); /* build_new takes a string */
	}
	text[INPUT_SIZE] = 0;
}

#endif
