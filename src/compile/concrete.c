/* The concrete side: the program's own instructions, the look at shadow pages, and the way out. The head of a block looks at the
 * pages of all that the block will load and, where it can, store. If any has shadows, out of line: if something that will be
 * loaded has a term, we leave; if not, what will be stored is cleared. Stores that the head cannot see are looked at together behind
 * them, before the next call or the block's end. */
#include "compile/weave.h"

#include <stdio.h>
#include <stdlib.h>

struct concrete {
	struct weave *w;
	LIST(Value) body;
	struct early early;
	LIST(Value) reads;   /* what the head looks at: sources, */
	LIST(Value) clears;  /* stores, and loads that lose terms */
	struct ptrmap at_head; /* these, and what their addresses are made of */
	LIST(Value) pages;
	LIST(Value) written; /* stores and memory intrinsics whose shadows have to follow, loads that lose terms */
};

static void out_of_line_store(struct weave *w, Value i)
{
	struct unit *u = w->u;
	if (LLVMIsAStoreInst(i)) {
		uint64_t size = LLVMStoreSizeOfType(u->layout, LLVMTypeOf(LLVMGetOperand(i, 0)));
		HOOK_CALL(u, forget, LLVMGetOperand(i, 1), unit_const64(u, size));
		return;
	}
	if (LLVMIsALoadInst(i)) {
		uint64_t size = LLVMStoreSizeOfType(u->layout, LLVMTypeOf(i));
		HOOK_CALL(u, external, LLVMGetOperand(i, 0), unit_const64(u, size), unit_const32(u, TD_EFFECT_READS));
		return;
	}
	Value size = LLVMBuildZExtOrBitCast(u->builder, LLVMGetOperand(i, 2), u->i64, "");
	if (intrinsic_of(i)->kind == INTRINSIC_COPY)
		HOOK_CALL(u, copy, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1), size);
	else
		HOOK_CALL(u, forget, LLVMGetOperand(i, 0), size);
}

static Value or_pages(struct concrete *c)
{
	Value all = NULL;
	for (size_t k = 0; k < c->pages.count; k++)
		all = all ? LLVMBuildOr(c->w->u->builder, all, c->pages.at[k], "") : c->pages.at[k];
	return all;
}

/* Starts the out-of-line part; returns where the concrete side goes on. */
static Block step_out(struct concrete *c, Value condition)
{
	struct unit *u = c->w->u;
	Block out = unit_block(u, c->w->function, NULL, "td.out"), rest = unit_block(u, c->w->function, c->w->current, "td.rest");
	LLVMSetMetadata(LLVMBuildCondBr(u->builder, condition, out, rest), u->md_prof, u->unlikely);
	LLVMPositionBuilderAtEnd(u->builder, out);
	c->w->current = out;
	return rest;
}

static void step_in(struct concrete *c, Block rest)
{
	LLVMBuildBr(c->w->u->builder, rest);
	LLVMPositionBuilderAtEnd(c->w->u->builder, rest);
	c->w->current = rest;
}

static void write_cleanups(struct concrete *c)
{
	for (size_t k = 0; k < c->written.count; k++)
		out_of_line_store(c->w, c->written.at[k]);
	c->pages.count = c->written.count = 0;
}

/* Before a call: the callee must find shadow memory in order. */
static void settle(struct concrete *c)
{
	struct unit *u = c->w->u;
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	Value all = or_pages(c);
	if (!all)
		return;
	Block rest = step_out(c, LLVMBuildICmp(u->builder, LLVMIntNE, all, unit_const64(u, 0), ""));
	write_cleanups(c);
	step_in(c, rest);
}

static void look(struct concrete *c, Value pointer)
{
	LLVMSetCurrentDebugLocation2(c->w->u->builder, NULL);
	list_push(&c->pages, region_page_entry(c->w->u, pointer));
}

enum { INLINE_CHECK_BYTES = 4096 }; /* no more than two pages on either side */

