/* Calls: shadows travel in the thread-local slots of contract/slots.h, tagged with the callee. The symbolic side of the region
 * before a call stores them; a call with nothing symbolic costs nothing here and one comparison in the callee. */
#include "compile/weave.h"

#include "compile/effect.h"
#include "contract/slots.h"

#include <llvm-c/DebugInfo.h>

#include <stdlib.h>
#include <string.h>

static const struct effect unknown_function = {"", "u", 0};
static const struct effect runtime_function = {"", "s", 0};

Value call_slot(struct weave *w, enum call_field field, unsigned index)
{
	struct unit *u = w->u;
	Value path[] = {u->zero, unit_const32(u, field), unit_const32(u, index)};
	return LLVMBuildInBoundsGEP2(u->builder, u->slots_type, u->slots, path, field < SLOT_ARG || field == SLOT_STACKED_FOR || field == SLOT_STACKED ? 2 : 3, "");
}

LLVMAttributeRef call_attribute(Value call, unsigned argument, const char *name)
{
	return LLVMGetCallSiteEnumAttribute(call, argument + 1, LLVMGetEnumAttributeKindForName(name, strlen(name)));
}

uint64_t call_by_value(const struct unit *u, Value call, unsigned argument)
{
	LLVMAttributeRef attribute = call_attribute(call, argument, "byval");
	return attribute ? LLVMABISizeOfType(u->layout, LLVMGetTypeAttributeValue(attribute)) : 0;
}

static bool has_by_value(Value call)
{
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
		if (call_attribute(call, i, "byval"))
			return true;
	return false;
}

/* ---- what a callee is ---- */

enum callee_kind {
	CALLEE_WOVEN,   /* certainly instrumented: in this file, or a model */
	CALLEE_ASK,     /* the runtime knows */
	CALLEE_FOREIGN  /* certainly not; its effects are known */
};

struct callee {
	Value call, value, tag;
	enum callee_kind kind;
	const struct effect *effect;
};

