/* The operators of terms as a table; contract/op.def says what each means. */
#ifndef TANDEM_EXPR_OP_H
#define TANDEM_EXPR_OP_H

#include "contract/op.h"

#include <stdbool.h>

struct op {
	const char *name;     /* "UADDO" */
	unsigned arity;       /* how many of a, b, c are nodes */
	unsigned immediates;  /* how many of the rest are numbers */
	const char *text;     /* "+", "uadd_overflows" */
};

const struct op *op_get(unsigned op); /* NULL: there is no such operator */
bool op_is_float(unsigned op);        /* works on IEEE bit patterns, or makes them */

#endif
