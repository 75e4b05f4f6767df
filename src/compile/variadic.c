/* Variadic calls, by the ABI of x86-64 System V. A function's va_arg takes its arguments out of memory: of an area where its registers were
 * saved, or of the stack. So the caller says with the ids where in there each one will be, and when the callee begins its list,
 * shadow memory is set: reading an argument is then a load like any other. */
#include "compile/weave.h"

enum { WORD = 8, GENERAL = 6, FLOATING = 8, FLOATING_AREA = WORD * GENERAL, FLOATING_SIZE = 16, LIST_SIZE = 24 };

/* ---- the caller ---- */

/* In registers, if there are enough left. */
static bool place_in_registers(struct variadic_layout *at, Type type, uint64_t size, struct td_va *va)
{
	LLVMTypeKind kind = LLVMGetTypeKind(type);
	unsigned words = kind == LLVMPointerTypeKind || (kind == LLVMIntegerTypeKind && size <= WORD) ? 1 : kind == LLVMIntegerTypeKind && size == 2 * WORD ? 2 : 0;
	bool floating = kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind || (kind == LLVMVectorTypeKind && size <= FLOATING_SIZE);
	if (words && at->general + words <= GENERAL) {
		va->offset = WORD * at->general;
		at->general += words;
		return true;
	}
	if (floating && at->floating < FLOATING) {
		va->offset = FLOATING_AREA + FLOATING_SIZE * at->floating++;
		return true;
	}
	return false;
}

static unsigned alignment_of(Value call, unsigned argument, bool by_value, uint64_t size)
{
	if (!by_value)
		return size > WORD ? 2 * WORD : WORD;
	LLVMAttributeRef align = call_attribute(call, argument, "align");
	uint64_t wanted = align ? LLVMGetEnumAttributeValue(align) : WORD;
	return wanted < WORD ? WORD : (unsigned)wanted;
}

struct td_va variadic_place(const struct unit *u, Value call, unsigned argument, struct variadic_layout *at)
{
	Type type = LLVMTypeOf(LLVMGetOperand(call, argument));
	uint64_t by_value = call_by_value(u, call, argument), size = by_value ? by_value : LLVMStoreSizeOfType(u->layout, type);
	struct td_va va = {.size = (uint8_t)(by_value ? 255 : size), .bytes = (uint32_t)by_value};
	if (argument == LLVMCountParamTypes(LLVMGetCalledFunctionType(call)))
		at->fixed = at->stack;
	if (!by_value && place_in_registers(at, type, size, &va))
		return va;
	unsigned alignment = alignment_of(call, argument, by_value, size);
	at->stack = (at->stack + alignment - 1) / alignment * alignment;
	va.overflow = 1;
	va.offset = at->stack - at->fixed;
	at->stack += (unsigned)(size + WORD - 1) / WORD * WORD;
	return va;
}

uint64_t variadic_stacked(const struct unit *u, Value call)
{
	struct variadic_layout layout = {0};
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
		variadic_place(u, call, i, &layout);
	return LLVMGetNumArgOperands(call) > LLVMCountParamTypes(LLVMGetCalledFunctionType(call)) ? layout.stack - layout.fixed : 0;
}

/* ---- the callee ---- */

/* What came with the call is copied: later calls overwrite the slots. */
void variadic_enter(struct weave *w, Value match)
{
	struct unit *u = w->u;
	w->variadic_ids = LLVMBuildAlloca(u->builder, u->slots_type, "");
	Value desc = LLVMBuildLoad2(u->builder, u->ptr, call_slot(w, SLOT_VARIADIC, 0), "");
	w->variadic_desc = LLVMBuildSelect(u->builder, match, desc, LLVMConstNull(u->ptr), "");
	LLVMBuildMemCpy(u->builder, w->variadic_ids, 8, u->slots, 8, unit_const64(u, LLVMOffsetOfElement(u->layout, u->slots_type, SLOT_VALUE)));
	Value ours = LLVMBuildICmp(u->builder, LLVMIntEQ, LLVMBuildLoad2(u->builder, u->ptr, call_slot(w, SLOT_STACKED_FOR, 0), ""), w->identity, "");
	Value bytes = LLVMBuildLoad2(u->builder, u->i64, call_slot(w, SLOT_STACKED, 0), "");
	LLVMBuildStore(u->builder, LLVMBuildSelect(u->builder, ours, bytes, unit_const64(u, 0), ""),
	               LLVMBuildStructGEP2(u->builder, u->slots_type, w->variadic_ids, SLOT_STACKED, ""));
	LLVMBuildStore(u->builder, LLVMConstNull(u->ptr), call_slot(w, SLOT_STACKED_FOR, 0));
}

void variadic_start(struct weave *w, Value call)
{
	struct unit *u = w->u;
	region_close(w);
	weave_place(w, call);
	if (w->variadic_desc)
		HOOK_CALL(u, va_start, LLVMGetOperand(call, 0), w->variadic_desc, w->variadic_ids);
}

void variadic_copy(struct weave *w, Value call)
{
	region_close(w);
	weave_place(w, call);
	HOOK_CALL(w->u, fill, LLVMGetOperand(call, 0), w->u->zero, unit_const64(w->u, LIST_SIZE));
}
