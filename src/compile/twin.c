/* Splitting blocks behind sources, and the second copy of all blocks; see weave.h. */
#include "compile/weave.h"

#include <stdlib.h>
#include <string.h>

bool twin_is_source(const struct unit *u, Value i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMLoad:
		return shadow_tracked(u, LLVMTypeOf(i)) && !twin_is_variable(LLVMGetOperand(i, 0));
	case LLVMAtomicRMW: case LLVMAtomicCmpXchg:
		return shadow_tracked(u, LLVMTypeOf(i));
	case LLVMCall:
		return call_travels(u, i);
	default:
		return false;
	}
}

bool twin_is_variable(Value v)
{
	if (!LLVMIsAAllocaInst(v))
		return false;
	Type type = LLVMGetAllocatedType(v);
	for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use)) {
		Value user = LLVMGetUser(use);
		bool load = LLVMIsALoadInst(user) && LLVMTypeOf(user) == type;
		bool store = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != v && LLVMTypeOf(LLVMGetOperand(user, 0)) == type;
		if (!(load || store) || LLVMGetVolatile(user))
			return false;
	}
	return true;
}

/* ---- splitting ---- */

static void move_rest(struct unit *u, Value after, Block to)
{
	LLVMPositionBuilderAtEnd(u->builder, to);
	for (Value i = LLVMGetNextInstruction(after), next; i; i = next) {
		next = LLVMGetNextInstruction(i);
		LLVMInstructionRemoveFromParent(i);
		LLVMSetCurrentDebugLocation2(u->builder, NULL);
		LLVMInsertIntoBuilder(u->builder, i);
	}
}

/* The last piece of each block takes its place as a predecessor. */
static void rebuild_phi(struct unit *u, Value phi, const struct ptrmap *last)
{
	LLVMPositionBuilderBefore(u->builder, phi);
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	Value rebuilt = LLVMBuildPhi(u->builder, LLVMTypeOf(phi), "");
	for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
		Value v = LLVMGetIncomingValue(phi, k);
		Block from = LLVMGetIncomingBlock(phi, k), moved = ptrmap_get(last, from);
		LLVMAddIncoming(rebuilt, &v, moved ? &moved : &from, 1);
	}
	LLVMReplaceAllUsesWith(phi, rebuilt);
	LLVMInstructionEraseFromParent(phi);
}