static void look_range(struct concrete *c, Value pointer, uint64_t bytes)
{
	struct unit *u = c->w->u;
	Value last = unit_const64(u, bytes - 1);
	look(c, pointer);
	if (bytes > 1)
		look(c, LLVMBuildGEP2(u->builder, u->i8, pointer, &last, 1, ""));
}

static void concrete_memory(struct concrete *c, Value call)
{
	Value size = LLVMGetOperand(call, 2);
	uint64_t bytes = LLVMIsAConstantInt(size) ? LLVMConstIntGetZExtValue(size) : 0;
	weave_place(c->w, call);
	LLVMSetCurrentDebugLocation2(c->w->u->builder, NULL);
	if (!bytes || bytes > INLINE_CHECK_BYTES) {
		settle(c);
		out_of_line_store(c->w, call);
		return;
	}
	look_range(c, LLVMGetOperand(call, 0), bytes);
	if (intrinsic_of(call)->kind == INTRINSIC_COPY) { /* copies see what was cleared before them */
		look_range(c, LLVMGetOperand(call, 1), bytes);
	}
	list_push(&c->written, call);
}

/* ---- the head ---- */

static Value address_of(Value i)
{
	return LLVMGetOperand(i, LLVMIsAStoreInst(i) ? 1 : 0);
}

static Type accessed_type(Value i)
{
	if (LLVMIsAAtomicCmpXchgInst(i))
		return LLVMTypeOf(LLVMGetOperand(i, 1));
	return LLVMTypeOf(LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 0) : i);
}

/* Its address is computed at the head; operands come before it in the block. */
static void need(struct concrete *c, Value v)
{
	if (!LLVMIsAInstruction(v) || LLVMGetInstructionParent(v) != c->w->current || ptrmap_get(&c->at_head, v))
		return;
	ptrmap_set(&c->at_head, v, v);
	for (int k = 0; k < LLVMGetNumOperands(v); k++)
		need(c, LLVMGetOperand(v, (unsigned)k));
}

static void plan_instruction(struct concrete *c, Value i)
{
	struct unit *u = c->w->u;
	bool source = twin_is_source(u, i) && !LLVMIsACallInst(i);
	bool clears = (LLVMIsAStoreInst(i) && !twin_is_variable(u, LLVMGetOperand(i, 1))) || twin_loses(u, i);
	if (source || clears) {
		bool seen = early_sees(&c->early, address_of(i));
		if (source && !seen) {
			fprintf(stderr, "tandem-cc: internal error: a load that its block cannot foresee\n");
			abort();
		}
		if (seen) {
			need(c, address_of(i));
			if (source)
				list_push(&c->reads, i);
			else
				list_push(&c->clears, i);
		}
	}
	early_follow(&c->early, u, i);
}

static bool is_listed(const struct concrete *c, Value store)
{
	for (size_t k = 0; k < c->clears.count; k++)
		if (c->clears.at[k] == store)
			return true;
	return false;
}

/* Two accesses at one address need one look. */
static void look_once(struct concrete *c, struct ptrmap *seen, Value pointer)
{
	if (ptrmap_get(seen, pointer))
		return;
	ptrmap_set(seen, pointer, pointer);
	look(c, pointer);
}

static void leave(struct concrete *c, const struct twin *twin, Block rest)
{
	struct weave *w = c->w;
	struct unit *u = w->u;
	Value any = NULL;
	for (size_t k = 0; k < c->reads.count; k++) {
		uint64_t size = LLVMStoreSizeOfType(u->layout, accessed_type(c->reads.at[k]));
		Value one = HOOK_CALL(u, any, address_of(c->reads.at[k]), unit_const64(u, size));
		any = any ? LLVMBuildOr(u->builder, any, one, "") : one;
	}
	Block go = unit_block(u, w->function, NULL, "td.leave"), clear = c->clears.count ? unit_block(u, w->function, NULL, "td.clear") : rest;
	LLVMBuildCondBr(u->builder, LLVMBuildICmp(u->builder, LLVMIntNE, any, u->zero, ""), go, clear);
	LLVMPositionBuilderAtEnd(u->builder, go);
	w->current = go;
	twin_hand_over(w, twin, twin->stay);
	LLVMPositionBuilderAtEnd(u->builder, clear);
	w->current = clear;
}

