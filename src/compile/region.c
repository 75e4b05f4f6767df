/* Regions and the shadow frame of the symbolic side; see weave.h. */
#include "compile/weave.h"

enum { PAGE_BITS = 12 };

/* ---- the frame ---- */

void region_sized(struct weave *w, Value call)
{
	list_push(&w->sized, call);
}

void region_array(struct weave *w, Value frame)
{
	list_push(&w->arrays, frame);
}

void region_finish(struct weave *w)
{
	Value words = unit_const32(w->u, w->frame_words ? w->frame_words : 1);
	for (size_t i = 0; i < w->arrays.count; i++)
		LLVMSetOperand(w->arrays.at[i], 0, words);
	for (size_t i = 0; i < w->sized.count; i++)
		LLVMSetOperand(w->sized.at[i], 1, words);
}

static Type shadow_of(const struct weave *w, Value v)
{
	return shadow_type(w->u, LLVMIsAAllocaInst(v) && twin_is_variable(v) ? LLVMGetAllocatedType(v) : LLVMTypeOf(v));
}

static Value slot_address(struct weave *w, Value v)
{
	uintptr_t found = (uintptr_t)ptrmap_get(&w->slots, v);
	if (!found) {
		found = w->frame_words + 1u;
		w->frame_words += (unsigned)((LLVMABISizeOfType(w->u->layout, shadow_of(w, v)) + 3) / 4);
		ptrmap_set(&w->slots, v, (void *)found);
	}
	Value at = unit_const64(w->u, found - 1);
	return LLVMBuildGEP2(w->u->builder, w->u->i32, w->frame, &at, 1, "");
}

void region_store_slot(struct weave *w, Value v, Value shadow)
{
	LLVMSetAlignment(LLVMBuildStore(w->u->builder, shadow, slot_address(w, v)), 4);
}

static Value slot_load(struct weave *w, Value v)
{
	Value shadow = LLVMBuildLoad2(w->u->builder, shadow_of(w, v), slot_address(w, v), "");
	LLVMSetAlignment(shadow, 4);
	return shadow;
}

/* ---- collecting ---- */

static void add_once(struct weave *w, bool output, Value v)
{
	Value *at = output ? w->outputs.at : w->inputs.at;
	size_t count = output ? w->outputs.count : w->inputs.count;
	for (size_t i = 0; i < count; i++)
		if (at[i] == v)
			return;
	if (output)
		list_push(&w->outputs, v);
	else
		list_push(&w->inputs, v);
}

void region_step(struct weave *w, step_emit *emit, Value value, unsigned detail, const void *extra)
{
	list_push(&w->steps, ((struct step){emit, value, detail, extra, false}));
	ptrmap_set(&w->inside, value, value);
}

static void emit_define(struct weave *w, const struct step *step)
{
	ptrmap_set(&w->fresh, step->value, emit_shadow(w, step->value));
}

void region_define(struct weave *w, Value instruction, step_emit *emit)
{
	region_step(w, emit ? emit : emit_define, instruction, 0, NULL);
	w->steps.at[w->steps.count - 1].defines = true;
	ptrmap_set(&w->pending, instruction, instruction);
}

void region_use(struct weave *w, Value v)
{
	if (weave_symbolic(w, v) && !ptrmap_get(&w->pending, v))
		add_once(w, false, v);
}

static void emit_read(struct weave *w, const struct step *step)
{
	ptrmap_set(&w->fresh, step->value, ptrmap_get(&w->fresh, step->extra));
}

/* A variable that the region itself has set is not read from the frame. */
void region_read(struct weave *w, Value load, Value variable)
{
	if (!ptrmap_get(&w->pending, variable))
		add_once(w, false, variable);
	region_define(w, load, emit_read);
	w->steps.at[w->steps.count - 1].extra = variable;
}

static void emit_write(struct weave *w, const struct step *step)
{
	Value v = LLVMGetOperand(step->value, 0);
	ptrmap_set(&w->fresh, (void *)(uintptr_t)step->extra, weave_shadow(w, v));
}

void region_write(struct weave *w, Value store, Value variable, Value v)
{
	region_use(w, v);
	region_step(w, emit_write, store, 0, variable);
	ptrmap_set(&w->pending, variable, variable);
	add_once(w, true, variable);
}

static Value load_invariant(struct unit *u, Type type, Value from)
{
	Value load = LLVMBuildLoad2(u->builder, type, from, "");
	LLVMSetMetadata(load, u->md_invariant, u->empty);
	return load;
}

