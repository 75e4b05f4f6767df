/* Regions and the shadow frame; see weave.h. The symbolic side of a region has three parts: read the shadows that come in; if all
 * of them are 0 and no page is touched, write zeros (something else in the frame is symbolic); otherwise run the
 * hooks and write what they say, waking the frame first if it was asleep. */
#include "compile/weave.h"

enum { PAGE_BITS = 12 };

/* ---- the frame ---- */

void region_frame(struct weave *w)
{
	struct unit *u = w->u;
	w->frame = LLVMBuildArrayAlloca(u->builder, u->i32, unit_const32(u, 1), "td.frame");
	w->flag = LLVMBuildAlloca(u->builder, u->i32, "td.flag");
	LLVMBuildStore(u->builder, u->zero, w->flag);
}

void region_finish(struct weave *w)
{
	Value words = unit_const32(w->u, w->frame_words ? w->frame_words : 1);
	LLVMSetOperand(w->frame, 0, words);
	for (size_t i = 0; i < w->wakes.count; i++)
		LLVMSetOperand(w->wakes.at[i], 1, words);
}

static unsigned new_slot(struct weave *w, Type shadow)
{
	unsigned at = w->frame_words;
	w->frame_words += (unsigned)((LLVMABISizeOfType(w->u->layout, shadow) + 3) / 4);
	return at;
}

static unsigned slot_in(struct weave *w, struct ptrmap *map, Value v)
{
	uintptr_t found = (uintptr_t)ptrmap_get(map, v);
	if (!found) {
		found = new_slot(w, shadow_type(w->u, LLVMTypeOf(v))) + 1u;
		ptrmap_set(map, v, (void *)found);
	}
	return (unsigned)found - 1;
}

unsigned region_slot(struct weave *w, Value v)
{
	return slot_in(w, &w->slots, v);
}

static Value slot_address(struct weave *w, unsigned slot)
{
	Value at = unit_const64(w->u, slot);
	return LLVMBuildGEP2(w->u->builder, w->u->i32, w->frame, &at, 1, "");
}

static void slot_store(struct weave *w, unsigned slot, Value shadow)
{
	LLVMSetAlignment(LLVMBuildStore(w->u->builder, shadow, slot_address(w, slot)), 4);
}

/* What a slot holds, or 0 while the frame is asleep. */
static Value slot_load(struct weave *w, unsigned slot, Type type)
{
	struct unit *u = w->u;
	Value shadow = LLVMBuildLoad2(u->builder, type, slot_address(w, slot), "");
	LLVMSetAlignment(shadow, 4);
	if (type == u->i32)
		return LLVMBuildAnd(u->builder, shadow, w->set, "");
	Value awake = LLVMBuildICmp(u->builder, LLVMIntNE, w->set, u->zero, "");
	return LLVMBuildSelect(u->builder, awake, shadow, LLVMConstNull(type), "");
}

Value region_read(struct weave *w, Value v)
{
	return slot_load(w, region_slot(w, v), shadow_type(w->u, LLVMTypeOf(v)));
}

/* The OR of all words of a shadow. */
static Value words_or(struct weave *w, Value so_far, Value shadow, Type type_of_value)
{
	struct unit *u = w->u;
	if (LLVMIsConstant(shadow) && LLVMIsNull(shadow))
		return so_far;
	struct leaf leaves[SHADOW_MAX_LEAVES];
	unsigned n = shadow_flatten(u, type_of_value, leaves, SHADOW_MAX_LEAVES);
	for (unsigned k = 0; k < n; k++) {
		Value word = shadow_get(u, shadow, &leaves[k]);
		so_far = so_far ? LLVMBuildOr(u->builder, so_far, word, "") : word;
	}
	return so_far;
}

/* If `any` is nonzero and the frame asleep, wake it; from here on the flag is right. */
static void wake(struct weave *w, Value any)
{
	struct unit *u = w->u;
	if (!any)
		return;
	Value some = LLVMBuildICmp(u->builder, LLVMIntNE, any, u->zero, "");
	Value asleep = LLVMBuildICmp(u->builder, LLVMIntEQ, w->set, u->zero, "");
	Block rise = unit_block(u, w->function, NULL, "td.wake"), rest = unit_block(u, w->function, NULL, "td.awake");
	LLVMBuildCondBr(u->builder, LLVMBuildAnd(u->builder, some, asleep, ""), rise, rest);
	LLVMPositionBuilderAtEnd(u->builder, rise);
	Value call = HOOK_CALL(u, wake, w->frame, u->zero);
	list_push(&w->wakes, call);
	LLVMBuildStore(u->builder, LLVMConstAllOnes(u->i32), w->flag);
	LLVMBuildBr(u->builder, rest);
	LLVMPositionBuilderAtEnd(u->builder, rest);
	w->current = rest;
}

