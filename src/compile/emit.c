/* For each instruction, the hooks that build the term of its result; vector instructions lane by lane. On the symbolic side hooks
 * are recorded in the open region and shadows are numbers (constants); on the concrete side, out of line, they are called. */
#include "compile/weave.h"

#include <stdlib.h>

/* A region is given a pointer as it is. */
void emit_words(struct weave *w, Value scalar, Value words[2])
{
	if (w->recording && LLVMGetTypeKind(LLVMTypeOf(scalar)) == LLVMPointerTypeKind) {
		words[0] = scalar;
		words[1] = unit_const64(w->u, 0);
		return;
	}
	if (w->recording && region_field(w, scalar)) {
		words[0] = scalar;
		words[1] = unit_const64(w->u, 0);
		return;
	}
	Block here = LLVMGetInsertBlock(w->u->builder);
	if (w->words_block != here) {
		ptrmap_clear(&w->words);
		ptrmap_clear(&w->high_words);
		w->words_block = here;
	}
	words[0] = w->recording ? ptrmap_get(&w->words, scalar) : NULL;
	words[1] = w->recording ? ptrmap_get(&w->high_words, scalar) : NULL;
	if (words[0])
		return;
	shadow_words(w->u, scalar, words);
	if (w->recording) {
		ptrmap_set(&w->words, scalar, words[0]);
		ptrmap_set(&w->high_words, scalar, words[1]);
	}
}

static Value shape(const struct unit *u, enum td_op op, unsigned operand_bits, unsigned result_bits)
{
	return unit_const32(u, (uint64_t)op | (uint64_t)operand_bits << 8 | (uint64_t)result_bits << 20);
}

static unsigned bits_of(const struct weave *w, Value scalar)
{
	return shadow_bits(w->u, LLVMTypeOf(scalar));
}

Value emit_unary(struct weave *w, enum td_op op, Value a, Value sa, Value result, unsigned immediate)
{
	struct unit *u = w->u;
	Value va[2], vr[2], imm = unit_const32(u, immediate);
	unsigned from = bits_of(w, a), to = bits_of(w, result);
	emit_words(w, a, va);
	emit_words(w, result, vr);
	Value s = shape(u, op, from, to);
	if (from > 64 || to > 64)
		return EMIT(w, unary_wide, s, sa, imm, va[0], va[1], vr[0], vr[1]);
	return EMIT(w, unary, s, sa, imm, va[0], vr[0]);
}

Value emit_binary(struct weave *w, enum td_op op, Value a, Value sa, Value b, Value sb, Value result, unsigned immediate)
{
	struct unit *u = w->u;
	Value va[2], vb[2], vr[2], imm = unit_const32(u, immediate);
	unsigned from = bits_of(w, a), to = bits_of(w, result);
	emit_words(w, a, va);
	emit_words(w, b, vb);
	emit_words(w, result, vr);
	Value s = shape(u, op, from, to);
	if (from > 64 || to > 64)
		return EMIT(w, binary_wide, s, sa, sb, imm, va[0], va[1], vb[0], vb[1], vr[0], vr[1]);
	return EMIT(w, binary, s, sa, sb, imm, va[0], vb[0], vr[0]);
}

static Value emit_ternary(struct weave *w, enum td_op op, Value *v, Value *s, Value result)
{
	struct unit *u = w->u;
	Value va[2], vb[2], vc[2], vr[2];
	unsigned bits = bits_of(w, v[0]);
	emit_words(w, v[0], va);
	emit_words(w, v[1], vb);
	emit_words(w, v[2], vc);
	emit_words(w, result, vr);
	Value sh = shape(u, op, bits, bits_of(w, result));
	if (bits > 64)
		return EMIT(w, ternary_wide, sh, s[0], s[1], s[2], va[0], va[1], vb[0], vb[1], vc[0], vc[1], vr[0], vr[1]);
	return EMIT(w, ternary, sh, s[0], s[1], s[2], va[0], vb[0], vc[0], vr[0]);
}