static bool starts(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

static struct callee callee_of(const struct unit *u, Value call)
{
	Value value = LLVMGetCalledValue(call);
	struct callee found = {call, value, value, CALLEE_ASK, &unknown_function}, *c = &found;
	if (!LLVMIsAFunction(c->value))
		return found;
	const char *name = unit_name(c->value);
	if (ptrmap_get(&u->identities, c->value)) {
		c->kind = CALLEE_WOVEN;
		c->tag = ptrmap_get(&u->identities, c->value);
	} else if (unit_modelled(c->value)) {
		c->kind = CALLEE_WOVEN;
	} else if (starts(name, "llvm.")) {
		c->kind = CALLEE_FOREIGN; /* one instruction of the machine, say a gather */
	} else if (strcmp(name, "tandem_assume") != 0 && (starts(name, "__td_") || starts(name, "tandem_"))) {
		c->kind = CALLEE_FOREIGN;
		c->effect = &runtime_function;
	} else if (LLVMIsDeclaration(c->value) && effect_of(name)) { /* another file may define a function of that name: the runtime knows */
		c->kind = u->options.models || starts(name, "_") ? CALLEE_FOREIGN : CALLEE_ASK;
		c->effect = effect_of(name);
	}
	return found;
}

/* ---- arguments ---- */

/* On the symbolic side: every argument's ids into the slots, then the tag. */
static void emit_pass(struct weave *w, const struct callee *c)
{
	struct unit *u = w->u;
	unsigned fixed = LLVMCountParamTypes(LLVMGetCalledFunctionType(c->call)), slot = 0, listed = 0;
	bool variadic = LLVMIsFunctionVarArg(LLVMGetCalledFunctionType(c->call));
	struct td_va list[TD_MAX_ARGS + 1] = {0};
	struct variadic_layout layout = {0};
	for (unsigned i = 0; i < LLVMGetNumArgOperands(c->call); i++) {
		Value argument = LLVMGetOperand(c->call, i);
		unsigned leaves = shadow_leaves(u, LLVMTypeOf(argument));
		struct td_va va = variadic_place(u, c->call, i, &layout);
		va.slot = (uint16_t)slot;
		if (slot + leaves > TD_MAX_ARGS) {
			emit_lose_value(w, argument, weave_shadow(w, argument), TD_LOST_ARGUMENT);
			continue;
		}
		if (i >= fixed && listed < TD_MAX_ARGS)
			list[listed++] = va;
		if (call_by_value(u, c->call, i)) {
			EMIT(w, by_value, unit_const32(u, slot++), argument);
			continue;
		}
		struct leaf leaf[SHADOW_MAX_LEAVES];
		Value shadow = weave_shadow(w, argument);
		shadow_flatten(u, LLVMTypeOf(argument), leaf, SHADOW_MAX_LEAVES);
		for (unsigned k = 0; k < leaves; k++)
			EMIT(w, argument, unit_const32(u, slot++), shadow_get(u, shadow, &leaf[k]));
	}
	EMIT(w, calling, c->tag, variadic ? unit_data(u, list, (listed + 1) * sizeof *list) : LLVMConstNull(u->ptr));
}

/* What must hold for that: a size is one argument, or the product of two. */
static void emit_given(struct weave *w, const struct callee *c)
{
	Value size[] = {NULL, unit_const64(w->u, 1)};
	unsigned count = 0;
	for (unsigned i = 0; i < LLVMGetNumArgOperands(c->call); i++) {
		char letter = effect_letter(c->effect, i);
		Value argument = LLVMGetOperand(c->call, i);
		if (LLVMGetTypeKind(LLVMTypeOf(argument)) == LLVMPointerTypeKind)
			safety_given(w, c->call, letter == 'f' ? TD_GIVEN_BLOCK : TD_GIVEN_POINTER, argument, unit_const64(w->u, 1));
		else if (letter == 'a' && count < 2)
			size[count++] = argument;
	}
	if (count)
		safety_given(w, c->call, TD_GIVEN_SIZE, size[0], size[1]);
}

/* Who will have it, if anything is lost. */
static void emit_receiver(struct weave *w, const struct callee *c)
{
	const char *name = LLVMIsAFunction(c->value) ? unit_name(c->value) : "(through a pointer)";
	for (unsigned i = 0; i < LLVMGetNumArgOperands(c->call); i++) {
		char letter = effect_letter(c->effect, i);
		bool only_value = letter == '-' || letter == 'f';
		if (letter == 's' || letter == 'a' || (only_value && !weave_symbolic(w, LLVMGetOperand(c->call, i))))
			continue;
		EMIT(w, handed, unit_data(w->u, name, strlen(name) + 1));
		return;
	}
}

/* On the symbolic side: an uninstrumented callee gets its arguments. */
static void emit_effects(struct weave *w, const struct callee *c)
{
	struct unit *u = w->u;
	emit_given(w, c);
	emit_receiver(w, c);
	for (unsigned i = 0; i < LLVMGetNumArgOperands(c->call); i++) {
		Value argument = LLVMGetOperand(c->call, i);
		char letter = effect_letter(c->effect, i);
		if (letter == 's')
			continue;
		emit_lose_value(w, argument, weave_shadow(w, argument), letter == 'a' ? TD_LOST_ALLOC : TD_LOST_EXTERNAL);
		if (letter == '-' || letter == 'f' || LLVMGetTypeKind(LLVMTypeOf(argument)) != LLVMPointerTypeKind || LLVMIsAFunction(argument))
			continue;
		enum td_effect effect = letter == 'r' ? TD_EFFECT_READS : letter == 'z' ? TD_EFFECT_STRING : letter == 'w' ? TD_EFFECT_WRITES : TD_EFFECT_UNKNOWN;
		uint64_t bytes = letter == 'w' ? c->effect->written : call_by_value(u, c->call, i);
		EMIT(w, external, argument, unit_const64(u, bytes), unit_const32(u, effect));
	}
}

/* Runs `write` only if the callee turns out not to be instrumented. */
static void if_foreign(struct weave *w, const struct callee *c, void (*write)(struct weave *, const struct callee *))
{
	struct unit *u = w->u;
	Value known = HOOK_CALL(u, known, c->value);
	Block foreign = unit_block(u, w->function, NULL, "td.foreign"), join = unit_block(u, w->function, NULL, "td.asked");
	LLVMBuildCondBr(u->builder, LLVMBuildICmp(u->builder, LLVMIntEQ, known, u->zero, ""), foreign, join);
	LLVMPositionBuilderAtEnd(u->builder, foreign);
	write(w, c);
	LLVMBuildBr(u->builder, join);
	LLVMPositionBuilderAtEnd(u->builder, join);
	w->current = join;
}

void call_emit_effects(struct weave *w, Value call)
{
	if (LLVMIsAInlineAsm(LLVMGetCalledValue(call))) {
		assembly_emit(w, &(struct step){.value = call});
		return;
	}
	struct callee c = callee_of(w->u, call);
	if (c.kind != CALLEE_FOREIGN && has_by_value(call)) /* its copy has shadows: they travel as usual */
		emit_pass(w, &c);
	if (c.kind == CALLEE_FOREIGN)
		emit_effects(w, &c);
	else if (c.kind == CALLEE_ASK)
		if_foreign(w, &c, emit_effects);
}

static void emit_arguments(struct weave *w, const struct step *step)
{
	const struct callee *c = step->extra;
	if (c->kind == CALLEE_WOVEN) {
		emit_pass(w, c);
	} else if (c->kind == CALLEE_FOREIGN) {
		emit_effects(w, c);
	} else {
		EMIT(w, known, c->value);
		w->condition = TD_WHEN_WOVEN;
		emit_pass(w, c);
		w->condition = TD_WHEN_FOREIGN;
		emit_effects(w, c);
		w->condition = TD_WHEN_ALWAYS;
	}
}

static bool touches_memory(const struct callee *c, unsigned argument)
{
	char letter = effect_letter(c->effect, argument);
	return c->kind != CALLEE_WOVEN && letter != '-' && letter != 's' && letter != 'f';
}

static bool is_data_pointer(Value v)
{
	return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind && !LLVMIsAFunction(v) && !LLVMIsAConstantPointerNull(v);
}

bool call_must_ask(const struct unit *u, Value call)
{
	if (LLVMIsAInlineAsm(LLVMGetCalledValue(call)))
		return false;
	struct callee c = callee_of(u, call);
	if (c.kind != CALLEE_ASK || c.effect != &unknown_function)
		return false;
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
		if (is_data_pointer(LLVMGetOperand(call, i)))
			return true;
	return false;
}

static void call_arguments(struct weave *w, const struct callee *c)
{
	bool any = false;
	if (call_must_ask(w->u, c->call)) { /* what its pointers lead to is on pages that nobody looks at here */
		w->flags |= TD_REGION_ALWAYS;
		any = true;
	}
	for (unsigned i = 0; i < LLVMGetNumArgOperands(c->call); i++) {
		Value argument = LLVMGetOperand(c->call, i);
		if (LLVMGetTypeKind(LLVMTypeOf(argument)) == LLVMMetadataTypeKind)
			continue;
		if (weave_symbolic(w, argument)) {
			region_use(w, argument);
			any = true;
		}
		bool pointer = LLVMGetTypeKind(LLVMTypeOf(argument)) == LLVMPointerTypeKind && !LLVMIsAFunction(argument);
		if (call_attribute(c->call, i, "byval") || (pointer && touches_memory(c, i))) {
			region_page(w, argument);
			any = true;
		}
	}
	if (any)
		region_step(w, emit_arguments, c->call, 0, c);
}

/* ---- ids that come through the slots ---- */

Value call_returner(struct weave *w)
{
	return LLVMBuildLoad2(w->u->builder, w->u->ptr, call_slot(w, SLOT_RETURNER, 0), "");
}

void call_answer_nothing(struct weave *w)
{
	Type result = LLVMGetReturnType(LLVMGlobalGetValueType(w->function));
	if (result == w->u->none || !shadow_tracked(w->u, result))
		return;
	LLVMBuildStore(w->u->builder, LLVMConstNull(w->u->ptr), call_slot(w, SLOT_RETURNER, 0));
}

/* Whoever asks about a call wants to know its arguments. */
void call_tell_values(struct weave *w)
{
	struct unit *u = w->u;
	unsigned slot = 0;
	for (unsigned i = 0; i < LLVMCountParams(w->function) && slot < TD_MAX_ARGS; i++) {
		Value p = LLVMGetParam(w->function, i);
		unsigned bits = shadow_bits(u, LLVMTypeOf(p));
		Value words[2];
		if (bits && bits <= 64) {
			shadow_words(u, p, words);
			LLVMBuildStore(u->builder, words[0], call_slot(w, SLOT_VALUE, slot));
		}
		slot += shadow_leaves(u, LLVMTypeOf(p));
	}
}

static Value invented(struct unit *u, Value memory, Type type)
{
	if (shadow_bits(u, type) != 1)
		return LLVMBuildLoad2(u->builder, type, memory, "");
	return LLVMBuildTrunc(u->builder, LLVMBuildLoad2(u->builder, u->i8, memory, ""), type, "");
}

static void answer_leaf(struct unit *u, Value memory, const struct leaf *leaf, unsigned k)
{
	unsigned bits = shadow_bits(u, leaf->type);
	Value at = unit_const64(u, leaf->offset), shadow = u->zero, words[2];
	if (bits && bits <= 64) {
		Value from = LLVMBuildGEP2(u->builder, u->i8, memory, &at, 1, "");
		shadow_words(u, invented(u, from, leaf->type), words);
		shadow = HOOK_CALL(u, load, from, unit_const32(u, (bits + 7) / 8), unit_const32(u, bits), words[0]);
	}
	HOOK_CALL(u, answer, unit_const32(u, k), shadow);
}

void call_answer_invented(struct weave *w)
{
	struct unit *u = w->u;
	Type type = LLVMGetReturnType(LLVMGlobalGetValueType(w->function));
	static const char result[] = "sret";
	unsigned kind = LLVMGetEnumAttributeKindForName(result, sizeof result - 1);
	bool placed = LLVMCountParams(w->function) && LLVMGetEnumAttributeAtIndex(w->function, 1, kind);
	Value memory = HOOK_CALL(u, stub, w->record, placed ? LLVMGetParam(w->function, 0) : LLVMConstNull(u->ptr));
	if (type == u->none) {
		LLVMBuildRetVoid(u->builder);
		return;
	}
	struct leaf leaves[SHADOW_MAX_LEAVES];
	unsigned n = shadow_tracked(u, type) ? shadow_flatten(u, type, leaves, SHADOW_MAX_LEAVES) : 0;
	for (unsigned k = 0; k < n && n <= TD_MAX_RESULTS; k++)
		answer_leaf(u, memory, &leaves[k], k);
	if (n && n <= TD_MAX_RESULTS)
		HOOK_CALL(u, answering, w->identity, unit_const32(u, n));
	LLVMBuildRet(u->builder, invented(u, memory, type));
}

/* The shadow of v, leaf by leaf out of the slots from `first` on. */
static void take_shadow(struct weave *w, Value v, enum td_hook hook, Value tag, unsigned first)
{
	struct unit *u = w->u;
	struct leaf leaves[SHADOW_MAX_LEAVES];
	unsigned n = shadow_flatten(u, LLVMTypeOf(v), leaves, SHADOW_MAX_LEAVES);
	Value shadow = LLVMConstNull(shadow_type(u, LLVMTypeOf(v))), words[2];
	for (unsigned k = 0; k < n; k++) {
		if (!shadow_bits(u, leaves[k].type))
			continue;
		emit_words(w, shadow_get(u, v, &leaves[k]), words);
		uint32_t slot = TD_SLOT(first + k, shadow_bits(u, leaves[k].type));
		Value one = region_hook(w, hook, (Value[]){tag, unit_const32(u, slot), words[0], words[1]}, 4);
		shadow = shadow_put(u, shadow, &leaves[k], one);
	}
	ptrmap_set(&w->fresh, v, shadow);
}

static void emit_result(struct weave *w, const struct step *step)
{
	take_shadow(w, step->value, TD_HOOK_result, (Value)(uintptr_t)step->extra, 0);
}

static void define_result(struct weave *w, Value v, Value tag)
{
	region_define(w, v, emit_result);
	w->steps.at[w->steps.count - 1].extra = tag;
}

/* The concrete side has seen whose result it is. */
void call_take_result(struct weave *w, Value result)
{
	ptrmap_set(&w->symbolic, result, result);
	define_result(w, result, LLVMConstNull(w->u->ptr));
}

bool call_travels(struct unit *u, Value call)
{
	if (LLVMIsAInlineAsm(LLVMGetCalledValue(call)) || intrinsic_of(call)->kind != INTRINSIC_NOT || !LLVMGetFirstUse(call))
		return false;
	struct callee c = callee_of(u, call);
	return c.kind != CALLEE_FOREIGN && LLVMGetTailCallKind(call) != LLVMTailCallKindMustTail &&
	       shadow_tracked(u, LLVMTypeOf(call)) && shadow_leaves(u, LLVMTypeOf(call)) <= TD_MAX_RESULTS;
}

Value call_tag(const struct unit *u, Value call)
{
	return callee_of(u, call).tag;
}

bool call_touches(const struct unit *u, Value call, unsigned argument)
{
	if (LLVMIsAInlineAsm(LLVMGetCalledValue(call)))
		return call_attribute(call, argument, "elementtype");
	struct callee c = callee_of(u, call);
	return call_attribute(call, argument, "byval") || touches_memory(&c, argument);
}

/* On either side, before the call. */
void call_stacked(struct weave *w, Value call)
{
	struct unit *u = w->u;
	if (LLVMIsAInlineAsm(LLVMGetCalledValue(call)) || !LLVMIsFunctionVarArg(LLVMGetCalledFunctionType(call)))
		return;
	struct callee c = callee_of(u, call);
	uint64_t bytes = variadic_stacked(u, call);
	if (!bytes || c.kind == CALLEE_FOREIGN)
		return;
	LLVMBuildStore(u->builder, c.tag, call_slot(w, SLOT_STACKED_FOR, 0));
	LLVMBuildStore(u->builder, unit_const64(u, bytes), call_slot(w, SLOT_STACKED, 0));
}

/* On either side, before the call. */
void call_unseen(struct weave *w, Value call)
{
	struct unit *u = w->u;
	Value callee = LLVMGetCalledValue(call);
	const struct unseen *n = LLVMIsAFunction(callee) && LLVMIsDeclaration(callee) ? effect_unseen(unit_name(callee)) : NULL;
	bool says = n && (n->from == TD_UNSEEN_STREAM || n->from == TD_UNSEEN_DESCRIPTOR);
	if (!n || (says && n->argument >= LLVMGetNumArgOperands(call)))
		return;
	Value words[2] = {unit_const64(u, 0)};
	if (says)
		shadow_words(u, LLVMGetOperand(call, n->argument), words);
	HOOK_CALL(u, unseen, unit_const32(u, n->from), words[0]);
}

/* ---- calls through pointers ---- */

bool call_through_pointer(Value call)
{
	Value value = LLVMGetCalledValue(call);
	return !LLVMIsAInlineAsm(value) && !LLVMIsConstant(value);
}

/* The pointer this call last went through, if that takes care of itself: it is instrumented and has no model. */
static Value last_pointer(struct unit *u)
{
	Value global = LLVMAddGlobal(u->module, u->ptr, "td.pointer");
	LLVMSetInitializer(global, LLVMConstIntToPtr(unit_const64(u, UINT64_MAX), u->ptr)); /* a null pointer is asked about */
	LLVMSetLinkage(global, LLVMInternalLinkage);
	return global;
}

static Value go_through(struct weave *w, Value call, Value memory)
{
	struct unit *u = w->u;
	LIST(Value) arguments = {0};
	list_push(&arguments, memory);
	list_push(&arguments, LLVMGetCalledValue(call));
	list_push(&arguments, NULL);
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call) && !has_by_value(call); i++)
		if (is_data_pointer(LLVMGetOperand(call, i)))
			list_push(&arguments, LLVMGetOperand(call, i));
	arguments.at[2] = unit_const32(u, arguments.count - 3);
	LLVMSetCurrentDebugLocation2(u->builder, LLVMInstructionGetDebugLoc(call)); /* it may find that there is nothing to call */
	Value callee = unit_call(u, TD_HOOK_through, arguments.at, (unsigned)arguments.count);
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	free(arguments.at);
	return callee;
}