void region_keep(struct weave *w, Value v, Value shadow)
{
	w->set = LLVMBuildLoad2(w->u->builder, w->u->i32, w->flag, "");
	wake(w, words_or(w, NULL, shadow, LLVMTypeOf(v)));
	slot_store(w, region_slot(w, v), shadow);
}

/* ---- collecting ---- */

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

void region_phi(struct weave *w, Value phi)
{
	list_push(&w->fed, phi);
	ptrmap_set(&w->pending, phi, phi);
}

static void emit_feed(struct weave *w, const struct step *step)
{
	w->outputs.at[step->detail].shadow = weave_shadow(w, step->value);
}

void region_feed(struct weave *w, Value phi, Value in)
{
	region_use(w, in);
	region_step(w, emit_feed, in, (unsigned)w->outputs.count, NULL);
	list_push(&w->outputs, ((struct output){slot_in(w, &w->feeds, phi), NULL, shadow_type(w->u, LLVMTypeOf(phi)), NULL}));
}

void region_use(struct weave *w, Value v)
{
	if (!weave_symbolic(w, v) || ptrmap_get(&w->pending, v))
		return;
	for (size_t i = 0; i < w->inputs.count; i++)
		if (w->inputs.at[i] == v)
			return;
	list_push(&w->inputs, v);
}

static Value load_invariant(struct unit *u, Type type, Value from)
{
	Value load = LLVMBuildLoad2(u->builder, type, from, "");
	LLVMSetMetadata(load, u->md_invariant, u->empty);
	return load;
}

/* The directory entry of the accessed page. Volatile, because hooks that fill it are declared as touching only
 * memory the program cannot see. */
void region_page(struct weave *w, Value pointer)
{
	struct unit *u = w->u;
	Value page = LLVMBuildPtrToInt(u->builder, pointer, u->i64, "");
	page = LLVMBuildLShr(u->builder, page, unit_const64(u, PAGE_BITS), "");
	page = LLVMBuildAnd(u->builder, page, load_invariant(u, u->i64, u->directory_mask), "");
	Value base = load_invariant(u, u->ptr, u->directory);
	Value entry = LLVMBuildLoad2(u->builder, u->i64, LLVMBuildGEP2(u->builder, u->i64, base, &page, 1, ""), "");
	LLVMSetVolatile(entry, true);
	list_push(&w->pages, entry);
}

void region_lose(struct weave *w, Value v, enum td_lost why)
{
	if (!weave_symbolic(w, v))
		return;
	region_use(w, v);
	region_step(w, emit_lose, v, why, NULL);
}

/* ---- closing ---- */

/* Is v read anywhere but in this region? Its users in the region are all in place already. */
static bool is_used_outside(const struct weave *w, Value v)
{
	for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use)) {
		Value user = LLVMGetUser(use);
		if (LLVMIsAInstruction(user) && (LLVMIsAPHINode(user) || !ptrmap_get(&w->inside, user)))
			return true;
	}
	return false;
}

static void collect_output(struct weave *w, Value v)
{
	if (is_used_outside(w, v))
		list_push(&w->outputs, ((struct output){region_slot(w, v), NULL, shadow_type(w->u, LLVMTypeOf(v)), v}));
}

static void collect_outputs(struct weave *w)
{
	for (size_t i = 0; i < w->fed.count; i++)
		collect_output(w, w->fed.at[i]);
	for (size_t i = 0; i < w->steps.count; i++)
		if (w->steps.at[i].defines)
			collect_output(w, w->steps.at[i].value);
}

static void region_reset(struct weave *w)
{
	w->steps.count = w->inputs.count = w->fed.count = w->outputs.count = w->pages.count = 0;
	w->force = false;
	ptrmap_clear(&w->pending);
	ptrmap_clear(&w->inside);
	ptrmap_clear(&w->fresh);
}

/* On the concrete side: is there anything to do? */
static Value quick_check(struct weave *w)
{
	struct unit *u = w->u;
	Value word = NULL, page = NULL;
	if (w->inputs.count || w->outputs.count || w->fed.count)
		word = LLVMBuildLoad2(u->builder, u->i32, w->flag, "");
	if (w->force) {
		Value force = load_invariant(u, u->i32, u->force);
		word = word ? LLVMBuildOr(u->builder, word, force, "") : force;
	}
	for (size_t i = 0; i < w->pages.count; i++)
		page = page ? LLVMBuildOr(u->builder, page, w->pages.at[i], "") : w->pages.at[i];
	if (word && page)
		page = LLVMBuildOr(u->builder, page, LLVMBuildZExt(u->builder, word, u->i64, ""), "");
	Value all = page ? page : word;
	return all ? LLVMBuildICmp(u->builder, LLVMIntNE, all, LLVMConstNull(LLVMTypeOf(all)), "") : NULL;
}

