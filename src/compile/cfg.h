/* Control flow of one function: order, dominators, natural loops. LLVM's C API has none of these analyses. */
#ifndef TANDEM_COMPILE_CFG_H
#define TANDEM_COMPILE_CFG_H

#include "compile/unit.h"

struct cfg_block {
	Block block;
	int *successors, *predecessors;
	unsigned successor_count, predecessor_count;
	int order;      /* position in reverse post-order; -1: unreachable */
	int dominator;  /* immediate dominator; the entry is its own */
	int dom_in, dom_out; /* interval in a walk of the dominator tree */
	int loop;       /* header of the innermost loop, or -1 */
	int outer;      /* of a header: that of the loop around it, or -1 */
	unsigned depth; /* of loop nesting */
	bool header;
};

struct cfg {
	struct cfg_block *blocks; /* in the function's own order: index 0 is the entry */
	int count;
	int *order;               /* reachable blocks in reverse post-order */
	int reachable;
	struct ptrmap index;      /* Block -> index + 1 */
};

struct cfg *cfg_new(Value function);
void cfg_free(struct cfg *cfg);
int cfg_index(const struct cfg *cfg, Block block);
bool cfg_dominates(const struct cfg *cfg, int a, int b); /* reflexive; both reachable */
bool cfg_in_loop(const struct cfg *cfg, int block, int header);

#endif
