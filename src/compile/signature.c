/* See signature.h. LLVM's C interface makes debug information and does not read it, so operands are taken by their places: of DISubprogram the type is the fifth and the unit the sixth, of DICompileUnit
 * retained types are the sixth, of DILocalVariable the name is the second (llvm/IR/DebugInfoMetadata.h, LLVM 19). compile_tools' test fails if they are elsewhere. */
#include "compile/signature.h"

#include "contract/facts.h"

#include <llvm-c/DebugInfo.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SUBPROGRAM_TYPE = 4, SUBPROGRAM_UNIT = 5, UNIT_RETAINED = 5, VARIABLE_NAME = 1 };

static Value operand(Value node, unsigned index)
{
	unsigned n = node ? (unsigned)LLVMGetMDNodeNumOperands(node) : 0;
	Value *all = memory_array(n, sizeof *all);
	if (n)
		LLVMGetMDNodeOperands(node, all);
	Value found = index < n ? all[index] : NULL;
	free(all);
	return found;
}

/* --- types --- */

struct kept { LIST(LLVMMetadataRef) types; };

static void keep_retained(Value unit, struct kept *to)
{
	Value list = operand(unit, UNIT_RETAINED);
	unsigned n = list ? (unsigned)LLVMGetMDNodeNumOperands(list) : 0;
	for (unsigned i = 0; i < n; i++)
		list_push(&to->types, LLVMValueAsMetadata(operand(list, i)));
}

static void keep_type(struct unit *u, LLVMDIBuilderRef builder, LLVMMetadataRef program, Value unit, const char *function, struct kept *to)
{
	Value type = operand(LLVMMetadataAsValue(u->context, program), SUBPROGRAM_TYPE);
	char *name = memory_printf(TD_TYPE "%s", function);
	LLVMMetadataRef scope = LLVMValueAsMetadata(unit), file = LLVMDIScopeGetFile(program);
	if (type)
		list_push(&to->types, LLVMDIBuilderCreateTypedef(builder, LLVMValueAsMetadata(type), name, strlen(name), file, LLVMDISubprogramGetLine(program), scope, 0));
	free(name);
}

void signature_keep(struct unit *u)
{
	struct kept kept = {0};
	Value unit = NULL;
	LLVMDIBuilderRef builder = LLVMCreateDIBuilder(u->module);
	for (Value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f)) {
		LLVMMetadataRef program = LLVMIsDeclaration(f) ? NULL : LLVMGetSubprogram(f);
		if (!program)
			continue;
		if (!unit && (unit = operand(LLVMMetadataAsValue(u->context, program), SUBPROGRAM_UNIT)))
			keep_retained(unit, &kept);
		if (unit)
			keep_type(u, builder, program, unit, unit_is_named(f, "__td_main") ? "main" : unit_name(f), &kept);
	}
	if (unit)
		LLVMReplaceMDNodeOperandWith(unit, UNIT_RETAINED, LLVMMDNodeInContext2(u->context, kept.types.at, kept.types.count));
	LLVMDIBuilderFinalize(builder);
	LLVMDisposeDIBuilder(builder);
	free(kept.types.at);
}

/* --- names --- */

static const char *name_of(Value variable, unsigned *length)
{
	Value name = operand(variable, VARIABLE_NAME);
	return name ? LLVMGetMDString(name, length) : NULL;
}

/* Of the variable that a parameter is, or is stored to: its declaration. Those come in the order of the parameters, before all others. */
void signature_names(Value function, char *names, size_t room)
{
	size_t used = 0;
	LLVMMetadataRef program = LLVMGetSubprogram(function);
	for (Value i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)); i && program; i = LLVMGetNextInstruction(i)) {
		if (!LLVMIsADbgDeclareInst(i))
			continue;
		unsigned length = 0;
		const char *name = name_of(LLVMGetOperand(i, 1), &length);
		if (name && used + length + 2 < room)
			used += (size_t)snprintf(names + used, room - used, "%s%.*s", used ? " " : "", (int)length, name);
	}
	names[used] = 0;
}
