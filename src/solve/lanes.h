/* All 256 values of one byte at once, the other variables as in the seed. */
#ifndef TANDEM_SOLVE_LANES_H
#define TANDEM_SOLVE_LANES_H

#include "solve/problem.h"

/* A set of values of a byte. */
struct lane_set {
	uint64_t words[4];
};

static inline bool lanes_has(const struct lane_set *s, unsigned value)
{
	return s->words[value >> 6] >> (value & 63) & 1;
}

static inline bool lanes_is_empty(const struct lane_set *s)
{
	return !(s->words[0] | s->words[1] | s->words[2] | s->words[3]);
}

static inline unsigned lanes_count(const struct lane_set *s)
{
	unsigned n = 0;
	for (int i = 0; i < 4; i++)
		n += (unsigned)__builtin_popcountll(s->words[i]);
	return n;
}

static inline void lanes_intersect(struct lane_set *s, const struct lane_set *with)
{
	for (int i = 0; i < 4; i++)
		s->words[i] &= with->words[i];
}

/* Memory that is reused from problem to problem. */
struct lanes {
	VEC(uint64_t) values; /* 256 per term that depends on the byte */
};

void lanes_free(struct lanes *l);

#define LANES 256u

/* Rows of 256 values, of terms that depend on one byte. */
struct sweep {
	const struct problem *p;
	struct lanes *l;
	const u128 *base;         /* by node: the value of a term that does not depend on the byte */
	uint32_t *row;            /* by node: its row plus one; 0: it has none */
	uint32_t rows;
	uint64_t plain[3][LANES]; /* rows of operands that do not depend on it */
};

void lanes_start(struct sweep *s, const struct problem *p, const u128 *base, struct lanes *l, struct arena *arena);

static inline bool lanes_can(const struct td_node *n)
{
	return n->bits <= 64;
}

/* Gives a node its row; its operands have theirs, or do not depend on the byte. The node must not be too wide. */
void lanes_compute(struct sweep *s, uint32_t id);

/* With which values a demand holds. */
struct lane_set lanes_where(const struct sweep *s, const struct conjunct *c);

/* The values of the variable, a byte, with which all these parts hold, everything else being as in the base. steps is what it may cost,
 * in terms, and is lowered by what it did. False: it costs too much, or some term is too wide. */
bool lanes_solve(const struct problem *p, uint32_t variable, const u128 *base, const bool *parts, struct lanes *l, unsigned *steps,
                 struct arena *arena, struct lane_set *out);

/* One value of a set that is not empty. dice 0: the closest to the parent's byte; else any of the best. */
unsigned lanes_choose(const struct lane_set *s, unsigned parent, uint64_t dice);

#endif