bool call_resolve(struct weave *w, Value call)
{
	struct unit *u = w->u;
	if (!call_through_pointer(call))
		return false;
	Value pointer = LLVMGetCalledValue(call), memory = last_pointer(u), last = LLVMBuildLoad2(u->builder, u->ptr, memory, "");
	Block before = w->current, ask = unit_block(u, w->function, NULL, "td.ask"), rest = unit_block(u, w->function, before, "td.rest");
	Value other = LLVMBuildICmp(u->builder, LLVMIntNE, pointer, last, "");
	LLVMSetMetadata(LLVMBuildCondBr(u->builder, other, ask, rest), u->md_prof, u->unlikely);
	LLVMPositionBuilderAtEnd(u->builder, ask);
	Value callee = go_through(w, call, memory);
	LLVMBuildBr(u->builder, rest);
	LLVMPositionBuilderAtEnd(u->builder, rest);
	Value called = LLVMBuildPhi(u->builder, u->ptr, "");
	LLVMAddIncoming(called, (Value[]){pointer, callee}, (Block[]){before, ask}, 2);
	unit_set_callee(call, called);
	w->current = rest;
	return !has_by_value(call);
}

static void call_ordinary(struct weave *w, Value call)
{
	struct callee *c = memory_array(1, sizeof *c);
	safety_callee(w, call);
	region_lose(w, LLVMGetCalledValue(call), TD_LOST_CALLEE);
	LLVMSetCurrentDebugLocation2(w->u->builder, NULL);
	if (call_through_pointer(call)) {
		if (weave_symbolic(w, LLVMGetCalledValue(call)))
			region_run(w); /* a null pointer is reported next */
		LLVMSetCurrentDebugLocation2(w->u->builder, LLVMInstructionGetDebugLoc(call));
		unit_set_callee(call, HOOK_CALL(w->u, callee, LLVMGetCalledValue(call)));
		LLVMSetCurrentDebugLocation2(w->u->builder, NULL);
	}
	*c = callee_of(w->u, call);
	call_arguments(w, c);
	region_close(w);
	bool travels = ptrmap_get(&w->symbolic, call) != NULL;
	LLVMSetCurrentDebugLocation2(w->u->builder, NULL);
	call_unseen(w, call);
	call_stacked(w, call);
	weave_place(w, call);
	Value gate = ptrmap_get(&w->u->entries, c->value);
	if (gate)
		unit_set_callee(call, gate);
	if (!travels)
		return;
	define_result(w, call, c->tag);
	region_always(w);
}

