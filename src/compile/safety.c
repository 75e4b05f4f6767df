/* Operations that may go wrong other than by their address: division, shifts, copies and fills whose length is known at run time only.
 *
 * Each is checked right before it happens. On the concrete side a compare decides and the hook is out of line; on the symbolic side the
 * hook is called always, and what must hold is recorded first, as a term over the input. Addresses are checked by
 * looks (split.c), whose terms are recorded here too. */
#include "compile/bounds.h"
#include "compile/weave.h"

#include "contract/report.h"

#include "contract/object.h"

#include <llvm-c/DebugInfo.h>

/* Line and column of an instruction, as a number. */
static Value place_of(const struct unit *u, Value i)
{
	return unit_const32(u, TD_PLACE(LLVMGetDebugLocLine(i), LLVMGetDebugLocColumn(i)));
}

static Value function_of(const struct weave *w)
{
	return unit_const32(w->u, w->number);
}

/* ---- division and shifts ---- */

enum operation { NOTHING, DIVISION, SIGNED_DIVISION, SHIFT };

static enum operation kind_of(const struct unit *u, Value i)
{
	Type type = LLVMTypeOf(i);
	if (LLVMGetMetadata(i, u->md_seen)) /* nobody uses it unless the program does the same */
		return NOTHING;
	if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMSizeOfTypeInBits(u->layout, type) > 64)
		return NOTHING;
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMUDiv: case LLVMURem: return DIVISION;
	case LLVMSDiv: case LLVMSRem: return SIGNED_DIVISION;
	case LLVMShl: case LLVMLShr: case LLVMAShr: return SHIFT;
	default: return NOTHING;
	}
}

static uint64_t width_of(Value i)
{
	return LLVMGetIntTypeWidth(LLVMTypeOf(i));
}

/* Can it go wrong at all? */
static bool is_in_doubt(Value i, enum operation kind)
{
	Value b = LLVMGetOperand(i, 1);
	if (kind == NOTHING || !LLVMIsAConstantInt(b))
		return kind != NOTHING;
	uint64_t n = LLVMConstIntGetZExtValue(b);
	return kind == SHIFT ? n >= width_of(i) : n == 0 || (kind == SIGNED_DIVISION && LLVMConstIntGetSExtValue(b) == -1);
}

static Value is_wrong(struct unit *u, Value i, enum operation kind)
{
	Value a = LLVMGetOperand(i, 0), b = LLVMGetOperand(i, 1);
	Type type = LLVMTypeOf(i);
	if (kind == SHIFT)
		return LLVMBuildICmp(u->builder, LLVMIntUGE, b, LLVMConstInt(type, width_of(i), false), "");
	Value zero = LLVMBuildICmp(u->builder, LLVMIntEQ, b, LLVMConstNull(type), "");
	if (kind == DIVISION)
		return zero;
	Value minus = LLVMBuildICmp(u->builder, LLVMIntEQ, b, LLVMConstAllOnes(type), "");
	Value least = LLVMBuildICmp(u->builder, LLVMIntEQ, a, LLVMConstInt(type, 1ull << (width_of(i) - 1), false), "");
	return LLVMBuildOr(u->builder, zero, LLVMBuildAnd(u->builder, minus, least, ""), "");
}

static Value as_word(struct unit *u, Value v)
{
	return LLVMBuildZExtOrBitCast(u->builder, v, u->i64, "");
}

static Value shape_of(const struct unit *u, Value i, enum operation kind)
{
	return unit_const32(u, width_of(i) | (kind == SIGNED_DIVISION ? TD_SAFETY_SIGNED : 0) | (kind == SHIFT ? TD_SAFETY_SHIFT : 0));
}

static void call_check(struct unit *u, Value i, enum operation kind)
{
	HOOK_CALL(u, operate, shape_of(u, i, kind), as_word(u, LLVMGetOperand(i, 0)), as_word(u, LLVMGetOperand(i, 1)), place_of(u, i));
}

Value safety_condition(struct weave *w, Value i)
{
	enum operation kind = kind_of(w->u, i);
	return is_in_doubt(i, kind) ? is_wrong(w->u, i, kind) : NULL;
}

void safety_fail(struct weave *w, Value i)
{
	call_check(w->u, i, kind_of(w->u, i));
}

/* ---- the symbolic side ---- */

static void emit_operands(struct weave *w, const struct step *step)
{
	struct unit *u = w->u;
	Value i = step->value, a = LLVMGetOperand(i, 0), b = LLVMGetOperand(i, 1), wa[2], wb[2];
	emit_words(w, a, wa);
	emit_words(w, b, wb);
	EMIT(w, operands, shape_of(u, i, kind_of(u, i)), weave_shadow(w, a), wa[0], weave_shadow(w, b), wb[0], function_of(w), place_of(u, i));
}

