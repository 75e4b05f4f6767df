/* Which values of a function may be symbolic at all? What comes from outside (parameters, loads, results of calls)
 * and what is computed from it. Loop counters, constants and addresses of locals are not, and cost nothing. */
#include "compile/weave.h"

#include <stdlib.h>

bool symbolic_carries(const struct unit *u, Value i)
{
	(void)u;
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMAdd: case LLVMSub: case LLVMMul: case LLVMUDiv: case LLVMSDiv: case LLVMURem: case LLVMSRem:
	case LLVMShl: case LLVMLShr: case LLVMAShr: case LLVMAnd: case LLVMOr: case LLVMXor:
	case LLVMFAdd: case LLVMFSub: case LLVMFMul: case LLVMFDiv: case LLVMFRem: case LLVMFNeg:
	case LLVMICmp: case LLVMFCmp: case LLVMSelect: case LLVMFreeze: case LLVMGetElementPtr:
	case LLVMTrunc: case LLVMZExt: case LLVMSExt: case LLVMPtrToInt: case LLVMIntToPtr: case LLVMBitCast:
	case LLVMFPTrunc: case LLVMFPExt: case LLVMFPToUI: case LLVMFPToSI: case LLVMUIToFP: case LLVMSIToFP:
	case LLVMExtractValue: case LLVMInsertValue:
	case LLVMExtractElement: case LLVMInsertElement: case LLVMShuffleVector:
	case LLVMPHI:
		return true;
	case LLVMCall: {
		enum intrinsic_kind kind = intrinsic_of(i)->kind;
		return kind == INTRINSIC_SAME || kind == INTRINSIC_TERM || kind == INTRINSIC_OVERFLOW;
	}
	default:
		return false;
	}
}

static bool is_source(Value i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMLoad: case LLVMAtomicRMW: case LLVMAtomicCmpXchg: return true;
	case LLVMCall: return intrinsic_of(i)->kind == INTRINSIC_NOT;
	default: return false;
	}
}

struct worklist { LIST(Value) values; };

static void mark(struct weave *w, struct worklist *work, Value v)
{
	if (ptrmap_get(&w->symbolic, v) || !shadow_tracked(w->u, LLVMTypeOf(v)))
		return;
	ptrmap_set(&w->symbolic, v, v);
	list_push(&work->values, v);
}

void symbolic_find(struct weave *w)
{
	struct worklist work = {0};
	for (Value p = LLVMGetFirstParam(w->function); p; p = LLVMGetNextParam(p))
		mark(w, &work, p);
	for (Block b = LLVMGetFirstBasicBlock(w->function); b; b = LLVMGetNextBasicBlock(b))
		for (Value i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			if (is_source(i))
				mark(w, &work, i);
	while (work.values.count) {
		Value v = work.values.at[--work.values.count];
		for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use)) {
			Value user = LLVMGetUser(use);
			if (LLVMIsAInstruction(user) && symbolic_carries(w->u, user))
				mark(w, &work, user);
		}
	}
	free(work.values.at);
}
