/* The concrete side: the program's own instructions, the look at shadow pages, and the way out. Of each block, the pages of all it
 * stores to and of the source it ends with are looked at together. If any page has shadows, out of line: what was
 * stored is cleared there, the source is loaded from shadow memory; only if that gives a term do we leave. */
#include "compile/weave.h"

#include <stdlib.h>

struct concrete {
	struct weave *w;
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

/* ---- leaving ---- */

/* Behind a source come only moves between variables: their shadows, then the other side. */
static void leave(struct weave *w, Value source, Value shadow, const struct twin *to)
{
	struct unit *u = w->u;
	struct ptrmap known = {0};
	Value wake = HOOK_CALL(u, wake, w->frame, u->zero);
	region_sized(w, wake);
	ptrmap_set(&known, source, shadow);
	for (Value i = LLVMGetNextInstruction(source); i; i = LLVMGetNextInstruction(i)) {
		Value from = LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 0) : LLVMIsALoadInst(i) ? LLVMGetOperand(i, 0) : NULL;
		Value s = from ? ptrmap_get(&known, from) : NULL;
		if (!s)
			continue;
		Value target = LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 1) : i;
		ptrmap_set(&known, target, s);
		if (LLVMIsAStoreInst(i) && twin_is_variable(target))
			region_store_slot(w, ptrmap_get(&w->copies, target), s);
	}
	twin_hand_over(w, to);
	ptrmap_free(&known);
}

static void leave_if(struct concrete *c, Value source, Value shadow, const struct twin *to, Block rest)
{
	struct weave *w = c->w;
	struct unit *u = w->u;
	Value any = emit_any(w, NULL, shadow);
	if (!any) {
		LLVMBuildBr(u->builder, rest);
		return;
	}
	Block go = unit_block(u, w->function, NULL, "td.leave");
	LLVMBuildCondBr(u->builder, LLVMBuildICmp(u->builder, LLVMIntNE, any, u->zero, ""), go, rest);
	LLVMPositionBuilderAtEnd(u->builder, go);
	w->current = go;
	leave(w, source, shadow, to);
}

static Value source_shadow(struct weave *w, Value i)
{
	return LLVMIsALoadInst(i) ? emit_load(w, LLVMGetOperand(i, 0), i) : emit_shadow(w, i);
}

/* The block ends in a load: check the pages, then perhaps leave. */
static void end_with_load(struct concrete *c, Value source, const struct twin *to)
{
	struct unit *u = c->w->u;
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	Block rest = step_out(c, LLVMBuildICmp(u->builder, LLVMIntNE, or_pages(c), unit_const64(u, 0), ""));
	write_cleanups(c);
	leave_if(c, source, source_shadow(c->w, source), to, rest);
	LLVMPositionBuilderAtEnd(u->builder, rest);
	c->w->current = rest;
}

static void end_with_call(struct concrete *c, Value call, const struct twin *to)
{
	struct weave *w = c->w;
	struct unit *u = w->u;
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	Value tag = call_returner(w);
	Block rest = step_out(c, LLVMBuildIsNotNull(u->builder, tag, ""));
	Block take = unit_block(u, w->function, NULL, "td.take");
	LLVMBuildCondBr(u->builder, LLVMBuildICmp(u->builder, LLVMIntEQ, tag, call_tag(u, call), ""), take, rest);
	LLVMPositionBuilderAtEnd(u->builder, take);
	w->current = take;
	leave_if(c, call, call_take_result(w, call), to, rest);
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
	call_resolve(c->w, i);
	concrete_effects(c, i);
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	call_unseen(c->w, i);
	if (source)
		call_clear_returner(c->w);
	weave_place(c->w, i);
}

static void concrete_instruction(struct concrete *c, Value i, bool source)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMLoad: case LLVMAtomicRMW: case LLVMAtomicCmpXchg:
		weave_place(c->w, i);
		if (source || !LLVMIsALoadInst(i) || twin_loses(c->w->u, i))
			look(c, LLVMGetOperand(i, 0));
		if (twin_loses(c->w->u, i))
			list_push(&c->written, i);
		if (!source && !LLVMIsALoadInst(i))
			settle(c); /* an atomic of a type without terms */
		return;
	case LLVMStore:
		weave_place(c->w, i);
		if (!twin_is_variable(LLVMGetOperand(i, 1))) {
			look(c, LLVMGetOperand(i, 1));
			list_push(&c->written, i);
		}
		return;
	case LLVMCall:
		concrete_call(c, i, source);
		return;
	default:
		weave_place(c->w, i);
		return;
	}
}

void concrete_weave(struct weave *w, const struct twin *twin)
{
	struct concrete c = {.w = w};
	struct unit *u = w->u;
	LIST(Value) body = {0};
	Value source = NULL, end = LLVMGetBasicBlockTerminator(twin->concrete);
	for (Value i = LLVMGetFirstInstruction(twin->concrete); i; i = LLVMGetNextInstruction(i)) {
		if (twin_is_source(u, i))
			source = i;
		list_push(&body, i);
	}
	const struct twin *to = source ? twin_of(w, LLVMGetSuccessor(end, 0)) : NULL;
	for (size_t k = 0; k < body.count; k++)
		LLVMInstructionRemoveFromParent(body.at[k]);
	w->current = twin->concrete;
	LLVMPositionBuilderAtEnd(u->builder, twin->concrete);
	for (size_t k = 0; k < body.count && body.at[k] != end; k++)
		concrete_instruction(&c, body.at[k], body.at[k] == source);
	if (source && LLVMIsACallInst(source))
		end_with_call(&c, source, to);
	else if (source)
		end_with_load(&c, source, to);
	else
		settle(&c);
	weave_place(w, end);
	free(body.at);
	free(c.pages.at);
	free(c.written.at);
}