void safety_weave(struct weave *w, Value i)
{
	enum operation kind = kind_of(w->u, i);
	if (!is_in_doubt(i, kind))
		return;
	Value a = LLVMGetOperand(i, 0), b = LLVMGetOperand(i, 1);
	if (weave_symbolic(w, b) || (kind == SIGNED_DIVISION && weave_symbolic(w, a))) {
		region_use(w, a);
		region_use(w, b);
		region_step(w, emit_operands, i, 0, NULL);
		region_close(w);
	}
	call_check(w->u, i, kind);
}

static void emit_inside(struct weave *w, const struct step *step)
{
	struct unit *u = w->u;
	Value look = step->value, pointer = split_look_pointer(look), words[2];
	emit_words(w, pointer, words);
	uint64_t place = TD_PLACE(split_look_number(look, LOOK_LINE), split_look_number(look, LOOK_COLUMN));
	EMIT(w, inside, split_look_base(look), words[0], weave_shadow(w, pointer), unit_const32(u, (uint32_t)split_look_number(look, LOOK_OFFSET)),
	     unit_const32(u, split_look_number(look, LOOK_SIZE)), unit_const32(u, split_look_number(look, LOOK_INSIDE)), function_of(w), unit_const32(u, place));
}

bool safety_look(struct weave *w, Value look)
{
	Value pointer = split_look_pointer(look);
	if (!weave_symbolic(w, pointer))
		return false;
	region_use(w, pointer);
	region_step(w, emit_inside, look, 0, NULL);
	return true;
}

/* ---- copies and fills ---- */

static bool is_extent(Value call)
{
	return LLVMIsAFunction(LLVMGetCalledValue(call)) && unit_is_named(LLVMGetCalledValue(call), "__td_extent");
}

static void emit_extent(struct weave *w, const struct step *step)
{
	Value call = step->value, pointer = LLVMGetOperand(call, 1), size = LLVMGetOperand(call, 2), at[2], bytes[2];
	emit_words(w, pointer, at);
	emit_words(w, size, bytes);
	EMIT(w, reaches, LLVMGetOperand(call, 0), at[0], weave_shadow(w, pointer), bytes[0], weave_shadow(w, size), function_of(w), LLVMGetOperand(call, 4));
}

void safety_extent(struct weave *w, Value call)
{
	if (!is_extent(call) || (!weave_symbolic(w, LLVMGetOperand(call, 1)) && !weave_symbolic(w, LLVMGetOperand(call, 2))))
		return;
	region_use(w, LLVMGetOperand(call, 1));
	region_use(w, LLVMGetOperand(call, 2));
	region_step(w, emit_extent, call, 0, NULL);
	region_close(w);
}

static void insert_extent(struct unit *u, Value i, unsigned operand, bool writes)
{
	Value pointer = LLVMGetOperand(i, operand), base = bounds_base(pointer);
	LLVMPositionBuilderBefore(u->builder, i);
	LLVMSetCurrentDebugLocation2(u->builder, LLVMInstructionGetDebugLoc(i));
	HOOK_CALL(u, extent, base, pointer, as_word(u, LLVMGetOperand(i, 2)), unit_const32(u, writes), place_of(u, i), LLVMConstNull(u->ptr), LLVMConstNull(u->ptr));
}

static bool is_narrowed(const struct unit *u, Value copy)
{
	Value to = bounds_base(LLVMGetOperand(copy, 0)), from = bounds_base(LLVMGetOperand(copy, 1));
	uint64_t size;
	if (!LLVMIsAConstantInt(LLVMGetOperand(copy, 2)) || !LLVMIsAAllocaInst(to) || bounds_size(u, from, &size))
		return false;
	LLVMTypeKind kind = LLVMGetTypeKind(LLVMGetAllocatedType(to));
	LLVMAttributeRef align = LLVMGetCallSiteEnumAttribute(copy, 2, LLVMGetEnumAttributeKindForName("align", 5));
	bool bytewise = !align || LLVMGetEnumAttributeValue(align) == 1; /* not the assignment of a struct, of which there are many */
	return kind == LLVMArrayTypeKind || (kind == LLVMStructTypeKind && bytewise);
}

/* On the raw IR: of a copy into a local variable the optimiser leaves what is used of it. */
void safety_keep(struct unit *u)
{
	for (Value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
		for (Block b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
			for (Value i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
				if (LLVMIsACallInst(i) && intrinsic_of(i)->kind == INTRINSIC_COPY && is_narrowed(u, i))
					insert_extent(u, i, 1, false);
}

/* Those of a constant length are looked at like any access (split.c). */
void safety_insert(struct unit *u, Value function)
{
	for (Block b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		for (Value i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
			enum intrinsic_kind kind = LLVMIsACallInst(i) ? intrinsic_of(i)->kind : INTRINSIC_NOT;
			if ((kind != INTRINSIC_COPY && kind != INTRINSIC_FILL) || LLVMIsAConstantInt(LLVMGetOperand(i, 2)))
				continue;
			insert_extent(u, i, 0, true);
			if (kind == INTRINSIC_COPY)
				insert_extent(u, i, 1, false);
		}
}
