/* The symbolic side, block by block, and the frame around both sides; see weave.h. The C API cannot split a block, so
 * each one is emptied and refilled. */
#include "compile/local.h"
#include "compile/scope.h"
#include "compile/weave.h"

#include "contract/facts.h"

#include <llvm-c/DebugInfo.h>

#include <stdlib.h>
#include <string.h>

/* ---- shadows ---- */

bool weave_symbolic(const struct weave *w, Value v)
{
	return ptrmap_get(&w->symbolic, v) && !ptrmap_get(&w->fixed, v);
}

Value weave_shadow(struct weave *w, Value v)
{
	Value shadow = weave_symbolic(w, v) ? ptrmap_get(&w->fresh, v) : NULL;
	return shadow ? shadow : LLVMConstNull(shadow_type(w->u, LLVMTypeOf(v)));
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
	region_fix(w, root, why);
	region_close(w);
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
		ptrmap_set(&w->fixed, i, i);
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

/* A step about an access that has just been placed. */
static void step_about(struct weave *w, Value i, Value pointer, step_emit *emit)
{
	region_page(w, pointer);
	region_step(w, emit, i, 0, NULL);
	if (split_access_size(w->u, i) > LOOK_REACH)
		region_run(w);
}

static void emit_lost_load(struct weave *w, const struct step *step)
{
	struct unit *u = w->u;
	uint64_t size = LLVMStoreSizeOfType(u->layout, LLVMTypeOf(step->value));
	EMIT(w, external, LLVMGetOperand(step->value, 0), unit_const64(u, size), unit_const32(u, TD_EFFECT_READS));
}

/* The array that a load from a symbolic address reads, or NULL. */
static struct table *table_for(const struct weave *w, Value load)
{
	bool symbolic = weave_symbolic(w, weave_root(LLVMGetOperand(load, 0))) && ptrmap_get(&w->symbolic, load);
	return symbolic ? table_of(w->u, load) : NULL;
}

static void weave_load(struct weave *w, Value i)
{
	Value pointer = LLVMGetOperand(i, 0);
	if (split_is_variable(w->u, pointer)) {
		weave_place(w, i);
		if (ptrmap_get(&w->symbolic, pointer))
			region_read(w, i, pointer);
		return;
	}
	struct table *t = table_for(w, i);
	if (t) {
		list_push(&w->tables, t);
		table_weave(w, i, t);
		return;
	}
	fix_address(w, pointer, TD_LOST_READ);
	weave_place(w, i);
	if (!ptrmap_get(&w->symbolic, i) && !split_loses(w->u, i))
		return;
	if (split_loses(w->u, i)) {
		step_about(w, i, pointer, emit_lost_load);
		return;
	}
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
	if (split_is_variable(w->u, pointer)) {
		weave_place(w, i);
		if (ptrmap_get(&w->symbolic, pointer))
			region_write(w, i, pointer, value);
		return;
	}
	fix_address(w, pointer, TD_LOST_WRITE);
	weave_place(w, i);
	region_use(w, value);
	step_about(w, i, pointer, emit_store_step);
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

/* The edge that names the site of an instruction, numbered before the optimiser saw it. */
static Value site_edge(struct weave *w, Value i)
{
	struct unit *u = w->u;
	Value node = LLVMGetMetadata(i, u->md_site), edge;
	if (!node)
		return unit_const32(u, TD_NO_EDGE);
	LLVMGetMDNodeOperands(node, &edge);
	return unit_const32(u, LLVMConstIntGetZExtValue(edge));
}

static void emit_branch(struct weave *w, const struct step *step)
{
	Value c = LLVMGetCondition(step->value);
	Value words[2];
	emit_words(w, c, words);
	EMIT(w, branch, site_edge(w, step->value), weave_shadow(w, c), words[0]);
}

static void emit_switch(struct weave *w, const struct step *step)
{
	struct unit *u = w->u;
	Value c = LLVMGetOperand(step->value, 0), words[2];
	if (!shadow_bits(u, LLVMTypeOf(c)))
		return;
	if (shadow_bits(u, LLVMTypeOf(c)) > 64) {
		emit_lose_value(w, c, weave_shadow(w, c), TD_LOST_WIDTH);
		return;
	}
	emit_words(w, c, words);
	EMIT(w, switch, site_edge(w, step->value), weave_shadow(w, c), words[0]);
}

/* LLVM's fast instruction selection leaves a block that ends with a switch to the slow one. */
static void set_apart(struct weave *w)
{
	Block apart = unit_block(w->u, w->function, w->current, "td.switch");
	LLVMBuildBr(w->u->builder, apart);
	LLVMPositionBuilderAtEnd(w->u->builder, apart);
	w->current = apart;
}

static void weave_branch(struct weave *w, Value i, Value condition, step_emit *emit)
{
	if (condition) {
		region_use(w, condition);
		region_step(w, emit, i, 0, NULL);
		region_force(w);
	}
	region_close(w);
	if (LLVMIsASwitchInst(i) && !w->one_sided)
		set_apart(w);
	weave_place(w, i);
}

static void weave_alloca(struct weave *w, Value i)
{
	if (split_is_variable(w->u, i)) {
		weave_place(w, i);
		return;
	}
	region_close(w);
	LLVMReplaceAllUsesWith(i, local_grow(w->u, i));
	LLVMDeleteInstruction(i);
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
		region_close(w);
		weave_place(w, i);
		return;
	case LLVMAlloca:
		safety_room(w, i);
		region_lose(w, LLVMGetOperand(i, 0), TD_LOST_SIZE);
		weave_alloca(w, i);
		return;
	case LLVMCall:
		if (safety_is_mark(i)) {
			safety_weave(w, i);
			return;
		}
		if (scope_is_mark(i)) {
			region_close(w);
			local_turn(w->u, NULL, NULL, i);
			LLVMDeleteInstruction(i);
			return;
		}
		if (LLVMIsAInlineAsm(LLVMGetCalledValue(i)) || !symbolic_carries(i)) {
			safety_extent(w, i);
			call_weave(w, i);
			bool left = strcmp(intrinsic_of(i)->name, "stackrestore") == 0;
			if (left || twin_returns_twice(i))
				local_unwind(w->u, false, left);
			return;
		}
		break;
	default:
		break;
	}
	if (symbolic_carries(i)) {
		weave_computation(w, i);
		return;
	}
	if (LLVMIsATerminatorInst(i))
		region_close(w);
	weave_place(w, i);
}

/* ---- blocks ---- */

/* At a loop header: if nothing is symbolic any more, go on on the concrete side. */
static void maybe_go_back(struct weave *w, struct twin *twin)
{
	struct unit *u = w->u;
	if (!twin->header || w->one_sided)
		return;
	Value busy = HOOK_CALL(u, busy, w->frame, u->zero);
	region_sized(w, busy);
	busy = LLVMBuildOr(u->builder, busy, twin_staying(w), "");
	Block stay = unit_block(u, w->function, w->current, "td.stay"), back = unit_block(u, w->function, NULL, "td.back");
	LLVMBuildCondBr(u->builder, LLVMBuildICmp(u->builder, LLVMIntNE, busy, u->zero, ""), stay, back);
	LLVMPositionBuilderAtEnd(u->builder, back);
	twin_go_back(w, twin);
	LLVMPositionBuilderAtEnd(u->builder, stay);
	w->current = twin->stay = stay;
}

static void emit_check(struct weave *w, const struct step *step)
{
	struct unit *u = w->u;
	const struct look_list *list = step->extra;
	uint32_t where = unit_add_data(u, list->looks.at, list->looks.count * sizeof *list->looks.at);
	Value arguments[3 + TD_ASK_POINTERS] = {unit_const32(u, where), unit_const32(u, w->number), unit_const32(u, w->behind)};
	for (unsigned k = 0; k < TD_ASK_POINTERS; k++)
		arguments[3 + k] = k < list->pointer_count ? list->pointers[k] : LLVMConstNull(u->ptr);
	region_hook(w, TD_HOOK_check, arguments, 3 + TD_ASK_POINTERS);
}

static bool is_looked_at(const Value *looks, size_t count, Value pointer)
{
	for (size_t k = 0; k < count; k++)
		if (look_pointer(looks[k]) == pointer)
			return true;
	return false;
}

/* An address that the block will use is fixed here, together with the check, unless it reads a table. */
static void fix_looked_at(struct weave *w, const Value *body, size_t size, const Value *looks, size_t count)
{
	for (size_t k = 0; k < size; k++) {
		bool load = LLVMIsALoadInst(body[k]) != NULL;
		Value root = load || LLVMIsAStoreInst(body[k]) ? weave_root(LLVMGetOperand(body[k], load ? 0 : 1)) : NULL;
		if (!root || !weave_symbolic(w, root) || !is_looked_at(looks, count, root))
			continue;
		struct table *t = load ? table_for(w, body[k]) : NULL;
		if (!t)
			region_fix(w, root, load ? TD_LOST_READ : TD_LOST_WRITE);
		table_free(t);
	}
}

/* What the block will touch has to be inside of its objects. */
static void check_bounds(struct weave *w, const Value *body, size_t size, const Value *looks, size_t count)
{
	struct look_list list = look_list(looks, count);
	for (size_t k = 0; k < count; k++)
		safety_look(w, looks[k]);
	region_step(w, emit_check, looks[0], 0, &list);
	fix_looked_at(w, body, size, looks, count);
	region_run(w);
	for (size_t k = 0; k < count; k++)
		LLVMDeleteInstruction(looks[k]);
	free(list.looks.at);
}

static void weave_block(struct weave *w, struct twin *twin)
{
	LIST(Value) body = {0}, looks = {0};
	for (Value i = LLVMGetFirstInstruction(twin->symbolic); i; i = LLVMGetNextInstruction(i)) {
		list_push(&body, i);
		if (look_is(i) && !look_exact(i))
			list_push(&looks, i);
	}
	for (size_t k = 0; k < body.count; k++)
		LLVMInstructionRemoveFromParent(body.at[k]);
	w->current = twin->stay = twin->symbolic;
	w->behind = twin->behind;
	ptrmap_clear(&w->fixed);
	LLVMPositionBuilderAtEnd(w->u->builder, twin->symbolic);
	maybe_go_back(w, twin);
	size_t left = looks.count;
	for (size_t k = 0; k < body.count; k++) {
		if (!look_is(body.at[k]))
			weave_instruction(w, body.at[k]);
		else if (look_exact(body.at[k]))
			check_bounds(w, body.at + k + 1, 1, &body.at[k], 1);
		else if (!--left)
			check_bounds(w, body.at + k + 1, body.count - k - 1, looks.at, looks.count);
	}
	free(body.at);
	free(looks.at);
}

/* If all ways on from a block go to the same site and that tells of an edge, the block is behind the edge too. */
static uint32_t edge_behind(const struct weave *w, Block b)
{
	for (size_t n = 0; n < w->twins.count; n++) {
		Value end = LLVMGetBasicBlockTerminator(b), node = LLVMGetMetadata(end, w->u->md_behind), edge;
		if (node) {
			LLVMGetMDNodeOperands(node, &edge);
			return (uint32_t)LLVMConstIntGetZExtValue(edge);
		}
		if (LLVMGetNumSuccessors(end) != 1)
			return TD_NO_EDGE;
		b = LLVMGetSuccessor(end, 0);
	}
	return TD_NO_EDGE;
}

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
	call_tell_values(w);
	Value stubbed = HOOK_CALL(u, enter, w->record);
	LLVMBuildCondBr(u->builder, LLVMBuildICmp(u->builder, LLVMIntNE, stubbed, u->zero, ""), stub, body);
	LLVMPositionBuilderAtEnd(u->builder, stub);
	HOOK_CALL(u, taken, w->identity);
	call_answer_invented(w);
	LLVMPositionBuilderAtEnd(u->builder, body);
	w->current = body;
}

