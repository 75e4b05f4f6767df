/* The walk over one function; see weave.h. The C API can neither split a block nor change where a phi comes
 * from, so every block is emptied and refilled, and all phis are rebuilt at the end. */
#include "compile/weave.h"

#include "contract/facts.h"

#include <stdlib.h>
#include <string.h>

/* ---- shadows ---- */

static bool is_killed(const struct weave *w, Value v, int block)
{
	for (const struct kill *k = ptrmap_get(&w->kills, v); k; k = k->next)
		if (cfg_dominates(w->cfg, k->block, block))
			return true;
	return false;
}

bool weave_symbolic(const struct weave *w, Value v)
{
	return ptrmap_get(&w->symbolic, v) && !ptrmap_get(&w->settled, v) && !is_killed(w, v, w->block);
}

Value weave_shadow(struct weave *w, Value v)
{
	if (!weave_symbolic(w, v))
		return LLVMConstNull(shadow_type(w->u, LLVMTypeOf(v)));
	Value shadow = ptrmap_get(&w->fresh, v);
	return shadow ? shadow : region_read(w, v);
}

void weave_settle(struct weave *w, Value v)
{
	ptrmap_set(&w->settled, v, v);
}

void weave_fix(struct weave *w, Value v)
{
	struct kill *kill = memory_array(1, sizeof *kill);
	*kill = (struct kill){w->block, ptrmap_get(&w->kills, v)};
	ptrmap_set(&w->kills, v, kill);
}

Value weave_root(Value pointer)
{
	while (LLVMIsAGetElementPtrInst(pointer)) {
		for (int k = 1; k < LLVMGetNumOperands(pointer); k++)
			if (!LLVMIsAConstantInt(LLVMGetOperand(pointer, (unsigned)k)))
				return pointer;
		pointer = LLVMGetOperand(pointer, 0);
	}
	return pointer;
}

void weave_place(struct weave *w, Value instruction)
{
	LLVMSetCurrentDebugLocation2(w->u->builder, NULL);
	LLVMInsertIntoBuilder(w->u->builder, instruction);
}

/* ---- single instructions ---- */

/* An address that may be symbolic is fixed before it is used: the access may be the last thing the program does. */
static void fix_address(struct weave *w, Value pointer, enum td_lost why)
{
	Value root = weave_root(pointer);
	if (!weave_symbolic(w, root))
		return;
	region_lose(w, root, why);
	region_close(w);
	weave_fix(w, root);
}

static bool any_operand_symbolic(const struct weave *w, Value i)
{
	for (int k = 0; k < LLVMGetNumOperands(i); k++)
		if (weave_symbolic(w, LLVMGetOperand(i, (unsigned)k)))
			return true;
	return false;
}

static void use_operands(struct weave *w, Value i)
{
	for (int k = 0; k < LLVMGetNumOperands(i); k++)
		region_use(w, LLVMGetOperand(i, (unsigned)k));
}

static void weave_computation(struct weave *w, Value i)
{
	weave_place(w, i);
	if (!any_operand_symbolic(w, i)) {
		weave_settle(w, i);
		return;
	}
	if (ptrmap_get(&w->symbolic, i)) {
		use_operands(w, i);
		region_define(w, i, NULL);
		return;
	}
	for (int k = 0; k < LLVMGetNumOperands(i); k++) /* the result is of a type without terms */
		region_lose(w, LLVMGetOperand(i, (unsigned)k), TD_LOST_WIDTH);
}

static void weave_load(struct weave *w, Value i)
{
	Value pointer = LLVMGetOperand(i, 0);
	fix_address(w, pointer, TD_LOST_READ);
	weave_place(w, i);
	if (!ptrmap_get(&w->symbolic, i))
		return;
	region_page(w, pointer);
	region_define(w, i, NULL);
}

static void emit_store_step(struct weave *w, const struct step *step)
{
	Value value = LLVMGetOperand(step->value, 0);
	emit_store(w, LLVMGetOperand(step->value, 1), value, weave_shadow(w, value));
}

static void weave_store(struct weave *w, Value i)
{
	Value value = LLVMGetOperand(i, 0), pointer = LLVMGetOperand(i, 1);
	fix_address(w, pointer, TD_LOST_WRITE);
	weave_place(w, i);
	region_page(w, pointer);
	region_use(w, value);
	region_step(w, emit_store_step, i, 0, NULL);
}

static void weave_atomic(struct weave *w, Value i)
{
	Value pointer = LLVMGetOperand(i, 0);
	fix_address(w, pointer, TD_LOST_WRITE);
	region_close(w);
	weave_place(w, i);
	region_page(w, pointer);
	use_operands(w, i);
	if (ptrmap_get(&w->symbolic, i))
		region_define(w, i, NULL);
	region_close(w);
}

