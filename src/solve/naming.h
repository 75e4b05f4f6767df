/* Names of terms that are the same in every run: what is solved once need not be solved again for another trace. */
#ifndef TANDEM_SOLVE_NAMING_H
#define TANDEM_SOLVE_NAMING_H

#include "base/digest.h"
#include "base/vec.h"
#include "solve/query.h"

#define LENGTH_MAX (1u << 16) /* of an object whose length the solver may choose, unless the seed is longer */

struct naming {
	struct terms terms;
	const struct td_input *inputs;  /* NULL: objects go by their numbers */
	uint32_t inputs_count;
	struct assignment seed;
	struct digest *nodes, *arrays;  /* none: not computed yet */
	uint64_t *objects;              /* likewise 0 */
	VEC(uint32_t) stack;
};

void naming_open(struct naming *n, const struct terms *terms, const struct td_input *inputs, uint32_t inputs_count,
                 const struct assignment *seed);
void naming_close(struct naming *n);

struct digest naming_node(struct naming *n, uint32_t id);
struct digest naming_conjunct(struct naming *n, const struct conjunct *c);
uint64_t naming_object(struct naming *n, uint32_t object);

uint64_t naming_length(const struct naming *n, uint32_t object);       /* of the object in the seed */
uint64_t naming_length_limit(const struct naming *n, uint32_t object); /* what it may become at most */

#endif