Value emit_select(struct weave *w, Value c, Value sc, Value a, Value sa, Value b, Value sb)
{
	struct unit *u = w->u;
	Value vc[2], va[2], vb[2];
	unsigned bits = bits_of(w, a);
	if (!bits)
		return u->zero;
	emit_words(w, c, vc);
	emit_words(w, a, va);
	emit_words(w, b, vb);
	Value n = unit_const32(u, bits);
	if (bits > 64)
		return EMIT(w, select_wide, n, sc, sa, sb, vc[0], va[0], va[1], vb[0], vb[1]);
	return EMIT(w, select, n, sc, sa, sb, vc[0], va[0], vb[0]);
}

void emit_lose_value(struct weave *w, Value v, Value shadow, enum td_lost why)
{
	struct unit *u = w->u;
	Value kind = unit_const32(u, why), words[2];
	struct leaf leaves[SHADOW_MAX_LEAVES];
	unsigned n = shadow_flatten(u, LLVMTypeOf(v), leaves, SHADOW_MAX_LEAVES);
	for (unsigned k = 0; k < n; k++) {
		Value one = shadow_get(u, shadow, &leaves[k]);
		if (!shadow_bits(u, leaves[k].type) || (LLVMIsConstant(one) && LLVMIsNull(one)))
			continue;
		emit_words(w, shadow_get(u, v, &leaves[k]), words);
		EMIT(w, lose, kind, one, words[0]);
	}
}

void emit_lose(struct weave *w, const struct step *step)
{
	emit_lose_value(w, step->value, weave_shadow(w, step->value), (enum td_lost)step->detail);
}

/* ---- scalar operators ---- */

static enum td_op operator_of(LLVMOpcode opcode)
{
	switch (opcode) {
	case LLVMAdd: return TD_ADD;
	case LLVMSub: return TD_SUB;
	case LLVMMul: return TD_MUL;
	case LLVMUDiv: return TD_UDIV;
	case LLVMSDiv: return TD_SDIV;
	case LLVMURem: return TD_UREM;
	case LLVMSRem: return TD_SREM;
	case LLVMShl: return TD_SHL;
	case LLVMLShr: return TD_LSHR;
	case LLVMAShr: return TD_ASHR;
	case LLVMAnd: return TD_AND;
	case LLVMOr: return TD_OR;
	case LLVMXor: return TD_XOR;
	case LLVMFAdd: return TD_FADD;
	case LLVMFSub: return TD_FSUB;
	case LLVMFMul: return TD_FMUL;
	case LLVMFDiv: return TD_FDIV;
	case LLVMFRem: return TD_FREM;
	case LLVMFNeg: return TD_FNEG;
	case LLVMTrunc: return TD_EXTRACT;
	case LLVMZExt: return TD_ZEXT;
	case LLVMSExt: return TD_SEXT;
	case LLVMFPTrunc: case LLVMFPExt: return TD_FPCAST;
	case LLVMFPToUI: return TD_FPTOUI;
	case LLVMFPToSI: return TD_FPTOSI;
	case LLVMUIToFP: return TD_UITOFP;
	case LLVMSIToFP: return TD_SITOFP;
	default: return TD_OP_NONE;
	}
}

struct comparison { enum td_op op; bool swapped; };

static struct comparison comparison_of(LLVMIntPredicate predicate)
{
	switch (predicate) {
	case LLVMIntEQ: return (struct comparison){TD_EQ, false};
	case LLVMIntNE: return (struct comparison){TD_NE, false};
	case LLVMIntUGT: return (struct comparison){TD_ULT, true};
	case LLVMIntUGE: return (struct comparison){TD_ULE, true};
	case LLVMIntULT: return (struct comparison){TD_ULT, false};
	case LLVMIntULE: return (struct comparison){TD_ULE, false};
	case LLVMIntSGT: return (struct comparison){TD_SLT, true};
	case LLVMIntSGE: return (struct comparison){TD_SLE, true};
	case LLVMIntSLT: return (struct comparison){TD_SLT, false};
	default: return (struct comparison){TD_SLE, false};
	}
}

/* Pointers to integers and back: the width may change, the bits do not. */
static Value emit_resize(struct weave *w, Value a, Value sa, Value result)
{
	unsigned from = bits_of(w, a), to = bits_of(w, result);
	if (from == to)
		return sa;
	return emit_unary(w, to < from ? TD_EXTRACT : TD_ZEXT, a, sa, result, 0);
}

