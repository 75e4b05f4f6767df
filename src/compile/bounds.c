/* See bounds.h. The object of an access is that of the pointer its address was computed from, its *base*: what is left without
 * GEPs, and without phis and selects as long as all they choose from has one base. So a pointer that runs through a buffer in a loop
 * has the base that it started from, and leaving the buffer is noticed even if it lands in another one.
 *
 * Which arrays have a length of their own is marked on the raw IR, where all of C's types are still there: a pass that drops the
 * mark loses a check and makes none up. Not marked are arrays at the end of a struct, which may be longer than
 * they say, and those with less than two elements. */
#include "compile/bounds.h"

#include "compile/global.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_SOURCES = 64 };

static unsigned kind_of_mark(const struct unit *u)
{
	return LLVMGetMDKindIDInContext(u->context, "td.array", 8);
}

static unsigned kind_of_size(const struct unit *u)
{
	return LLVMGetMDKindIDInContext(u->context, "td.size", 7);
}

bool bounds_is_gep(Value v)
{
	return LLVMIsAGetElementPtrInst(v) || (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMGetElementPtr);
}

/* ---- arrays in objects ---- */

/* Is it the address of a struct's last member? */
static bool is_last_member(Value pointer)
{
	if (!bounds_is_gep(pointer))
		return false;
	Type type = LLVMGetGEPSourceElementType(pointer), around = NULL;
	unsigned field = 0;
	for (int k = 2; k < LLVMGetNumOperands(pointer); k++) {
		Value index = LLVMGetOperand(pointer, (unsigned)k);
		around = LLVMGetTypeKind(type) == LLVMStructTypeKind ? type : NULL;
		field = around ? (unsigned)LLVMConstIntGetZExtValue(index) : 0;
		type = around ? LLVMStructGetTypeAtIndex(type, field) : LLVMGetElementType(type);
	}
	return around && field + 1 == LLVMCountStructElementTypes(around);
}

/* As clang indexes an array: getelementptr [n x T], p, 0, i. */
static bool indexes_array(Value gep, uint64_t *length)
{
	Type type = LLVMGetGEPSourceElementType(gep);
	if (LLVMGetTypeKind(LLVMTypeOf(gep)) != LLVMPointerTypeKind || LLVMGetNumOperands(gep) != 3 || LLVMGetTypeKind(type) != LLVMArrayTypeKind)
		return false;
	*length = LLVMGetArrayLength2(type);
	return *length > 1;
}

static bool has_length(Value gep)
{
	uint64_t length;
	if (!indexes_array(gep, &length) || is_last_member(LLVMGetOperand(gep, 0)))
		return false;
	Value index = LLVMGetOperand(gep, 2);
	return !LLVMIsAConstantInt(index) || LLVMConstIntGetZExtValue(index) >= length;
}

/* &array[0], of an array that is a member or a row: what an array in an expression becomes. */
static bool is_decay(Value gep, uint64_t *bytes, const struct unit *u)
{
	uint64_t length;
	if (!indexes_array(gep, &length) || !bounds_is_gep(LLVMGetOperand(gep, 0)) || is_last_member(LLVMGetOperand(gep, 0)))
		return false;
	Value index = LLVMGetOperand(gep, 2);
	*bytes = LLVMABISizeOfType(u->layout, LLVMGetGEPSourceElementType(gep));
	return LLVMIsAConstantInt(index) && LLVMConstIntGetZExtValue(index) == 0;
}

#define NARROW "td.narrow"

static void narrow(struct unit *u, Value gep, uint64_t bytes)
{
	Value next = LLVMGetNextInstruction(gep);
	LLVMPositionBuilderBefore(u->builder, next);
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	Value made = unit_mark(u, NARROW, u->ptr, (Value[]){LLVMGetUndef(u->ptr), unit_const64(u, bytes)}, 2, UNIT_MARK_PURE);
	LLVMReplaceAllUsesWith(gep, made);
	LLVMSetOperand(made, 0, gep);
}