static void write_head(struct concrete *c, const struct twin *twin)
{
	struct unit *u = c->w->u;
	struct ptrmap seen = {0};
	for (size_t k = 0; k < c->reads.count; k++)
		look_once(c, &seen, address_of(c->reads.at[k]));
	for (size_t k = 0; k < c->clears.count; k++)
		look_once(c, &seen, address_of(c->clears.at[k]));
	ptrmap_free(&seen);
	Value all = or_pages(c);
	if (!all)
		return;
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	Block rest = step_out(c, LLVMBuildICmp(u->builder, LLVMIntNE, all, unit_const64(u, 0), ""));
	if (c->reads.count)
		leave(c, twin, rest);
	for (size_t k = 0; k < c->clears.count; k++)
		out_of_line_store(c->w, c->clears.at[k]);
	c->pages.count = 0;
	if (c->w->current == rest)
		return;
	step_in(c, rest);
}

/* ---- behind a call ---- */

/* Where the symbolic side goes on with what a call returned: the variables that hold it get its shadow. */
static Block taken(struct weave *w, Value call, const struct twin *to)
{
	struct unit *u = w->u;
	Block block = unit_block(u, w->symbolic_side, NULL, "td.taken");
	Value shadow = NULL;
	LLVMPositionBuilderAtEnd(u->builder, block);
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	for (LLVMUseRef use = LLVMGetFirstUse(call); use; use = LLVMGetNextUse(use)) {
		Value store = LLVMGetUser(use);
		if (!LLVMIsAStoreInst(store) || LLVMGetOperand(store, 0) != call)
			continue;
		Value variable = ptrmap_get(&w->copies, LLVMGetOperand(store, 1));
		if (!shadow)
			shadow = call_take_result(w, LLVMBuildLoad2(u->builder, LLVMTypeOf(call), variable, ""));
		region_store_slot(w, variable, shadow);
	}
	LLVMBuildBr(u->builder, to->symbolic);
	return block;
}

static void end_with_call(struct concrete *c, Value call, const struct twin *to)
{
	struct weave *w = c->w;
	struct unit *u = w->u;
	Block here = w->current, resume = taken(w, call, to);
	LLVMPositionBuilderAtEnd(u->builder, here);
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	Block rest = step_out(c, LLVMBuildICmp(u->builder, LLVMIntEQ, call_returner(w), call_tag(u, call), ""));
	twin_hand_over(w, to, resume);
	LLVMPositionBuilderAtEnd(u->builder, rest);
	w->current = rest;
}

/* ---- calls ---- */

static bool is_pointer(Value v)
{
	return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind && !LLVMIsAFunction(v);
}

/* Per callee of a file: 1 once it has turned out to be instrumented. */
static Value answer_of(struct unit *u, Value callee)
{
	if (!LLVMIsAFunction(callee))
		return NULL;
	char *name = memory_printf("td.asked.%s", unit_name(callee));
	Value global = LLVMGetNamedGlobal(u->module, name);
	if (!global) {
		global = LLVMAddGlobal(u->module, u->i8, name);
		LLVMSetInitializer(global, LLVMConstInt(u->i8, 0, false));
		LLVMSetLinkage(global, LLVMInternalLinkage);
	}
	free(name);
	return global;
}

/* An uninstrumented callee may read or write memory that has shadows; an unknown one also what its pointers lead to. */
static void concrete_effects(struct concrete *c, Value call)
{
	struct unit *u = c->w->u;
	bool ask = call_must_ask(u, call);
	Value answer = ask ? answer_of(u, LLVMGetCalledValue(call)) : NULL, condition = NULL;
	for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++)
		if (is_pointer(LLVMGetOperand(call, k)) && call_touches(u, call, k))
			look(c, LLVMGetOperand(call, k));
	Value all = or_pages(c);
	if (all)
		condition = LLVMBuildICmp(u->builder, LLVMIntNE, all, unit_const64(u, 0), "");
	if (answer) {
		Value unasked = LLVMBuildICmp(u->builder, LLVMIntEQ, LLVMBuildLoad2(u->builder, u->i8, answer, ""), LLVMConstInt(u->i8, 0, false), "");
		condition = condition ? LLVMBuildOr(u->builder, condition, unasked, "") : unasked;
	} else if (ask) {
		condition = LLVMConstInt(u->i1, 1, false);
	}
	if (!condition)
		return;
	Block rest = step_out(c, condition);
	write_cleanups(c);
	if (answer) {
		Value known = HOOK_CALL(u, known, LLVMGetCalledValue(call));
		LLVMBuildStore(u->builder, LLVMBuildTrunc(u->builder, known, u->i8, ""), answer);
	}
	call_emit_effects(c->w, call);
	step_in(c, rest);
}