/* The edge that names the site of an instruction, numbered before the optimiser saw it; NULL: none. */
static Value site_edge(struct weave *w, Value i)
{
	struct unit *u = w->u;
	Value node = LLVMGetMetadata(i, u->md_site), edge;
	if (!node)
		return LLVMConstNull(u->ptr);
	LLVMGetMDNodeOperands(node, &edge);
	Value at = unit_const64(u, LLVMConstIntGetZExtValue(edge));
	return LLVMConstGEP2(u->i8, u->edges, &at, 1);
}

static void emit_branch(struct weave *w, const struct step *step)
{
	struct unit *u = w->u;
	Value c = LLVMGetCondition(step->value);
	HOOK_CALL(u, branch, site_edge(w, step->value), weave_shadow(w, c), LLVMBuildZExt(u->builder, c, u->i32, ""));
}

static void emit_switch(struct weave *w, const struct step *step)
{
	struct unit *u = w->u;
	Value c = LLVMGetOperand(step->value, 0), words[2];
	if (!shadow_bits(u, LLVMTypeOf(c)))
		return;
	shadow_words(u, c, words);
	HOOK_CALL(u, switch, site_edge(w, step->value), weave_shadow(w, c), words[0]);
}

/* Shadows of what flows into the phis of the blocks that may come next. */
static void weave_feeds(struct weave *w)
{
	const struct cfg_block *b = &w->cfg->blocks[w->block];
	for (unsigned k = 0; k < b->successor_count; k++)
		for (Value phi = LLVMGetFirstInstruction(w->cfg->blocks[b->successors[k]].block); phi && LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
			if (!weave_symbolic(w, phi))
				continue;
			for (unsigned n = 0; n < LLVMCountIncoming(phi); n++)
				if (LLVMGetIncomingBlock(phi, n) == b->block) {
					region_feed(w, phi, LLVMGetIncomingValue(phi, n));
					break;
				}
		}
}

static void weave_branch(struct weave *w, Value i, Value condition, step_emit *emit)
{
	weave_feeds(w);
	if (condition) {
		region_use(w, condition);
		region_step(w, emit, i, 0, NULL);
		w->force = true;
	}
	region_close(w);
	weave_place(w, i);
}

static void weave_instruction(struct weave *w, Value i)
{
	LLVMSetCurrentDebugLocation2(w->u->builder, NULL);
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMLoad: weave_load(w, i); return;
	case LLVMStore: weave_store(w, i); return;
	case LLVMAtomicRMW: case LLVMAtomicCmpXchg: weave_atomic(w, i); return;
	case LLVMBr: weave_branch(w, i, LLVMIsConditional(i) ? LLVMGetCondition(i) : NULL, emit_branch); return;
	case LLVMSwitch: weave_branch(w, i, LLVMGetOperand(i, 0), emit_switch); return;
	case LLVMRet: call_return(w, i); return;
	case LLVMIndirectBr:
		region_lose(w, LLVMGetOperand(i, 0), TD_LOST_JUMP);
		weave_feeds(w);
		region_close(w);
		weave_place(w, i);
		return;
	case LLVMAlloca:
		region_lose(w, LLVMGetOperand(i, 0), TD_LOST_SIZE);
		weave_place(w, i);
		return;
	case LLVMCall:
		if (!symbolic_carries(w->u, i)) {
			call_weave(w, i);
			return;
		}
		break;
	default:
		break;
	}
	if (symbolic_carries(w->u, i)) {
		weave_computation(w, i);
		return;
	}
	if (LLVMIsATerminatorInst(i)) {
		weave_feeds(w);
		region_close(w);
	}
	weave_place(w, i);
	weave_settle(w, i);
}

/* ---- the function's frame ---- */

/* Unit mode and call records: a flag word per function, 0 in ordinary runs. */
static void weave_switchboard(struct weave *w)
{
	struct unit *u = w->u;
	if (!w->record)
		return;
	Value at = unit_const64(u, offsetof(struct td_function, flags));
	Value flags = LLVMBuildLoad2(u->builder, u->i32, LLVMConstGEP2(u->i8, w->record, &at, 1), "");
	Block ask = unit_block(u, w->function, NULL, "td.enter"), stub = unit_block(u, w->function, NULL, "td.stub");
	Block body = unit_block(u, w->function, w->current, "td.body");
	Value set = LLVMBuildICmp(u->builder, LLVMIntNE, flags, u->zero, "");
	LLVMSetMetadata(LLVMBuildCondBr(u->builder, set, ask, body), u->md_prof, u->unlikely);
	LLVMPositionBuilderAtEnd(u->builder, ask);
	Value stubbed = HOOK_CALL(u, enter, w->record);
	LLVMBuildCondBr(u->builder, LLVMBuildICmp(u->builder, LLVMIntNE, stubbed, u->zero, ""), stub, body);
	LLVMPositionBuilderAtEnd(u->builder, stub);
	Type result = LLVMGetReturnType(LLVMGlobalGetValueType(w->function));
	if (result == u->none)
		LLVMBuildRetVoid(u->builder);
	else
		LLVMBuildRet(u->builder, LLVMConstNull(result));
	LLVMPositionBuilderAtEnd(u->builder, body);
	w->current = body;
}

