/* The floating point half of eval.h. */
#ifndef TANDEM_EXPR_FEVAL_H
#define TANDEM_EXPR_FEVAL_H

#include "expr/eval.h"

u128 feval_node(const struct td_node *n, const struct operands *x);

#endif
