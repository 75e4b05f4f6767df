/* Operations that may go wrong other than by their address: division, shifts, copies and fills whose length is known at run time only.
 *
 * Each is checked right before it happens. On the concrete side a compare decides and the hook is out of line; on the symbolic side the
 * hook is called always, and what must hold is recorded first, as a term over the input. Addresses are checked by
 * looks (split.c), whose terms are recorded here too. */
#include "compile/bounds.h"
#include "compile/weave.h"

#include "contract/report.h"

#include <llvm-c/DebugInfo.h>

#include <string.h>

/* Line and column of an instruction, as a number. */
static unsigned line_of(Value i)
{
	return TD_PLACE(LLVMGetDebugLocLine(i), LLVMGetDebugLocColumn(i));
}

static Value place_of(const struct unit *u, Value i)
{
	return unit_const32(u, line_of(i));
}

static Value function_of(const struct weave *w)
{
	return unit_const32(w->u, w->number);
}

/* ---- division and shifts ---- */

/* LLVM takes it for granted that they do not go wrong, and may do without one. So what they are given is marked on the raw IR:
 * td.operate(a, b, shape, place). */
#define MARK "td.operate"
enum { MARK_A, MARK_B, MARK_SHAPE, MARK_PLACE };

static unsigned shape_of(const struct unit *u, Value i)
{
	Type type = LLVMTypeOf(i);
	if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMSizeOfTypeInBits(u->layout, type) > 64)
		return 0;
	unsigned width = LLVMGetIntTypeWidth(type);
	bool is_signed = LLVMGetMetadata(i, u->md_signed) != NULL;
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMUDiv: case LLVMURem: return width;
	case LLVMSDiv: case LLVMSRem: return width | TD_SAFETY_SIGNED;
	case LLVMShl: case LLVMLShr: case LLVMAShr: return width | TD_SAFETY_SHIFT;
	case LLVMAdd: return is_signed ? width | TD_SAFETY_ADD : 0;
	case LLVMSub: return is_signed ? width | TD_SAFETY_SUB : 0;
	case LLVMMul: return is_signed ? width | TD_SAFETY_MUL : 0;
	default: return 0;
	}
}

/* Can it go wrong at all? */
static bool is_in_doubt(Value i, unsigned shape)
{
	Value b = LLVMGetOperand(i, 1);
	if (!shape || shape & TD_SAFETY_ARITHMETIC || !LLVMIsAConstantInt(b))
		return shape;
	uint64_t n = LLVMConstIntGetZExtValue(b);
	return shape & TD_SAFETY_SHIFT ? n >= (shape & 255) : n == 0 || (shape & TD_SAFETY_SIGNED && LLVMConstIntGetSExtValue(b) == -1);
}

bool safety_in_doubt(const struct unit *u, Value i)
{
	LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
	bool divides = opcode == LLVMUDiv || opcode == LLVMURem || opcode == LLVMSDiv || opcode == LLVMSRem;
	unsigned shape = shape_of(u, i);
	return shape ? is_in_doubt(i, shape) : divides;
}

static Value as_word(struct unit *u, Value v)
{
	return LLVMBuildZExtOrBitCast(u->builder, v, u->i64, "");
}

void safety_put(struct unit *u, Value a, Value b, unsigned shape, Value before)
{
	LLVMPositionBuilderBefore(u->builder, before);
	LLVMSetCurrentDebugLocation2(u->builder, LLVMInstructionGetDebugLoc(before));
	Value mark[] = {as_word(u, a), as_word(u, b), unit_const32(u, shape), place_of(u, before)};
	unit_mark(u, MARK, u->none, mark, 4, UNIT_MARK_STAYS);
}

