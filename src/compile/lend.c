/* Bounds of arrays in objects for the functions they are passed to. While such a function runs, the map names the array in place of the
 * object around it, where the pointer points to (the hook `lend`). That is right only if nobody there gets at the object in another way, by a pointer to
 * the same 16 bytes: so it is done for functions that use nothing but their arguments, models and functions of this file that call nothing else, and the
 * runtime is told of the other pointers they are given. */
#include "compile/bounds.h"
#include "compile/scope.h"
#include "compile/weave.h"

#include <string.h>

/* The variable or pointer that it was computed from, whatever arrays are in between. */
static Value origin(Value pointer)
{
	Value base = bounds_base(pointer);
	while (bounds_is_narrow(base))
		base = bounds_base(LLVMGetOperand(base, 0));
	return base;
}

static bool is_pointer(Value v)
{
	return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind;
}

/* ---- which functions ---- */

/* A hook or a model. */
static bool is_ours(Value callee)
{
	static const char prefix[] = "__td_";
	return LLVMIsAFunction(callee) && strncmp(unit_name(callee), prefix, sizeof prefix - 1) == 0;
}

/* Is this a parameter, which is then counted as used, or a variable, whose bounds do not come from the map? */
static bool use(const struct unit *u, Value pointer, uint64_t *used)
{
	Value base = origin(pointer), function = LLVMIsAArgument(base) ? LLVMGetParamParent(base) : NULL;
	uint64_t size;
	if (LLVMIsConstant(pointer) && LLVMIsNull(pointer))
		return true;
	for (unsigned k = 0; function && k < LLVMCountParams(function) && k < 64; k++)
		if (LLVMGetParam(function, k) == base)
			*used |= 1ull << k;
	return function || bounds_size(u, base, &size);
}

static bool use_arguments(const struct unit *u, Value call, uint64_t *used)
{
	for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++)
		if (is_pointer(LLVMGetOperand(call, k)) && !use(u, LLVMGetOperand(call, k), used))
			return false;
	return true;
}

static bool use_call(const struct unit *u, Value call, uint64_t *used)
{
	if (LLVMIsAInlineAsm(LLVMGetCalledValue(call)))
		return false;
	if (bounds_is_narrow(call) || safety_is_mark(call) || scope_is_mark(call))
		return true;
	switch (intrinsic_of(call)->kind) {
	case INTRINSIC_NOT: return is_ours(LLVMGetCalledValue(call)) && use_arguments(u, call, used);
	case INTRINSIC_COPY: case INTRINSIC_FILL: return use_arguments(u, call, used);
	case INTRINSIC_UNKNOWN: case INTRINSIC_VA_START: case INTRINSIC_VA_COPY: return false;
	default: return true;
	}
}

static bool use_instruction(const struct unit *u, Value i, uint64_t *used)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMLoad: case LLVMAtomicRMW: case LLVMAtomicCmpXchg: return use(u, LLVMGetOperand(i, 0), used);
	case LLVMStore: return use(u, LLVMGetOperand(i, 1), used);
	case LLVMCall: return use_call(u, i, used);
	case LLVMVAArg: case LLVMInvoke: case LLVMCallBr: return false;
	default: return true;
	}
}

/* To the object around what it was given. */
static bool steps_back(const struct unit *u, Value function)
{
	for (Value p = LLVMGetFirstParam(function); p; p = LLVMGetNextParam(p))
		if (is_pointer(p) && bounds_steps_back(u, p))
			return true;
	return false;
}

/* The parameters it uses as pointers, a bit each; 0: none, or other pointers too. */
static uint64_t used_parameters(const struct unit *u, Value function)
{
	uint64_t used = 0;
	if (steps_back(u, function))
		return 0;
	for (Block b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		for (Value i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			if (!use_instruction(u, i, &used))
				return 0;
	return used;
}

void lend_find(struct unit *u, Value function)
{
	ptrmap_set(&u->users, function, (void *)(uintptr_t)used_parameters(u, function));
}

/* ---- calls ---- */

static uint64_t lendable(const struct unit *u, Value call)
{
	Value callee = LLVMGetCalledValue(call);
	return unit_modelled(callee) ? UINT64_MAX : (uintptr_t)ptrmap_get(&u->users, callee);
}

static bool are_two_variables(const struct unit *u, Value a, Value b)
{
	uint64_t size;
	return a != b && bounds_size(u, a, &size) && bounds_size(u, b, &size);
}

void lend_arguments(struct unit *u, Value call)
{
	uint64_t to = LLVMIsAInlineAsm(LLVMGetCalledValue(call)) ? 0 : lendable(u, call);
	unsigned arguments = LLVMGetNumArgOperands(call) < 64 ? LLVMGetNumArgOperands(call) : 64, count = 0;
	Value from = NULL; /* the last origin of what is lent */
	bool narrow[64] = {0};
	for (unsigned k = 0; k < arguments && to; k++)
		narrow[k] = to >> k & 1 && is_pointer(LLVMGetOperand(call, k)) && bounds_is_narrow(bounds_base(LLVMGetOperand(call, k)));
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	LLVMPositionBuilderBefore(u->builder, call);
	for (unsigned k = 0; k < arguments; k++)
		if (narrow[k]) {
			Value base = bounds_base(LLVMGetOperand(call, k));
			HOOK_CALL(u, lend, LLVMGetOperand(call, k), base, LLVMGetOperand(base, 1));
			from = origin(base);
			count++;
		}
	if (!count)
		return;
	for (unsigned k = 0; k < arguments; k++) {
		Value pointer = LLVMGetOperand(call, k);
		if (narrow[k] || !(to >> k & 1) || !is_pointer(pointer) || LLVMIsAFunction(pointer) || (count == 1 && are_two_variables(u, origin(pointer), from)))
			continue;
		HOOK_CALL(u, lend, pointer, LLVMConstNull(u->ptr), unit_const64(u, 0));
		count++;
	}
	LLVMPositionBuilderBefore(u->builder, LLVMGetNextInstruction(call));
	HOOK_CALL(u, lent, unit_const32(u, count));
}