/* One scalar instruction, or one lane of a vector instruction: v and s are its operands and their shadows. */
static Value emit_scalar(struct weave *w, Value i, Value *v, Value *s, Value result)
{
	LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
	if (!bits_of(w, result) || !bits_of(w, v[0])) { /* half, fp128, wider than 128 bits */
		for (int k = 0; k < LLVMGetNumOperands(i) && k < 3; k++)
			if (v[k] && bits_of(w, v[k]))
				emit_lose_value(w, v[k], s[k], TD_LOST_OPERATOR);
		return w->u->zero;
	}
	enum td_op op = operator_of(opcode);
	if (op)
		return LLVMGetNumOperands(i) == 2 ? emit_binary(w, op, v[0], s[0], v[1], s[1], result, 0)
		                                  : emit_unary(w, op, v[0], s[0], result, 0);
	switch (opcode) {
	case LLVMICmp: {
		struct comparison c = comparison_of(LLVMGetICmpPredicate(i));
		int first = c.swapped, second = !c.swapped;
		return emit_binary(w, c.op, v[first], s[first], v[second], s[second], result, 0);
	}
	case LLVMFCmp: return emit_binary(w, TD_FCMP, v[0], s[0], v[1], s[1], result, (unsigned)LLVMGetFCmpPredicate(i));
	case LLVMSelect: return emit_select(w, v[0], s[0], v[1], s[1], v[2], s[2]);
	case LLVMFreeze: return s[0];
	case LLVMPtrToInt: case LLVMIntToPtr: case LLVMBitCast: return emit_resize(w, v[0], s[0], result);
	case LLVMCall: {
		const struct intrinsic *n = intrinsic_of(i);
		if (n->kind == INTRINSIC_SAME)
			return s[0];
		if (n->arity == 1)
			return emit_unary(w, n->op, v[0], s[0], result, n->immediate);
		return n->arity == 2 ? emit_binary(w, n->op, v[0], s[0], v[1], s[1], result, n->immediate)
		                     : emit_ternary(w, n->op, v, s, result);
	}
	default: abort(); /* symbolic_carries and this switch disagree */
	}
}

static bool is_vector(Value v)
{
	return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind;
}

static unsigned operands_of(Value i)
{
	unsigned n = (unsigned)LLVMGetNumOperands(i);
	if (LLVMIsACallInst(i)) {
		const struct intrinsic *in = intrinsic_of(i);
		n = in->kind == INTRINSIC_SAME ? 1 : in->arity;
	}
	return n > 3 ? 3 : n;
}

static Value emit_lanes(struct weave *w, Value i)
{
	struct unit *u = w->u;
	unsigned n = operands_of(i), lanes = LLVMGetVectorSize(LLVMTypeOf(i));
	Value shadow = LLVMConstNull(shadow_type(u, LLVMTypeOf(i)));
	for (unsigned lane = 0; lane < lanes; lane++) {
		Value v[3] = {0}, s[3] = {0}, at = unit_const32(u, lane);
		for (unsigned k = 0; k < n; k++) {
			v[k] = LLVMGetOperand(i, k);
			s[k] = weave_shadow(w, v[k]);
			if (is_vector(v[k])) { /* the condition of a select may be a scalar */
				v[k] = LLVMBuildExtractElement(u->builder, v[k], at, "");
				s[k] = LLVMBuildExtractElement(u->builder, s[k], at, "");
			}
		}
		Value one = emit_scalar(w, i, v, s, LLVMBuildExtractElement(u->builder, i, at, ""));
		shadow = LLVMBuildInsertElement(u->builder, shadow, one, at, "");
	}
	return shadow;
}

/* ---- compound values ---- */