/* The concrete side begins with its variables and what it needs to leave. */
static void weave_entry(struct weave *w)
{
	struct unit *u = w->u;
	LLVMPositionBuilderAtEnd(u->builder, w->entry);
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	w->current = w->entry;
	twin_use(w, false);
	if (w->one_sided) {
		region_frame(w);
		weave_switchboard(w);
		call_take_arguments(w);
		LLVMBuildBr(u->builder, w->twins.at[0].symbolic);
		return;
	}
	w->state.concrete = LLVMBuildAlloca(u->builder, w->state.type, "td.state");
	weave_switchboard(w); /* the concrete sides of others come here directly, */
	LLVMBuildBr(u->builder, w->twins.at[0].concrete);
	w->exit = unit_block(u, w->function, NULL, "td.exit");
	LLVMPositionBuilderAtEnd(u->builder, w->exit);
	w->where = LLVMBuildPhi(u->builder, u->i32, "");
}

static void pass_on(struct weave *w, Value to)
{
	struct unit *u = w->u;
	unsigned n = LLVMCountParams(w->gate);
	Value *arguments = memory_array(n, sizeof *arguments);
	LLVMGetParams(w->gate, arguments);
	Value call = unit_tail_call(u, w->gate, to, arguments, n);
	static const char alone[] = "noinline"; /* moving it here takes the compiler time and would save a jump */
	unsigned kind = LLVMGetEnumAttributeKindForName(alone, sizeof alone - 1);
	if (!w->one_sided)
		LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(u->context, kind, 0));
	free(arguments);
}

