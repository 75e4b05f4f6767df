/* See size.h. The size that an allocation is given is followed back through additions, multiplications and extensions; right before the allocation
 * each of them is checked to have come out as in arithmetic, with the marks that division has (safety.c). So a program that multiplies first and looks
 * afterwards has had its say.
 *
 * Unsigned arithmetic may wrap on purpose, and nothing false is to be said. A difference is often written as a sum with a negative number, which
 * as a variable of unsigned type cannot be told from a huge one; and n + 1 is meant to be 0 where n is the index of the last of no elements. So an unsigned
 * sum is never wrong by itself. It is asked about, which leads a search to the input that makes it wrap, and there the block is too small for what follows or it is not.
 * Masks, subtractions and truncations end the way back: what comes out of them is meant. A product of a negative number is left to malloc, for which it is too large.
 *
 * Which operations are of signed numbers only the front end knows: it promises that they do not overflow. Without that (-fwrapv) an extension tells. */
#include "compile/size.h"

#include "compile/effect.h"
#include "compile/weave.h"

#define TAG "td.sign"

enum { DEEPEST = 6, MOST_ARGUMENTS = 8 };
enum sign { SIGN_UNKNOWN, SIGN_UNSIGNED, SIGN_SIGNED, SIGNS };

static unsigned kind_of_tag(LLVMContextRef context)
{
	return LLVMGetMDKindIDInContext(context, TAG, sizeof TAG - 1);
}

/* ---- allocations ---- */

/* Which of its operands are sizes of an allocation, as bits. */
static unsigned sizes_of(Value i)
{
	if (LLVMIsAAllocaInst(i))
		return !LLVMIsAConstantInt(LLVMGetOperand(i, 0));
	if (!LLVMIsACallInst(i) || !LLVMIsAFunction(LLVMGetCalledValue(i)))
		return 0;
	const char *modelled = unit_modelled(LLVMGetCalledValue(i));
	const struct effect *effect = effect_of(modelled ? modelled : unit_name(LLVMGetCalledValue(i)));
	unsigned sizes = 0;
	for (unsigned k = 0; effect && k < LLVMGetNumArgOperands(i) && k < MOST_ARGUMENTS; k++)
		sizes |= effect_letter(effect, k) == 'a' ? 1u << k : 0;
	return sizes;
}

static bool allocates(Value function)
{
	for (Block b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		for (Value i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			if (sizes_of(i))
				return true;
	return false;
}

/* ---- signs ---- */

static bool is_arithmetic(Value i)
{
	LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
	return opcode == LLVMAdd || opcode == LLVMMul;
}

void size_tag(LLVMModuleRef module, bool wraps)
{
	LLVMContextRef context = LLVMGetModuleContext(module);
	Value nodes[SIGNS];
	for (unsigned tag = 0; tag < SIGNS; tag++) {
		LLVMMetadataRef number = LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(context), tag, false));
		nodes[tag] = LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, &number, 1));
	}
	for (Value f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		for (Block b = allocates(f) ? LLVMGetFirstBasicBlock(f) : NULL; b; b = LLVMGetNextBasicBlock(b))
			for (Value i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
				if (is_arithmetic(i))
					LLVMSetMetadata(i, kind_of_tag(context), nodes[wraps ? SIGN_UNKNOWN : LLVMGetNSW(i) ? SIGN_SIGNED : SIGN_UNSIGNED]);
}

/* Unknown also if LLVM has made one operation of two. */
static enum sign tag_of(const struct unit *u, Value i)
{
	Value tag = LLVMGetMetadata(i, kind_of_tag(u->context)), number;
	if (!tag)
		return SIGN_UNKNOWN;
	LLVMGetMDNodeOperands(tag, &number);
	return (enum sign)LLVMConstIntGetZExtValue(number);
}

/* By its tag and by the extension behind it, which must not contradict each other. */
static enum sign sign_of(const struct unit *u, Value i, enum sign extended)
{
	enum sign said = tag_of(u, i);
	return said == SIGN_UNKNOWN ? extended : extended == SIGN_UNKNOWN || extended == said ? said : SIGN_UNKNOWN;
}

/* ---- checks ---- */

struct check {
	struct unit *u;
	Value allocation;
	Value a, b;
	unsigned shape;
	bool summed; /* something is added to it */
};

static void put_check(const struct check *c)
{
	safety_put(c->u, c->a, c->b, c->shape | TD_SAFETY_SIZE, c->allocation);
}

/* A 32-bit number and a constant: 64 bits are enough. */
static bool has_room(const struct check *c)
{
	bool small = LLVMIsAConstantInt(c->b) && LLVMConstIntGetZExtValue(c->b) <= UINT32_MAX;
	bool extended = (LLVMIsAZExtInst(c->a) || LLVMIsASExtInst(c->a)) && LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(c->a, 0))) <= 32;
	return small && extended && (c->shape & 255) == 64;
}