static void mark_function(struct unit *u, Value f)
{
	Value mark = LLVMMetadataAsValue(u->context, LLVMMDNodeInContext2(u->context, NULL, 0));
	uint64_t bytes;
	for (Block b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
		for (Value i = LLVMGetFirstInstruction(b), next; i; i = next) {
			next = LLVMGetNextInstruction(i);
			if (!LLVMIsAGetElementPtrInst(i))
				continue;
			if (has_length(i))
				LLVMSetMetadata(i, kind_of_mark(u), mark);
			else if (is_decay(i, &bytes, u))
				narrow(u, i, bytes);
		}
}

void bounds_mark(struct unit *u)
{
	for (Value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
		mark_function(u, f);
}

bool bounds_is_narrow(Value v)
{
	return unit_is_mark(v, NARROW);
}

bool bounds_steps_back(const struct unit *u, Value pointer)
{
	for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
		Value user = LLVMGetUser(use);
		int64_t offset = 0;
		if (LLVMIsAGetElementPtrInst(user) && LLVMGetOperand(user, 0) == pointer && bounds_add_offset(u, user, &offset) && offset < 0)
			return true;
	}
	return false;
}

/* u NULL: all of them. */
static void widen(const struct unit *u, Value function)
{
	for (Block b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		for (Value i = LLVMGetFirstInstruction(b), next; i; i = next) {
			next = LLVMGetNextInstruction(i);
			if (bounds_is_narrow(i) && (!u || bounds_steps_back(u, i))) {
				LLVMReplaceAllUsesWith(i, LLVMGetOperand(i, 0));
				LLVMInstructionEraseFromParent(i);
			}
		}
}

/* container_of: what is before the start of an array by a constant is never meant to be of it. */
void bounds_leave(const struct unit *u, Value function)
{
	widen(u, function);
}

void bounds_widen(Value function)
{
	widen(NULL, function);
}

static uint64_t ones(Type type)
{
	unsigned width = LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 64;
	return width < 64 ? (1ull << width) - 1 : UINT64_MAX;
}

/* The largest value an unsigned number can have, by the few instructions that indices are made of. */
static uint64_t most(Value v, unsigned depth)
{
	uint64_t all = ones(LLVMTypeOf(v)), a;
	if (LLVMIsAConstantInt(v))
		return LLVMGetIntTypeWidth(LLVMTypeOf(v)) <= 64 ? LLVMConstIntGetZExtValue(v) : all;
	if (!LLVMIsAInstruction(v) || !depth || LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(LLVMTypeOf(v)) > 64)
		return all; /* of a wider number that is no limit */
	switch (LLVMGetInstructionOpcode(v)) {
	case LLVMZExt: return most(LLVMGetOperand(v, 0), depth - 1);
	case LLVMSExt:
		a = most(LLVMGetOperand(v, 0), depth - 1);
		return a <= ones(LLVMTypeOf(LLVMGetOperand(v, 0))) / 2 ? a : all;
	case LLVMTrunc:
		a = most(LLVMGetOperand(v, 0), depth - 1);
		return a < all ? a : all;
	case LLVMAnd:
		a = most(LLVMGetOperand(v, 0), depth - 1);
		all = most(LLVMGetOperand(v, 1), depth - 1);
		return a < all ? a : all;
	case LLVMURem:
		a = most(LLVMGetOperand(v, 1), depth - 1);
		return LLVMIsAConstantInt(LLVMGetOperand(v, 1)) && a ? a - 1 : all;
	case LLVMLShr:
		a = LLVMIsAConstantInt(LLVMGetOperand(v, 1)) ? LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1)) : 0;
		return a < 64 ? most(LLVMGetOperand(v, 0), depth - 1) >> a : all;
	default: return all;
	}
}

static bool is_below(Value index, uint64_t length)
{
	enum { DEEP = 6 };
	return most(index, DEEP) < length;
}

bool bounds_element(const struct unit *u, Value gep, struct bounds_element *e)
{
	uint64_t length, size;
	if (!LLVMIsAGetElementPtrInst(gep) || !LLVMGetMetadata(gep, kind_of_mark(u)) || !indexes_array(gep, &length) || is_below(LLVMGetOperand(gep, 2), length))
		return false;
	Type type = LLVMGetGEPSourceElementType(gep);
	*e = (struct bounds_element){gep, LLVMGetOperand(gep, 0), LLVMABISizeOfType(u->layout, LLVMGetElementType(type)), LLVMABISizeOfType(u->layout, type)};
	bool whole = bounds_size(u, e->array, &size) && size == e->inside; /* a variable of its own */
	return e->bytes && !whole;
}

/* ---- bases ---- */

static Value without_geps(Value pointer)
{
	while (bounds_is_gep(pointer) || LLVMIsAFreezeInst(pointer))
		pointer = LLVMGetOperand(pointer, 0);
	return pointer;
}

struct web {
	Value nodes[MOST_SOURCES]; /* phis and selects met */
	unsigned count;
	Value source;
	bool several;
};

static void web_visit(struct web *web, Value v)
{
	v = without_geps(v);
	bool choice = LLVMIsAPHINode(v) || (LLVMIsASelectInst(v) && LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(v, 0))) == LLVMIntegerTypeKind);
	if (!choice) {
		web->several |= web->source && web->source != v;
		web->source = v;
		return;
	}
	for (unsigned k = 0; k < web->count; k++)
		if (web->nodes[k] == v)
			return;
	if (web->count == MOST_SOURCES) {
		web->several = true;
		return;
	}
	web->nodes[web->count++] = v;
	unsigned n = LLVMIsAPHINode(v) ? LLVMCountIncoming(v) : 2;
	for (unsigned k = 0; k < n && !web->several; k++)
		web_visit(web, LLVMIsAPHINode(v) ? LLVMGetIncomingValue(v, k) : LLVMGetOperand(v, k + 1));
}

Value bounds_base(Value pointer)
{
	struct web web = {0};
	pointer = without_geps(pointer);
	web_visit(&web, pointer);
	return web.several || !web.source ? pointer : web.source;
}

/* ---- variables ---- */

