/* The operator table, expanded from contract/op.def. */
#include "expr/op.h"

#include <stddef.h>

static const struct op table[TD_OP_COUNT] = {
#define OP(name, arity, immediates, text) [TD_##name] = { #name, arity, immediates, text },
#include "contract/op.def"
#undef OP
};

const struct op *op_get(unsigned op)
{
	return op > TD_OP_NONE && op < TD_OP_COUNT ? &table[op] : NULL;
}

bool op_is_float(unsigned op)
{
	return op >= TD_FADD && op <= TD_FPCAST;
}
