/* See flow.h. A value is followed back through what computes it, as far as intervals can follow, to constants, calls and loads; it becomes rows on the way, each instruction once per file of branches around it. A place is told by the pointer that leads
 * there: a variable of integers by its name, a member by the name of its struct and its offset, whatever object it is in. Whatever else is done with such a pointer may write anything there.
 *
 * No pass may simplify pointers before: that the address of a first member is that of its struct would no longer tell which struct. Nor may one make values of structs: what is written into the member of a
 * variable that is returned or copied would go its way as a part of something larger. So nothing but variables of one value are taken out of memory. */
#include "compile/flow.h"

#include "compile/cfg.h"
#include "compile/compile.h"
#include "compile/intrinsic.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>

#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 24, USES_MAX = 64, LOOKED_MAX = 200, ELEMENTS_MAX = 1 << 16, NEST_MAX = 8 };

/* What was computed for a value in a block: branches around it tell something about it there. */
struct known {
	Value value;
	int block;
	uint32_t row; /* plus 1 */
};

struct constants {
	uint32_t name, number;
	uint8_t kind;
	int64_t lo, hi;
};

struct flower {
	struct facts *facts;
	LLVMTargetDataRef layout;
	struct cfg *cfg;
	uint32_t function;            /* its name */
	struct known *known;          /* by hash */
	size_t known_size, known_count;
	LIST(struct constants) constants; /* of initialisers, by place */
};

/* A place; kind TD_FLOW_PLACES: none that is known. */
struct place {
	enum td_flow_place kind;
	uint32_t name, number;
	Type type;                    /* of what is there */
};

static const struct place nowhere = {.kind = TD_FLOW_PLACES};

/* ---- rows ---- */

static uint32_t add(struct flower *f, struct td_flow row)
{
	list_push(&f->facts->flows, row);
	return (uint32_t)f->facts->flows.count;
}

static unsigned bits_of(Type t)
{
	return LLVMGetTypeKind(t) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) <= 64 ? LLVMGetIntTypeWidth(t) : 0;
}

/* Of a pointer as well: a number that is 0 or more. What counts is whether it can be 0. */
static unsigned width_of(Type t)
{
	return LLVMGetTypeKind(t) == LLVMPointerTypeKind ? 64 : bits_of(t);
}

static uint32_t any(struct flower *f, unsigned bits)
{
	return add(f, (struct td_flow){.op = TD_FLOW_ANY, .bits = (uint16_t)bits});
}

static uint32_t range(struct flower *f, unsigned bits, int64_t lo, int64_t hi)
{
	return add(f, (struct td_flow){.op = TD_FLOW_RANGE, .bits = (uint16_t)bits, .lo = lo, .hi = hi});
}

static uint32_t unknown(struct flower *f, Type t)
{
	return LLVMGetTypeKind(t) == LLVMPointerTypeKind ? range(f, 64, 0, INT64_MAX) : any(f, bits_of(t));
}

static uint32_t as_type(struct flower *f, Type t, uint32_t row)
{
	if (LLVMGetTypeKind(t) != LLVMPointerTypeKind)
		return row;
	return add(f, (struct td_flow){.op = TD_FLOW_CLIP, .bits = 64, .a = row, .number = TD_FLOW_WITHIN, .lo = 0, .hi = INT64_MAX});
}

static uint32_t read_place(struct flower *f, unsigned bits, const struct place *p)
{
	return add(f, (struct td_flow){.op = TD_FLOW_PLACE, .kind = (uint8_t)p->kind, .bits = (uint16_t)bits, .name = p->name, .number = p->number});
}

static void store(struct flower *f, unsigned bits, const struct place *p, uint32_t row)
{
	add(f, (struct td_flow){.op = TD_FLOW_STORE, .kind = (uint8_t)p->kind, .bits = (uint16_t)bits, .a = row, .name = p->name, .number = p->number});
}

/* ---- places ---- */

/* As debug information has it: without what LLVM puts in front, and behind the second struct of a name. */
static uint32_t struct_name(struct flower *f, Type type)
{
	const char *name = LLVMGetStructName(type), *dot = name ? strchr(name, '.') : NULL;
	if (!dot || strncmp(name, "struct.", 7) != 0 || strcmp(name, "struct.anon") == 0)
		return 0;
	size_t length = strlen(dot + 1), digits = 0;
	while (digits < length && dot[length - digits] >= '0' && dot[length - digits] <= '9')
		digits++;
	if (digits && digits < length && dot[length - digits] == '.')
		length -= digits + 1;
	char *copy = memory_printf("%.*s", (int)length, dot + 1);
	uint32_t at = strcmp(copy, "anon") != 0 ? facts_string(f->facts, copy) : 0;
	free(copy);
	return at;
}

static Type element_of(Type t)
{
	while (LLVMGetTypeKind(t) == LLVMArrayTypeKind)
		t = LLVMGetElementType(t);
	return t;
}

