/* Calls: shadows travel in the thread-local slots of contract/slots.h, tagged with the callee. The symbolic side of the region
 * before a call stores them; a call with nothing symbolic costs nothing here and one comparison in the callee. */
#include "compile/weave.h"

#include "compile/effect.h"
#include "contract/slots.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { SLOT_CALLEE, SLOT_RETURNER, SLOT_VARIADIC, SLOT_ARG, SLOT_RESULT, SLOT_BY_VALUE };

static const struct effect unknown_function = {"", "u"};
static const struct effect runtime_function = {"", "-"};

Value call_slot(struct weave *w, unsigned field, unsigned index)
{
	struct unit *u = w->u;
	Value path[] = {u->zero, unit_const32(u, field), unit_const32(u, index)};
	return LLVMBuildInBoundsGEP2(u->builder, u->slots_type, u->slots, path, field < SLOT_ARG ? 2 : 3, "");
}

static bool call_attribute(Value call, unsigned argument, const char *name, LLVMAttributeRef *found)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
	*found = LLVMGetCallSiteEnumAttribute(call, argument + 1, kind);
	return *found != NULL;
}

static bool param_attribute(Value function, unsigned parameter, const char *name, LLVMAttributeRef *found)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
	*found = LLVMGetEnumAttributeAtIndex(function, parameter + 1, kind);
	return *found != NULL;
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

static struct callee *callee_of(const struct unit *u, Value call)
{
	struct callee *c = memory_array(1, sizeof *c);
	c->call = call;
	c->value = c->tag = LLVMGetCalledValue(call);
	c->kind = CALLEE_ASK;
	c->effect = &unknown_function;
	if (!LLVMIsAFunction(c->value))
		return c;
	const char *name = unit_name(c->value);
	if (ptrmap_get(&u->identities, c->value)) {
		c->kind = CALLEE_WOVEN;
		c->tag = ptrmap_get(&u->identities, c->value);
	} else if (starts(name, "__td_m_")) {
		c->kind = CALLEE_WOVEN;
	} else if (starts(name, "__td_") || starts(name, "tandem_")) {
		c->kind = CALLEE_FOREIGN;
		c->effect = &runtime_function;
	} else if (LLVMIsDeclaration(c->value) && effect_of(name)) {
		c->kind = CALLEE_FOREIGN;
		c->effect = effect_of(name);
	}
	return c;
}

/* ---- arguments ---- */

/* x86-64 System V: where the callee's va_arg will look for an argument. */
struct va_layout { unsigned general, floating, stack; };

static struct td_va va_place(struct va_layout *at, const struct weave *w, Value argument, bool by_value, uint64_t bytes, unsigned align)
{
	Type type = LLVMTypeOf(argument);
	unsigned size = (unsigned)LLVMStoreSizeOfType(w->u->layout, type);
	LLVMTypeKind kind = LLVMGetTypeKind(type);
	struct td_va va = {.size = (uint8_t)(by_value ? 255 : size), .bytes = (uint16_t)bytes};
	bool general = kind == LLVMPointerTypeKind || (kind == LLVMIntegerTypeKind && size <= 8);
	bool floating = kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind || (kind == LLVMVectorTypeKind && size <= 16);
	if (!by_value && general && at->general < 6) {
		va.offset = (uint16_t)(8 * at->general++);
	} else if (!by_value && kind == LLVMIntegerTypeKind && size == 16 && at->general < 5) {
		va.offset = (uint16_t)(8 * at->general);
		at->general += 2;
	} else if (!by_value && floating && at->floating < 8) {
		va.offset = (uint16_t)(48 + 16 * at->floating++);
	} else {
		unsigned alignment = by_value ? align : size > 8 ? 16 : 8;
		at->stack = (at->stack + alignment - 1) / alignment * alignment;
		va.overflow = 1;
		va.offset = (uint16_t)at->stack;
		at->stack += (unsigned)((by_value ? bytes : size) + 7) / 8 * 8;
	}
	return va;
}

static Value va_constant(struct unit *u, const struct td_va *list, unsigned count)
{
	unsigned bytes = (count + 1) * (unsigned)sizeof(struct td_va);
	Value text = LLVMConstStringInContext2(u->context, (const char *)list, bytes, true);
	Value global = LLVMAddGlobal(u->module, LLVMTypeOf(text), "td.variadic");
	LLVMSetInitializer(global, text);
	LLVMSetLinkage(global, LLVMPrivateLinkage);
	LLVMSetGlobalConstant(global, true);
	LLVMSetAlignment(global, 2);
	return global;
}