/* ---- memory intrinsics ---- */

static void emit_copy(struct weave *w, const struct step *step)
{
	struct unit *u = w->u;
	Value size = LLVMBuildZExtOrBitCast(u->builder, LLVMGetOperand(step->value, 2), u->i64, "");
	EMIT(w, copy, LLVMGetOperand(step->value, 0), LLVMGetOperand(step->value, 1), size);
}

static void emit_fill(struct weave *w, const struct step *step)
{
	struct unit *u = w->u;
	Value size = LLVMBuildZExtOrBitCast(u->builder, LLVMGetOperand(step->value, 2), u->i64, "");
	EMIT(w, fill, LLVMGetOperand(step->value, 0), weave_shadow(w, LLVMGetOperand(step->value, 1)), size);
}

static void call_memory(struct weave *w, Value call, bool copy)
{
	struct unit *u = w->u;
	Value to = LLVMGetOperand(call, 0), from = LLVMGetOperand(call, 1), size = LLVMGetOperand(call, 2);
	region_fix(w, weave_root(to), TD_LOST_WRITE);
	if (copy)
		region_fix(w, weave_root(from), TD_LOST_READ);
	region_fix(w, size, TD_LOST_SIZE);
	if (w->fixing.count)
		region_close(w);
	uint64_t bytes = LLVMIsAConstantInt(size) ? LLVMConstIntGetZExtValue(size) : 0;
	step_emit *emit = copy ? emit_copy : emit_fill;
	bool checked = bytes && bytes <= LOOK_REACH;
	if (!checked)
		region_close(w);
	weave_place(w, call);
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	if (checked)
		region_page(w, to);
	if (checked && copy)
		region_page(w, from);
	if (!copy)
		region_use(w, from);
	region_step(w, emit, call, 0, NULL);
	if (!checked)
		region_run(w);
}