static void concrete_call(struct concrete *c, Value i, bool source)
{
	struct unit *u = c->w->u;
	enum intrinsic_kind kind = intrinsic_of(i)->kind;
	if (kind == INTRINSIC_COPY || kind == INTRINSIC_FILL) {
		concrete_memory(c, i);
		return;
	}
	if (kind == INTRINSIC_VA_START || kind == INTRINSIC_VA_COPY) {
		settle(c);
		weave_place(c->w, i);
		if (kind == INTRINSIC_VA_START)
			HOOK_CALL(u, va_start, LLVMGetOperand(i, 0), LLVMConstNull(u->ptr), LLVMConstNull(u->ptr));
		else
			HOOK_CALL(u, forget, LLVMGetOperand(i, 0), unit_const64(u, 24));
		return;
	}
	if (kind != INTRINSIC_NOT) {
		weave_place(c->w, i);
		return;
	}
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	concrete_effects(c, i);
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	call_unseen(c->w, i);
	if (source)
		call_clear_returner(c->w);
	weave_place(c->w, i);
}

static void concrete_instruction(struct concrete *c, Value i, bool source)
{
	struct unit *u = c->w->u;
	if (LLVMIsACallInst(i)) {
		concrete_call(c, i, source);
		return;
	}
	weave_place(c->w, i);
	bool untracked = (LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i)) && !twin_is_source(u, i);
	bool clears = (LLVMIsAStoreInst(i) && !twin_is_variable(u, LLVMGetOperand(i, 1))) || twin_loses(u, i);
	if (untracked || (clears && !is_listed(c, i)))
		look(c, address_of(i));
	if (clears && !is_listed(c, i))
		list_push(&c->written, i);
	if (untracked)
		settle(c);
}

void concrete_weave(struct weave *w, const struct twin *twin)
{
	struct concrete c = {.w = w};
	struct unit *u = w->u;
	Value call = NULL, end = LLVMGetBasicBlockTerminator(twin->concrete);
	w->current = twin->concrete;
	for (Value i = LLVMGetFirstInstruction(twin->concrete); i != end; i = LLVMGetNextInstruction(i)) {
		if (LLVMIsACallInst(i) && twin_is_source(u, i))
			call = i;
		list_push(&c.body, i);
		plan_instruction(&c, i);
	}
	const struct twin *to = call ? twin_of(w, LLVMGetSuccessor(end, 0)) : NULL;
	for (size_t k = 0; k < c.body.count; k++)
		LLVMInstructionRemoveFromParent(c.body.at[k]);
	LLVMInstructionRemoveFromParent(end);
	LLVMPositionBuilderAtEnd(u->builder, twin->concrete);
	for (size_t k = 0; k < c.body.count; k++)
		if (ptrmap_get(&c.at_head, c.body.at[k]))
			weave_place(w, c.body.at[k]);
	write_head(&c, twin);
	for (size_t k = 0; k < c.body.count; k++)
		if (!ptrmap_get(&c.at_head, c.body.at[k]))
			concrete_instruction(&c, c.body.at[k], c.body.at[k] == call);
	settle(&c);
	if (call)
		end_with_call(&c, call, to);
	weave_place(w, end);
	free(c.body.at);
	free(c.reads.at);
	free(c.clears.at);
	free(c.pages.at);
	free(c.written.at);
	ptrmap_free(&c.at_head);
	ptrmap_free(&c.early.late);
}
