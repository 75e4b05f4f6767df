/* What a term means: the reference semantics of every operator. */
#ifndef TANDEM_EXPR_EVAL_H
#define TANDEM_EXPR_EVAL_H

#include "contract/trace.h"
#include "expr/value.h"

/* The values of a node's children and the widths the operators need. What is no child is ignored. */
struct operands {
	u128 a, b, c;
	unsigned a_bits, b_bits;
};

/* The node's own value fields are read for CONST only. INPUT, LENGTH and TABLE depend on more than
 * their operands (terms.h): they give 0. The node must be well-formed (terms_check). */
u128 eval_node(const struct td_node *n, const struct operands *x);

#endif