static void emit_intrinsic_effects(struct weave *w, const struct step *step)
{
	const char *name = unit_name(LLVMGetCalledValue(step->value));
	EMIT(w, handed, unit_data(w->u, name, strlen(name) + 1));
	for (unsigned i = 0; i < LLVMGetNumArgOperands(step->value); i++)
		if (is_data_pointer(LLVMGetOperand(step->value, i)))
			EMIT(w, external, LLVMGetOperand(step->value, i), unit_const64(w->u, 0), unit_const32(w->u, TD_EFFECT_UNKNOWN));
}

static void call_unknown_intrinsic(struct weave *w, Value call)
{
	bool pointers = false;
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
		if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, i))) != LLVMMetadataTypeKind)
			region_lose(w, LLVMGetOperand(call, i), TD_LOST_OPERATOR);
	region_close(w);
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
		if (is_data_pointer(LLVMGetOperand(call, i))) {
			region_page(w, LLVMGetOperand(call, i));
			pointers = true;
		}
	if (pointers)
		region_step(w, emit_intrinsic_effects, call, 0, NULL);
	region_close(w);
	weave_place(w, call);
}

void call_weave(struct weave *w, Value call)
{
	if (LLVMIsAInlineAsm(LLVMGetCalledValue(call))) {
		assembly_weave(w, call);
		return;
	}
	switch (intrinsic_of(call)->kind) {
	case INTRINSIC_NOT: call_ordinary(w, call); break;
	case INTRINSIC_COPY: call_memory(w, call, true); break;
	case INTRINSIC_FILL: call_memory(w, call, false); break;
	case INTRINSIC_VA_START: variadic_start(w, call); break;
	case INTRINSIC_VA_COPY: variadic_copy(w, call); break;
	case INTRINSIC_UNKNOWN: call_unknown_intrinsic(w, call); break;
	default: weave_place(w, call); break;
	}
}