Value region_page_entry(struct unit *u, Value pointer)
{
	Value page = LLVMBuildPtrToInt(u->builder, pointer, u->i32, ""); /* its low half: the directory has 2^(32 - 12) entries */
	page = LLVMBuildLShr(u->builder, page, unit_const32(u, PAGE_BITS), "");
	page = LLVMBuildZExt(u->builder, page, u->i64, "");
	return LLVMBuildLoad2(u->builder, u->i64, LLVMBuildGEP2(u->builder, u->i64, u->directory, &page, 1, ""), "");
}

void region_page(struct weave *w, Value pointer)
{
	list_push(&w->pages, region_page_entry(w->u, pointer));
}

void region_lose(struct weave *w, Value v, enum td_lost why)
{
	if (!weave_symbolic(w, v))
		return;
	region_use(w, v);
	region_step(w, emit_lose, v, why, NULL);
}

/* ---- closing ---- */

/* Is v read after this region? Its users in the region are all in place already. */
static bool is_used_outside(const struct weave *w, Value v)
{
	for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use))
		if (!ptrmap_get(&w->inside, LLVMGetUser(use)))
			return true;
	return false;
}

static void collect_outputs(struct weave *w)
{
	for (size_t i = 0; i < w->steps.count; i++)
		if (w->steps.at[i].defines && is_used_outside(w, w->steps.at[i].value))
			add_once(w, true, w->steps.at[i].value);
}

static void region_reset(struct weave *w)
{
	w->steps.count = w->inputs.count = w->outputs.count = w->pages.count = 0;
	w->force = false;
	ptrmap_clear(&w->pending);
	ptrmap_clear(&w->inside);
	ptrmap_clear(&w->fresh);
}

/* Reads what comes in; nonzero if anything of it is symbolic, if a page is touched or if all branches are wanted. */
static Value read_inputs(struct weave *w)
{
	struct unit *u = w->u;
	Value word = NULL, wide;
	for (size_t i = 0; i < w->inputs.count; i++) {
		Value shadow = slot_load(w, w->inputs.at[i]);
		ptrmap_set(&w->fresh, w->inputs.at[i], shadow);
		word = emit_any(w, word, shadow);
	}
	if (w->force) {
		Value force = load_invariant(u, u->i32, u->force);
		word = word ? LLVMBuildOr(u->builder, word, force, "") : force;
	}
	wide = word ? LLVMBuildZExt(u->builder, word, u->i64, "") : NULL;
	for (size_t i = 0; i < w->pages.count; i++)
		wide = wide ? LLVMBuildOr(u->builder, wide, w->pages.at[i], "") : w->pages.at[i];
	return wide;
}

static void run_steps(struct weave *w)
{
	for (size_t i = 0; i < w->steps.count; i++)
		w->steps.at[i].emit(w, &w->steps.at[i]);
	for (size_t i = 0; i < w->outputs.count; i++)
		region_store_slot(w, w->outputs.at[i], ptrmap_get(&w->fresh, w->outputs.at[i]));
}

static void zero_outputs(struct weave *w)
{
	for (size_t i = 0; i < w->outputs.count; i++)
		region_store_slot(w, w->outputs.at[i], LLVMConstNull(shadow_of(w, w->outputs.at[i])));
}

void region_close(struct weave *w)
{
	struct unit *u = w->u;
	if (!w->steps.count) {
		region_reset(w);
		return;
	}
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	collect_outputs(w);
	Value any = read_inputs(w);
	if (!any) { /* nothing can come in */
		zero_outputs(w);
		region_reset(w);
		return;
	}
	Block hooks = unit_block(u, w->function, w->current, "td.hooks"), quiet = unit_block(u, w->function, hooks, "td.quiet");
	Block rest = unit_block(u, w->function, quiet, "td.rest");
	LLVMBuildCondBr(u->builder, LLVMBuildICmp(u->builder, LLVMIntNE, any, unit_const64(u, 0), ""), hooks, quiet);
	LLVMPositionBuilderAtEnd(u->builder, quiet);
	zero_outputs(w);
	LLVMBuildBr(u->builder, rest);
	LLVMPositionBuilderAtEnd(u->builder, hooks);
	w->current = hooks;
	run_steps(w);
	LLVMBuildBr(u->builder, rest);
	LLVMPositionBuilderAtEnd(u->builder, rest);
	w->current = rest;
	region_reset(w);
}

void region_run(struct weave *w)
{
	LLVMSetCurrentDebugLocation2(w->u->builder, NULL);
	collect_outputs(w);
	read_inputs(w);
	run_steps(w);
	region_reset(w);
}
