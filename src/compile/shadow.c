/* See shadow.h. A vector is walked like an array; its shadow is a vector of words so that shuffles apply to both. */
#include "compile/shadow.h"

#include <string.h>

bool shadow_is_float(Type type)
{
	LLVMTypeKind kind = LLVMGetTypeKind(type);
	return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind || kind == LLVMX86_FP80TypeKind;
}

unsigned shadow_bits(const struct unit *u, Type type)
{
	(void)u;
	switch (LLVMGetTypeKind(type)) {
	case LLVMIntegerTypeKind: return LLVMGetIntTypeWidth(type) <= 128 ? LLVMGetIntTypeWidth(type) : 0;
	case LLVMPointerTypeKind: return LLVMGetPointerAddressSpace(type) == 0 ? 64 : 0;
	case LLVMFloatTypeKind: return 32;
	case LLVMDoubleTypeKind: return 64;
	case LLVMX86_FP80TypeKind: return 80;
	default: return 0;
	}
}

static bool is_vector(Type type)
{
	return LLVMGetTypeKind(type) == LLVMVectorTypeKind;
}

/* Number of elements of a compound type, 0 for a scalar. */
static unsigned element_count(Type type)
{
	switch (LLVMGetTypeKind(type)) {
	case LLVMStructTypeKind: return LLVMCountStructElementTypes(type);
	case LLVMArrayTypeKind: {
		uint64_t n = LLVMGetArrayLength2(type);
		return n > SHADOW_MAX_LEAVES ? SHADOW_MAX_LEAVES + 1 : (unsigned)n;
	}
	case LLVMVectorTypeKind: return LLVMGetVectorSize(type);
	default: return 0;
	}
}

static bool is_compound(Type type)
{
	LLVMTypeKind kind = LLVMGetTypeKind(type);
	return kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind || kind == LLVMVectorTypeKind;
}

static Type element_type(Type type, unsigned i)
{
	return LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(type, i) : LLVMGetElementType(type);
}

static uint64_t element_offset(const struct unit *u, Type type, unsigned i)
{
	if (LLVMGetTypeKind(type) == LLVMStructTypeKind)
		return LLVMOffsetOfElement(u->layout, type, i);
	if (is_vector(type)) /* packed by bits; vectors of sub-byte elements are not stored leaf by leaf */
		return LLVMSizeOfTypeInBits(u->layout, LLVMGetElementType(type)) * i / 8;
	return LLVMABISizeOfType(u->layout, LLVMGetElementType(type)) * i;
}

unsigned shadow_leaves(const struct unit *u, Type type)
{
	if (!is_compound(type))
		return 1;
	unsigned total = 0, n = element_count(type);
	for (unsigned i = 0; i < n && total <= SHADOW_MAX_LEAVES; i++)
		total += shadow_leaves(u, element_type(type, i));
	return total;
}

static bool any_scalar_tracked(const struct unit *u, Type type)
{
	if (!is_compound(type))
		return shadow_bits(u, type) != 0;
	unsigned n = element_count(type);
	for (unsigned i = 0; i < n; i++)
		if (any_scalar_tracked(u, element_type(type, i)))
			return true;
	return false;
}

bool shadow_tracked(const struct unit *u, Type type)
{
	if (LLVMGetTypeKind(type) == LLVMScalableVectorTypeKind)
		return false;
	if (!is_compound(type))
		return shadow_bits(u, type) != 0;
	return shadow_leaves(u, type) <= SHADOW_MAX_LEAVES && any_scalar_tracked(u, type);
}

Type shadow_type(const struct unit *u, Type type)
{
	if (!is_compound(type))
		return u->i32;
	if (is_vector(type))
		return LLVMVectorType(u->i32, LLVMGetVectorSize(type));
	if (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
		return LLVMArrayType2(shadow_type(u, LLVMGetElementType(type)), LLVMGetArrayLength2(type));
	unsigned n = element_count(type);
	Type fields[SHADOW_MAX_LEAVES];
	for (unsigned i = 0; i < n && i < SHADOW_MAX_LEAVES; i++)
		fields[i] = shadow_type(u, element_type(type, i));
	return LLVMStructTypeInContext(u->context, fields, n, false);
}

static unsigned flatten(const struct unit *u, Type type, struct leaf here, struct leaf *leaves, unsigned room, unsigned at)
{
	if (!is_compound(type)) {
		here.type = type;
		if (at < room)
			leaves[at] = here;
		return at + 1;
	}
	unsigned n = element_count(type);
	for (unsigned i = 0; i < n && at < SHADOW_MAX_LEAVES * 2 && here.depth < 8; i++) {
		struct leaf inner = here;
		inner.path[inner.depth++] = i;
		inner.offset += element_offset(u, type, i);
		at = flatten(u, element_type(type, i), inner, leaves, room, at);
	}
	return at;
}

unsigned shadow_flatten(const struct unit *u, Type type, struct leaf *leaves, unsigned room)
{
	return flatten(u, type, (struct leaf){0}, leaves, room, 0);
}

static Value get_element(struct unit *u, Value v, unsigned i)
{
	if (is_vector(LLVMTypeOf(v)))
		return LLVMBuildExtractElement(u->builder, v, unit_const32(u, i), "");
	return LLVMBuildExtractValue(u->builder, v, i, "");
}

static Value put_element(struct unit *u, Value v, unsigned i, Value part)
{
	if (is_vector(LLVMTypeOf(v)))
		return LLVMBuildInsertElement(u->builder, v, part, unit_const32(u, i), "");
	return LLVMBuildInsertValue(u->builder, v, part, i, "");
}

Value shadow_get(struct unit *u, Value compound, const struct leaf *leaf)
{
	for (unsigned k = 0; k < leaf->depth; k++)
		compound = get_element(u, compound, leaf->path[k]);
	return compound;
}

static Value put_path(struct unit *u, Value compound, const unsigned *path, unsigned depth, Value part)
{
	if (!depth)
		return part;
	Value inner = depth > 1 ? get_element(u, compound, path[0]) : NULL;
	return put_element(u, compound, path[0], put_path(u, inner, path + 1, depth - 1, part));
}

Value shadow_put(struct unit *u, Value compound, const struct leaf *leaf, Value part)
{
	return put_path(u, compound, leaf->path, leaf->depth, part);
}

/* The scalar as an integer of its own width. */
static Value as_integer(struct unit *u, Value v)
{
	Type type = LLVMTypeOf(v);
	if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
		return LLVMBuildPtrToInt(u->builder, v, u->i64, "");
	if (shadow_is_float(type))
		return LLVMBuildBitCast(u->builder, v, LLVMIntTypeInContext(u->context, shadow_bits(u, type)), "");
	return v;
}

void shadow_words(struct unit *u, Value scalar, Value words[2])
{
	Value n = as_integer(u, scalar);
	unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(n));
	words[1] = unit_const64(u, 0);
	if (bits <= 64) {
		words[0] = bits == 64 ? n : LLVMBuildZExt(u->builder, n, u->i64, "");
		return;
	}
	words[0] = LLVMBuildTrunc(u->builder, n, u->i64, "");
	Value wide = bits == 128 ? n : LLVMBuildZExt(u->builder, n, u->i128, "");
	Value shift = LLVMConstInt(u->i128, 64, false);
	words[1] = LLVMBuildTrunc(u->builder, LLVMBuildLShr(u->builder, wide, shift, ""), u->i64, "");
}