/* A bit cast that changes the number of lanes: regroup through 8-bit-or-wider pieces of equal total size. */
static Value emit_regroup(struct weave *w, Value i)
{
	struct unit *u = w->u;
	Value from = LLVMGetOperand(i, 0), sfrom = weave_shadow(w, from);
	struct leaf in[SHADOW_MAX_LEAVES], out[SHADOW_MAX_LEAVES];
	unsigned n_in = shadow_flatten(u, LLVMTypeOf(from), in, SHADOW_MAX_LEAVES);
	unsigned n_out = shadow_flatten(u, LLVMTypeOf(i), out, SHADOW_MAX_LEAVES);
	unsigned bits_in = shadow_bits(u, in[0].type), bits_out = shadow_bits(u, out[0].type);
	Value shadow = LLVMConstNull(shadow_type(u, LLVMTypeOf(i)));
	if (!bits_in || !bits_out || n_in > SHADOW_MAX_LEAVES || n_out > SHADOW_MAX_LEAVES ||
	    (bits_in % bits_out && bits_out % bits_in)) {
		emit_lose_value(w, from, sfrom, TD_LOST_OPERATOR);
		return shadow;
	}
	for (unsigned k = 0; k < n_out; k++) {
		Value piece, result = shadow_get(u, i, &out[k]);
		if (bits_out <= bits_in) {
			unsigned per = bits_in / bits_out;
			Value v = shadow_get(u, from, &in[k / per]), s = shadow_get(u, sfrom, &in[k / per]);
			piece = bits_in == bits_out ? s : emit_unary(w, TD_EXTRACT, v, s, result, k % per * bits_out);
		} else { /* concatenate from the low end */
			unsigned per = bits_out / bits_in;
			Value v = shadow_get(u, from, &in[k * per]);
			piece = shadow_get(u, sfrom, &in[k * per]);
			Type whole = LLVMIntTypeInContext(u->context, bits_out);
			Value bits = LLVMBuildBitCast(u->builder, result, whole, "");
			for (unsigned j = 1; j < per; j++) {
				Value high = shadow_get(u, from, &in[k * per + j]);
				Value high_shadow = shadow_get(u, sfrom, &in[k * per + j]);
				Value part = LLVMBuildTrunc(u->builder, bits, LLVMIntTypeInContext(u->context, bits_in * (j + 1)), "");
				piece = emit_binary(w, TD_CONCAT, high, high_shadow, v, piece, part, bits_in * j);
				v = part;
			}
		}
		shadow = shadow_put(u, shadow, &out[k], piece);
	}
	return shadow;
}

static Value emit_overflow(struct weave *w, Value i, const struct intrinsic *n)
{
	struct unit *u = w->u;
	struct leaf leaves[SHADOW_MAX_LEAVES];
	unsigned count = shadow_flatten(u, LLVMTypeOf(i), leaves, SHADOW_MAX_LEAVES);
	Value a = LLVMGetOperand(i, 0), b = LLVMGetOperand(i, 1);
	Value shadow = LLVMConstNull(shadow_type(u, LLVMTypeOf(i)));
	if (count != 2 || !shadow_bits(u, leaves[0].type)) {
		emit_lose_value(w, a, weave_shadow(w, a), TD_LOST_OPERATOR);
		emit_lose_value(w, b, weave_shadow(w, b), TD_LOST_OPERATOR);
		return shadow;
	}
	Value sum = shadow_get(u, i, &leaves[0]), carry = shadow_get(u, i, &leaves[1]);
	Value sa = weave_shadow(w, a), sb = weave_shadow(w, b);
	shadow = shadow_put(u, shadow, &leaves[0], emit_binary(w, n->op, a, sa, b, sb, sum, 0));
	return shadow_put(u, shadow, &leaves[1], emit_binary(w, (enum td_op)n->immediate, a, sa, b, sb, carry, 0));
}

static Value emit_select_leaves(struct weave *w, Value i)
{
	struct unit *u = w->u;
	Value c = LLVMGetOperand(i, 0), a = LLVMGetOperand(i, 1), b = LLVMGetOperand(i, 2);
	struct leaf leaves[SHADOW_MAX_LEAVES];
	unsigned n = shadow_flatten(u, LLVMTypeOf(i), leaves, SHADOW_MAX_LEAVES);
	Value shadow = LLVMConstNull(shadow_type(u, LLVMTypeOf(i)));
	for (unsigned k = 0; k < n; k++) {
		Value one = emit_select(w, c, weave_shadow(w, c), shadow_get(u, a, &leaves[k]),
		                        shadow_get(u, weave_shadow(w, a), &leaves[k]), shadow_get(u, b, &leaves[k]),
		                        shadow_get(u, weave_shadow(w, b), &leaves[k]));
		shadow = shadow_put(u, shadow, &leaves[k], one);
	}
	return shadow;
}

static Value emit_extract_value(struct weave *w, Value i)
{
	Value shadow = weave_shadow(w, LLVMGetOperand(i, 0));
	const unsigned *path = LLVMGetIndices(i);
	for (unsigned k = 0; k < LLVMGetNumIndices(i); k++)
		shadow = LLVMBuildExtractValue(w->u->builder, shadow, path[k], "");
	return shadow;
}