static void rebuild_phis(struct unit *u, Value function, const struct ptrmap *last)
{
	LIST(Value) phis = {0};
	for (Block b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		for (Value i = LLVMGetFirstInstruction(b); i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
			list_push(&phis, i);
	for (size_t k = 0; k < phis.count; k++)
		rebuild_phi(u, phis.at[k], last);
	free(phis.at);
}

static bool is_debug(Value i)
{
	return LLVMIsACallInst(i) && strcmp(intrinsic_of(i)->name, "dbg") == 0;
}

static void drop_debug(Value function)
{
	for (Block b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		for (Value i = LLVMGetFirstInstruction(b), next; i; i = next) {
			next = LLVMGetNextInstruction(i);
			if (is_debug(i))
				LLVMInstructionEraseFromParent(i);
		}
}

void twin_split(struct unit *u, Value function)
{
	struct ptrmap last = {0};
	drop_debug(function);
	for (Block b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
		Block first = b;
		for (Value i = LLVMGetFirstInstruction(b); i;) {
			if (!twin_is_source(u, i)) {
				i = LLVMGetNextInstruction(i);
				continue;
			}
			Block rest = unit_block(u, function, b, "td.behind");
			move_rest(u, i, rest);
			LLVMPositionBuilderAtEnd(u->builder, b);
			LLVMSetCurrentDebugLocation2(u->builder, NULL);
			LLVMBuildBr(u->builder, rest);
			b = rest;
			i = LLVMGetFirstInstruction(b);
		}
		if (b != first)
			ptrmap_set(&last, first, b);
	}
	if (last.used)
		rebuild_phis(u, function, &last);
	ptrmap_free(&last);
}

Block twin_next(Block block)
{
	Value end = LLVMGetBasicBlockTerminator(block);
	return LLVMGetNumSuccessors(end) == 1 ? LLVMGetSuccessor(end, 0) : NULL;
}

/* ---- copying ---- */

static bool jumps_by_address(Value function)
{
	for (Block b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
		LLVMOpcode end = LLVMGetInstructionOpcode(LLVMGetBasicBlockTerminator(b));
		if (end == LLVMIndirectBr || end == LLVMInvoke || end == LLVMCallBr)
			return true;
	}
	return false;
}

/* Stack variables go to an entry of their own, which both sides come after. */
static void make_entry(struct weave *w)
{
	struct unit *u = w->u;
	Block first = LLVMGetFirstBasicBlock(w->function);
	w->entry = LLVMInsertBasicBlockInContext(u->context, first, "td.entry");
	LLVMPositionBuilderAtEnd(u->builder, w->entry);
	for (Value i = LLVMGetFirstInstruction(first), next; i; i = next) {
		next = LLVMGetNextInstruction(i);
		if (!LLVMIsAAllocaInst(i) || !LLVMIsConstant(LLVMGetOperand(i, 0)))
			continue;
		LLVMInstructionRemoveFromParent(i);
		LLVMSetCurrentDebugLocation2(u->builder, NULL);
		LLVMInsertIntoBuilder(u->builder, i);
	}
}

static void copy_block(struct weave *w, const struct twin *twin, struct ptrmap *copies)
{
	struct unit *u = w->u;
	LLVMPositionBuilderAtEnd(u->builder, twin->symbolic);
	for (Value i = LLVMGetFirstInstruction(twin->concrete); i; i = LLVMGetNextInstruction(i)) {
		Value copy = LLVMInstructionClone(i);
		LLVMSetCurrentDebugLocation2(u->builder, NULL);
		LLVMInsertIntoBuilder(u->builder, copy);
		ptrmap_set(copies, i, copy);
	}
}

static void redirect(struct weave *w, Value copy, const struct ptrmap *copies)
{
	for (int k = 0; k < LLVMGetNumOperands(copy); k++) {
		Value to = ptrmap_get(copies, LLVMGetOperand(copy, (unsigned)k));
		if (to)
			LLVMSetOperand(copy, (unsigned)k, to);
	}
	if (!LLVMIsATerminatorInst(copy))
		return;
	for (unsigned k = 0; k < LLVMGetNumSuccessors(copy); k++)
		LLVMSetSuccessor(copy, k, ptrmap_get(&w->twin_of, LLVMGetSuccessor(copy, k)));
}

void twin_make(struct weave *w)
{
	struct unit *u = w->u;
	struct ptrmap copies = {0};
	struct cfg *cfg = cfg_new(w->function);
	w->one_sided = jumps_by_address(w->function);
	for (int b = 0; b < cfg->count; b++) {
		struct twin twin = {cfg->blocks[b].block, NULL, cfg->blocks[b].header};
		if (cfg->blocks[b].order >= 0)
			list_push(&w->twins, twin);
	}
	cfg_free(cfg);
	make_entry(w);
	for (size_t k = 0; k < w->twins.count; k++) {
		struct twin *t = &w->twins.at[k];
		t->symbolic = w->one_sided ? t->concrete : unit_block(u, w->function, NULL, "td.symbolic");
		ptrmap_set(&w->twin_of, t->concrete, t->symbolic);
		ptrmap_set(&w->on_symbolic_side, t->symbolic, t->symbolic);
	}
	if (w->one_sided)
		return;
	for (size_t k = 0; k < w->twins.count; k++)
		copy_block(w, &w->twins.at[k], &copies);
	for (size_t k = 0; k < w->twins.count; k++)
		for (Value i = LLVMGetFirstInstruction(w->twins.at[k].symbolic); i; i = LLVMGetNextInstruction(i))
			redirect(w, i, &copies);
	ptrmap_free(&copies);
}