void safety_mark(struct unit *u)
{
	for (Value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
		for (Block b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
			for (Value i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
				unsigned shape = shape_of(u, i);
				if (!is_in_doubt(i, shape))
					continue;
				safety_put(u, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1), shape, i);
			}
}

bool safety_is_mark(Value i)
{
	return unit_is_mark(i, MARK);
}

static unsigned shape_at(Value mark)
{
	return (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(mark, MARK_SHAPE));
}

static void call_check(struct unit *u, Value mark)
{
	HOOK_CALL(u, operate, LLVMGetOperand(mark, MARK_SHAPE), LLVMGetOperand(mark, MARK_A), LLVMGetOperand(mark, MARK_B), LLVMGetOperand(mark, MARK_PLACE));
}

static Value overflows(struct unit *u, Value a, Value b, unsigned shape)
{
	static const char *const names[2][3] = {
		{"llvm.sadd.with.overflow", "llvm.ssub.with.overflow", "llvm.smul.with.overflow"},
		{"llvm.uadd.with.overflow", "llvm.usub.with.overflow", "llvm.umul.with.overflow"},
	};
	const char *name = names[(shape & TD_SAFETY_UNSIGNED) != 0][shape & TD_SAFETY_ADD ? 0 : shape & TD_SAFETY_SUB ? 1 : 2];
	Type type = LLVMIntTypeInContext(u->context, shape & 255);
	Value operands[] = {LLVMBuildTruncOrBitCast(u->builder, a, type, ""), LLVMBuildTruncOrBitCast(u->builder, b, type, "")};
	return LLVMBuildExtractValue(u->builder, unit_intrinsic(u, name, type, operands, 2), 1, "");
}

/* On the concrete side: does it go wrong? */
Value safety_condition(struct unit *u, Value mark)
{
	Value a = LLVMGetOperand(mark, MARK_A), b = LLVMGetOperand(mark, MARK_B);
	unsigned shape = shape_at(mark), width = shape & 255;
	if (shape & TD_SAFETY_ASKED)
		return NULL;
	if (shape & TD_SAFETY_SHIFT)
		return LLVMBuildICmp(u->builder, LLVMIntUGE, b, unit_const64(u, width), "");
	if (shape & TD_SAFETY_ARITHMETIC)
		return overflows(u, a, b, shape);
	Value zero = LLVMBuildICmp(u->builder, LLVMIntEQ, b, unit_const64(u, 0), "");
	if (!(shape & TD_SAFETY_SIGNED))
		return zero;
	Value minus = LLVMBuildICmp(u->builder, LLVMIntEQ, b, unit_const64(u, UINT64_MAX >> (64 - width)), "");
	Value least = LLVMBuildICmp(u->builder, LLVMIntEQ, a, unit_const64(u, 1ull << (width - 1)), "");
	return LLVMBuildOr(u->builder, zero, LLVMBuildAnd(u->builder, minus, least, ""), "");
}

void safety_fail(struct unit *u, Value mark)
{
	call_check(u, mark);
}

/* ---- the symbolic side ---- */

static void emit_operands(struct weave *w, const struct step *step)
{
	Value mark = step->value, a = LLVMGetOperand(mark, MARK_A), b = LLVMGetOperand(mark, MARK_B), wa[2], wb[2];
	emit_words(w, a, wa);
	emit_words(w, b, wb);
	EMIT(w, operands, LLVMGetOperand(mark, MARK_SHAPE), weave_shadow(w, a), wa[0], weave_shadow(w, b), wb[0], function_of(w), LLVMGetOperand(mark, MARK_PLACE));
}

static void emit_passed(struct weave *w, const struct step *step)
{
	EMIT(w, passed, function_of(w), LLVMGetOperand(step->value, MARK_PLACE));
}

void safety_weave(struct weave *w, Value mark)
{
	Value a = LLVMGetOperand(mark, MARK_A), b = LLVMGetOperand(mark, MARK_B);
	unsigned shape = shape_at(mark);
	bool both = shape & (TD_SAFETY_SIGNED | TD_SAFETY_ARITHMETIC);
	bool symbolic = weave_symbolic(w, b) || (both && weave_symbolic(w, a));
	region_use(w, a);
	region_use(w, b);
	region_step(w, symbolic ? emit_operands : emit_passed, mark, 0, NULL);
	region_force(w);
	region_close(w);
	if (!(shape & TD_SAFETY_ASKED))
		call_check(w->u, mark);
	LLVMDeleteInstruction(mark);
}

static void emit_inside(struct weave *w, const struct step *step)
{
	struct unit *u = w->u;
	Value look = step->value, pointer = look_pointer(look), words[2];
	emit_words(w, pointer, words);
	uint64_t place = TD_PLACE(look_number(look, LOOK_LINE), look_number(look, LOOK_COLUMN));
	Value base = look_base(look), offset = unit_const32(u, (uint32_t)look_number(look, LOOK_OFFSET));
	EMIT(w, inside, base, weave_shadow(w, base), words[0], weave_shadow(w, pointer), offset,
	     unit_const32(u, look_number(look, LOOK_SIZE)), unit_const32(u, look_number(look, LOOK_INSIDE)), function_of(w), unit_const32(u, place));
}

void safety_look(struct weave *w, Value look)
{
	Value pointer = look_pointer(look);
	if (!weave_symbolic(w, pointer))
		return;
	region_use(w, pointer);
	region_use(w, look_base(look));
	region_step(w, emit_inside, look, 0, NULL);
}

/* ---- copies, fills and strings ---- */

static bool is_hook(Value call, const char *name)
{
	return LLVMIsAFunction(LLVMGetCalledValue(call)) && unit_is_named(LLVMGetCalledValue(call), name);
}

/* One that was written is asked about behind the call; before it its pointer may have been anything. */
static bool is_string_read(Value call)
{
	return is_hook(call, "__td_string") && LLVMConstIntGetZExtValue(LLVMGetOperand(call, 2)) == 0;
}

static void emit_extent(struct weave *w, const struct step *step)
{
	Value call = step->value, pointer = LLVMGetOperand(call, 1), size = LLVMGetOperand(call, 2), at[2], bytes[2];
	emit_words(w, pointer, at);
	emit_words(w, size, bytes);
	EMIT(w, reaches, LLVMGetOperand(call, 0), weave_shadow(w, LLVMGetOperand(call, 0)), at[0], weave_shadow(w, pointer), bytes[0], weave_shadow(w, size), LLVMGetOperand(call, 3), function_of(w),
	     LLVMGetOperand(call, 5));
}

/* However long it is, its first byte is there. */
static void emit_string(struct weave *w, const struct step *step)
{
	Value call = step->value, base = LLVMGetOperand(call, 0), pointer = LLVMGetOperand(call, 1), at[2];
	emit_words(w, pointer, at);
	EMIT(w, inside, base, weave_shadow(w, base), at[0], weave_shadow(w, pointer), w->u->zero, unit_const32(w->u, 1), w->u->zero, function_of(w), LLVMGetOperand(call, 3));
}

static void emit_extent_passed(struct weave *w, const struct step *step)
{
	EMIT(w, passed, function_of(w), LLVMGetOperand(step->value, 5));
}

static void force_step(struct weave *w, void (*emit)(struct weave *, const struct step *), Value call)
{
	region_step(w, emit, call, 0, NULL);
	region_force(w);
	region_close(w);
}

void safety_extent(struct weave *w, Value call)
{
	bool string = is_string_read(call), symbolic = weave_symbolic(w, LLVMGetOperand(call, 1));
	if (string ? !symbolic : !is_hook(call, "__td_extent"))
		return;
	symbolic = symbolic || weave_symbolic(w, LLVMGetOperand(call, 2));
	for (unsigned k = 0; symbolic && k < 3; k++)
		region_use(w, LLVMGetOperand(call, k));
	force_step(w, string ? emit_string : symbolic ? emit_extent : emit_extent_passed, call);
}

/* ---- what is handed to somebody ---- */

/* a, or the product of the two. */
static void emit_given(struct weave *w, enum td_given kind, Value a, Value b, unsigned place)
{
	Value wa[2], wb[2];
	if (!weave_symbolic(w, a) && !weave_symbolic(w, b))
		return;
	emit_words(w, a, wa);
	emit_words(w, b, wb);
	EMIT(w, given, unit_const32(w->u, kind), weave_shadow(w, a), wa[0], weave_shadow(w, b), wb[0], function_of(w), unit_const32(w->u, place));
}

void safety_given(struct weave *w, Value i, enum td_given kind, Value a, Value b)
{
	emit_given(w, kind, a, b, line_of(i));
}

static void emit_callee(struct weave *w, const struct step *step)
{
	emit_given(w, TD_GIVEN_CALLEE, step->value, unit_const64(w->u, 1), step->detail);
}

void safety_callee(struct weave *w, Value call)
{
	Value callee = LLVMGetCalledValue(call); /* the call will have another when this is written */
	if (!weave_symbolic(w, callee))
		return;
	region_use(w, callee);
	region_step(w, emit_callee, callee, line_of(call), NULL);
}

static void emit_room(struct weave *w, const struct step *step)
{
	Value size = unit_const64(w->u, LLVMABISizeOfType(w->u->layout, LLVMGetAllocatedType(step->value)));
	emit_given(w, TD_GIVEN_ROOM, LLVMGetOperand(step->value, 0), size, line_of(step->value));
}

void safety_room(struct weave *w, Value alloca)
{
	if (!weave_symbolic(w, LLVMGetOperand(alloca, 0)))
		return;
	region_use(w, LLVMGetOperand(alloca, 0));
	region_step(w, emit_room, alloca, 0, NULL);
}

static uint64_t bytes_of(Value narrow)
{
	return LLVMConstIntGetZExtValue(LLVMGetOperand(narrow, 1));
}

static void insert_extent(struct unit *u, Value i, unsigned operand, bool writes)
{
	Value pointer = LLVMGetOperand(i, operand), base = bounds_base(pointer);
	LLVMPositionBuilderBefore(u->builder, i);
	LLVMSetCurrentDebugLocation2(u->builder, LLVMInstructionGetDebugLoc(i));
	Value size = as_word(u, LLVMGetOperand(i, 2)), w = unit_const32(u, writes), place = place_of(u, i), none = LLVMConstNull(u->ptr);
	for (; bounds_is_narrow(base); base = bounds_base(LLVMGetOperand(base, 0)))
		HOOK_CALL(u, extent, base, pointer, size, unit_const32(u, bytes_of(base)), w, place, none, none);
	HOOK_CALL(u, extent, base, pointer, size, u->zero, w, place, none, none);
}

static bool is_narrowed(const struct unit *u, Value copy)
{
	Value to = bounds_base(LLVMGetOperand(copy, 0)), from = bounds_base(LLVMGetOperand(copy, 1));
	uint64_t size;
	if (!LLVMIsAConstantInt(LLVMGetOperand(copy, 2)) || !LLVMIsAAllocaInst(to) || bounds_size(u, from, &size))
		return false;
	LLVMTypeKind kind = LLVMGetTypeKind(LLVMGetAllocatedType(to));
	LLVMAttributeRef align = call_attribute(copy, 1, "align");
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
			if (LLVMIsACallInst(i) && kind == INTRINSIC_NOT)
				lend_arguments(u, i);
			if ((kind != INTRINSIC_COPY && kind != INTRINSIC_FILL) || LLVMIsAConstantInt(LLVMGetOperand(i, 2)))
				continue;
			insert_extent(u, i, 0, true);
			if (kind == INTRINSIC_COPY)
				insert_extent(u, i, 1, false);
		}
}