static bool is_static_alloca(Value i)
{
	return LLVMIsAAllocaInst(i) && LLVMIsConstant(LLVMGetOperand(i, 0));
}

static bool is_debug(Value i)
{
	return LLVMIsACallInst(i) && strcmp(intrinsic_of(i)->name, "dbg") == 0;
}

static void weave_block(struct weave *w, int index)
{
	struct unit *u = w->u;
	Block block = w->cfg->blocks[index].block;
	LIST(Value) body = {0};
	for (Value i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
		if (!LLVMIsAPHINode(i))
			list_push(&body, i);
	w->block = index;
	w->current = block;
	for (size_t k = 0; k < body.count; k++) {
		if (is_debug(body.at[k])) {
			LLVMInstructionEraseFromParent(body.at[k]);
			body.at[k] = NULL;
		} else {
			LLVMInstructionRemoveFromParent(body.at[k]);
		}
	}
	LLVMPositionBuilderAtEnd(u->builder, block);
	if (index == 0) {
		for (size_t k = 0; k < body.count; k++)
			if (body.at[k] && is_static_alloca(body.at[k])) {
				weave_place(w, body.at[k]);
				body.at[k] = NULL;
			}
		region_frame(w);
		weave_switchboard(w);
		call_prologue(w);
	}
	for (Value phi = LLVMGetFirstInstruction(block); phi && LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi))
		if (weave_symbolic(w, phi))
			region_phi(w, phi);
	for (size_t k = 0; k < body.count; k++)
		if (body.at[k])
			weave_instruction(w, body.at[k]);
	ptrmap_set(&w->last, block, w->current);
	free(body.at);
}

/* ---- phis ---- */

struct phi { Value old, rebuilt; };

static void phi_rebuild(struct weave *w, const struct phi *p)
{
	for (unsigned k = 0; k < LLVMCountIncoming(p->old); k++) {
		Value v = LLVMGetIncomingValue(p->old, k);
		Block from = LLVMGetIncomingBlock(p->old, k), last = ptrmap_get(&w->last, from);
		LLVMAddIncoming(p->rebuilt, &v, last ? &last : &from, 1);
	}
}

/* Where blocks ended has moved: every phi is made anew. */
static void weave_phis(struct weave *w)
{
	struct unit *u = w->u;
	LIST(struct phi) phis = {0};
	for (Block b = LLVMGetFirstBasicBlock(w->function); b; b = LLVMGetNextBasicBlock(b))
		if (cfg_index(w->cfg, b) >= 0)
			for (Value i = LLVMGetFirstInstruction(b); i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
				list_push(&phis, ((struct phi){i, NULL}));
	for (size_t k = 0; k < phis.count; k++) {
		LLVMPositionBuilderBefore(u->builder, phis.at[k].old);
		LLVMSetCurrentDebugLocation2(u->builder, NULL);
		phis.at[k].rebuilt = LLVMBuildPhi(u->builder, LLVMTypeOf(phis.at[k].old), "");
		phi_rebuild(w, &phis.at[k]);
	}
	for (size_t k = 0; k < phis.count; k++)
		LLVMReplaceAllUsesWith(phis.at[k].old, phis.at[k].rebuilt);
	for (size_t k = 0; k < phis.count; k++)
		LLVMInstructionEraseFromParent(phis.at[k].old);
	free(phis.at);
}

void weave_function(struct unit *u, Value function, Value identity, Value record)
{
	struct weave w = {.u = u, .function = function, .identity = identity, .record = record};
	w.cfg = cfg_new(function);
	symbolic_find(&w);
	for (int k = 0; k < w.cfg->reachable; k++)
		weave_block(&w, w.cfg->order[k]);
	weave_phis(&w);
	region_finish(&w);
	cfg_free(w.cfg);
	struct ptrmap *maps[] = {&w.symbolic, &w.settled, &w.kills, &w.slots, &w.feeds, &w.pending, &w.inside, &w.fresh, &w.last};
	for (size_t k = 0; k < sizeof maps / sizeof maps[0]; k++)
		ptrmap_free(maps[k]);
	free(w.wakes.at);
	free(w.steps.at);
	free(w.inputs.at);
	free(w.fed.at);
	free(w.outputs.at);
	free(w.pages.at);
}
