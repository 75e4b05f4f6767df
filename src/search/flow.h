/* Control flow of a program's functions as searches want it: basic blocks numbered throughout, and which edge each arc is. */
#ifndef TANDEM_SEARCH_FLOW_H
#define TANDEM_SEARCH_FLOW_H

#include "search/walk.h"
#include "trace/facts.h"

struct flow_arc {
	uint32_t from, to; /* blocks of the function, from 0 on */
	uint32_t edge;     /* dense, or WALK_NO_EDGE: no branch */
};

struct flow_function {
	const struct facts_block *file;
	const struct td_function_facts *facts;
	uint32_t first;    /* number of its block 0, which is its entry */
	const struct flow_arc *arcs;
	uint32_t arcs_count;
};

/* Every function but those of models. */
typedef void flow_visit(void *context, const struct flow_function *f);
void flow_each(const struct facts *f, flow_visit *visit, void *context);

uint32_t flow_blocks(const struct facts *f); /* in all of them */

#endif
