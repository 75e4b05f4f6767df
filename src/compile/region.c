/* Regions and the shadow frame of the symbolic side; see weave.h. */
#include "compile/weave.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE_BITS = 12 };

/* ---- the frame ---- */

void region_sized(struct weave *w, Value call)
{
	list_push(&w->sized, call);
}

void region_finish(struct weave *w)
{
	Value words = unit_const32(w->u, w->frame_words);
	LLVMSetOperand(w->frame, 0, words);
	for (size_t i = 0; i < w->sized.count; i++)
		LLVMSetOperand(w->sized.at[i], 1, words);
}

static Type shadow_of(const struct weave *w, Value v)
{
	return shadow_type(w->u, LLVMIsAAllocaInst(v) && split_is_variable(w->u, v) ? LLVMGetAllocatedType(v) : LLVMTypeOf(v));
}

static uint32_t slot_of(struct weave *w, Value v)
{
	uintptr_t found = (uintptr_t)ptrmap_get(&w->slots, v);
	if (!found) {
		found = w->frame_words + 1u;
		w->frame_words += (unsigned)((LLVMABISizeOfType(w->u->layout, shadow_of(w, v)) + 3) / 4);
		ptrmap_set(&w->slots, v, (void *)found);
	}
	return (uint32_t)found - 1;
}

static void store_at(struct weave *w, uint32_t slot, Value shadow)
{
	Value at = unit_const64(w->u, slot), address = LLVMBuildGEP2(w->u->builder, w->u->i32, w->frame, &at, 1, "");
	LLVMSetAlignment(LLVMBuildStore(w->u->builder, shadow, address), 4);
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
	ptrmap_set(&w->fresh, (void *)(uintptr_t)step->extra, weave_shadow(w, step->value));
}

void region_write(struct weave *w, Value store, Value variable, Value v)
{
	region_use(w, v);
	region_step(w, emit_write, v, 0, variable);
	if (store)
		ptrmap_set(&w->inside, store, store);
	ptrmap_set(&w->pending, variable, variable);
	add_once(w, true, variable);
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
	list_push(&w->pages, pointer);
}

void region_lose(struct weave *w, Value v, enum td_lost why)
{
	if (!weave_symbolic(w, v))
		return;
	region_use(w, v);
	region_step(w, emit_lose, v, why, NULL);
}

static void emit_clear(struct weave *w, const struct step *step)
{
	ptrmap_set(&w->fresh, step->value, LLVMConstNull(shadow_of(w, step->value)));
}

Value region_holder(const struct weave *w, Value v)
{
	if (!LLVMIsALoadInst(v) || !split_is_variable(w->u, LLVMGetOperand(v, 0)))
		return v;
	Value variable = LLVMGetOperand(v, 0);
	for (Value i = LLVMGetNextInstruction(v); i; i = LLVMGetNextInstruction(i))
		if (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == variable)
			return v;
	return variable;
}

/* The trace will say what v is, so v is a constant as far as this path goes; and so is the variable it came from. */
void region_fix(struct weave *w, Value v, enum td_lost why)
{
	for (size_t i = 0; i < w->fixing.count; i++)
		if (w->fixing.at[i] == v)
			return;
	if (!weave_symbolic(w, v))
		return;
	region_lose(w, v, why);
	Value holder = region_holder(w, v);
	if (holder != v || ptrmap_get(&w->slots, v)) {
		region_step(w, emit_clear, holder, 0, NULL);
		add_once(w, true, holder);
	}
	list_push(&w->fixing, v);
}

/* Is v read after this region? Its users in the region are all in place already. A load from a table wants to know of all that its address is made of. */
static bool is_used_outside(const struct weave *w, Value v, bool by_load)
{
	for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use)) {
		Value user = LLVMGetUser(use);
		if (!ptrmap_get(&w->inside, user) && (!by_load || LLVMIsALoadInst(user)))
			return true;
		if (LLVMIsAGetElementPtrInst(user) && is_used_outside(w, user, true))
			return true;
	}
	return false;
}

static void collect_outputs(struct weave *w)
{
	for (size_t i = 0; i < w->steps.count; i++)
		if (w->steps.at[i].defines && is_used_outside(w, w->steps.at[i].value, false))
			add_once(w, true, w->steps.at[i].value);
}