/* On the symbolic side: the shadows that come in, and whether any is nonzero or a page or a branch wants the hooks. */
static Value read_inputs(struct weave *w)
{
	struct unit *u = w->u;
	Value any = NULL, wide;
	for (size_t i = 0; i < w->inputs.count; i++) {
		Value v = w->inputs.at[i], shadow = region_read(w, v);
		ptrmap_set(&w->fresh, v, shadow);
		any = words_or(w, any, shadow, LLVMTypeOf(v));
	}
	for (size_t i = 0; i < w->fed.count; i++) {
		Value phi = w->fed.at[i], shadow = slot_load(w, slot_in(w, &w->feeds, phi), shadow_type(u, LLVMTypeOf(phi)));
		ptrmap_set(&w->fresh, phi, shadow);
		any = words_or(w, any, shadow, LLVMTypeOf(phi));
	}
	if (w->force) {
		Value force = load_invariant(u, u->i32, u->force);
		any = any ? LLVMBuildOr(u->builder, any, force, "") : force;
	}
	wide = any ? LLVMBuildZExt(u->builder, any, u->i64, "") : NULL;
	for (size_t i = 0; i < w->pages.count; i++)
		wide = wide ? LLVMBuildOr(u->builder, wide, w->pages.at[i], "") : w->pages.at[i];
	return wide;
}

static void write_outputs(struct weave *w, bool zero)
{
	for (size_t i = 0; i < w->outputs.count; i++) {
		const struct output *o = &w->outputs.at[i];
		slot_store(w, o->slot, zero ? LLVMConstNull(o->type) : o->shadow);
	}
}

/* The hooks of all steps, then the outputs. */
static void write_hooks(struct weave *w)
{
	Value any = NULL;
	for (size_t i = 0; i < w->steps.count; i++)
		w->steps.at[i].emit(w, &w->steps.at[i]);
	for (size_t i = 0; i < w->outputs.count; i++) {
		struct output *o = &w->outputs.at[i];
		if (o->value)
			o->shadow = ptrmap_get(&w->fresh, o->value);
		any = words_or(w, any, o->shadow, LLVMTypeOf(o->shadow));
	}
	wake(w, any);
	write_outputs(w, false);
}

static void write_symbolic(struct weave *w)
{
	struct unit *u = w->u;
	w->set = LLVMBuildLoad2(u->builder, u->i32, w->flag, "");
	Value any = read_inputs(w);
	if (!any || !(w->inputs.count || w->fed.count || w->outputs.count)) { /* the quick check was exact */
		if (w->steps.count)
			write_hooks(w);
		return;
	}
	Block hooks = unit_block(u, w->function, NULL, "td.hooks"), quiet = unit_block(u, w->function, NULL, "td.quiet");
	Block done = unit_block(u, w->function, NULL, "td.done");
	LLVMBuildCondBr(u->builder, LLVMBuildICmp(u->builder, LLVMIntNE, any, unit_const64(u, 0), ""), hooks, quiet);
	LLVMPositionBuilderAtEnd(u->builder, quiet);
	write_outputs(w, true);
	LLVMBuildBr(u->builder, done);
	LLVMPositionBuilderAtEnd(u->builder, hooks);
	w->current = hooks;
	write_hooks(w);
	LLVMBuildBr(u->builder, done);
	LLVMPositionBuilderAtEnd(u->builder, done);
	w->current = done;
}

/* A step that has to run whatever the check would say: no branch around it. */
void region_run(struct weave *w)
{
	LLVMSetCurrentDebugLocation2(w->u->builder, NULL);
	collect_outputs(w);
	w->set = LLVMBuildLoad2(w->u->builder, w->u->i32, w->flag, "");
	read_inputs(w);
	write_hooks(w);
	region_reset(w);
}

void region_close(struct weave *w)
{
	struct unit *u = w->u;
	if (!w->steps.count && !w->fed.count) {
		region_reset(w);
		return;
	}
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	collect_outputs(w);
	Value check = quick_check(w);
	if (check) {
		Block slow = unit_block(u, w->function, NULL, "td.symbolic");
		Block rest = unit_block(u, w->function, w->current, "td.rest");
		LLVMSetMetadata(LLVMBuildCondBr(u->builder, check, slow, rest), u->md_prof, u->unlikely);
		LLVMPositionBuilderAtEnd(u->builder, slow);
		w->current = slow;
		write_symbolic(w);
		LLVMBuildBr(u->builder, rest);
		LLVMPositionBuilderAtEnd(u->builder, rest);
		w->current = rest;
	}
	region_reset(w);
}