static uint64_t by_value_size(const struct weave *w, Value call, unsigned argument, unsigned *align)
{
	LLVMAttributeRef attribute, alignment;
	if (!call_attribute(call, argument, "byval", &attribute))
		return 0;
	Type type = LLVMGetTypeAttributeValue(attribute);
	*align = call_attribute(call, argument, "align", &alignment) ? (unsigned)LLVMGetEnumAttributeValue(alignment) : 8;
	if (*align < 8)
		*align = 8;
	return LLVMABISizeOfType(w->u->layout, type);
}

/* On the symbolic side: every argument's ids into the slots, then the tag. */
static void emit_pass(struct weave *w, const struct callee *c)
{
	struct unit *u = w->u;
	unsigned fixed = LLVMCountParamTypes(LLVMGetCalledFunctionType(c->call)), slot = 0, listed = 0;
	bool variadic = LLVMIsFunctionVarArg(LLVMGetCalledFunctionType(c->call));
	struct td_va list[TD_MAX_ARGS + 1] = {0};
	struct va_layout layout = {0};
	unsigned fixed_stack = 0;
	for (unsigned i = 0; i < LLVMGetNumArgOperands(c->call); i++) {
		Value argument = LLVMGetOperand(c->call, i);
		unsigned align = 8, leaves = shadow_leaves(u, LLVMTypeOf(argument));
		uint64_t bytes = by_value_size(w, c->call, i, &align);
		if (i == fixed) /* the callee's overflow area begins behind the fixed arguments */
			fixed_stack = layout.stack;
		struct td_va va = va_place(&layout, w, argument, bytes != 0, bytes, align);
		va.slot = (uint16_t)slot;
		va.offset = (uint16_t)(va.offset - (va.overflow ? fixed_stack : 0));
		if (i >= fixed && bytes)
			HOOK_CALL(u, external, argument, unit_const64(u, bytes), unit_const32(u, TD_EFFECT_READS));
		if (slot + leaves > TD_MAX_ARGS) {
			emit_lose_value(w, argument, weave_shadow(w, argument), TD_LOST_ARGUMENT);
			continue;
		}
		if (i >= fixed && listed < TD_MAX_ARGS)
			list[listed++] = va;
		if (bytes) {
			LLVMBuildStore(u->builder, argument, call_slot(w, SLOT_BY_VALUE, slot));
			LLVMBuildStore(u->builder, u->zero, call_slot(w, SLOT_ARG, slot++));
			continue;
		}
		struct leaf leaf[SHADOW_MAX_LEAVES];
		Value shadow = weave_shadow(w, argument);
		shadow_flatten(u, LLVMTypeOf(argument), leaf, SHADOW_MAX_LEAVES);
		for (unsigned k = 0; k < leaves; k++)
			LLVMBuildStore(u->builder, shadow_get(u, shadow, &leaf[k]), call_slot(w, SLOT_ARG, slot++));
	}
	if (variadic)
		LLVMBuildStore(u->builder, va_constant(u, list, listed), call_slot(w, SLOT_VARIADIC, 0));
	LLVMBuildStore(u->builder, c->tag, call_slot(w, SLOT_CALLEE, 0));
}

/* On the symbolic side: an uninstrumented callee gets its arguments. */
static void emit_effects(struct weave *w, const struct callee *c)
{
	struct unit *u = w->u;
	for (unsigned i = 0; i < LLVMGetNumArgOperands(c->call); i++) {
		Value argument = LLVMGetOperand(c->call, i);
		char letter = effect_letter(c->effect, i);
		if (letter == '-' || letter == 's')
			continue;
		emit_lose_value(w, argument, weave_shadow(w, argument), letter == 'a' ? TD_LOST_ALLOC : TD_LOST_EXTERNAL);
		if (LLVMGetTypeKind(LLVMTypeOf(argument)) != LLVMPointerTypeKind || LLVMIsAFunction(argument))
			continue;
		unsigned align;
		enum td_effect effect = letter == 'r' ? TD_EFFECT_READS : letter == 'w' ? TD_EFFECT_WRITES : TD_EFFECT_UNKNOWN;
		HOOK_CALL(u, external, argument, unit_const64(u, by_value_size(w, c->call, i, &align)), unit_const32(u, effect));
	}
}

