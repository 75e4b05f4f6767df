/* Which values of a function may be symbolic at all? What comes from outside (parameters, loads, results of calls)
 * and what is computed from it, through variables too. Loop counters, constants and addresses of locals are not, and
 * need no hooks. Only the symbolic side is looked at. */
#include "compile/weave.h"

#include <stdlib.h>

bool symbolic_carries(Value i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMAdd: case LLVMSub: case LLVMMul: case LLVMUDiv: case LLVMSDiv: case LLVMURem: case LLVMSRem:
	case LLVMShl: case LLVMLShr: case LLVMAShr: case LLVMAnd: case LLVMOr: case LLVMXor:
	case LLVMFAdd: case LLVMFSub: case LLVMFMul: case LLVMFDiv: case LLVMFRem: case LLVMFNeg:
	case LLVMICmp: case LLVMFCmp: case LLVMSelect: case LLVMFreeze: case LLVMGetElementPtr:
	case LLVMTrunc: case LLVMZExt: case LLVMSExt: case LLVMPtrToInt: case LLVMIntToPtr: case LLVMBitCast:
	case LLVMFPTrunc: case LLVMFPExt: case LLVMFPToUI: case LLVMFPToSI: case LLVMUIToFP: case LLVMSIToFP:
	case LLVMExtractValue: case LLVMInsertValue:
	case LLVMExtractElement: case LLVMInsertElement: case LLVMShuffleVector:
		return true;
	case LLVMCall: {
		enum intrinsic_kind kind = intrinsic_of(i)->kind;
		bool assembly = LLVMIsAInlineAsm(LLVMGetCalledValue(i)) != NULL;
		return assembly || kind == INTRINSIC_SAME || kind == INTRINSIC_TERM || kind == INTRINSIC_OVERFLOW;
	}
	default:
		return false;
	}
}

struct worklist { LIST(Value) values; };

static void mark(struct weave *w, struct worklist *work, Value v)
{
	Type type = LLVMIsAAllocaInst(v) ? LLVMGetAllocatedType(v) : LLVMTypeOf(v);
	if (ptrmap_get(&w->symbolic, v) || !shadow_tracked(w->u, type))
		return;
	ptrmap_set(&w->symbolic, v, v);
	list_push(&work->values, v);
}

/* A constant is not symbolic, but which of several is read may be. */
static bool chooses(const struct weave *w, Value load)
{
	struct table *t = table_of(w->u, load);
	table_free(t);
	return t != NULL;
}

static void flow(struct weave *w, struct worklist *work, Value v, Value user)
{
	if (!LLVMIsAInstruction(user) || !ptrmap_get(&w->on_symbolic_side, LLVMGetInstructionParent(user)))
		return;
	if (LLVMIsAStoreInst(user)) {
		Value to = LLVMGetOperand(user, 1);
		if (LLVMGetOperand(user, 0) == v && split_is_variable(w->u, to))
			mark(w, work, to);
	} else if (LLVMIsALoadInst(user) ? (LLVMIsAAllocaInst(v) ? split_is_variable(w->u, v) : chooses(w, user)) : symbolic_carries(user)) {
		mark(w, work, user);
	}
}

void symbolic_find(struct weave *w)
{
	struct worklist work = {0};
	for (size_t k = 0; k < w->parameters.count; k++)
		mark(w, &work, w->parameters.at[k]);
	for (size_t k = 0; k < w->twins.count; k++)
		for (Value i = LLVMGetFirstInstruction(w->twins.at[k].symbolic); i; i = LLVMGetNextInstruction(i))
			if (split_is_source(w->u, i))
				mark(w, &work, i);
	while (work.values.count) {
		Value v = work.values.at[--work.values.count];
		for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use))
			flow(w, &work, v, LLVMGetUser(use));
	}
	free(work.values.at);
}
