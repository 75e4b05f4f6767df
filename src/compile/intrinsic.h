/* What LLVM's intrinsics mean for shadows: a table by name. */
#ifndef TANDEM_COMPILE_INTRINSIC_H
#define TANDEM_COMPILE_INTRINSIC_H

#include "compile/unit.h"
#include "contract/op.h"

enum intrinsic_kind {
	INTRINSIC_NOT,       /* an ordinary call */
	INTRINSIC_QUIET,     /* nothing symbolic goes in that could come out */
	INTRINSIC_SAME,      /* the result is the first argument */
	INTRINSIC_TERM,      /* operator `op` over the first `arity` arguments */
	INTRINSIC_OVERFLOW,  /* {op(a, b), predicate(a, b)}; the predicate is the immediate */
	INTRINSIC_COPY, INTRINSIC_FILL,
	INTRINSIC_VA_START, INTRINSIC_VA_COPY,
	INTRINSIC_UNKNOWN    /* executed; symbolic operands are lost */
};

struct intrinsic {
	const char *name; /* without "llvm." and without the type suffix */
	enum intrinsic_kind kind;
	enum td_op op;
	unsigned arity, immediate;
};

const struct intrinsic *intrinsic_of(Value call); /* never NULL */

#endif
