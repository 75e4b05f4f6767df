/* What terms read: bytes of input objects, and their lengths. */
#ifndef TANDEM_SOLVE_LEAVES_H
#define TANDEM_SOLVE_LEAVES_H

#include "base/vec.h"
#include "expr/terms.h"

#define LEAVES_NONE UINT32_MAX

struct leaves {
	struct terms terms;
	uint32_t *of;           /* by node: its first leaf plus one, or 0; LEAVES_MANY is added if it reads others too */
	uint32_t known;         /* nodes looked at so far */
	VEC(uint32_t) nodes;    /* by leaf: a node that reads it and nothing else */
	uint32_t *table, room;  /* of leaves plus one, hashed */
};

#define LEAVES_MANY (1u << 31)

void leaves_open(struct leaves *l, const struct terms *terms);
void leaves_close(struct leaves *l);

/* Looks at all nodes up to this one. What the functions below are asked about must have been looked at. */
void leaves_learn(struct leaves *l, uint32_t node);

static inline bool leaves_any(const struct leaves *l, uint32_t node)
{
	return l->of[node] != 0;
}

static inline bool leaves_many(const struct leaves *l, uint32_t node)
{
	return l->of[node] & LEAVES_MANY;
}

/* One of those it reads. */
static inline uint32_t leaves_first(const struct leaves *l, uint32_t node)
{
	return (l->of[node] & ~LEAVES_MANY) - 1;
}

#endif
