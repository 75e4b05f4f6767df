/* The concrete side: the program's own instructions, the looks at shadow pages, and the way out. If a page has shadows, out of
 * line: if something that will be loaded has a term, we leave; if not, what will be stored is cleared. Stores that no head
 * looks at (split.c) are looked at together behind them, before the next call or the block's end. */
#include "compile/local.h"
#include "compile/scope.h"
#include "compile/weave.h"

#include <llvm-c/DebugInfo.h>

#include <stdlib.h>

struct concrete {
	struct weave *w;
	LIST(Value) looks;   /* of this head */
	LIST(Value) pages;
	LIST(Value) written; /* stores and memory intrinsics whose shadows have to follow, loads that lose terms */
};

static void out_of_line_store(struct weave *w, Value i)
{
	struct unit *u = w->u;
	if (LLVMIsAStoreInst(i)) {
		HOOK_CALL(u, forget, LLVMGetOperand(i, 1), unit_const64(u, split_access_size(u, i)));
		return;
	}
	if (LLVMIsALoadInst(i)) {
		HOOK_CALL(u, external, LLVMGetOperand(i, 0), unit_const64(u, split_access_size(u, i)), unit_const32(u, TD_EFFECT_READS));
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

static Value at_offset(struct unit *u, Value root, uint64_t offset)
{
	Value by = unit_const64(u, offset);
	return offset ? LLVMBuildGEP2(u->builder, u->i8, root, &by, 1, "") : root;
}

static void look_at(struct concrete *c, Value pointer)
{
	LLVMSetCurrentDebugLocation2(c->w->u->builder, NULL);
	list_push(&c->pages, region_page_entry(c->w->u, pointer));
}

static void look_over(struct concrete *c, Value pointer, uint64_t size)
{
	for (uint64_t at = 0; at == 0 || at < size; at += LOOK_REACH)
		look_at(c, at_offset(c->w->u, pointer, at));
}

static void concrete_memory(struct concrete *c, Value call)
{
	Value size = LLVMGetOperand(call, 2);
	uint64_t bytes = LLVMIsAConstantInt(size) ? LLVMConstIntGetZExtValue(size) : 0;
	weave_place(c->w, call);
	LLVMSetCurrentDebugLocation2(c->w->u->builder, NULL);
	if (!bytes || bytes > LOOK_REACH) {
		settle(c);
		out_of_line_store(c->w, call);
		return;
	}
	look_at(c, LLVMGetOperand(call, 0));
	if (intrinsic_of(call)->kind == INTRINSIC_COPY) /* copies see what was cleared before them */
		look_at(c, LLVMGetOperand(call, 1));
	list_push(&c->written, call);
}

/* ---- the head ---- */

static bool is_bounded(Value look)
{
	return look_number(look, LOOK_BOUNDED);
}

/* The lowest offset from this pointer that is accessed and that looks which reach to `reached` say nothing about. */
static int64_t next_offset(const struct concrete *c, Value pointer, int64_t reached)
{
	int64_t next = INT64_MAX;
	for (size_t k = 0; k < c->looks.count; k++) {
		Value look = c->looks.at[k];
		int64_t offset = (int64_t)look_number(look, LOOK_OFFSET);
		int64_t end = offset + (int64_t)look_number(look, LOOK_SIZE);
		int64_t from = offset > reached ? offset : reached;
		if (!is_bounded(look) && look_pointer(look) == pointer && end > reached && from < next)
			next = from;
	}
	return next;
}

static bool are_alike(Value a, Value b)
{
	return is_bounded(a) == is_bounded(b) && look_pointer(a) == look_pointer(b) && look_base(a) == look_base(b) &&
	       look_number(a, LOOK_INSIDE) == look_number(b, LOOK_INSIDE);
}

static bool is_first_of_its_kind(const struct concrete *c, size_t look)
{
	for (size_t k = 0; k < look; k++)
		if (are_alike(c->looks.at[k], c->looks.at[look]))
			return false;
	return true;
}

/* All that looks like this one touch: bytes [from, to) from the pointer. */
static void reach_of(const struct concrete *c, Value like, int64_t *from, int64_t *to)
{
	*from = INT64_MAX;
	*to = INT64_MIN;
	for (size_t k = 0; k < c->looks.count; k++) {
		Value look = c->looks.at[k];
		if (!are_alike(look, like))
			continue;
		int64_t offset = (int64_t)look_number(look, LOOK_OFFSET), end = offset + (int64_t)look_number(look, LOOK_SIZE);
		*from = offset < *from ? offset : *from;
		*to = end > *to ? end : *to;
	}
}

static Value less_or_none(struct unit *u, Value size, uint64_t by)
{
	if (!by)
		return size;
	return unit_intrinsic(u, "llvm.usub.sat", u->i64, (Value[]){size, unit_const64(u, by)}, 2);
}

/* What is counted upward from the base cannot begin before the object: the map would have another one there. */
static Value ends_outside(struct unit *u, Value base, uint64_t to, Value start, Value open)
{
	Value at = LLVMBuildSub(u->builder, LLVMBuildPtrToInt(u->builder, base, u->i64, ""), start, "");
	return LLVMBuildICmp(u->builder, LLVMIntUGE, LLVMBuildAdd(u->builder, at, unit_const64(u, to - 1), ""), open, "");
}

/* Is any of what will be touched outside? */
static Value outside(struct concrete *c, Value look)
{
	struct unit *u = c->w->u;
	int64_t from, to;
	reach_of(c, look, &from, &to);
	uint64_t inside = look_number(look, LOOK_INSIDE), span = (uint64_t)(to - from);
	Value start, room;
	if (inside) {
		start = LLVMBuildPtrToInt(u->builder, look_base(look), u->i64, "");
		room = unit_const64(u, span <= inside ? inside - span + 1 : 0);
	} else {
		Value open;
		unit_object(u, look_base(look), &start, &open);
		if (look_pointer(look) == look_base(look) && from >= 0)
			return ends_outside(u, look_base(look), (uint64_t)to, start, open);
		room = less_or_none(u, open, span - 1);
	}
	Value at = LLVMBuildPtrToInt(u->builder, at_offset(u, look_pointer(look), (uint64_t)from), u->i64, "");
	return LLVMBuildICmp(u->builder, LLVMIntUGE, LLVMBuildSub(u->builder, at, start, ""), room, "");
}

/* Must we ask? */
static Value write_condition(struct concrete *c)
{
	struct unit *u = c->w->u;
	Value any = NULL;
	for (size_t k = 0; k < c->looks.count; k++) {
		Value look = c->looks.at[k];
		if (!is_first_of_its_kind(c, k))
			continue;
		if (is_bounded(look)) {
			Value one = outside(c, look);
			any = any ? LLVMBuildOr(u->builder, any, one, "") : one;
			continue;
		}
		for (int64_t at = INT64_MIN; (at = next_offset(c, look_pointer(look), at)) != INT64_MAX; at += LOOK_REACH)
			look_at(c, at_offset(u, look_pointer(look), (uint64_t)at));
	}
	Value pages = or_pages(c);
	c->pages.count = 0;
	if (!pages)
		return any;
	pages = LLVMBuildICmp(u->builder, LLVMIntNE, pages, unit_const64(u, 0), "");
	return any ? LLVMBuildOr(u->builder, any, pages, "") : pages;
}

static void write_head(struct concrete *c, const struct twin *twin)
{
	struct weave *w = c->w;
	struct unit *u = w->u;
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	Block rest = step_out(c, write_condition(c));
	struct look_list looks = look_list(c->looks.at, c->looks.count);
	twin_cross(w, twin, &looks, rest);
	free(looks.looks.at);
	LLVMPositionBuilderAtEnd(u->builder, rest);
	w->current = rest;
	for (size_t k = 0; k < c->looks.count; k++)
		LLVMInstructionEraseFromParent(c->looks.at[k]);
}

/* ---- behind a call ---- */

/* Where the symbolic side goes on with what a call returned: the variables that hold it get its shadow. */
static Block taken(struct weave *w, Value call, const struct twin *to)
{
	struct unit *u = w->u;
	Block block = unit_block(u, w->symbolic_side, NULL, "td.taken");
	Value result = NULL;
	LLVMPositionBuilderAtEnd(u->builder, block);
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	for (LLVMUseRef use = LLVMGetFirstUse(call); use; use = LLVMGetNextUse(use)) {
		Value store = LLVMGetUser(use);
		if (!LLVMIsAStoreInst(store) || LLVMGetOperand(store, 0) != call)
			continue;
		Value variable = ptrmap_get(&w->copies, LLVMGetOperand(store, 1));
		if (!result) {
			result = LLVMBuildLoad2(u->builder, LLVMTypeOf(call), variable, "");
			call_take_result(w, result);
		}
		region_write(w, NULL, variable, result);
	}
	region_run(w);
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
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	bool ask = call_must_ask(u, call);
	Value answer = ask ? answer_of(u, LLVMGetCalledValue(call)) : NULL, condition = NULL;
	for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++)
		if (is_pointer(LLVMGetOperand(call, k)) && call_touches(u, call, k))
			look_at(c, LLVMGetOperand(call, k));
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

static void concrete_call(struct concrete *c, Value i)
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
		if (kind == INTRINSIC_UNKNOWN)
			concrete_effects(c, i);
		weave_place(c->w, i);
		return;
	}
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	if (call_through_pointer(i))
		settle(c);
	if (!call_resolve(c->w, i))
		concrete_effects(c, i);
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	call_unseen(c->w, i);
	call_stacked(c->w, i);
	weave_place(c->w, i);
}

