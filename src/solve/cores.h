/* Sets of demands that are impossible together: a query that has all of one is impossible too. */
#ifndef TANDEM_SOLVE_CORES_H
#define TANDEM_SOLVE_CORES_H

#include "base/vec.h"
#include "solve/memo.h"
#include "solve/path.h"

struct core {
	uint32_t first, count;  /* of its names, without the goal's */
	uint32_t next;          /* of the same goal, plus one */
};

struct cores {
	struct memo goals;      /* to the newest core that has the goal, plus one */
	VEC(struct core) at;
	VEC(struct digest) names;
	size_t limit;           /* of names */
	VEC(uint32_t) slots;    /* of the slice that is looked at: its names by hash */
};

void cores_open(struct cores *c, size_t bytes);
void cores_close(struct cores *c);

bool cores_refute(struct cores *c, const struct slice *s);
void cores_put(struct cores *c, const struct slice *s, const bool *core); /* core: by part; these are impossible together */

#endif