static void region_reset(struct weave *w)
{
	w->steps.count = w->inputs.count = w->outputs.count = w->pages.count = 0;
	for (size_t i = 0; i < w->fixing.count; i++)
		ptrmap_set(&w->fixed, w->fixing.at[i], w->fixing.at[i]);
	w->fixing.count = 0;
	w->operations.count = w->values.count = 0;
	w->flags = w->operation_count = 0;
	struct ptrmap *maps[] = {&w->pending, &w->inside, &w->fresh};
	for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++)
		ptrmap_clear(maps[i]);
}

/* ---- recording ---- */

/* A variable that still has the value it was loaded with, a parameter or an address: the runtime finds it in the state, so it needs not be given. */
uint32_t region_field(const struct weave *w, Value v)
{
	bool integer = LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMIntegerTypeKind;
	unsigned bits = LLVMTypeOf(v) == w->u->ptr ? 64 : integer ? LLVMGetIntTypeWidth(LLVMTypeOf(v)) : 0;
	uint32_t size = 0;
	while (8u << size < bits)
		size++;
	if (bits != 1 && bits != 8u << size) /* LLVM does not say what the rest of the last byte is */
		return 0;
	uintptr_t place = (uintptr_t)ptrmap_get(&w->state.places, region_holder(w, v));
	return place && size <= 3 ? TD_VALUE_FIELD(place - 1, size) : 0;
}

static uint32_t value_word(struct weave *w, Value v)
{
	uint32_t field = region_field(w, v);
	if (field)
		return field;
	for (size_t i = 0; i < w->values.count; i++)
		if (w->values.at[i] == v)
			return (uint32_t)i * 2;
	list_push(&w->values, v);
	return (uint32_t)(w->values.count - 1) * 2;
}

static void record_value(struct weave *w, Value v)
{
	bool null = LLVMIsAConstantPointerNull(v) != NULL;
	if (!null && !LLVMIsAConstantInt(v)) {
		list_push(&w->operations, value_word(w, v));
		return;
	}
	uint64_t n = null ? 0 : LLVMConstIntGetZExtValue(v);
	list_push(&w->operations, TD_VALUE_CONSTANT);
	list_push(&w->operations, (uint32_t)n);
	list_push(&w->operations, (uint32_t)(n >> 32));
}

static const bool idle_hooks[TD_HOOK_COUNT] = {
#define IDLE(name) [TD_HOOK_##name] = true,
	TD_IDLE_HOOKS(IDLE)
#undef IDLE
};

/* Puts a hook into the open region; its result is a number for the shadow it will compute. */
static Value record(struct weave *w, enum td_hook hook, Value *arguments)
{
	const char *types = unit_hook_types(hook);
	size_t head = w->operations.count, begin = head + 2;
	bool defines = types[0] == 'S';
	uint32_t result = defines ? w->shadow_count++ : 0;
	unsigned shadows = 0;
	list_push(&w->operations, 0); /* as soon as it is known */
	list_push(&w->operations, result);
	w->operation_count++;
	Value *a = arguments;
	for (const char *t = types + 1; *t; t++)
		if (strchr("SWELP", *t)) {
			if (*t == 'S')
				list_push(&w->operations, (uint32_t)LLVMConstIntGetZExtValue(*a));
			shadows += *t == 'S';
			a++;
		}
	a = arguments;
	for (const char *t = types + 1; *t; t++)
		if (*t == 'S')
			a++;
		else if (*t == 'W' || *t == 'E')
			list_push(&w->operations, (uint32_t)LLVMConstIntGetZExtValue(*a++));
		else if (*t == 'L' || *t == 'P')
			record_value(w, *a++);
	w->operations.at[head] = TD_OPERATION(hook, w->condition, idle_hooks[hook] ? shadows : 0, w->operations.count - begin);
	return defines ? unit_const32(w->u, result) : NULL;
}

Value region_hook(struct weave *w, enum td_hook hook, Value *arguments, unsigned count)
{
	return w->recording ? record(w, hook, arguments) : unit_call(w->u, hook, arguments, count);
}

/* ---- closing ---- */

struct words { LIST(uint32_t) list; };

/* Numbers for the shadows that come in; their slots go to `code`. */
static void number_inputs(struct weave *w, struct words *code)
{
	struct unit *u = w->u;
	for (size_t i = 0; i < w->inputs.count; i++) {
		Value v = w->inputs.at[i], shadow = LLVMConstNull(shadow_of(w, v));
		struct leaf leaves[SHADOW_MAX_LEAVES];
		unsigned n = shadow_flatten(u, LLVMTypeOf(shadow), leaves, SHADOW_MAX_LEAVES);
		for (unsigned k = 0; k < n; k++) {
			list_push(&code->list, slot_of(w, v) + (uint32_t)(leaves[k].offset / 4));
			shadow = shadow_put(u, shadow, &leaves[k], unit_const32(u, w->shadow_count++));
		}
		ptrmap_set(&w->fresh, v, shadow);
	}
}