static void check_mark(struct concrete *c, Value mark)
{
	struct unit *u = c->w->u;
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	Value wrong = safety_condition(u, mark);
	if (wrong) {
		Block rest = step_out(c, wrong);
		LLVMSetCurrentDebugLocation2(u->builder, LLVMInstructionGetDebugLoc(mark));
		safety_fail(u, mark);
		LLVMSetCurrentDebugLocation2(u->builder, NULL);
		step_in(c, rest);
	}
	LLVMDeleteInstruction(mark);
}

static void concrete_instruction(struct concrete *c, Value i)
{
	struct unit *u = c->w->u;
	if (safety_is_mark(i)) {
		check_mark(c, i);
		return;
	}
	if (scope_is_mark(i)) {
		settle(c);
		local_turn(u, c->w->function, &c->w->current, i);
		LLVMDeleteInstruction(i);
		return;
	}
	if (LLVMIsACallInst(i)) {
		concrete_call(c, i);
		return;
	}
	weave_place(c->w, i);
	if (LLVMGetMetadata(i, u->md_seen))
		return;
	bool untracked = (LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i)) && !split_is_source(u, i), clears = split_clears(u, i);
	if (untracked || clears)
		look_over(c, LLVMGetOperand(i, LLVMIsAStoreInst(i) ? 1 : 0), split_access_size(u, i));
	if (clears)
		list_push(&c->written, i);
	if (untracked)
		settle(c);
}