static struct place place_of_variable(struct flower *f, Value v)
{
	Type type = LLVMGlobalGetValueType(v);
	if (LLVMIsGlobalConstant(v))
		return (struct place){.kind = TD_FLOW_PLACES, .type = type};
	return (struct place){.kind = TD_FLOW_VARIABLE, .name = facts_string(f->facts, unit_name(v)), .type = type};
}

static struct place place_of_member(struct flower *f, Type type, unsigned index)
{
	uint32_t name = struct_name(f, type);
	return (struct place){
		.kind = name ? TD_FLOW_MEMBER : TD_FLOW_PLACES, .name = name, .type = LLVMStructGetTypeAtIndex(type, index),
		.number = (uint32_t)LLVMOffsetOfElement(f->layout, type, index),
	};
}

static struct place place_of(struct flower *f, Value pointer, unsigned depth);

static bool is_gep(Value v)
{
	return LLVMIsAGetElementPtrInst(v) || (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMGetElementPtr);
}

static struct place place_of_gep(struct flower *f, Value gep, unsigned depth)
{
	Type type = LLVMGetGEPSourceElementType(gep);
	struct place p = nowhere;
	unsigned count = LLVMGetNumIndices(gep);
	bool found = false;
	for (unsigned i = 1; i < count; i++) {
		Value index = LLVMGetOperand(gep, i + 1);
		if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
			if (!LLVMIsAConstantInt(index))
				return nowhere;
			p = place_of_member(f, type, (unsigned)LLVMConstIntGetZExtValue(index));
			found = true;
			type = p.type;
		} else if (LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
			type = LLVMGetElementType(type);
			p.type = type;
		} else {
			return nowhere;
		}
	}
	if (found)
		return p;
	p = place_of(f, LLVMGetOperand(gep, 0), depth + 1);
	return p.type && width_of(element_of(p.type)) ? (struct place){p.kind, p.name, p.number, type} : (struct place){.kind = TD_FLOW_PLACES, .type = type};
}

/* The address of a struct is that of its first member, as far as constants are concerned. */
static struct place descend(struct flower *f, struct place p)
{
	for (unsigned i = 0; i < NEST_MAX && p.type && LLVMGetTypeKind(element_of(p.type)) == LLVMStructTypeKind && LLVMCountStructElementTypes(element_of(p.type)); i++)
		p = place_of_member(f, element_of(p.type), 0);
	return p;
}

static struct place place_of(struct flower *f, Value pointer, unsigned depth)
{
	if (depth > NEST_MAX)
		return nowhere;
	if (LLVMIsAGlobalVariable(pointer))
		return place_of_variable(f, pointer);
	if (is_gep(pointer))
		return place_of_gep(f, pointer, depth);
	return nowhere;
}

/* That an integer of so many bits, or a pointer, is at; kind TD_FLOW_PLACES: none that is known, or of another size. */
static struct place place_of_access(struct flower *f, Value pointer, unsigned bits)
{
	struct place p = place_of(f, pointer, 0);
	if (p.type && LLVMIsAGlobalVariable(pointer))
		p = descend(f, p);
	if (p.kind == TD_FLOW_PLACES || !p.type || width_of(element_of(p.type)) != bits)
		return nowhere;
	return p;
}

/* ---- branches around a value ---- */

static bool is_extended(Value v)
{
	return LLVMIsASExtInst(v) || LLVMIsAZExtInst(v);
}

static bool is_same(Value a, Value b)
{
	return a == b || (is_extended(a) && is_extended(b) && LLVMGetInstructionOpcode(a) == LLVMGetInstructionOpcode(b) && LLVMTypeOf(a) == LLVMTypeOf(b) && LLVMGetOperand(a, 0) == LLVMGetOperand(b, 0));
}

struct clip {
	enum td_flow_clip kind;
	int64_t lo, hi;
};