static Value insert_path(struct unit *u, Value into, const unsigned *path, unsigned depth, Value part)
{
	if (depth > 1) {
		Value inner = LLVMBuildExtractValue(u->builder, into, path[0], "");
		part = insert_path(u, inner, path + 1, depth - 1, part);
	}
	return LLVMBuildInsertValue(u->builder, into, part, path[0], "");
}

static Value emit_insert_value(struct weave *w, Value i)
{
	Value into = weave_shadow(w, LLVMGetOperand(i, 0)), part = weave_shadow(w, LLVMGetOperand(i, 1));
	return insert_path(w->u, into, LLVMGetIndices(i), LLVMGetNumIndices(i), part);
}

static Value emit_shuffle(struct weave *w, Value i)
{
	struct unit *u = w->u;
	Value mask[SHADOW_MAX_LEAVES];
	unsigned n = LLVMGetNumMaskElements(i);
	for (unsigned k = 0; k < n && k < SHADOW_MAX_LEAVES; k++) {
		int at = LLVMGetMaskValue(i, k);
		mask[k] = at < 0 ? LLVMGetUndef(u->i32) : unit_const32(u, (uint64_t)at);
	}
	Value a = weave_shadow(w, LLVMGetOperand(i, 0)), b = weave_shadow(w, LLVMGetOperand(i, 1));
	return LLVMBuildShuffleVector(u->builder, a, b, LLVMConstVector(mask, n), "");
}

static Value emit_element(struct weave *w, Value i)
{
	struct unit *u = w->u;
	bool insert = LLVMGetInstructionOpcode(i) == LLVMInsertElement;
	Value whole = LLVMGetOperand(i, 0), vector = weave_shadow(w, whole), index = LLVMGetOperand(i, insert ? 2 : 1);
	if (!LLVMIsAConstantInt(index)) { /* which lane is not known when the region is written */
		emit_lose_value(w, index, weave_shadow(w, index), TD_LOST_OPERATOR);
		emit_lose_value(w, whole, vector, TD_LOST_OPERATOR);
		if (insert)
			emit_lose_value(w, LLVMGetOperand(i, 1), weave_shadow(w, LLVMGetOperand(i, 1)), TD_LOST_OPERATOR);
		return LLVMConstNull(shadow_type(u, LLVMTypeOf(i)));
	}
	if (insert)
		return LLVMBuildInsertElement(u->builder, vector, weave_shadow(w, LLVMGetOperand(i, 1)), index, "");
	return LLVMBuildExtractElement(u->builder, vector, index, "");
}

/* ---- addresses and memory ---- */

static Value moved(struct unit *u, Value pointer, Value index, uint64_t scale)
{
	return index ? LLVMBuildGEP2(u->builder, LLVMArrayType2(u->i8, scale), pointer, &index, 1, "") : pointer;
}

static Value emit_address(struct weave *w, Value i)
{
	struct unit *u = w->u;
	Value base = LLVMGetOperand(i, 0), shadow = weave_shadow(w, base), words[2];
	if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMPointerTypeKind) { /* a vector of addresses */
		emit_lose_value(w, base, shadow, TD_LOST_OPERATOR);
		for (int k = 1; k < LLVMGetNumOperands(i); k++) {
			Value v = LLVMGetOperand(i, (unsigned)k);
			emit_lose_value(w, v, weave_shadow(w, v), TD_LOST_OPERATOR);
		}
		return LLVMConstNull(shadow_type(u, LLVMTypeOf(i)));
	}
	Type element = LLVMGetGEPSourceElementType(i);
	Value address = base, move = NULL; /* the last index, which no hook has asked to be added yet */
	uint64_t constant = 0, last_scale = 0;
	for (int k = 1; k < LLVMGetNumOperands(i); k++) {
		Value index = LLVMGetOperand(i, (unsigned)k);
		if (k > 1 && LLVMGetTypeKind(element) == LLVMStructTypeKind) {
			unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
			constant += LLVMOffsetOfElement(u->layout, element, field);
			element = LLVMStructGetTypeAtIndex(element, field);
			continue;
		}
		if (k > 1)
			element = LLVMGetElementType(element);
		uint64_t scale = LLVMABISizeOfType(u->layout, element);
		if (LLVMIsAConstantInt(index)) {
			constant += scale * (uint64_t)LLVMConstIntGetSExtValue(index);
			continue;
		}
		unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(index));
		Value wide = bits < 64 ? LLVMBuildSExt(u->builder, index, u->i64, "")
		           : bits > 64 ? LLVMBuildTrunc(u->builder, index, u->i64, "") : index;
		address = moved(u, address, move, last_scale);
		emit_words(w, address, words);
		shadow = EMIT(w, index, shadow, words[0], weave_shadow(w, index), wide, unit_const32(u, bits), unit_const64(u, scale));
		move = wide;
		last_scale = scale;
	}
	if (!constant)
		return shadow;
	Value offset = unit_const64(u, constant);
	return emit_binary(w, TD_ADD, moved(u, address, move, last_scale), shadow, offset, u->zero, i, 0);
}