static void emit_arguments(struct weave *w, const struct step *step)
{
	struct unit *u = w->u;
	const struct callee *c = step->extra;
	if (c->kind == CALLEE_WOVEN) {
		emit_pass(w, c);
		return;
	}
	if (c->kind == CALLEE_FOREIGN) {
		emit_effects(w, c);
		return;
	}
	Value known = HOOK_CALL(u, known, c->value);
	Block woven = unit_block(u, w->function, NULL, "td.woven"), foreign = unit_block(u, w->function, NULL, "td.foreign");
	Block join = unit_block(u, w->function, NULL, "td.passed");
	LLVMBuildCondBr(u->builder, LLVMBuildICmp(u->builder, LLVMIntNE, known, u->zero, ""), woven, foreign);
	LLVMPositionBuilderAtEnd(u->builder, woven);
	emit_pass(w, c);
	LLVMBuildBr(u->builder, join);
	LLVMPositionBuilderAtEnd(u->builder, foreign);
	emit_effects(w, c);
	LLVMBuildBr(u->builder, join);
	LLVMPositionBuilderAtEnd(u->builder, join);
	w->current = join;
}

static bool touches_memory(const struct callee *c, unsigned argument)
{
	char letter = effect_letter(c->effect, argument);
	return c->kind != CALLEE_WOVEN && letter != '-' && letter != 's';
}

static void call_arguments(struct weave *w, const struct callee *c)
{
	bool any = false;
	LLVMAttributeRef attribute;
	for (unsigned i = 0; i < LLVMGetNumArgOperands(c->call); i++) {
		Value argument = LLVMGetOperand(c->call, i);
		if (LLVMGetTypeKind(LLVMTypeOf(argument)) == LLVMMetadataTypeKind)
			continue;
		if (weave_symbolic(w, argument)) {
			region_use(w, argument);
			any = true;
		}
		bool pointer = LLVMGetTypeKind(LLVMTypeOf(argument)) == LLVMPointerTypeKind && !LLVMIsAFunction(argument);
		if (call_attribute(c->call, i, "byval", &attribute) || (pointer && touches_memory(c, i))) {
			region_page(w, argument);
			any = true;
		}
	}
	if (any)
		region_step(w, emit_arguments, c->call, 0, c);
}

/* ---- results ---- */

/* Loads `count` ids behind a tag comparison: phi of zeros and what the slots hold. */
static void take_ids(struct weave *w, unsigned tag, Value expected, unsigned field, unsigned first, unsigned count, Value *ids, const Value *values)
{
	struct unit *u = w->u;
	Value found = LLVMBuildLoad2(u->builder, u->ptr, call_slot(w, tag, 0), "");
	Value match = LLVMBuildICmp(u->builder, LLVMIntEQ, found, expected, "");
	Block head = w->current, take = unit_block(u, w->function, NULL, "td.take"), rest = unit_block(u, w->function, head, "td.taken");
	LLVMSetMetadata(LLVMBuildCondBr(u->builder, match, take, rest), u->md_prof, u->unlikely);
	LLVMPositionBuilderAtEnd(u->builder, take);
	for (unsigned k = 0; k < count; k++) {
		Value words[2], id = LLVMBuildLoad2(u->builder, u->i32, call_slot(w, field, first + k), "");
		if (values[k] && shadow_bits(u, LLVMTypeOf(values[k]))) {
			shadow_words(u, values[k], words);
			bool wide = shadow_bits(u, LLVMTypeOf(values[k])) > 64;
			id = wide ? HOOK_CALL(u, passed_wide, id, words[0], words[1]) : HOOK_CALL(u, passed, id, words[0]);
		}
		ids[k] = id;
	}
	LLVMBuildStore(u->builder, LLVMConstNull(u->ptr), call_slot(w, tag, 0));
	LLVMBuildBr(u->builder, rest);
	LLVMPositionBuilderAtEnd(u->builder, rest);
	w->current = rest;
	for (unsigned k = 0; k < count; k++) {
		Value phi = LLVMBuildPhi(u->builder, u->i32, "");
		LLVMAddIncoming(phi, (Value[]){u->zero, ids[k]}, (Block[]){head, take}, 2);
		ids[k] = phi;
	}
}

