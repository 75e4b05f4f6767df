/* What is asked of a solver: terms of one trace, what each of them must be, and the input to stay close to. */
#ifndef TANDEM_SOLVE_QUERY_H
#define TANDEM_SOLVE_QUERY_H

#include "expr/terms.h"

#include <stddef.h>

/* LOSS: a term that the run replaced by its value. Dropping it is allowed and makes an answer optimistic. */
enum conjunct_kind { CONJUNCT_PATH, CONJUNCT_LOSS, CONJUNCT_GOAL };

enum verdict { VERDICT_SAT, VERDICT_UNSAT, VERDICT_UNKNOWN };

struct conjunct {
	uint32_t node;
	uint8_t kind;  /* enum conjunct_kind */
	bool differs;  /* the node must not be value, instead of being it */
	u128 value;    /* trimmed to the node's width */
};

struct query {
	struct terms terms;            /* checked (terms_check) */
	const struct conjunct *parts;
	size_t count;
	struct assignment seed;        /* what stays as it is wherever nothing else is demanded */
};

static inline bool conjunct_holds(const struct conjunct *c, const u128 *values)
{
	return (values[c->node] == c->value) != c->differs;
}

static inline bool conjunct_same(const struct conjunct *x, const struct conjunct *y)
{
	return x->node == y->node && x->differs == y->differs && x->value == y->value;
}

/* Of one bit, not to be one value is to be the other: so that a branch's two sides are spelt alike wherever they come from. */
static inline struct conjunct conjunct_normal(const struct terms *t, struct conjunct c)
{
	if (c.differs && t->nodes[c.node].bits == 1) {
		c.differs = false;
		c.value ^= 1;
	}
	return c;
}

#endif