/* ---- the callee's side ---- */

static void prologue_by_value(struct weave *w, Value parameter, Type type, Value source)
{
	struct unit *u = w->u;
	Value size = unit_const64(u, LLVMABISizeOfType(u->layout, type));
	Block copy = unit_block(u, w->function, NULL, "td.byval"), clear = unit_block(u, w->function, NULL, "td.byval0");
	Block rest = unit_block(u, w->function, w->current, "td.rest");
	LLVMBuildCondBr(u->builder, LLVMBuildIsNotNull(u->builder, source, ""), copy, clear);
	LLVMPositionBuilderAtEnd(u->builder, copy);
	HOOK_CALL(u, copy, parameter, source, size);
	LLVMBuildBr(u->builder, rest);
	LLVMPositionBuilderAtEnd(u->builder, clear);
	HOOK_CALL(u, fill, parameter, u->zero, size);
	LLVMBuildBr(u->builder, rest);
	LLVMPositionBuilderAtEnd(u->builder, rest);
	w->current = rest;
}

struct parameter { Value value; unsigned slot; Type by_value; };
struct parameters { LIST(struct parameter) list; unsigned slots; };

/* The parameters whose shadows anybody asks for, as the symbolic side has them, and where they travel. */
static void list_parameters(struct weave *w, struct parameters *to)
{
	for (unsigned i = 0; i < w->parameters.count; i++) {
		Value p = w->parameters.at[i];
		unsigned leaves = shadow_leaves(w->u, LLVMTypeOf(p));
		Type type = unit_by_value(w->concrete_side, i);
		bool fits = to->slots + leaves <= TD_MAX_ARGS;
		if (fits && (type || (ptrmap_get(&w->symbolic, p) && LLVMGetFirstUse(p))))
			list_push(&to->list, ((struct parameter){p, to->slots, type}));
		if (!fits || type)
			ptrmap_set(&w->symbolic, p, NULL);
		to->slots += leaves;
	}
}