static void call_result(struct weave *w, const struct callee *c)
{
	struct unit *u = w->u;
	Type type = LLVMTypeOf(c->call);
	struct leaf leaves[SHADOW_MAX_LEAVES];
	unsigned n = shadow_flatten(u, type, leaves, SHADOW_MAX_LEAVES);
	Value shadow = LLVMConstNull(shadow_type(u, type)), ids[TD_MAX_RESULTS], values[TD_MAX_RESULTS];
	if (c->kind != CALLEE_FOREIGN && n <= TD_MAX_RESULTS && LLVMGetFirstUse(c->call)) {
		LLVMSetCurrentDebugLocation2(u->builder, NULL);
		/* checked by value only as scalars: extracting leaves would cost on the concrete side */
		for (unsigned k = 0; k < n; k++)
			values[k] = leaves[k].depth ? NULL : c->call;
		take_ids(w, SLOT_RETURNER, c->tag, SLOT_RESULT, 0, n, ids, values);
		for (unsigned k = 0; k < n; k++)
			shadow = shadow_put(u, shadow, &leaves[k], ids[k]);
	}
	ptrmap_set(&w->shadow, c->call, shadow);
}

static void call_ordinary(struct weave *w, Value call)
{
	struct unit *u = w->u;
	struct callee *c = callee_of(u, call);
	region_lose(w, c->value, TD_LOST_CALLEE);
	call_arguments(w, c);
	region_close(w);
	if (weave_symbolic(w, c->value))
		weave_fix(w, c->value);
	bool tail = LLVMGetTailCallKind(call) == LLVMTailCallKindMustTail;
	bool wanted = ptrmap_get(&w->symbolic, call) && !tail;
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	if (wanted && c->kind != CALLEE_FOREIGN && LLVMGetFirstUse(call))
		LLVMBuildStore(u->builder, LLVMConstNull(u->ptr), call_slot(w, SLOT_RETURNER, 0));
	weave_place(w, call);
	if (wanted)
		call_result(w, c);
}

/* ---- inline assembly ---- */

/* Empty assembly is an optimisation barrier: an output tied to an input is that input. */
static void assembly_ties(struct weave *w, Value call, const char *constraints)
{
	struct unit *u = w->u;
	Type type = LLVMTypeOf(call);
	bool compound = LLVMGetTypeKind(type) == LLVMStructTypeKind;
	Value shadow = LLVMConstNull(shadow_type(u, type));
	unsigned argument = 0;
	for (const char *p = constraints; *p; p += strcspn(p, ","), p += *p == ',') {
		bool output = *p == '=', clobber = *p == '~', indirect = strchr(p, '*') && strcspn(p, "*") < strcspn(p, ",");
		if (clobber || (output && !indirect))
			continue;
		if (!output && isdigit((unsigned char)*p)) {
			unsigned to = (unsigned)atoi(p);
			Value part = weave_shadow(w, LLVMGetOperand(call, argument)), from = LLVMGetOperand(call, argument);
			Type wanted = compound ? LLVMStructGetTypeAtIndex(type, to) : type;
			if (LLVMTypeOf(from) == wanted)
				shadow = compound ? LLVMBuildInsertValue(u->builder, shadow, part, to, "") : part;
		}
		argument++;
	}
	ptrmap_set(&w->shadow, call, shadow);
}

static void emit_assembly(struct weave *w, const struct step *step)
{
	struct unit *u = w->u;
	Value call = step->value;
	LLVMAttributeRef element;
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
		Value argument = LLVMGetOperand(call, i);
		emit_lose_value(w, argument, weave_shadow(w, argument), TD_LOST_ASM);
		if (!call_attribute(call, i, "elementtype", &element))
			continue;
		uint64_t size = LLVMStoreSizeOfType(u->layout, LLVMGetTypeAttributeValue(element));
		HOOK_CALL(u, external, argument, unit_const64(u, size), unit_const32(u, TD_EFFECT_UNKNOWN));
	}
}