/* x OP c, or not; false: nothing that an interval could say. */
static bool clip_of(LLVMIntPredicate op, int64_t c, bool holds, struct clip *out)
{
	static const LLVMIntPredicate opposite[] = {
		[LLVMIntEQ] = LLVMIntNE, [LLVMIntNE] = LLVMIntEQ, [LLVMIntSGT] = LLVMIntSLE, [LLVMIntSLE] = LLVMIntSGT, [LLVMIntSLT] = LLVMIntSGE, [LLVMIntSGE] = LLVMIntSLT,
		[LLVMIntUGT] = LLVMIntULE, [LLVMIntULE] = LLVMIntUGT, [LLVMIntULT] = LLVMIntUGE, [LLVMIntUGE] = LLVMIntULT,
	};
	*out = (struct clip){TD_FLOW_WITHIN, INT64_MIN, INT64_MAX};
	switch (holds ? op : opposite[op]) {
	case LLVMIntEQ: out->lo = out->hi = c; return true;
	case LLVMIntNE: *out = (struct clip){TD_FLOW_NOT, c, c}; return true;
	case LLVMIntSGT: out->lo = c < INT64_MAX ? c + 1 : c; return true;
	case LLVMIntSGE: out->lo = c; return true;
	case LLVMIntSLT: out->hi = c > INT64_MIN ? c - 1 : c; return true;
	case LLVMIntSLE: out->hi = c; return true;
	case LLVMIntUGT: *out = (struct clip){TD_FLOW_ABOVE, c + 1, 0}; return c >= 0 && c < INT64_MAX;
	case LLVMIntUGE: *out = (struct clip){TD_FLOW_ABOVE, c, 0}; return c >= 0;
	case LLVMIntULT: *out = (struct clip){TD_FLOW_WITHIN, 0, c - 1}; return c > 0;
	case LLVMIntULE: *out = (struct clip){TD_FLOW_WITHIN, 0, c}; return c >= 0;
	default: return false;
	}
}

static LLVMIntPredicate swapped(LLVMIntPredicate op)
{
	switch (op) {
	case LLVMIntSGT: return LLVMIntSLT;
	case LLVMIntSGE: return LLVMIntSLE;
	case LLVMIntSLT: return LLVMIntSGT;
	case LLVMIntSLE: return LLVMIntSGE;
	case LLVMIntUGT: return LLVMIntULT;
	case LLVMIntUGE: return LLVMIntULE;
	case LLVMIntULT: return LLVMIntUGT;
	case LLVMIntULE: return LLVMIntUGE;
	default: return op;
	}
}

/* Does whoever is in the block come from that side of the branch? */
static bool comes_from(const struct flower *f, Value branch, unsigned side, int block)
{
	int from = cfg_index(f->cfg, LLVMGetInstructionParent(branch)), to = cfg_index(f->cfg, LLVMGetSuccessor(branch, side));
	return LLVMGetSuccessor(branch, 0) != LLVMGetSuccessor(branch, 1) && f->cfg->blocks[from].order >= 0 && f->cfg->blocks[to].predecessor_count == 1 && cfg_dominates(f->cfg, to, block);
}

/* What the comparison says of v in the block, added to what the row has. */
static uint32_t clip_by(struct flower *f, Value compare, Value v, int block, uint32_t row)
{
	Value a = LLVMGetOperand(compare, 0), b = LLVMGetOperand(compare, 1);
	LLVMIntPredicate op = LLVMGetICmpPredicate(compare);
	if (LLVMIsAConstantInt(a) || LLVMIsAConstantPointerNull(a)) {
		Value c = a;
		a = b;
		b = c;
		op = swapped(op);
	}
	bool is_null = LLVMIsAConstantPointerNull(b);
	if (!is_same(a, v) || !(LLVMIsAConstantInt(b) || is_null) || !width_of(LLVMTypeOf(b)))
		return row;
	for (LLVMUseRef use = LLVMGetFirstUse(compare); use; use = LLVMGetNextUse(use)) {
		Value branch = LLVMGetUser(use);
		for (unsigned side = 0; side < 2 && LLVMIsABranchInst(branch) && LLVMIsConditional(branch); side++) {
			struct clip c;
			if (comes_from(f, branch, side, block) && clip_of(op, is_null ? 0 : LLVMConstIntGetSExtValue(b), side == 0, &c))
				row = add(f, (struct td_flow){.op = TD_FLOW_CLIP, .bits = (uint16_t)width_of(LLVMTypeOf(v)), .a = row, .number = c.kind, .lo = c.lo, .hi = c.hi});
		}
	}
	return row;
}

/* One that is extended for a comparison is often extended once more for its use. */
static uint32_t clip_by_users(struct flower *f, Value v, int block, uint32_t row)
{
	Value from = is_extended(v) ? LLVMGetOperand(v, 0) : v;
	unsigned looked = 0;
	for (LLVMUseRef use = LLVMGetFirstUse(from); use && looked < USES_MAX; use = LLVMGetNextUse(use), looked++) {
		Value user = LLVMGetUser(use);
		if (LLVMIsAICmpInst(user))
			row = clip_by(f, user, v, block, row);
		for (LLVMUseRef again = is_same(user, v) ? LLVMGetFirstUse(user) : NULL; again; again = LLVMGetNextUse(again))
			if (LLVMIsAICmpInst(LLVMGetUser(again)))
				row = clip_by(f, LLVMGetUser(again), v, block, row);
	}
	return row;
}

static bool is_same_pointer(Value a, Value b)
{
	if (a == b)
		return true;
	if (!LLVMIsAGetElementPtrInst(a) || !LLVMIsAGetElementPtrInst(b) || LLVMGetNumOperands(a) != LLVMGetNumOperands(b) || LLVMGetGEPSourceElementType(a) != LLVMGetGEPSourceElementType(b))
		return false;
	for (int k = 0; k < LLVMGetNumOperands(a); k++)
		if (LLVMGetOperand(a, (unsigned)k) != LLVMGetOperand(b, (unsigned)k))
			return false;
	return true;
}

