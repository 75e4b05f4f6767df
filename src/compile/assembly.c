/* Inline assembly. What is written in it nobody knows: its operands are lost, and so is the memory that it is given. But empty assembly
 * is how programs and models keep the optimiser from seeing through a value: there terms go from inputs to the outputs tied to them. */
#include "compile/weave.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* An output tied to an input is that input. */
static void emit_ties(struct weave *w, const struct step *step)
{
	struct unit *u = w->u;
	Value call = step->value;
	Type type = LLVMTypeOf(call);
	size_t length;
	bool compound = LLVMGetTypeKind(type) == LLVMStructTypeKind;
	Value shadow = LLVMConstNull(shadow_type(u, type));
	unsigned argument = 0;
	for (const char *p = LLVMGetInlineAsmConstraintString(LLVMGetCalledValue(call), &length); *p; p += strcspn(p, ","), p += *p == ',') {
		bool output = *p == '=', clobber = *p == '~', indirect = strcspn(p, "*") < strcspn(p, ",");
		if (clobber || (output && !indirect))
			continue;
		if (!output && isdigit((unsigned char)*p)) {
			unsigned to = (unsigned)atoi(p);
			Value from = LLVMGetOperand(call, argument), part = weave_shadow(w, from);
			Type wanted = compound ? LLVMStructGetTypeAtIndex(type, to) : type;
			if (LLVMTypeOf(from) == wanted)
				shadow = compound ? LLVMBuildInsertValue(u->builder, shadow, part, to, "") : part;
		}
		argument++;
	}
	ptrmap_set(&w->fresh, call, shadow);
}

void assembly_emit(struct weave *w, const struct step *step)
{
	struct unit *u = w->u;
	Value call = step->value;
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
		Value argument = LLVMGetOperand(call, i);
		emit_lose_value(w, argument, weave_shadow(w, argument), TD_LOST_ASM);
		LLVMAttributeRef element = call_attribute(call, i, "elementtype");
		if (!element)
			continue;
		uint64_t size = LLVMStoreSizeOfType(u->layout, LLVMGetTypeAttributeValue(element));
		EMIT(w, external, argument, unit_const64(u, size), unit_const32(u, TD_EFFECT_UNKNOWN));
	}
}

void assembly_weave(struct weave *w, Value call)
{
	size_t length;
	const char *text = LLVMGetInlineAsmAsmString(LLVMGetCalledValue(call), &length);
	bool barrier = text[strspn(text, " \t\n")] == 0;
	if (barrier) {
		region_close(w);
		weave_place(w, call);
		if (!ptrmap_get(&w->symbolic, call))
			return;
		for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
			region_use(w, LLVMGetOperand(call, i));
		region_define(w, call, emit_ties);
		return;
	}
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
		region_use(w, LLVMGetOperand(call, i));
		if (call_attribute(call, i, "elementtype"))
			region_page(w, LLVMGetOperand(call, i));
	}
	region_step(w, assembly_emit, call, 0, NULL);
	region_close(w);
	weave_place(w, call);
	ptrmap_set(&w->fixed, call, call);
}