static Value is_for_us(struct weave *w)
{
	Value tag = LLVMBuildLoad2(w->u->builder, w->u->ptr, call_slot(w, SLOT_CALLEE, 0), "");
	return LLVMBuildICmp(w->u->builder, LLVMIntEQ, tag, w->identity, "");
}

void call_gate(struct weave *w)
{
	struct unit *u = w->u;
	Block begin = unit_block(u, w->function, NULL, "td.begin"), none = unit_block(u, w->function, NULL, "td.none");
	Value forced = LLVMBuildICmp(u->builder, LLVMIntNE, LLVMBuildLoad2(u->builder, u->i32, u->force, ""), u->zero, "");
	Value branch = LLVMBuildCondBr(u->builder, LLVMBuildOr(u->builder, is_for_us(w), forced, ""), begin, none);
	LLVMSetMetadata(branch, u->md_prof, u->unlikely);
	LLVMPositionBuilderAtEnd(u->builder, begin);
	twin_begin(w);
	LLVMPositionBuilderAtEnd(u->builder, none);
	w->current = none;
}

static void emit_parameter(struct weave *w, const struct step *step)
{
	take_shadow(w, step->value, TD_HOOK_parameter, w->identity, step->detail);
}

static void emit_taken(struct weave *w, const struct step *step)
{
	EMIT(w, taken, step->value);
}