/* Something is taken away in it, so that it may be meant as a negative number: (n - 1) * size. */
static bool may_be_negative(Value v, unsigned depth)
{
	if (LLVMIsAConstantInt(v))
		return LLVMGetIntTypeWidth(LLVMTypeOf(v)) <= 64 && LLVMConstIntGetSExtValue(v) < 0;
	if (!LLVMIsAInstruction(v) || depth == DEEPEST)
		return false;
	switch (LLVMGetInstructionOpcode(v)) {
	case LLVMSub: case LLVMXor: case LLVMSExt: case LLVMSDiv: case LLVMAShr: return true;
	case LLVMShl: return may_be_negative(LLVMGetOperand(v, 0), depth + 1);
	case LLVMAdd: case LLVMMul: case LLVMOr:
		return may_be_negative(LLVMGetOperand(v, 0), depth + 1) || may_be_negative(LLVMGetOperand(v, 1), depth + 1);
	default: return false;
	}
}

static void check_sum(struct check *c, enum sign sign)
{
	if (sign == SIGN_UNKNOWN || has_room(c))
		return;
	c->shape |= TD_SAFETY_ADD | (sign == SIGN_UNSIGNED ? TD_SAFETY_UNSIGNED | TD_SAFETY_ASKED : 0);
	put_check(c);
}

static void check_product(struct check *c, enum sign sign)
{
	if (has_room(c) || LLVMIsASExtInst(c->a) || LLVMIsASExtInst(c->b) || (sign == SIGN_UNKNOWN && (c->shape & 255) < 64))
		return;
	bool wide = (c->shape & 255) == 64, negative = sign != SIGN_SIGNED && (may_be_negative(c->a, 0) || may_be_negative(c->b, 0));
	if (negative && !wide && c->summed)
		return;
	if (negative && wide) /* no size has the upper bit, and what is negative is left to malloc */
		sign = SIGN_SIGNED;
	c->shape |= TD_SAFETY_MUL | (sign != SIGN_SIGNED ? TD_SAFETY_UNSIGNED : 0);
	put_check(c);
}

static void follow(struct unit *u, Value allocation, Value v, enum sign extended, bool summed, unsigned depth)
{
	LLVMOpcode opcode = LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v) : LLVMRet;
	if (depth == DEEPEST || (opcode != LLVMAdd && opcode != LLVMMul && opcode != LLVMShl && opcode != LLVMZExt && opcode != LLVMSExt))
		return;
	if (opcode == LLVMZExt || opcode == LLVMSExt) {
		follow(u, allocation, LLVMGetOperand(v, 0), opcode == LLVMZExt ? SIGN_UNSIGNED : SIGN_SIGNED, summed && opcode == LLVMSExt, depth + 1);
		return;
	}
	struct check c = {u, allocation, LLVMGetOperand(v, 0), LLVMGetOperand(v, 1), LLVMGetIntTypeWidth(LLVMTypeOf(v)), summed};
	if ((c.shape & 255) > 64 || (LLVMIsAConstantInt(c.a) && opcode == LLVMShl))
		return;
	if (LLVMIsAConstantInt(c.a)) {
		c.a = LLVMGetOperand(v, 1);
		c.b = LLVMGetOperand(v, 0);
	}
	if (opcode == LLVMShl) { /* by a constant: a product */
		if (!LLVMIsAConstantInt(c.b) || LLVMConstIntGetZExtValue(c.b) >= (c.shape & 255) - 1)
			return;
		c.b = LLVMConstInt(LLVMTypeOf(v), 1ull << LLVMConstIntGetZExtValue(c.b), false);
		check_product(&c, extended);
	} else if (opcode == LLVMAdd) {
		check_sum(&c, sign_of(u, v, extended));
	} else {
		check_product(&c, sign_of(u, v, extended));
	}
	summed |= opcode == LLVMAdd;
	follow(u, allocation, LLVMGetOperand(v, 0), SIGN_UNKNOWN, summed, depth + 1);
	follow(u, allocation, LLVMGetOperand(v, 1), SIGN_UNKNOWN, summed, depth + 1);
}

void size_insert(struct unit *u, Value function)
{
	for (Block b = u->options.models ? NULL : LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		for (Value i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			for (unsigned sizes = sizes_of(i), k = 0; sizes >> k; k++)
				if (sizes >> k & 1)
					follow(u, i, LLVMGetOperand(i, k), SIGN_UNKNOWN, false, 0);
}