static Value offset_pointer(struct weave *w, Value pointer, uint64_t offset)
{
	Value at = unit_const64(w->u, offset);
	return offset ? LLVMBuildGEP2(w->u->builder, w->u->i8, pointer, &at, 1, "") : pointer;
}

static uint64_t store_size(const struct weave *w, Type type)
{
	return LLVMStoreSizeOfType(w->u->layout, type);
}

Value emit_load(struct weave *w, Value pointer, Value value)
{
	struct unit *u = w->u;
	struct leaf leaves[SHADOW_MAX_LEAVES];
	Type type = LLVMTypeOf(value);
	unsigned n = shadow_flatten(u, type, leaves, SHADOW_MAX_LEAVES);
	Value shadow = LLVMConstNull(shadow_type(u, type));
	for (unsigned k = 0; k < n; k++) {
		unsigned bits = shadow_bits(u, leaves[k].type);
		if (!bits || (is_vector(value) && bits % 8))
			continue;
		Value words[2], at = offset_pointer(w, pointer, leaves[k].offset);
		Value size = unit_const32(u, store_size(w, leaves[k].type)), width = unit_const32(u, bits), one;
		emit_words(w, shadow_get(u, value, &leaves[k]), words);
		one = bits > 64 ? EMIT(w, load_wide, at, size, width, words[0], words[1])
		                : EMIT(w, load, at, size, width, words[0]);
		shadow = shadow_put(u, shadow, &leaves[k], one);
	}
	return shadow;
}

void emit_store(struct weave *w, Value pointer, Value value, Value shadow)
{
	struct unit *u = w->u;
	struct leaf leaves[SHADOW_MAX_LEAVES];
	Type type = LLVMTypeOf(value);
	if (!shadow_tracked(u, type) || (is_vector(value) && LLVMSizeOfTypeInBits(u->layout, LLVMGetElementType(type)) % 8)) {
		EMIT(w, fill, pointer, u->zero, unit_const64(u, store_size(w, type)));
		return;
	}
	unsigned n = shadow_flatten(u, type, leaves, SHADOW_MAX_LEAVES);
	for (unsigned k = 0; k < n; k++) {
		Value at = offset_pointer(w, pointer, leaves[k].offset);
		Value size = unit_const32(u, store_size(w, leaves[k].type));
		if (shadow_bits(u, leaves[k].type))
			EMIT(w, store, at, size, shadow_get(u, shadow, &leaves[k]));
		else
			EMIT(w, fill, at, u->zero, unit_const64(u, store_size(w, leaves[k].type)));
	}
}

/* ---- atomics: one thread at a time is what a trace can tell ---- */

