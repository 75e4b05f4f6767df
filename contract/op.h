/* Operators of terms as an enum; see op.def for the table and its meaning. */
#ifndef TANDEM_CONTRACT_OP_H
#define TANDEM_CONTRACT_OP_H

enum td_op {
	TD_OP_NONE,
#define OP(name, arity, immediates, text) TD_##name,
#include "op.def"
#undef OP
	TD_OP_COUNT
};

/* LLVM's floating point predicates, in LLVM's order: bit 0 equal, 1 greater, 2 less, 3 unordered. */
enum td_fcmp {
	TD_FCMP_FALSE, TD_FCMP_OEQ, TD_FCMP_OGT, TD_FCMP_OGE, TD_FCMP_OLT, TD_FCMP_OLE, TD_FCMP_ONE, TD_FCMP_ORD,
	TD_FCMP_UNO, TD_FCMP_UEQ, TD_FCMP_UGT, TD_FCMP_UGE, TD_FCMP_ULT, TD_FCMP_ULE, TD_FCMP_UNE, TD_FCMP_TRUE
};

/* ROUND is half away from zero, EVEN half to even (also what rint and nearbyint do by default). */
enum td_round { TD_ROUND_FLOOR, TD_ROUND_CEIL, TD_ROUND_TRUNC, TD_ROUND_ROUND, TD_ROUND_EVEN };

#endif