static Value before(const struct flower *f, Value i)
{
	Value previous = LLVMGetPreviousInstruction(i);
	if (previous)
		return previous;
	const struct cfg_block *b = &f->cfg->blocks[cfg_index(f->cfg, LLVMGetInstructionParent(i))];
	return b->predecessor_count == 1 ? LLVMGetLastInstruction(f->cfg->blocks[b->predecessors[0]].block) : NULL;
}

/* What was loaded from there before, with nothing between that could have changed it, is the same value. */
static uint32_t clip_by_loads(struct flower *f, Value load, int block, uint32_t row)
{
	unsigned looked = 0;
	for (Value i = before(f, load); i && i != load && looked < LOOKED_MAX; i = before(f, i), looked++) {
		if (LLVMIsAStoreInst(i) || (LLVMIsACallInst(i) && !LLVMIsADbgInfoIntrinsic(i)))
			break;
		if (!LLVMIsALoadInst(i) || LLVMTypeOf(i) != LLVMTypeOf(load) || !is_same_pointer(LLVMGetOperand(i, 0), LLVMGetOperand(load, 0)))
			continue;
		row = clip_by_users(f, i, block, row);
		for (LLVMUseRef use = LLVMGetFirstUse(i); use; use = LLVMGetNextUse(use))
			if (LLVMIsASExtInst(LLVMGetUser(use))) /* a bound on what was extended is one on it */
				row = clip_by_users(f, LLVMGetUser(use), block, row);
	}
	return row;
}

static uint32_t clip_row(struct flower *f, Value v, int block, uint32_t row)
{
	if (LLVMIsAConstant(v) || f->cfg->blocks[block].order < 0)
		return row;
	row = clip_by_users(f, v, block, row);
	return LLVMIsALoadInst(v) ? clip_by_loads(f, v, block, row) : row;
}

/* ---- values ---- */

static uint32_t value_in(struct flower *f, Value v, int block, unsigned depth);

static struct known *slot(struct flower *f, Value v, int block)
{
	size_t i = ((size_t)v >> 4 ^ (size_t)block * 0x9E3779B1u) & (f->known_size - 1);
	while (f->known[i].value && (f->known[i].value != v || f->known[i].block != block))
		i = (i + 1) & (f->known_size - 1);
	return &f->known[i];
}

static void remember(struct flower *f, Value v, int block, uint32_t row)
{
	if (2 * (f->known_count + 1) > f->known_size) {
		struct known *old = f->known;
		size_t size = f->known_size;
		f->known_size = size ? size * 2 : 256;
		f->known = memory_array(f->known_size, sizeof *f->known);
		for (size_t i = 0; i < size; i++)
			if (old[i].value)
				*slot(f, old[i].value, old[i].block) = old[i];
		free(old);
	}
	struct known *k = slot(f, v, block);
	f->known_count += !k->value;
	*k = (struct known){v, block, row};
}

static uint32_t recall(struct flower *f, Value v, int block)
{
	return f->known_size ? slot(f, v, block)->row : 0;
}

static enum td_flow_op op_of(Value v)
{
	switch (LLVMGetInstructionOpcode(v)) {
	case LLVMZExt: return TD_FLOW_ZEXT;
	case LLVMSExt: return TD_FLOW_SEXT;
	case LLVMTrunc: return TD_FLOW_TRUNC;
	case LLVMAdd: return TD_FLOW_ADD;
	case LLVMSub: return TD_FLOW_SUB;
	case LLVMMul: return TD_FLOW_MUL;
	case LLVMAnd: return TD_FLOW_AND;
	case LLVMLShr: case LLVMAShr: return TD_FLOW_SHIFT_RIGHT;
	case LLVMSDiv: case LLVMUDiv: return TD_FLOW_DIVIDE;
	case LLVMSRem: case LLVMURem: return TD_FLOW_REMAINDER;
	default: return TD_FLOW_ANY;
	}
}

/* Where what is not negative is treated alike, signed or not; the host sees to the others. */
static bool is_unsigned(Value v)
{
	LLVMOpcode op = LLVMGetInstructionOpcode(v);
	return op == LLVMLShr || op == LLVMUDiv || op == LLVMURem;
}

static uint32_t operation(struct flower *f, Value v, int block, unsigned depth)
{
	enum td_flow_op op = op_of(v);
	unsigned bits = bits_of(LLVMTypeOf(v));
	if (op == TD_FLOW_ANY || !bits_of(LLVMTypeOf(LLVMGetOperand(v, 0))))
		return any(f, bits);
	struct td_flow row = {.op = (uint8_t)op, .bits = (uint16_t)bits, .number = is_unsigned(v)};
	row.a = value_in(f, LLVMGetOperand(v, 0), block, depth + 1);
	if (op >= TD_FLOW_ADD)
		row.b = value_in(f, LLVMGetOperand(v, 1), block, depth + 1);
	return add(f, row);
}

