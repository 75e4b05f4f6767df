/* Reads that may become tables: the address is computed, by GEPs that keep C's types, from arrays of known size. Each GEP
 * with one index that is not constant is a *level*: t[i][j] has two. At run time the innermost symbolic index makes the table, and
 * what comes before it is fixed if it is symbolic too (runtime/table.c).
 *
 * How large is the array? An array type says so, unless it is the last member of something behind a pointer and has no or one
 * element: then it is flexible. A pointer into a variable may be used as an array up to the variable's end. Of any other
 * memory the runtime is asked, which knows the object.
 *
 * On the symbolic side a read is two regions, since the program's own load comes in between: the first one tries to make the table,
 * or fixes the address; the second takes the table's term, or what shadow memory says. */
#include "compile/bounds.h"
#include "compile/global.h"
#include "compile/weave.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 4096, MOST_SPAN = 1 << 16, MOST_LEVELS = 4 };

struct level {
	Value gep, base, index;
	uint64_t offset;         /* from base to the first element */
	uint64_t count, stride;
	unsigned flags;          /* enum td_table_flag */
};

struct table {
	Value root;              /* the address without constant offsets: what is fixed if there is no table */
	uint64_t behind;         /* constant offset from there to what is read */
	unsigned bits;
	struct level levels[MOST_LEVELS]; /* innermost first */
	unsigned count;
	Value object;            /* global variable it is all about, or NULL */
};

/* ---- what is read ---- */

/* The variable a pointer points into at a known offset, with its size; NULL: none. */
static Value object_of(const struct unit *u, Value pointer, uint64_t *offset, uint64_t *size)
{
	int64_t from = 0;
	while (bounds_is_gep(pointer)) {
		if (!bounds_add_offset(u, pointer, &from))
			return NULL;
		pointer = LLVMGetOperand(pointer, 0);
	}
	*offset = (uint64_t)from;
	Type type = LLVMIsAGlobalVariable(pointer) ? LLVMGlobalGetValueType(pointer) : NULL;
	if (LLVMIsAAllocaInst(pointer) && LLVMIsAConstantInt(LLVMGetOperand(pointer, 0)) && LLVMConstIntGetZExtValue(LLVMGetOperand(pointer, 0)) == 1)
		type = LLVMGetAllocatedType(pointer);
	if (!type || !LLVMTypeIsSized(type))
		return NULL;
	*size = LLVMIsAGlobalVariable(pointer) ? global_size(u, pointer) : LLVMABISizeOfType(u->layout, type);
	return *offset <= *size ? pointer : NULL;
}

/* ---- levels ---- */

/* Walks the indices of a GEP up to the only one that is not constant; `declared` is the length of its array, 0: none. */
static bool find_index(const struct unit *u, Value gep, struct level *l, uint64_t *declared)
{
	Type type = LLVMGetGEPSourceElementType(gep);
	uint64_t offset = 0, length = 0;
	for (int k = 1; k < LLVMGetNumOperands(gep); k++) {
		Value index = LLVMGetOperand(gep, (unsigned)k);
		if (k > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
			unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
			offset += LLVMOffsetOfElement(u->layout, type, field);
			type = LLVMStructGetTypeAtIndex(type, field);
			continue;
		}
		if (k > 1 && LLVMGetTypeKind(type) != LLVMArrayTypeKind)
			return false;
		length = k > 1 ? LLVMGetArrayLength2(type) : 0;
		if (k > 1)
			type = LLVMGetElementType(type);
		uint64_t stride = LLVMABISizeOfType(u->layout, type);
		if (LLVMIsAConstantInt(index)) {
			if (!l->index)
				offset += stride * (uint64_t)LLVMConstIntGetSExtValue(index);
			continue;
		}
		if (l->index)
			return false;
		l->index = index;
		l->stride = stride;
		l->offset = offset;
		*declared = length;
	}
	return l->index && LLVMGetTypeKind(LLVMTypeOf(l->index)) == LLVMIntegerTypeKind;
}

static bool level_of(const struct unit *u, Value gep, struct level *l)
{
	uint64_t declared, at, size;
	*l = (struct level){.gep = gep, .base = LLVMGetOperand(gep, 0)};
	if (LLVMGetTypeKind(LLVMTypeOf(gep)) != LLVMPointerTypeKind || !find_index(u, gep, l, &declared) || !l->stride)
		return false;
	Value object = object_of(u, l->base, &at, &size);
	uint64_t left = object && l->offset <= size - at ? (size - at - l->offset) / l->stride : 0;
	l->count = declared;
	if (declared < 2) /* flexible, or a pointer used as an array */
		l->count = left;
	else if (object && left < declared) /* a cast told the compiler something else */
		return false;
	l->flags = object ? TD_TABLE_OBJECT : declared < 2 ? TD_TABLE_ASK : 0;
	if (l->flags & TD_TABLE_ASK)
		return l->stride <= MOST_BYTES && l->offset < MOST_SPAN;
	return l->count > 1 && l->count <= MOST_SPAN && l->offset < MOST_SPAN && l->count * l->stride <= (object ? MOST_SPAN : MOST_BYTES);
}

static Value global_under(Value pointer)
{
	while (bounds_is_gep(pointer))
		pointer = LLVMGetOperand(pointer, 0);
	return LLVMIsAGlobalVariable(pointer) ? pointer : NULL;
}