void bounds_variables(struct unit *u)
{
	for (Value g = LLVMGetFirstGlobal(u->module); g; g = LLVMGetNextGlobal(g)) {
		LLVMLinkage linkage = LLVMGetLinkage(g);
		bool ours = linkage == LLVMExternalLinkage || linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
		if (!ours || !LLVMGetInitializer(g))
			continue;
		LLVMMetadataRef size = LLVMValueAsMetadata(unit_const64(u, global_size(u, g)));
		LLVMGlobalSetMetadata(g, kind_of_size(u), LLVMMDNodeInContext2(u->context, &size, 1));
	}
}

static bool variable_size(const struct unit *u, Value g, uint64_t *size)
{
	size_t count;
	bool found = false;
	LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(g, &count);
	for (unsigned k = 0; k < count && !found; k++) {
		if (LLVMValueMetadataEntriesGetKind(entries, k) != kind_of_size(u))
			continue;
		Value node = LLVMMetadataAsValue(u->context, LLVMValueMetadataEntriesGetMetadata(entries, k)), number;
		LLVMGetMDNodeOperands(node, &number);
		*size = LLVMConstIntGetZExtValue(number);
		found = true;
	}
	LLVMDisposeValueMetadataEntries(entries);
	return found;
}

static Value thread_local(Value v)
{
	if (!LLVMIsACallInst(v) || !LLVMIsAFunction(LLVMGetCalledValue(v)))
		return v;
	return strncmp(unit_name(LLVMGetCalledValue(v)), "llvm.threadlocal.address", 24) == 0 ? LLVMGetOperand(v, 0) : v;
}

static Type by_value_type(Value parameter)
{
	Value function = LLVMGetParamParent(parameter);
	for (unsigned k = 0; k < LLVMCountParams(function); k++)
		if (LLVMGetParam(function, k) == parameter)
			return unit_by_value(function, k);
	return NULL;
}

bool bounds_size(const struct unit *u, Value base, uint64_t *size)
{
	Type type = LLVMIsAArgument(base) ? by_value_type(base) : NULL;
	uint64_t count = 1;
	base = thread_local(base);
	if (LLVMIsAGlobalVariable(base))
		return variable_size(u, base, size);
	if (LLVMIsAAllocaInst(base) && LLVMIsAConstantInt(LLVMGetOperand(base, 0))) {
		type = LLVMGetAllocatedType(base);
		count = LLVMConstIntGetZExtValue(LLVMGetOperand(base, 0));
	}
	if (!type)
		return false;
	*size = LLVMABISizeOfType(u->layout, type) * count;
	return true;
}

bool bounds_add_offset(const struct unit *u, Value gep, int64_t *offset)
{
	Type type = LLVMGetGEPSourceElementType(gep);
	for (int k = 1; k < LLVMGetNumOperands(gep); k++) {
		Value index = LLVMGetOperand(gep, (unsigned)k);
		if (!LLVMIsAConstantInt(index))
			return false;
		int64_t n = LLVMConstIntGetSExtValue(index);
		if (k > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
			*offset += (int64_t)LLVMOffsetOfElement(u->layout, type, (unsigned)n);
			type = LLVMStructGetTypeAtIndex(type, (unsigned)n);
			continue;
		}
		if (k > 1)
			type = LLVMGetElementType(type);
		*offset += (int64_t)LLVMABISizeOfType(u->layout, type) * n;
	}
	return true;
}

bool bounds_offset(const struct unit *u, Value pointer, Value base, int64_t *offset)
{
	*offset = 0;
	for (; pointer != base; pointer = LLVMGetOperand(pointer, 0))
		if (!bounds_is_narrow(pointer) && (!bounds_is_gep(pointer) || !bounds_add_offset(u, pointer, offset)))
			return false;
	return true;
}

/* An index that is checked or cannot be too large. */
static bool stays_inside(const struct unit *u, Value gep, uint64_t *reach)
{
	struct bounds_element e;
	uint64_t length;
	if (!indexes_array(gep, &length) || !LLVMIsAConstantInt(LLVMGetOperand(gep, 1)) || LLVMConstIntGetZExtValue(LLVMGetOperand(gep, 1)))
		return false;
	if (!is_below(LLVMGetOperand(gep, 2), length) && !bounds_element(u, gep, &e))
		return false;
	*reach += (length - 1) * LLVMABISizeOfType(u->layout, LLVMGetElementType(LLVMGetGEPSourceElementType(gep)));
	return true;
}

bool bounds_extent(const struct unit *u, Value pointer, uint64_t size, Value base, int64_t *from, uint64_t *bytes)
{
	*from = 0;
	*bytes = size;
	for (; pointer != base; pointer = LLVMGetOperand(pointer, 0)) {
		int64_t offset = 0;
		if (bounds_is_narrow(pointer))
			continue;
		if (!bounds_is_gep(pointer))
			return false;
		if (bounds_add_offset(u, pointer, &offset))
			*from += offset;
		else if (!stays_inside(u, pointer, bytes))
			return false;
	}
	return true;
}