/* Anything symbolic about this call? Then the symbolic side runs to its end; else the concrete side. */
static void weave_gate(struct weave *w)
{
	struct unit *u = w->u;
	w->function = w->gate;
	unit_keep_whole(u, w->gate, false); /* there is one for each function: what counts is how long they take to compile */
	w->current = unit_block(u, w->gate, NULL, "td.gate");
	LLVMPositionBuilderAtEnd(u->builder, w->current);
	LLVMMetadataRef program = twin_describe(w, w->gate); /* without one, what is inlined here would have no lines */
	LLVMSetCurrentDebugLocation2(u->builder, program ? LLVMDIBuilderCreateDebugLocation(u->context, 0, 0, program, NULL) : NULL);
	if (!w->one_sided) {
		weave_switchboard(w); /* and all others by the gate */
		call_gate(w);
	}
	pass_on(w, w->concrete_side);
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
}

void weave_function(struct unit *u, Value function, Value identity, Value record, unsigned number)
{
	struct weave w = {.u = u, .function = function, .identity = identity, .record = record, .number = number, .gate = ptrmap_get(&u->entries, function)};
	twin_make(&w);
	for (size_t k = 0; k < w.twins.count; k++)
		w.twins.at[k].behind = edge_behind(&w, w.twins.at[k].concrete);
	symbolic_find(&w);
	weave_entry(&w);
	weave_gate(&w);
	twin_use(&w, true);
	if (!w.one_sided) {
		LLVMPositionBuilderAtEnd(u->builder, LLVMGetFirstBasicBlock(w.symbolic_side));
		region_frame(&w);
	}
	for (size_t k = 0; k < w.twins.count; k++)
		weave_block(&w, &w.twins.at[k]);
	twin_use(&w, false);
	if (!w.one_sided) {
		LLVMPositionBuilderBefore(u->builder, LLVMGetBasicBlockTerminator(w.entry));
		LLVMSetCurrentDebugLocation2(u->builder, NULL);
		unit_load_space(u, true);
	}
	for (size_t k = 0; k < w.twins.count && !w.one_sided; k++)
		concrete_weave(&w, &w.twins.at[k]);
	unit_load_space(u, false);
	twin_finish(&w);
	region_finish(&w);
	struct ptrmap *maps[] = {&w.symbolic, &w.fixed, &w.slots, &w.pending, &w.inside, &w.fresh, &w.words, &w.high_words};
	for (size_t k = 0; k < sizeof maps / sizeof maps[0]; k++)
		ptrmap_free(maps[k]);
	for (size_t k = 0; k < w.tables.count; k++)
		table_free(w.tables.at[k]);
	free(w.tables.at);
	free(w.fixing.at);
	free(w.sized.at);
	free(w.steps.at);
	free(w.inputs.at);
	free(w.outputs.at);
	free(w.pages.at);
	free(w.operations.at);
	free(w.values.at);
}
