/* See thunk.h. */
#include "compile/thunk.h"

#include "compile/shadow.h"
#include "contract/facts.h"
#include "contract/unit.h"

#include <stdlib.h>
#include <string.h>

/* Of a function that takes any number of arguments, all others are 0: enough of them for all registers, and some more. */
enum { PARAMETERS_MAX = 64, MORE_NUMBERS = 6, MORE_FLOATS = 8, MORE_STACK = 16, MORE = MORE_NUMBERS + MORE_FLOATS + MORE_STACK };

/* A variable that a parameter, or part of one, is stored to at the beginning. */
struct home { Value variable; uint64_t offset; };

/* Through what takes a fixed part of a variable. */
static struct home home_of(const struct unit *u, Value pointer)
{
	struct home h = {pointer, 0};
	while (LLVMIsAGetElementPtrInst(h.variable)) {
		Type type = LLVMGetGEPSourceElementType(h.variable);
		unsigned n = (unsigned)LLVMGetNumOperands(h.variable);
		for (unsigned k = 1; k < n; k++) {
			Value index = LLVMGetOperand(h.variable, k);
			uint64_t at = LLVMIsAConstantInt(index) ? LLVMConstIntGetZExtValue(index) : 0;
			if (k == 1) {
				h.offset += at * LLVMABISizeOfType(u->layout, type);
			} else if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
				h.offset += LLVMOffsetOfElement(u->layout, type, (unsigned)at);
				type = LLVMStructGetTypeAtIndex(type, (unsigned)at);
			} else {
				type = LLVMGetElementType(type);
				h.offset += at * LLVMABISizeOfType(u->layout, type);
			}
		}
		h.variable = LLVMGetOperand(h.variable, 0);
	}
	return h;
}

static bool find_home(const struct unit *u, Value parameter, struct home *h)
{
	for (LLVMUseRef use = LLVMGetFirstUse(parameter); use; use = LLVMGetNextUse(use)) {
		Value user = LLVMGetUser(use);
		if (LLVMIsAZExtInst(user) && find_home(u, user, h)) /* a bool */
			return true;
		if (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 0) != parameter)
			continue;
		*h = home_of(u, LLVMGetOperand(user, 1));
		if (LLVMIsAAllocaInst(h->variable))
			return true;
	}
	return false;
}

static bool has_attribute(Value function, unsigned parameter, const char *name)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
	return LLVMGetEnumAttributeAtIndex(function, parameter + 1, kind) != NULL;
}

/* False: it is not understood. */
static bool lay_out(const struct unit *u, Value body, struct td_parameter *rows)
{
	uint64_t end = 0, start = 0;
	Value last = NULL;
	for (unsigned i = 0; i < LLVMCountParams(body); i++) {
		Value p = LLVMGetParam(body, i);
		Type type = LLVMTypeOf(p), copied = unit_by_value(body, i);
		struct home h = {NULL, 0};
		rows[i] = (struct td_parameter){.bits = (uint16_t)shadow_bits(u, type), .leaves = (uint16_t)shadow_leaves(u, type)};
		if (has_attribute(body, i, "sret")) {
			rows[i].kind = TD_PARAMETER_RESULT;
			continue;
		}
		if (!copied && !find_home(u, p, &h))
			return false;
		if (copied || h.variable != last) {
			start = (end + TD_UNIT_ALIGN - 1) / TD_UNIT_ALIGN * TD_UNIT_ALIGN;
			end = start + LLVMABISizeOfType(u->layout, copied ? copied : LLVMGetAllocatedType(h.variable));
		}
		last = h.variable;
		rows[i].offset = (uint32_t)(start + h.offset);
		rows[i].kind = copied ? TD_PARAMETER_COPY : TD_PARAMETER_VALUE;
	}
	return true;
}

/* ---- writing ---- */

static Value take(struct unit *u, Value block, const struct td_parameter *row, Type type)
{
	Value at = unit_const64(u, row->offset), from = LLVMBuildGEP2(u->builder, u->i8, block, &at, 1, "");
	if (row->kind == TD_PARAMETER_COPY)
		return from;
	if (row->bits == 1)
		return LLVMBuildTrunc(u->builder, LLVMBuildLoad2(u->builder, u->i8, from, ""), type, "");
	return LLVMBuildLoad2(u->builder, type, from, "");
}

static unsigned add_more(struct unit *u, Value *arguments, unsigned n)
{
	for (unsigned i = 0; i < MORE; i++)
		arguments[n + i] = i >= MORE_NUMBERS && i < MORE_NUMBERS + MORE_FLOATS ? LLVMConstNull(LLVMDoubleTypeInContext(u->context)) : unit_const64(u, 0);
	return n + MORE;
}

static Value write_function(struct unit *u, Value function, Value body, const struct td_parameter *rows)
{
	Type type = LLVMGlobalGetValueType(function), parameters[PARAMETERS_MAX], pair[] = {u->ptr, u->ptr};
	unsigned n = LLVMCountParams(function);
	Value thunk = LLVMAddFunction(u->module, "td.thunk", LLVMFunctionType(u->none, pair, 2, false)), arguments[PARAMETERS_MAX + MORE];
	LLVMGetParamTypes(type, parameters);
	LLVMSetLinkage(thunk, LLVMInternalLinkage);
	LLVMPositionBuilderAtEnd(u->builder, unit_block(u, thunk, NULL, ""));
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	for (unsigned i = 0; i < n; i++)
		arguments[i] = rows[i].kind == TD_PARAMETER_RESULT ? LLVMGetParam(thunk, 1) : take(u, LLVMGetParam(thunk, 0), &rows[i], parameters[i]);
	Value call = LLVMBuildCall2(u->builder, type, function, arguments, LLVMIsFunctionVarArg(type) ? add_more(u, arguments, n) : n, "");
	for (unsigned i = 0; i <= n; i++)
		unit_copy_attributes(body, call, i);
	LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(function));
	LLVMBuildRetVoid(u->builder);
	return thunk;
}

static Value write_layout(struct unit *u, const struct td_parameter *rows, unsigned n)
{
	Type part[] = {u->i32, LLVMInt16TypeInContext(u->context), LLVMInt16TypeInContext(u->context), u->i32};
	Type row = LLVMStructTypeInContext(u->context, part, 4, false);
	Value values[PARAMETERS_MAX];
	for (unsigned i = 0; i < n; i++) {
		Value fields[] = {unit_const32(u, rows[i].offset), LLVMConstInt(part[1], rows[i].bits, false), LLVMConstInt(part[2], rows[i].leaves, false), unit_const32(u, rows[i].kind)};
		values[i] = LLVMConstNamedStruct(row, fields, 4);
	}
	Value g = LLVMAddGlobal(u->module, LLVMArrayType2(row, n), "td.layout");
	LLVMSetInitializer(g, LLVMConstArray2(row, values, n));
	LLVMSetLinkage(g, LLVMInternalLinkage);
	LLVMSetGlobalConstant(g, true);
	return g;
}

struct thunk thunk_write(struct unit *u, Value function, Value body)
{
	struct thunk none = {LLVMConstNull(u->ptr), LLVMConstNull(u->ptr)};
	struct td_parameter rows[PARAMETERS_MAX];
	unsigned n = LLVMCountParams(function);
	if (u->options.models || n > PARAMETERS_MAX || !lay_out(u, body, rows))
		return none;
	return (struct thunk){write_function(u, function, body, rows), write_layout(u, rows, n)};
}