void concrete_weave(struct weave *w, const struct twin *twin)
{
	struct concrete c = {.w = w};
	struct unit *u = w->u;
	LIST(Value) body = {0};
	Value call = NULL, end = LLVMGetBasicBlockTerminator(twin->concrete);
	for (Value i = LLVMGetFirstInstruction(twin->concrete); i; i = LLVMGetNextInstruction(i)) {
		if (LLVMIsACallInst(i) && split_is_source(u, i))
			call = i;
		if (look_is(i) && !look_exact(i))
			list_push(&c.looks, i);
		list_push(&body, i);
	}
	const struct twin *to = call ? twin_of(w, LLVMGetSuccessor(end, 0)) : NULL;
	for (size_t k = 0; k < body.count; k++)
		LLVMInstructionRemoveFromParent(body.at[k]);
	w->current = twin->concrete;
	LLVMPositionBuilderAtEnd(u->builder, twin->concrete);
	size_t looks = c.looks.count;
	for (size_t k = 0; k + 1 < body.count; k++) {
		if (!look_is(body.at[k])) {
			concrete_instruction(&c, body.at[k]);
			continue;
		}
		if (look_exact(body.at[k])) {
			LLVMDeleteInstruction(body.at[k]);
			continue;
		}
		weave_place(w, body.at[k]);
		if (!--looks)
			write_head(&c, twin);
	}
	settle(&c);
	if (call)
		end_with_call(&c, call, to);
	if (LLVMIsAReturnInst(end))
		call_answer_nothing(w);
	weave_place(w, end);
	free(body.at);
	free(c.looks.at);
	free(c.pages.at);
	free(c.written.at);
}