static Value emit_new_value(struct weave *w, Value i, Value old, Value operand, Value sold, Value sop, Value *shadow)
{
	LLVMBuilderRef b = w->u->builder;
	Value v = NULL;
	enum td_op op = TD_OP_NONE;
	switch (LLVMGetAtomicRMWBinOp(i)) {
	case LLVMAtomicRMWBinOpXchg: *shadow = sop; return operand;
	case LLVMAtomicRMWBinOpAdd: v = LLVMBuildAdd(b, old, operand, ""); op = TD_ADD; break;
	case LLVMAtomicRMWBinOpSub: v = LLVMBuildSub(b, old, operand, ""); op = TD_SUB; break;
	case LLVMAtomicRMWBinOpAnd: v = LLVMBuildAnd(b, old, operand, ""); op = TD_AND; break;
	case LLVMAtomicRMWBinOpOr: v = LLVMBuildOr(b, old, operand, ""); op = TD_OR; break;
	case LLVMAtomicRMWBinOpXor: v = LLVMBuildXor(b, old, operand, ""); op = TD_XOR; break;
	case LLVMAtomicRMWBinOpNand: {
		Value both = LLVMBuildAnd(b, old, operand, "");
		Value s = emit_binary(w, TD_AND, old, sold, operand, sop, both, 0);
		Value ones = LLVMConstAllOnes(LLVMTypeOf(old));
		v = LLVMBuildXor(b, both, ones, "");
		*shadow = emit_binary(w, TD_XOR, both, s, ones, w->u->zero, v, 0);
		return v;
	}
	default: /* min, max, floating point: rare enough to lose */
		emit_lose_value(w, old, sold, TD_LOST_OPERATOR);
		emit_lose_value(w, operand, sop, TD_LOST_OPERATOR);
		*shadow = w->u->zero;
		return operand;
	}
	*shadow = emit_binary(w, op, old, sold, operand, sop, v, 0);
	return v;
}

static Value emit_rmw(struct weave *w, Value i)
{
	Value pointer = LLVMGetOperand(i, 0), operand = LLVMGetOperand(i, 1), shadow;
	Value old = emit_load(w, pointer, i);
	Value now = emit_new_value(w, i, i, operand, old, weave_shadow(w, operand), &shadow);
	emit_store(w, pointer, now, shadow);
	return old;
}

static Value emit_exchange(struct weave *w, Value i)
{
	struct unit *u = w->u;
	Value pointer = LLVMGetOperand(i, 0), expected = LLVMGetOperand(i, 1), desired = LLVMGetOperand(i, 2);
	Value old = LLVMBuildExtractValue(u->builder, i, 0, ""), done = LLVMBuildExtractValue(u->builder, i, 1, "");
	Value sold = emit_load(w, pointer, old);
	Value sdone = emit_binary(w, TD_EQ, old, sold, expected, weave_shadow(w, expected), done, 0);
	Value snew = emit_select(w, done, sdone, desired, weave_shadow(w, desired), old, sold);
	Value now = LLVMBuildSelect(u->builder, done, desired, old, "");
	emit_store(w, pointer, now, snew);
	Value shadow = LLVMConstNull(shadow_type(u, LLVMTypeOf(i)));
	shadow = LLVMBuildInsertValue(u->builder, shadow, sold, 0, "");
	return LLVMBuildInsertValue(u->builder, shadow, sdone, 1, "");
}

Value emit_shadow(struct weave *w, Value i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMLoad: return emit_load(w, LLVMGetOperand(i, 0), i);
	case LLVMGetElementPtr: return emit_address(w, i);
	case LLVMExtractValue: return emit_extract_value(w, i);
	case LLVMInsertValue: return emit_insert_value(w, i);
	case LLVMExtractElement: case LLVMInsertElement: return emit_element(w, i);
	case LLVMShuffleVector: return emit_shuffle(w, i);
	case LLVMAtomicRMW: return emit_rmw(w, i);
	case LLVMAtomicCmpXchg: return emit_exchange(w, i);
	case LLVMFreeze: return weave_shadow(w, LLVMGetOperand(i, 0));
	case LLVMBitCast:
		if (is_vector(i) || is_vector(LLVMGetOperand(i, 0)))
			return emit_regroup(w, i);
		break;
	case LLVMSelect:
		if (!shadow_bits(w->u, LLVMTypeOf(i)) && !is_vector(i))
			return emit_select_leaves(w, i);
		break;
	case LLVMCall:
		if (intrinsic_of(i)->kind == INTRINSIC_OVERFLOW)
			return emit_overflow(w, i, intrinsic_of(i));
		break;
	default:
		break;
	}
	if (is_vector(i))
		return emit_lanes(w, i);
	Value v[3] = {0}, s[3] = {0};
	unsigned n = operands_of(i);
	for (unsigned k = 0; k < n; k++) {
		v[k] = LLVMGetOperand(i, k);
		s[k] = weave_shadow(w, v[k]);
	}
	return emit_scalar(w, i, v, s, i);
}