static void call_assembly(struct weave *w, Value call)
{
	size_t length, constraints;
	Value code = LLVMGetCalledValue(call);
	const char *text = LLVMGetInlineAsmAsmString(code, &length);
	const char *rules = LLVMGetInlineAsmConstraintString(code, &constraints);
	bool barrier = text[strspn(text, " \t\n")] == 0;
	if (!barrier) {
		LLVMAttributeRef element;
		for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
			region_use(w, LLVMGetOperand(call, i));
			if (call_attribute(call, i, "elementtype", &element))
				region_page(w, LLVMGetOperand(call, i));
		}
		region_step(w, emit_assembly, call, 0, NULL);
	}
	region_close(w);
	weave_place(w, call);
	if (!ptrmap_get(&w->symbolic, call))
		return;
	if (barrier)
		assembly_ties(w, call, rules);
	else
		ptrmap_set(&w->shadow, call, LLVMConstNull(shadow_type(w->u, LLVMTypeOf(call))));
}

/* ---- memory intrinsics ---- */

enum { INLINE_CHECK_BYTES = 4096 }; /* no more than two pages on either side */

static void emit_copy(struct weave *w, const struct step *step)
{
	struct unit *u = w->u;
	Value size = LLVMBuildZExtOrBitCast(u->builder, LLVMGetOperand(step->value, 2), u->i64, "");
	HOOK_CALL(u, copy, LLVMGetOperand(step->value, 0), LLVMGetOperand(step->value, 1), size);
}

static void emit_fill(struct weave *w, const struct step *step)
{
	struct unit *u = w->u;
	Value size = LLVMBuildZExtOrBitCast(u->builder, LLVMGetOperand(step->value, 2), u->i64, "");
	HOOK_CALL(u, fill, LLVMGetOperand(step->value, 0), weave_shadow(w, LLVMGetOperand(step->value, 1)), size);
}

static void page_range(struct weave *w, Value pointer, uint64_t size)
{
	Value last = unit_const64(w->u, size - 1);
	region_page(w, pointer);
	if (size > 1)
		region_page(w, LLVMBuildGEP2(w->u->builder, w->u->i8, pointer, &last, 1, ""));
}

static void fix_operand(struct weave *w, Value v, enum td_lost why)
{
	if (!weave_symbolic(w, v))
		return;
	region_lose(w, v, why);
	region_close(w);
	weave_fix(w, v);
}

static void call_memory(struct weave *w, Value call, bool copy)
{
	struct unit *u = w->u;
	Value to = LLVMGetOperand(call, 0), from = LLVMGetOperand(call, 1), size = LLVMGetOperand(call, 2);
	fix_operand(w, weave_root(to), TD_LOST_WRITE);
	if (copy)
		fix_operand(w, weave_root(from), TD_LOST_READ);
	fix_operand(w, size, TD_LOST_SIZE);
	uint64_t bytes = LLVMIsAConstantInt(size) ? LLVMConstIntGetZExtValue(size) : 0;
	struct step step = {copy ? emit_copy : emit_fill, call, 0, NULL};
	if (!bytes || bytes > INLINE_CHECK_BYTES) {
		region_close(w);
		weave_place(w, call);
		LLVMSetCurrentDebugLocation2(u->builder, NULL);
		step.emit(w, &step);
		return;
	}
	weave_place(w, call);
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	page_range(w, to, bytes);
	if (copy)
		page_range(w, from, bytes);
	else
		region_use(w, from);
	region_step(w, step.emit, call, 0, NULL);
}

static void call_va_start(struct weave *w, Value call)
{
	struct unit *u = w->u;
	region_close(w);
	weave_place(w, call);
	if (w->variadic_desc)
		HOOK_CALL(u, va_start, LLVMGetOperand(call, 0), w->variadic_desc, w->variadic_ids);
}

static void call_unknown_intrinsic(struct weave *w, Value call)
{
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
		if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, i))) != LLVMMetadataTypeKind)
			region_lose(w, LLVMGetOperand(call, i), TD_LOST_OPERATOR);
	region_close(w);
	weave_place(w, call);
}