void call_take_arguments(struct weave *w)
{
	struct unit *u = w->u;
	struct parameters p = {0};
	list_parameters(w, &p);
	Value match = w->one_sided ? is_for_us(w) : NULL; /* what is tied to the stack is one-sided */
	if (LLVMIsFunctionVarArg(LLVMGlobalGetValueType(w->function)))
		variadic_enter(w, match);
	for (size_t k = 0; k < p.list.count; k++) {
		struct parameter *parameter = &p.list.at[k];
		if (parameter->by_value) {
			Value source = LLVMBuildLoad2(u->builder, u->ptr, call_slot(w, SLOT_BY_VALUE, parameter->slot), "");
			source = LLVMBuildSelect(u->builder, match, source, LLVMConstNull(u->ptr), "");
			prologue_by_value(w, parameter->value, parameter->by_value, source);
		} else {
			region_define(w, parameter->value, emit_parameter);
			w->steps.at[w->steps.count - 1].detail = parameter->slot;
		}
	}
	region_step(w, emit_taken, w->identity, 0, NULL);
	region_run(w);
	free(p.list.at);
}

static void emit_return(struct weave *w, const struct step *step)
{
	struct unit *u = w->u;
	Value v = step->value, shadow = weave_shadow(w, v);
	struct leaf leaves[SHADOW_MAX_LEAVES];
	unsigned n = shadow_flatten(u, LLVMTypeOf(v), leaves, SHADOW_MAX_LEAVES);
	if (n > TD_MAX_RESULTS) {
		emit_lose_value(w, v, shadow, TD_LOST_ARGUMENT);
		return;
	}
	for (unsigned k = 0; k < n; k++)
		EMIT(w, answer, unit_const32(u, k), shadow_get(u, shadow, &leaves[k]));
	EMIT(w, answering, w->identity, unit_const32(u, n));
}

void call_return(struct weave *w, Value ret)
{
	Value v = LLVMGetNumOperands(ret) ? LLVMGetOperand(ret, 0) : NULL;
	if (v && weave_symbolic(w, v)) {
		region_use(w, v);
		region_step(w, emit_return, v, 0, NULL);
		w->flags |= TD_REGION_ALWAYS; /* also to say that it is not symbolic this time */
	}
	region_close(w);
	if (w->one_sided)
		weave_place(w, ret);
	else
		twin_return(w, ret);
}