/* The row is there before what comes in, which may be made from it. */
static uint32_t phi(struct flower *f, Value v, unsigned depth)
{
	unsigned bits = width_of(LLVMTypeOf(v)), count = LLVMCountIncoming(v);
	int block = cfg_index(f->cfg, LLVMGetInstructionParent(v));
	uint32_t row = add(f, (struct td_flow){.op = TD_FLOW_JOIN, .bits = (uint16_t)bits}), joined = 0;
	remember(f, v, block, row);
	for (unsigned i = 0; i < count; i++) {
		uint32_t one = value_in(f, LLVMGetIncomingValue(v, i), cfg_index(f->cfg, LLVMGetIncomingBlock(v, i)), depth + 1);
		joined = joined ? add(f, (struct td_flow){.op = TD_FLOW_JOIN, .bits = (uint16_t)bits, .a = joined, .b = one}) : one;
	}
	f->facts->flows.at[row - 1].a = f->facts->flows.at[row - 1].b = joined ? joined : unknown(f, LLVMTypeOf(v));
	return row;
}

/* Functions of the library that return what they were given first. */
static bool returns_first(const char *name)
{
	static const char *const names[] = {"memcpy", "memmove", "memset", "strcat", "strcpy", "strncat", "strncpy"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

static uint32_t result_of(struct flower *f, Value call, unsigned bits, int block, unsigned depth)
{
	Value callee = LLVMGetCalledValue(call);
	if (LLVMIsAFunction(callee) && LLVMIsDeclaration(callee) && LLVMGetNumArgOperands(call) && returns_first(unit_name(callee)))
		return value_in(f, LLVMGetOperand(call, 0), block, depth + 1);
	if (!LLVMIsAFunction(callee) || intrinsic_of(call)->kind != INTRINSIC_NOT)
		return unknown(f, LLVMTypeOf(call));
	return as_type(f, LLVMTypeOf(call), read_place(f, bits, &(struct place){.kind = TD_FLOW_RESULT, .name = facts_string(f->facts, unit_name(callee))}));
}

static unsigned number_of(Value parameter)
{
	unsigned index = 0;
	while (LLVMGetParam(LLVMGetParamParent(parameter), index) != parameter)
		index++;
	return index;
}

static uint32_t parameter(struct flower *f, Value v)
{
	return as_type(f, LLVMTypeOf(v), read_place(f, width_of(LLVMTypeOf(v)), &(struct place){.kind = TD_FLOW_PARAMETER, .name = f->function, .number = number_of(v)}));
}

static uint32_t load(struct flower *f, Value v, unsigned bits)
{
	struct place p = place_of_access(f, LLVMGetOperand(v, 0), bits);
	return p.kind == TD_FLOW_PLACES ? unknown(f, LLVMTypeOf(v)) : as_type(f, LLVMTypeOf(v), read_place(f, bits, &p));
}

static uint32_t function(struct flower *f, Value v)
{
	return add(f, (struct td_flow){.op = TD_FLOW_FUNCTION, .bits = 64, .name = facts_string(f->facts, unit_name(v))});
}

/* Of what the pointer is computed from, if that is null: a little more than that at most. */
static uint32_t address(struct flower *f, Value v, int block, unsigned depth)
{
	if (LLVMIsAFunction(v))
		return function(f, v);
	if (LLVMIsAAllocaInst(v) || LLVMIsAGlobalValue(v) || LLVMIsAConstantExpr(v))
		return range(f, 64, 1, INT64_MAX);
	if (!is_gep(v))
		return unknown(f, LLVMTypeOf(v));
	uint32_t base = value_in(f, LLVMGetOperand(v, 0), block, depth + 1);
	return add(f, (struct td_flow){.op = TD_FLOW_JOIN, .bits = 64, .a = base, .b = range(f, 64, 1, INT64_MAX)});
}

static uint32_t compute(struct flower *f, Value v, int block, unsigned depth)
{
	unsigned bits = width_of(LLVMTypeOf(v));
	bool is_pointer = LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind;
	if (LLVMIsAConstantPointerNull(v))
		return range(f, 64, 0, 0);
	if (LLVMIsAConstantInt(v))
		return range(f, bits, LLVMConstIntGetSExtValue(v), LLVMConstIntGetSExtValue(v));
	if (depth > DEPTH_MAX)
		return unknown(f, LLVMTypeOf(v));
	if (LLVMIsAArgument(v))
		return parameter(f, v);
	if (LLVMIsALoadInst(v))
		return load(f, v, bits);
	if (LLVMIsACallInst(v))
		return result_of(f, v, bits, block, depth);
	if (LLVMIsAPHINode(v))
		return phi(f, v, depth);
	if (LLVMIsASelectInst(v))
		return add(f, (struct td_flow){.op = TD_FLOW_JOIN, .bits = (uint16_t)bits, .a = value_in(f, LLVMGetOperand(v, 1), block, depth + 1), .b = value_in(f, LLVMGetOperand(v, 2), block, depth + 1)});
	if (is_pointer)
		return address(f, v, block, depth);
	if (LLVMIsAInstruction(v))
		return operation(f, v, block, depth);
	return any(f, bits);
}

/* What is known where it is computed does not change; what branches say depends on where it is used. */
static uint32_t value_in(struct flower *f, Value v, int block, unsigned depth)
{
	int home = LLVMIsAInstruction(v) ? cfg_index(f->cfg, LLVMGetInstructionParent(v)) : 0;
	uint32_t row = recall(f, v, home);
	if (!row) {
		row = compute(f, v, home, depth);
		remember(f, v, home, row);
	}
	return clip_row(f, v, block, row);
}

/* ---- what is done with them ---- */

static void write_row(struct flower *f, const struct place *p, unsigned bits, Value v, int block)
{
	store(f, bits, p, value_in(f, v, block, 0));
}

static void forget(struct flower *f, const struct place *p)
{
	unsigned bits = p->type ? width_of(element_of(p->type)) : 0;
	if (p->kind != TD_FLOW_PLACES && bits)
		store(f, bits, p, unknown(f, element_of(p->type)));
}

static void add_store(struct flower *f, Value i, int block)
{
	Value v = LLVMGetOperand(i, 0), pointer = LLVMGetOperand(i, 1);
	unsigned bits = width_of(LLVMTypeOf(v));
	struct place p = bits ? place_of_access(f, pointer, bits) : nowhere;
	if (p.kind != TD_FLOW_PLACES) {
		write_row(f, &p, bits, v, block);
		return;
	}
	p = place_of(f, pointer, 0); /* something of another size, or a part of it */
	if (LLVMIsAGlobalVariable(pointer))
		p = descend(f, p);
	forget(f, &p);
}

static void store_any(struct flower *f, const struct place *p, unsigned bits, uint32_t unless)
{
	uint32_t row = any(f, bits);
	add(f, (struct td_flow){.op = TD_FLOW_STORE, .kind = (uint8_t)p->kind, .bits = (uint16_t)bits, .a = row, .name = p->name, .number = p->number, .unless = unless});
}

/* Who is given a function calls it with whatever he wants to, if he is none of the program's. */
static void lend_function(struct flower *f, Value function, uint32_t to)
{
	Type type = LLVMGlobalGetValueType(function);
	unsigned count = LLVMCountParamTypes(type);
	Type *types = memory_array(count + 1, sizeof *types);
	LLVMGetParamTypes(type, types);
	for (unsigned k = 0; k < count; k++)
		if (width_of(types[k]))
			store_any(f, &(struct place){.kind = TD_FLOW_PARAMETER, .name = facts_string(f->facts, unit_name(function)), .number = k}, width_of(types[k]), to);
	free(types);
}

/* All members of a struct that somebody else may fill in. */
static void lend_struct(struct flower *f, Value pointer, uint32_t to)
{
	Type type = LLVMIsAAllocaInst(pointer) ? LLVMGetAllocatedType(pointer) : NULL;
	struct place p = type ? nowhere : place_of(f, pointer, 0);
	type = type ? type : p.type;
	type = type ? element_of(type) : NULL;
	uint32_t name = type && LLVMGetTypeKind(type) == LLVMStructTypeKind ? struct_name(f, type) : 0;
	if (name)
		store_any(f, &(struct place){.kind = TD_FLOW_MEMBER, .name = name, .number = TD_FLOW_ALL}, 64, to);
}

static void add_arguments(struct flower *f, Value call, int block)
{
	Value callee = LLVMGetCalledValue(call);
	struct place p = {.kind = LLVMIsAFunction(callee) ? TD_FLOW_PARAMETER : TD_FLOW_INDIRECT};
	bool foreign = LLVMIsAFunction(callee) && LLVMIsDeclaration(callee);
	if (LLVMIsAFunction(callee)) {
		p.name = facts_string(f->facts, unit_name(callee));
	} else {
		char *type = LLVMPrintTypeToString(LLVMGetCalledFunctionType(call));
		p.name = facts_string(f->facts, type);
		LLVMDisposeMessage(type);
	}
	for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++) {
		Value v = LLVMGetOperand(call, k);
		unsigned bits = width_of(LLVMTypeOf(v));
		p.number = k;
		if (bits)
			write_row(f, &p, bits, v, block);
		if (foreign && LLVMIsAFunction(v))
			lend_function(f, v, p.name);
		else if (foreign && !bits_of(LLVMTypeOf(v)))
			lend_struct(f, v, p.name);
	}
}

static void add_return(struct flower *f, Value i, int block)
{
	Value v = LLVMGetNumOperands(i) ? LLVMGetOperand(i, 0) : NULL;
	unsigned bits = v ? width_of(LLVMTypeOf(v)) : 0;
	if (bits)
		write_row(f, &(struct place){.kind = TD_FLOW_RESULT, .name = f->function}, bits, v, block);
}

/* A pointer to integers or pointers that goes anywhere else than into an access of one. */
static void add_escapes(struct flower *f, Value i)
{
	bool quiet = LLVMIsALoadInst(i) || LLVMIsAICmpInst(i) || LLVMIsAGetElementPtrInst(i);
	for (int k = 0; k < LLVMGetNumOperands(i) && !quiet; k++) {
		Value v = LLVMGetOperand(i, (unsigned)k);
		if (!v || LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMPointerTypeKind || (LLVMIsAStoreInst(i) && k == 1))
			continue;
		struct place p = place_of(f, v, 0);
		forget(f, &p);
	}
}

/* ---- what parameters lead to ---- */

static bool is_same_address(Value gep)
{
	for (unsigned k = 1; k <= LLVMGetNumIndices(gep); k++)
		if (!LLVMIsAConstantInt(LLVMGetOperand(gep, k)) || LLVMConstIntGetZExtValue(LLVMGetOperand(gep, k)))
			return false;
	return true;
}

static Value base_of(Value pointer)
{
	for (unsigned i = 0; i < NEST_MAX && LLVMIsAGetElementPtrInst(pointer) && is_same_address(pointer); i++)
		pointer = LLVMGetOperand(pointer, 0);
	return pointer;
}

/* Rows of this function are the last ones. */
static bool is_told(const struct flower *f, const struct td_shape *s)
{
	for (size_t i = f->facts->shapes.count; i-- > 0 && f->facts->shapes.at[i].function == s->function;)
		if (f->facts->shapes.at[i].parameter == s->parameter && f->facts->shapes.at[i].type == s->type)
			return true;
	return false;
}

static void add_shape(struct flower *f, Value gep)
{
	Type type = LLVMGetGEPSourceElementType(gep);
	Value base = base_of(LLVMGetOperand(gep, 0));
	if (!LLVMIsAArgument(base) || LLVMGetTypeKind(type) != LLVMStructTypeKind || LLVMGetNumIndices(gep) < 2)
		return;
	struct td_shape s = {.function = f->function, .parameter = number_of(base), .type = struct_name(f, type)};
	if (s.type && !is_told(f, &s))
		list_push(&f->facts->shapes, s);
}

static void add_instruction(struct flower *f, Value i, int block)
{
	if (LLVMIsAGetElementPtrInst(i))
		add_shape(f, i);
	add_escapes(f, i);
	if (LLVMIsAStoreInst(i))
		add_store(f, i, block);
	else if (LLVMIsAReturnInst(i))
		add_return(f, i, block);
	else if (LLVMIsACallInst(i) && intrinsic_of(i)->kind == INTRINSIC_NOT && !LLVMIsAInlineAsm(LLVMGetCalledValue(i)))
		add_arguments(f, i, block);
}

static void add_function(struct flower *f, Value function)
{
	f->cfg = cfg_new(function);
	f->function = facts_string(f->facts, unit_name(function));
	f->known = NULL;
	f->known_size = f->known_count = 0;
	for (int b = 0; b < f->cfg->count; b++)
		for (Value i = LLVMGetFirstInstruction(f->cfg->blocks[b].block); i; i = LLVMGetNextInstruction(i))
			if (f->cfg->blocks[b].order >= 0)
				add_instruction(f, i, b);
	free(f->known);
	cfg_free(f->cfg);
}

/* ---- what variables begin with ---- */

static void add_constants(struct flower *f, const struct place *p, int64_t lo, int64_t hi)
{
	for (size_t i = f->constants.count; i-- > 0;) {
		struct constants *c = &f->constants.at[i];
		if (c->kind != p->kind || c->name != p->name || c->number != p->number)
			continue;
		c->lo = lo < c->lo ? lo : c->lo;
		c->hi = hi > c->hi ? hi : c->hi;
		return;
	}
	list_push(&f->constants, ((struct constants){p->name, p->number, (uint8_t)p->kind, lo, hi}));
}

static void add_constant(struct flower *f, const struct place *p, int64_t value)
{
	add_constants(f, p, value, value);
}

/* Who begins with a variable's address may write to it. */
static void give_address(struct flower *f, Value v)
{
	Value variable = v;
	while (LLVMIsAConstantExpr(variable) && is_gep(variable))
		variable = LLVMGetOperand(variable, 0);
	if (LLVMIsAGlobalVariable(variable) && !LLVMIsGlobalConstant(variable))
		store(f, 64, &(struct place){.kind = TD_FLOW_VARIABLE, .name = facts_string(f->facts, unit_name(variable)), .number = TD_FLOW_ADDRESS}, any(f, 64));
	struct place escaped = place_of(f, v, 0);
	forget(f, &escaped);
}

static void add_pointer(struct flower *f, const struct place *p, Value v)
{
	if (p->kind == TD_FLOW_PLACES)
		return;
	if (LLVMIsAFunction(v))
		store(f, 64, p, function(f, v));
	else if (LLVMIsAConstantPointerNull(v))
		add_constant(f, p, 0);
	else
		add_constants(f, p, 1, INT64_MAX);
}

static void add_initializer(struct flower *f, struct place p, Value v, unsigned depth);

static void add_elements(struct flower *f, const struct place *p, Value v, unsigned depth)
{
	uint64_t count = LLVMGetArrayLength2(p->type);
	for (unsigned i = 0; i < count && i < ELEMENTS_MAX; i++)
		add_initializer(f, (struct place){p->kind, p->name, p->number, LLVMGetElementType(p->type)}, LLVMGetAggregateElement(v, i), depth + 1);
}

static void add_initializer(struct flower *f, struct place p, Value v, unsigned depth)
{
	if (!v || depth > 2 * NEST_MAX)
		return;
	if (LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind) {
		add_pointer(f, &p, v);
		give_address(f, v);
	} else if (LLVMIsAConstantInt(v) && p.kind != TD_FLOW_PLACES && bits_of(LLVMTypeOf(v))) {
		add_constant(f, &p, LLVMConstIntGetSExtValue(v));
	} else if (LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMStructTypeKind && !LLVMIsAConstantAggregateZero(v)) {
		unsigned count = LLVMCountStructElementTypes(LLVMTypeOf(v));
		for (unsigned i = 0; i < count; i++)
			add_initializer(f, place_of_member(f, LLVMTypeOf(v), i), LLVMGetAggregateElement(v, i), depth + 1);
	} else if (LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMArrayTypeKind && !LLVMIsAConstantAggregateZero(v)) {
		p.type = LLVMTypeOf(v);
		add_elements(f, &p, v, depth);
	}
}

/* All are told of, so that it is known that they are defined; 0 is in there for those that nothing is said about. */
static void add_variable(struct flower *f, Value v)
{
	Value initializer = LLVMGetInitializer(v);
	struct place p = place_of_variable(f, v);
	if (!initializer)
		return;
	unsigned bits = width_of(element_of(p.type));
	if (p.kind != TD_FLOW_PLACES && bits && LLVMIsNull(initializer))
		add_constant(f, &p, 0);
	add_initializer(f, p, initializer, 0);
}

static void add_variables(struct flower *f, LLVMModuleRef module)
{
	for (Value v = LLVMGetFirstGlobal(module); v; v = LLVMGetNextGlobal(v))
		if (strncmp(unit_name(v), "llvm.", 5) != 0)
			add_variable(f, v);
	for (size_t i = 0; i < f->constants.count; i++) {
		const struct constants *c = &f->constants.at[i];
		uint32_t row = range(f, 64, c->lo, c->hi);
		f->facts->flows.at[row - 1].number = 1;
		store(f, 64, &(struct place){.kind = (enum td_flow_place)c->kind, .name = c->name, .number = c->number}, row);
	}
	free(f->constants.at);
}

static LLVMModuleRef copy_of(const struct unit *u)
{
	LLVMMemoryBufferRef buffer = LLVMWriteBitcodeToMemoryBuffer(u->module);
	LLVMModuleRef copy = NULL;
	LLVMParseBitcodeInContext2(u->context, buffer, &copy);
	LLVMDisposeMemoryBuffer(buffer);
	return copy;
}

static void drop_optnone(LLVMModuleRef module)
{
	unsigned kind = LLVMGetEnumAttributeKindForName("optnone", 7);
	for (Value f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		LLVMRemoveEnumAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
}

bool flow_collect(struct facts *facts, struct unit *u, struct err *err)
{
	struct flower f = {.facts = facts, .layout = u->layout};
	LLVMModuleRef copy = copy_of(u);
	if (!copy)
		return err_set(err, "cannot read back our own bitcode");
	drop_optnone(copy);
	if (!compile_passes(copy, "function(mem2reg)", err))
		return false;
	add_variables(&f, copy);
	for (Value function = LLVMGetFirstFunction(copy); function; function = LLVMGetNextFunction(function))
		if (!LLVMIsDeclaration(function) && LLVMGetLinkage(function) != LLVMAvailableExternallyLinkage)
			add_function(&f, function);
	LLVMDisposeModule(copy);
	return true;
}