struct table *table_of(const struct unit *u, Value load)
{
	Value pointer = LLVMGetOperand(load, 0);
	unsigned bits = shadow_bits(u, LLVMTypeOf(load));
	struct table t = {.root = weave_root(pointer), .bits = bits};
	if (!bits || bits % 8 || bits > 64 || LLVMStoreSizeOfType(u->layout, LLVMTypeOf(load)) != bits / 8)
		return NULL;
	int64_t behind = 0;
	for (; pointer != t.root; pointer = LLVMGetOperand(pointer, 0))
		bounds_add_offset(u, pointer, &behind);
	t.behind = (uint64_t)behind;
	for (; LLVMIsAGetElementPtrInst(pointer) && t.count < MOST_LEVELS; pointer = weave_root(LLVMGetOperand(pointer, 0))) {
		struct level *l = &t.levels[t.count];
		if (!level_of(u, pointer, l) || l->count * (bits / 8) > MOST_BYTES)
			break;
		t.count++;
	}
	if (!t.count || t.behind >= MOST_SPAN)
		return NULL;
	t.levels[t.count - 1].flags |= TD_TABLE_LAST;
	t.object = global_under(t.root);
	struct table *result = memory_array(1, sizeof *result);
	*result = t;
	return result;
}

void table_free(struct table *t)
{
	free(t);
}

/* ---- addresses beside their loads ---- */

/* What lives across blocks goes through variables, where an address loses its history: it is computed once more. */
static void gather(struct unit *u, Value user)
{
	Value gep = LLVMGetOperand(user, 0);
	if (!LLVMIsAGetElementPtrInst(gep))
		return;
	if (LLVMGetInstructionParent(gep) != LLVMGetInstructionParent(user)) {
		Value copy = LLVMInstructionClone(gep);
		LLVMPositionBuilderBefore(u->builder, user);
		LLVMSetCurrentDebugLocation2(u->builder, NULL);
		LLVMInsertIntoBuilder(u->builder, copy);
		LLVMSetOperand(user, 0, copy);
		gep = copy;
	}
	gather(u, gep);
}

void table_gather(struct unit *u, Value function)
{
	for (Block b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		for (Value i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
			struct table *t = LLVMIsALoadInst(i) ? table_of(u, i) : NULL;
			if (t)
				gather(u, i);
			table_free(t);
		}
}

/* ---- the symbolic side ---- */

static Value name_of(struct unit *u, Value object)
{
	if (!object || unit_name(object)[0] == '.')
		return LLVMConstNull(u->ptr);
	char *key = memory_printf("td.name.%s", unit_name(object));
	Value name = LLVMGetNamedGlobal(u->module, key);
	if (!name) {
		const char *text = unit_name(object);
		Value string = LLVMConstStringInContext2(u->context, text, strlen(text), false);
		name = LLVMAddGlobal(u->module, LLVMTypeOf(string), key);
		LLVMSetInitializer(name, string);
		LLVMSetLinkage(name, LLVMPrivateLinkage);
		LLVMSetGlobalConstant(name, true);
	}
	free(key);
	return name;
}

static Value emit_level(struct weave *w, const struct table *t, const struct level *l, Value found)
{
	struct unit *u = w->u;
	unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(l->index));
	Value wide = bits < 64 ? LLVMBuildSExt(u->builder, l->index, u->i64, "")
	           : bits > 64 ? LLVMBuildTrunc(u->builder, l->index, u->i64, "") : l->index;
	Value address[2];
	emit_words(w, t->root, address);
	return EMIT(w, table, found, weave_shadow(w, t->root), address[0], unit_const32(u, t->behind), weave_shadow(w, l->base), l->base, weave_shadow(w, l->index), wide,
	            unit_const32(u, bits), unit_const32(u, l->offset), unit_const32(u, l->count), unit_const32(u, l->stride),
	            unit_const32(u, t->bits), unit_const32(u, l->flags), name_of(u, t->object));
}

static void emit_try(struct weave *w, const struct step *step)
{
	const struct table *t = step->extra;
	Value found = w->u->zero;
	for (unsigned k = 0; k < t->count; k++)
		found = emit_level(w, t, &t->levels[k], found);
	ptrmap_set(&w->fresh, step->value, found);
}

static void emit_take(struct weave *w, const struct step *step)
{
	struct unit *u = w->u;
	Value words[2], load = step->value;
	const struct table *t = step->extra;
	emit_words(w, load, words);
	Value taken = EMIT(w, table_load, weave_shadow(w, load), LLVMGetOperand(load, 0), unit_const32(u, t->bits / 8), unit_const32(u, t->bits), words[0]);
	ptrmap_set(&w->fresh, load, taken);
}

static void define(struct weave *w, Value load, step_emit *emit, const struct table *t)
{
	region_define(w, load, emit);
	w->steps.at[w->steps.count - 1].extra = t;
}

void table_weave(struct weave *w, Value load, struct table *t)
{
	region_use(w, t->root);
	for (unsigned k = 0; k < t->count; k++) {
		region_use(w, t->levels[k].base);
		region_use(w, t->levels[k].index);
	}
	define(w, load, emit_try, t);
	region_close(w);
	weave_place(w, load);
	region_use(w, load);
	region_page(w, LLVMGetOperand(load, 0));
	define(w, load, emit_take, t);
}