static void number_outputs(struct weave *w, struct words *code)
{
	struct unit *u = w->u;
	for (size_t i = 0; i < w->outputs.count; i++) {
		Value v = w->outputs.at[i], shadow = ptrmap_get(&w->fresh, v);
		struct leaf leaves[SHADOW_MAX_LEAVES];
		unsigned n = shadow_flatten(u, LLVMTypeOf(shadow), leaves, SHADOW_MAX_LEAVES);
		for (unsigned k = 0; k < n; k++) {
			list_push(&code->list, slot_of(w, v) + (uint32_t)(leaves[k].offset / 4));
			list_push(&code->list, (uint32_t)LLVMConstIntGetZExtValue(shadow_get(u, shadow, &leaves[k])));
		}
	}
}

static void append(struct words *to, const uint32_t *from, size_t count)
{
	for (size_t i = 0; i < count; i++)
		list_push(&to->list, from[i]);
}

static void call_region(struct weave *w, const struct words *code)
{
	struct unit *u = w->u;
	LIST(Value) arguments = {0};
	list_push(&arguments, w->frame);
	list_push(&arguments, unit_const32(u, unit_add_data(u, code->list.at, code->list.count * sizeof *code->list.at)));
	for (size_t i = 0; i < w->values.count; i++)
		list_push(&arguments, w->values.at[i]);
	unit_call(u, TD_HOOK_region, arguments.at, (unsigned)arguments.count);
	free(arguments.at);
}

/* Variables that are set to what is not symbolic, and nothing else. */
static bool only_clears(const struct weave *w, const struct words *outputs)
{
	enum { FEW = 3 }; /* stores that are less code than a call */
	for (size_t i = 1; i < outputs->list.count; i += 2)
		if (outputs->list.at[i])
			return false;
	return !w->operation_count && outputs->list.count <= 2 * FEW;
}

static void write_region(struct weave *w)
{
	struct words code = {0}, outputs = {0};
	struct td_region head = {.pages = (uint32_t)w->pages.count, .flags = w->flags};
	append(&code, (const uint32_t *)&head, sizeof head / 4);
	w->shadow_count = 1;
	number_inputs(w, &code);
	for (size_t i = 0; i < w->pages.count; i++)
		list_push(&code.list, value_word(w, w->pages.at[i]));
	w->recording = true;
	for (size_t i = 0; i < w->steps.count; i++)
		w->steps.at[i].emit(w, &w->steps.at[i]);
	w->recording = false;
	number_outputs(w, &outputs);
	if (only_clears(w, &outputs)) {
		for (size_t i = 0; i < outputs.list.count; i += 2)
			store_at(w, outputs.list.at[i], w->u->zero);
		free(code.list.at);
		free(outputs.list.at);
		return;
	}
	head.inputs = (uint32_t)(code.list.count - sizeof head / 4 - w->pages.count);
	head.operations = w->operation_count;
	head.outputs = (uint32_t)outputs.list.count / 2;
	head.shadows = w->shadow_count;
	head.values = (uint32_t)w->values.count;
	append(&code, w->operations.at, w->operations.count);
	append(&code, outputs.list.at, outputs.list.count);
	head.words = (uint32_t)(code.list.count - sizeof head / 4);
	memcpy(code.list.at, &head, sizeof head);
	call_region(w, &code);
	free(code.list.at);
	free(outputs.list.at);
}

void region_force(struct weave *w)
{
	w->flags |= TD_REGION_FORCE;
}

void region_close(struct weave *w)
{
	if (w->steps.count) {
		LLVMSetCurrentDebugLocation2(w->u->builder, NULL);
		collect_outputs(w);
		write_region(w);
	}
	region_reset(w);
}

void region_always(struct weave *w)
{
	w->flags |= TD_REGION_ALWAYS;
}

void region_run(struct weave *w)
{
	region_always(w);
	region_close(w);
}

void region_frame(struct weave *w)
{
	struct unit *u = w->u;
	w->frame = LLVMBuildArrayAlloca(u->builder, u->i32, unit_const32(u, 1), "td.frame");
	LLVMSetAlignment(w->frame, _Alignof(struct td_frame));
	w->frame_words = TD_FRAME_HEAD;
	region_sized(w, HOOK_CALL(u, wake, w->frame, u->zero, u->bases, w->one_sided ? LLVMConstNull(u->ptr) : w->state.symbolic));
}