void call_weave(struct weave *w, Value call)
{
	if (LLVMIsAInlineAsm(LLVMGetCalledValue(call))) {
		call_assembly(w, call);
		return;
	}
	switch (intrinsic_of(call)->kind) {
	case INTRINSIC_NOT: call_ordinary(w, call); break;
	case INTRINSIC_COPY: call_memory(w, call, true); break;
	case INTRINSIC_FILL: call_memory(w, call, false); break;
	case INTRINSIC_VA_START: call_va_start(w, call); break;
	case INTRINSIC_VA_COPY:
		region_close(w);
		weave_place(w, call);
		HOOK_CALL(w->u, fill, LLVMGetOperand(call, 0), w->u->zero, unit_const64(w->u, 24));
		break;
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

/* Takes the ids of all parameters, of a variadic tail, and the shadows of by-value structs. */
void call_prologue(struct weave *w)
{
	struct unit *u = w->u;
	bool variadic = LLVMIsFunctionVarArg(LLVMGlobalGetValueType(w->function)), wanted = variadic;
	Value values[TD_MAX_ARGS] = {0}, ids[TD_MAX_ARGS];
	unsigned slot = 0;
	LLVMAttributeRef attribute;
	struct taken { Value parameter; unsigned slot; Type by_value; };
	LIST(struct taken) taken = {0};
	for (unsigned i = 0; i < LLVMCountParams(w->function); i++) {
		Value p = LLVMGetParam(w->function, i);
		unsigned leaves = shadow_leaves(u, LLVMTypeOf(p));
		Type type = param_attribute(w->function, i, "byval", &attribute) ? LLVMGetTypeAttributeValue(attribute) : NULL;
		ptrmap_set(&w->shadow, p, LLVMConstNull(shadow_type(u, LLVMTypeOf(p))));
		if (slot + leaves > TD_MAX_ARGS)
			continue;
		if (type || (ptrmap_get(&w->symbolic, p) && LLVMGetFirstUse(p))) {
			list_push(&taken, ((struct taken){p, slot, type}));
			wanted = true;
			if (!type && leaves == 1)
				values[slot] = p;
		}
		slot += leaves;
	}
	if (!wanted)
		return;
	Value sources[TD_MAX_ARGS] = {0}, descriptor = NULL;
	Value found = LLVMBuildLoad2(u->builder, u->ptr, call_slot(w, SLOT_CALLEE, 0), "");
	Value match = LLVMBuildICmp(u->builder, LLVMIntEQ, found, w->identity, "");
	if (variadic) { /* the tail's ids are copied: later calls overwrite the slots */
		w->variadic_ids = LLVMBuildAlloca(u->builder, LLVMArrayType2(u->i32, TD_MAX_ARGS), "");
		Value desc = LLVMBuildLoad2(u->builder, u->ptr, call_slot(w, SLOT_VARIADIC, 0), "");
		descriptor = LLVMBuildSelect(u->builder, match, desc, LLVMConstNull(u->ptr), "");
		LLVMBuildMemCpy(u->builder, w->variadic_ids, 4, call_slot(w, SLOT_ARG, 0), 4, unit_const64(u, 4 * TD_MAX_ARGS));
		w->variadic_desc = descriptor;
	}
	for (size_t k = 0; k < taken.count; k++)
		if (taken.at[k].by_value) {
			Value source = LLVMBuildLoad2(u->builder, u->ptr, call_slot(w, SLOT_BY_VALUE, taken.at[k].slot), "");
			sources[k] = LLVMBuildSelect(u->builder, match, source, LLVMConstNull(u->ptr), "");
		}
	if (slot)
		take_ids(w, SLOT_CALLEE, w->identity, SLOT_ARG, 0, slot, ids, values);
	for (size_t k = 0; k < taken.count; k++) {
		const struct taken *t = &taken.at[k];
		if (t->by_value) {
			prologue_by_value(w, t->parameter, t->by_value, sources[k]);
			continue;
		}
		struct leaf leaves[SHADOW_MAX_LEAVES];
		unsigned n = shadow_flatten(u, LLVMTypeOf(t->parameter), leaves, SHADOW_MAX_LEAVES);
		Value shadow = LLVMConstNull(shadow_type(u, LLVMTypeOf(t->parameter)));
		for (unsigned j = 0; j < n; j++)
			shadow = shadow_put(u, shadow, &leaves[j], ids[t->slot + j]);
		ptrmap_set(&w->shadow, t->parameter, shadow);
	}
	free(taken.at);
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
		LLVMBuildStore(u->builder, shadow_get(u, shadow, &leaves[k]), call_slot(w, SLOT_RESULT, k));
	LLVMBuildStore(u->builder, w->identity, call_slot(w, SLOT_RETURNER, 0));
}

void call_return(struct weave *w, Value ret)
{
	Value v = LLVMGetNumOperands(ret) ? LLVMGetOperand(ret, 0) : NULL;
	if (v && weave_symbolic(w, v)) {
		region_use(w, v);
		region_step(w, emit_return, v, 0, NULL);
	}
	region_close(w);
	weave_place(w, ret);
}
