/* The second copy of all blocks, and the way between the two; see weave.h. */
#include "compile/local.h"
#include "compile/weave.h"

#include "contract/module.h"

#include <llvm-c/DebugInfo.h>

#include <stdlib.h>
#include <string.h>

/* ---- can it be torn apart? ---- */

static bool calls_name(Value i, const char *name)
{
	Value callee = LLVMGetCalledValue(i);
	return LLVMIsAFunction(callee) && strcmp(unit_name(callee), name) == 0;
}

bool twin_returns_twice(Value call)
{
	static const char *const names[] = {"llvm.eh.sjlj.setjmp", "setjmp", "_setjmp", "__sigsetjmp", "sigsetjmp", "vfork", "__td_m_vfork"};
	static const char attribute[] = "returns_twice";
	unsigned kind = LLVMGetEnumAttributeKindForName(attribute, sizeof attribute - 1);
	for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
		if (calls_name(call, names[k]))
			return true;
	return LLVMGetCallSiteEnumAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind) != NULL;
}

static bool ties_frame(Value i)
{
	static const char *const names[] = {"llvm.returnaddress", "llvm.frameaddress.p0", "llvm.stacksave.p0"};
	if (LLVMIsAAllocaInst(i))
		return true;
	if (!LLVMIsACallInst(i))
		return LLVMIsAInvokeInst(i) || LLVMGetInstructionOpcode(i) == LLVMIndirectBr || LLVMGetInstructionOpcode(i) == LLVMCallBr;
	for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
		if (calls_name(i, names[k]))
			return true;
	return LLVMGetTailCallKind(i) == LLVMTailCallKindMustTail || twin_returns_twice(i);
}

/* Looks at blocks behind the entry, where no static variables are left. */
static bool is_tied(const struct weave *w)
{
	if (LLVMIsFunctionVarArg(LLVMGlobalGetValueType(w->function)) || unit_has_by_value(w->function))
		return true;
	for (size_t k = 0; k < w->twins.count; k++)
		for (Value i = LLVMGetFirstInstruction(w->twins.at[k].concrete); i; i = LLVMGetNextInstruction(i))
			if (ties_frame(i))
				return true;
	return false;
}

/* ---- liveness of variables ---- */

static unsigned field_of(const struct weave *w, Value v)
{
	return (unsigned)(uintptr_t)ptrmap_get(&w->state.index, v);
}

static void live_at_end(const struct weave *w, Value end, unsigned char *live)
{
	size_t n = w->state.fields.count;
	memset(live, 0, n);
	for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++) {
		const struct twin *next = twin_of(w, LLVMGetSuccessor(end, k));
		for (size_t v = 0; v < n; v++)
			live[v] |= next->live[v];
	}
}

/* The field of the variable that is loaded or stored, + 1. */
static unsigned accessed_field(const struct weave *w, Value i)
{
	Value variable = LLVMIsALoadInst(i) ? LLVMGetOperand(i, 0) : LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 1) : NULL;
	return variable && LLVMIsAAllocaInst(variable) ? field_of(w, variable) : 0;
}

/* Backward over one block; true if its live set grew. */
static bool live_block(struct weave *w, struct twin *t, unsigned char *live)
{
	size_t n = w->state.fields.count;
	bool grew = false;
	Value end = LLVMGetBasicBlockTerminator(t->concrete);
	live_at_end(w, end, live);
	for (Value i = end; i; i = LLVMGetPreviousInstruction(i)) {
		unsigned field = accessed_field(w, i);
		if (field)
			live[field - 1] = LLVMIsALoadInst(i) != NULL;
	}
	for (size_t v = 0; v < n; v++) {
		grew |= live[v] > t->live[v];
		t->live[v] |= live[v];
	}
	return grew;
}

/* reg2mem keeps every value that crosses a block, also for uses that split_forward has since served. */
static void drop_dead_stores(struct weave *w, const struct twin *t, unsigned char *live)
{
	Value end = LLVMGetBasicBlockTerminator(t->concrete);
	live_at_end(w, end, live);
	for (Value i = end, previous; i; i = previous) {
		previous = LLVMGetPreviousInstruction(i);
		unsigned field = accessed_field(w, i);
		if (!field || !split_is_variable(w->u, w->state.fields.at[field - 1]))
			continue;
		if (LLVMIsAStoreInst(i) && !live[field - 1])
			LLVMInstructionEraseFromParent(i);
		else
			live[field - 1] = LLVMIsALoadInst(i) != NULL;
	}
}

static void find_live(struct weave *w)
{
	unsigned char *scratch = memory_array(w->state.fields.count, 1);
	for (size_t k = 0; k < w->twins.count; k++)
		w->twins.at[k].live = memory_array(w->state.fields.count, 1);
	for (bool grew = true; grew;) {
		grew = false;
		for (size_t k = w->twins.count; k-- > 0;)
			grew |= live_block(w, &w->twins.at[k], scratch);
	}
	for (size_t k = 0; k < w->twins.count; k++)
		drop_dead_stores(w, &w->twins.at[k], scratch);
	free(scratch);
}

/* ---- the state ---- */

enum { FIELD_RESULT, FIELD_FIRST };

static Value field_address(struct weave *w, Value state, unsigned field)
{
	Value by = unit_const64(w->u, LLVMOffsetOfElement(w->u->layout, w->state.type, field));
	return LLVMBuildGEP2(w->u->builder, w->u->i8, state, &by, 1, "");
}

static void add_field(struct weave *w, Value v)
{
	list_push(&w->state.fields, v);
	ptrmap_set(&w->state.index, v, (void *)w->state.fields.count);
}

static Type field_type(const struct weave *w, Value v)
{
	return split_is_variable(w->u, v) ? LLVMGetAllocatedType(v) : LLVMTypeOf(v);
}

static void make_state(struct weave *w)
{
	struct unit *u = w->u;
	for (Value p = LLVMGetFirstParam(w->function); p; p = LLVMGetNextParam(p))
		add_field(w, p);
	for (Value i = LLVMGetFirstInstruction(w->entry); i; i = LLVMGetNextInstruction(i))
		add_field(w, i);
	size_t n = w->state.fields.count;
	Type *types = memory_array(n + FIELD_FIRST, sizeof *types), result = LLVMGetReturnType(LLVMGlobalGetValueType(w->function));
	types[FIELD_RESULT] = result == u->none ? u->i8 : result;
	for (size_t k = 0; k < n; k++)
		types[FIELD_FIRST + k] = field_type(w, w->state.fields.at[k]);
	w->state.type = LLVMStructTypeInContext(u->context, types, (unsigned)(n + FIELD_FIRST), false);
	free(types);
}

/* ---- copying ---- */

/* Stack variables go to an entry of their own, which everything else comes after. */
static void make_entry(struct weave *w)
{
	struct unit *u = w->u;
	Block first = LLVMGetFirstBasicBlock(w->function);
	w->entry = LLVMInsertBasicBlockInContext(u->context, first, "td.entry");
	LLVMPositionBuilderAtEnd(u->builder, w->entry);
	for (Value i = LLVMGetFirstInstruction(first), next; i; i = next) {
		next = LLVMGetNextInstruction(i);
		if (!LLVMIsAAllocaInst(i) || !LLVMIsConstant(LLVMGetOperand(i, 0)))
			continue;
		LLVMInstructionRemoveFromParent(i);
		LLVMSetCurrentDebugLocation2(u->builder, NULL);
		LLVMInsertIntoBuilder(u->builder, i);
	}
}

static void copy_block(struct weave *w, const struct twin *twin)
{
	struct unit *u = w->u;
	LLVMPositionBuilderAtEnd(u->builder, twin->symbolic);
	for (Value i = LLVMGetFirstInstruction(twin->concrete); i; i = LLVMGetNextInstruction(i)) {
		if (look_is(i) && !look_checks(i))
			continue;
		if (LLVMIsAFreezeInst(i)) { /* nothing is optimised there: what is undefined stays as it is */
			Value from = LLVMGetOperand(i, 0), to = ptrmap_get(&w->copies, from);
			ptrmap_set(&w->copies, i, to ? to : from);
			continue;
		}
		Value copy = LLVMInstructionClone(i);
		LLVMSetCurrentDebugLocation2(u->builder, NULL);
		LLVMInsertIntoBuilder(u->builder, copy);
		ptrmap_set(&w->copies, i, copy);
	}
}

static void redirect(struct weave *w, Value copy)
{
	for (int k = 0; k < LLVMGetNumOperands(copy); k++) {
		Value to = ptrmap_get(&w->copies, LLVMGetOperand(copy, (unsigned)k));
		if (to)
			LLVMSetOperand(copy, (unsigned)k, to);
	}
	if (!LLVMIsATerminatorInst(copy))
		return;
	for (unsigned k = 0; k < LLVMGetNumSuccessors(copy); k++)
		LLVMSetSuccessor(copy, k, twin_of(w, LLVMGetSuccessor(copy, k))->symbolic);
}

/* Addresses that only a look wanted, variables that only a region reads. */
static void drop_dead(struct weave *w, Block b)
{
	for (Value i = LLVMGetBasicBlockTerminator(b), previous; i; i = previous) {
		previous = LLVMGetPreviousInstruction(i);
		bool pure = symbolic_carries(i) ? !LLVMIsACallInst(i) : LLVMIsALoadInst(i) && split_is_variable(w->u, LLVMGetOperand(i, 0));
		if (pure && !LLVMGetFirstUse(i))
			LLVMInstructionEraseFromParent(i);
	}
}

/* In place there is nothing to leave, but bounds are checked. */
static void drop_looks(struct weave *w)
{
	for (size_t k = 0; k < w->twins.count; k++) {
		for (Value i = LLVMGetFirstInstruction(w->twins.at[k].concrete), next; i; i = next) {
			next = LLVMGetNextInstruction(i);
			if (look_is(i) && !look_checks(i))
				LLVMInstructionEraseFromParent(i);
		}
		drop_dead(w, w->twins.at[k].concrete);
	}
}

const struct twin *twin_of(const struct weave *w, Block concrete)
{
	return &w->twins.at[(uintptr_t)ptrmap_get(&w->twin_index, concrete) - 1];
}

/* The symbolic side works on the state itself. While it is written there are stand-ins at its entry: a stack variable, which is what
 * everybody takes for one, or a load; see finish_fields. */
static void symbolic_entry(struct weave *w)
{
	struct unit *u = w->u;
	Block entry = unit_block(u, w->symbolic_side, NULL, "td.entry");
	LLVMPositionBuilderAtEnd(u->builder, entry);
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	w->state.symbolic = LLVMGetParam(w->symbolic_side, 0);
	for (size_t k = 0; k < w->state.fields.count; k++) {
		Value v = w->state.fields.at[k], copy;
		if (split_is_variable(u, v))
			copy = LLVMBuildAlloca(u->builder, field_type(w, v), "");
		else
			copy = LLVMBuildLoad2(u->builder, field_type(w, v), w->state.symbolic, "");
		if (!LLVMIsAAllocaInst(v))
			list_push(&w->parameters, copy);
		ptrmap_set(&w->copies, v, copy);
		ptrmap_set(&w->state.places, copy, (void *)(LLVMOffsetOfElement(u->layout, w->state.type, (unsigned)k + FIELD_FIRST) + 1));
	}
}

/* A field's address or value, of this block's own: kept across the function, they would be the register allocator's main trouble. */
static Value field_here(struct weave *w, Value stand_in, unsigned field, struct ptrmap *here)
{
	struct unit *u = w->u;
	Value now = ptrmap_get(here, stand_in);
	if (now)
		return now;
	now = field_address(w, w->state.symbolic, field);
	if (!LLVMIsAAllocaInst(stand_in))
		now = LLVMBuildLoad2(u->builder, LLVMTypeOf(stand_in), now, "");
	ptrmap_set(here, stand_in, now);
	return now;
}

static void finish_block(struct weave *w, Block b, const struct ptrmap *fields)
{
	struct ptrmap here = {0};
	for (Value i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
		for (int k = 0; k < LLVMGetNumOperands(i); k++) {
			Value stand_in = LLVMGetOperand(i, (unsigned)k);
			uintptr_t field = (uintptr_t)ptrmap_get(fields, stand_in);
			if (!field)
				continue;
			LLVMPositionBuilderBefore(w->u->builder, i);
			LLVMSetOperand(i, (unsigned)k, field_here(w, stand_in, (unsigned)field, &here));
		}
	ptrmap_free(&here);
}

static void finish_fields(struct weave *w)
{
	struct ptrmap fields = {0};
	LLVMSetCurrentDebugLocation2(w->u->builder, NULL);
	for (size_t k = 0; k < w->state.fields.count; k++)
		ptrmap_set(&fields, ptrmap_get(&w->copies, w->state.fields.at[k]), (void *)(k + FIELD_FIRST));
	for (Block b = LLVMGetFirstBasicBlock(w->symbolic_side); b; b = LLVMGetNextBasicBlock(b))
		finish_block(w, b, &fields);
	for (size_t k = 0; k < w->state.fields.count; k++)
		LLVMInstructionEraseFromParent(ptrmap_get(&w->copies, w->state.fields.at[k]));
	ptrmap_free(&fields);
}

/* It has no line of its own to begin at: whoever stops at that line is to stop in the native version. */
static LLVMMetadataRef describe(LLVMDIBuilderRef b, LLVMMetadataRef program, const char *name)
{
	LLVMMetadataRef file = LLVMDIScopeGetFile(program), type = LLVMDIBuilderCreateSubroutineType(b, file, NULL, 0, LLVMDIFlagZero);
	return LLVMDIBuilderCreateFunction(b, file, name, strlen(name), name, strlen(name), file, LLVMDISubprogramGetLine(program), type, true, true, 0, LLVMDIFlagZero, true);
}

LLVMMetadataRef twin_describe(struct weave *w, Value function)
{
	LLVMMetadataRef program = w->u->debug ? LLVMGetSubprogram(w->concrete_side) : NULL, copy = program ? describe(w->u->debug, program, unit_name(function)) : NULL;
	if (copy)
		LLVMSetSubprogram(function, copy);
	return copy;
}

/* A function may be of several files, by #line or by what it includes: what is not in the one that it begins in has a scope of its own. */
static LLVMMetadataRef scope_in(const struct unit *u, LLVMMetadataRef place, LLVMMetadataRef program)
{
	LLVMMetadataRef file = LLVMDIScopeGetFile(LLVMDILocationGetScope(place));
	return !file || file == LLVMDIScopeGetFile(program) ? program : LLVMDIBuilderCreateLexicalBlockFile(u->debug, program, file, 0);
}

/* A place of the concrete side as one of `program`; what was inlined before there were sides stays inlined. */
static LLVMMetadataRef move_place(const struct unit *u, LLVMMetadataRef place, LLVMMetadataRef program)
{
	LLVMMetadataRef call = LLVMDILocationGetInlinedAt(place);
	return LLVMDIBuilderCreateDebugLocation(u->context, LLVMDILocationGetLine(place), LLVMDILocationGetColumn(place),
	                                        call ? LLVMDILocationGetScope(place) : scope_in(u, place, program), call ? move_place(u, call, program) : NULL);
}

/* Might a stack trace begin or pass here? */
static bool may_end(Value i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMCall: case LLVMLoad: case LLVMStore: case LLVMAtomicRMW: case LLVMAtomicCmpXchg:
	case LLVMUDiv: case LLVMSDiv: case LLVMURem: case LLVMSRem:
		return true;
	default:
		return false;
	}
}

/* Lines for stack traces; more would cost the compiler time. */
static void move_lines(const struct unit *u, Block block, LLVMMetadataRef program)
{
	LLVMMetadataRef nowhere = program ? LLVMDIBuilderCreateDebugLocation(u->context, 0, 0, program, NULL) : NULL;
	for (Value i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
		LLVMMetadataRef was = LLVMInstructionGetDebugLoc(i);
		if (!program || !was || !may_end(i))
			LLVMInstructionSetDebugLoc(i, LLVMIsACallInst(i) ? nowhere : NULL);
		else
			LLVMInstructionSetDebugLoc(i, move_place(u, was, program));
		if (LLVMIsATerminatorInst(i)) /* it mentions lines too */
			LLVMSetMetadata(i, LLVMGetMDKindIDInContext(u->context, "llvm.loop", 9), NULL);
	}
}

static void copy_lines(struct weave *w)
{
	LLVMMetadataRef program = twin_describe(w, w->symbolic_side);
	for (size_t k = 0; k < w->twins.count; k++)
		move_lines(w->u, w->twins.at[k].symbolic, program);
}

enum { NAME_OPERAND = 2, UNIT_OPERAND = 5, OPERANDS_MAX = 32 }; /* of LLVM's DISubprogram */

static void drop_declarations(Block block)
{
	for (Value i = LLVMGetFirstInstruction(block), next; i; i = next) {
		next = LLVMGetNextInstruction(i);
		if (LLVMIsADbgInfoIntrinsic(i))
			LLVMInstructionEraseFromParent(i);
	}
}

/* The concrete side stays in the program's unit, but without variables and a line to begin at. */
static void describe_concrete(struct weave *w)
{
	struct unit *u = w->u;
	LLVMMetadataRef program = u->debug ? LLVMGetSubprogram(w->concrete_side) : NULL;
	if (!program)
		return;
	Value was[OPERANDS_MAX];
	LLVMGetMDNodeOperands(LLVMMetadataAsValue(u->context, program), was);
	unsigned length;
	LLVMMetadataRef copy = describe(u->debug, program, LLVMGetMDString(was[NAME_OPERAND], &length));
	LLVMReplaceMDNodeOperandWith(LLVMMetadataAsValue(u->context, copy), UNIT_OPERAND, LLVMValueAsMetadata(was[UNIT_OPERAND]));
	LLVMSetSubprogram(w->concrete_side, copy);
	for (Block b = LLVMGetFirstBasicBlock(w->concrete_side); b; b = LLVMGetNextBasicBlock(b)) {
		drop_declarations(b);
		move_lines(u, b, copy);
	}
}

static void make_symbolic_side(struct weave *w)
{
	struct unit *u = w->u;
	char *name = memory_printf("%.*s.s", (int)strlen(unit_name(w->function)) - 2, unit_name(w->function));
	Type types[] = {u->ptr, u->i32};
	w->symbolic_side = LLVMAddFunction(u->module, name, LLVMFunctionType(u->i32, types, 2, false));
	LLVMSetLinkage(w->symbolic_side, LLVMInternalLinkage);
	free(name);
	static const char *const attributes[] = {"noinline", "optnone", "cold", "nounwind"};
	for (size_t k = 0; k < sizeof attributes / sizeof attributes[0]; k++)
		unit_attribute(u, w->symbolic_side, attributes[k], 0);
	unit_frame_pointer(u, w->symbolic_side);
	LLVMSetSection(w->symbolic_side, TD_TEXT_SECTION);
	make_state(w);
	find_live(w);
	symbolic_entry(w);
	for (size_t k = 0; k < w->twins.count; k++)
		w->twins.at[k].symbolic = unit_block(u, w->symbolic_side, NULL, "td.symbolic");
	for (size_t k = 0; k < w->twins.count; k++)
		copy_block(w, &w->twins.at[k]);
	for (size_t k = 0; k < w->twins.count; k++)
		for (Value i = LLVMGetFirstInstruction(w->twins.at[k].symbolic); i; i = LLVMGetNextInstruction(i))
			redirect(w, i);
	for (size_t k = 0; k < w->twins.count; k++)
		drop_dead(w, w->twins.at[k].symbolic);
	copy_lines(w);
}

/* LLVM's passes over loops look at the whole function for each, and every block has an exit more here: large functions are not inlined,
 * those with many blocks and many loops not optimised. An interpreter's one loop is. */
enum { LARGE = 120, VERY_LARGE = 40000 };

static void tame(struct weave *w)
{
	size_t loops = 0;
	for (size_t k = 0; k < w->twins.count; k++)
		loops += w->twins.at[k].header;
	if (w->twins.count > LARGE)
		unit_keep_whole(w->u, w->concrete_side, w->twins.count * (loops + 1) <= VERY_LARGE);
}

void twin_make(struct weave *w)
{
	split_forward(w->u, w->function);
	struct cfg *cfg = cfg_new(w->function);
	w->concrete_side = w->symbolic_side = w->function;
	for (int b = 0; b < cfg->count; b++) {
		struct twin twin = {.concrete = cfg->blocks[b].block, .symbolic = cfg->blocks[b].block, .header = cfg->blocks[b].header};
		if (cfg->blocks[b].order < 0)
			continue;
		list_push(&w->twins, twin);
		ptrmap_set(&w->twin_index, twin.concrete, (void *)w->twins.count);
	}
	cfg_free(cfg);
	make_entry(w);
	w->one_sided = is_tied(w);
	if (w->one_sided)
		drop_looks(w);
	if (w->one_sided)
		for (Value p = LLVMGetFirstParam(w->function); p; p = LLVMGetNextParam(p))
			list_push(&w->parameters, p);
	else
		make_symbolic_side(w);
	tame(w);
	for (size_t k = 0; k < w->twins.count; k++)
		ptrmap_set(&w->on_symbolic_side, w->twins.at[k].symbolic, w->twins.at[k].symbolic);
}

void twin_use(struct weave *w, bool symbolic)
{
	w->function = symbolic ? w->symbolic_side : w->concrete_side;
}

/* ---- crossing over ---- */

static uint64_t field_offset(const struct weave *w, size_t k)
{
	return LLVMOffsetOfElement(w->u->layout, w->state.type, (unsigned)k + FIELD_FIRST);
}

static void write_field(struct weave *w, Value state, size_t k, Value now)
{
	LLVMBuildStore(w->u->builder, now, field_address(w, state, (unsigned)k + FIELD_FIRST));
}

/* How it travels as a variadic argument: TD_LIVE_WORD or TD_LIVE_FLOAT; -1: not at all. */
static int live_kind(const struct weave *w, Type type)
{
	switch (LLVMGetTypeKind(type)) {
	case LLVMIntegerTypeKind: return LLVMSizeOfTypeInBits(w->u->layout, type) <= 64 ? TD_LIVE_WORD : -1;
	case LLVMPointerTypeKind: return TD_LIVE_WORD;
	case LLVMFloatTypeKind: case LLVMDoubleTypeKind: return TD_LIVE_FLOAT;
	default: return -1;
	}
}

static unsigned index_of(const struct weave *w, const struct twin *t)
{
	return (unsigned)(t - w->twins.at);
}

enum { STAY = 1 << 30 }; /* in `where`: there is no concrete side to go back to */

Value twin_staying(struct weave *w)
{
	return LLVMBuildAnd(w->u->builder, LLVMGetParam(w->symbolic_side, 1), unit_const32(w->u, STAY), "");
}

/* A state of the gate's own, with objects of its own. */
void twin_begin(struct weave *w)
{
	struct unit *u = w->u;
	Value state = LLVMBuildAlloca(u->builder, w->state.type, "td.state");
	LIST(Value) allocas = {0}, addresses = {0};
	unsigned parameter = 0;
	for (size_t k = 0; k < w->state.fields.count; k++) {
		Value v = w->state.fields.at[k], now;
		if (split_is_variable(u, v))
			continue;
		if (LLVMIsAAllocaInst(v) && local_is_object(u, v)) {
			now = local_build(u, v);
			if (!local_is_scoped(u, v)) {
				list_push(&allocas, v);
				list_push(&addresses, now);
			}
		} else if (LLVMIsAAllocaInst(v)) {
			now = LLVMBuildArrayAlloca(u->builder, LLVMGetAllocatedType(v), LLVMGetOperand(v, 0), "");
			LLVMSetAlignment(now, LLVMGetAlignment(v));
		} else {
			now = LLVMGetParam(w->gate, parameter++);
		}
		write_field(w, state, k, now);
	}
	Type result = LLVMGetReturnType(LLVMGlobalGetValueType(w->gate));
	Type types[] = {u->ptr, u->i32}, type = LLVMFunctionType(u->i32, types, 2, false);
	local_enter(u, allocas.at, addresses.at, addresses.count);
	LLVMBuildCall2(u->builder, type, w->symbolic_side, (Value[]){state, unit_const32(u, STAY)}, 2, "");
	local_leave(u, addresses.at, addresses.count);
	free(allocas.at);
	free(addresses.at);
	if (result == u->none)
		LLVMBuildRetVoid(u->builder);
	else
		LLVMBuildRet(u->builder, LLVMBuildLoad2(u->builder, result, field_address(w, state, FIELD_RESULT), ""));
}

/* The arguments of a hook: what is live, and a constant that says where it goes. */
struct hand_over {
	LIST(Value) arguments;
	LIST(struct td_live) live;
};

static struct td_live live_at(const struct weave *w, size_t k, int kind)
{
	unsigned bits = (unsigned)LLVMSizeOfTypeInBits(w->u->layout, field_type(w, w->state.fields.at[k]));
	return (struct td_live){(uint32_t)field_offset(w, k), (uint16_t)kind, (uint16_t)bits};
}

/* A pointer that is looked at may be what a variable holds. */
static void add_pointer(struct weave *w, const struct twin *to, Value pointer, struct hand_over *h)
{
	Value from = LLVMIsAFreezeInst(pointer) ? LLVMGetOperand(pointer, 0) : pointer;
	unsigned field = field_of(w, region_holder(w, from));
	bool live = field && split_is_variable(w->u, w->state.fields.at[field - 1]) && to->live[field - 1];
	list_push(&h->arguments, pointer);
	list_push(&h->live, live ? live_at(w, field - 1, TD_LIVE_WORD) : ((struct td_live){0, TD_LIVE_NOT, 64}));
}

static bool has_place(const struct hand_over *h, uint64_t offset)
{
	for (size_t k = 0; k < h->live.count; k++)
		if (h->live.at[k].kind != TD_LIVE_NOT && h->live.at[k].offset == offset)
			return true;
	return false;
}

static void gather_live(struct weave *w, const struct twin *to, struct hand_over *h)
{
	struct unit *u = w->u;
	for (size_t k = 0; k < w->state.fields.count; k++) {
		Value v = w->state.fields.at[k];
		if (!split_is_variable(u, v) || !to->live[k] || has_place(h, field_offset(w, k)))
			continue;
		Type type = field_type(w, v);
		Value now = LLVMBuildLoad2(u->builder, type, v, "");
		int kind = live_kind(w, type);
		if (kind < 0) {
			write_field(w, w->state.concrete, k, now);
			continue;
		}
		list_push(&h->arguments, now);
		list_push(&h->live, live_at(w, k, kind));
	}
	list_push(&h->live, ((struct td_live){0}));
}

static void add_resume(struct weave *w, Block resume, Value where)
{
	list_push(&w->resumes, resume);
	LLVMAddIncoming(w->where, &where, &w->current, 1);
}

/* Behind a call that brought something. Code that writes each value cost most of the compiler's time, hence the hook. */
void twin_hand_over(struct weave *w, const struct twin *to, Block resume)
{
	struct unit *u = w->u;
	struct hand_over h = {0};
	list_push(&h.arguments, NULL);
	list_push(&h.arguments, w->state.concrete);
	gather_live(w, to, &h);
	h.arguments.at[0] = unit_data(u, h.live.at, h.live.count * sizeof *h.live.at);
	if (h.live.count > 1)
		unit_call(u, TD_HOOK_hand_over, h.arguments.at, (unsigned)h.arguments.count);
	add_resume(w, resume, unit_const32(u, w->resumes.count + 1));
	LLVMBuildBr(u->builder, w->exit);
	free(h.arguments.at);
	free(h.live.at);
}

/* Asking and handing over in one call: this is behind every head, and half of what there is to compile. */
void twin_cross(struct weave *w, const struct twin *twin, const struct look_list *looks, Block rest)
{
	struct unit *u = w->u;
	struct hand_over h = {0};
	struct td_crossing head = {.where = (uint32_t)w->resumes.count + 1, .pointers = looks->pointer_count};
	list_push(&h.arguments, NULL);
	list_push(&h.arguments, w->state.concrete);
	for (unsigned k = 0; k < looks->pointer_count; k++)
		add_pointer(w, twin, looks->pointers[k], &h);
	gather_live(w, twin, &h);
	h.arguments.at[0] = unit_data(u, &head, sizeof head);
	unit_add_data(u, looks->looks.at, looks->looks.count * sizeof *looks->looks.at);
	unit_add_data(u, h.live.at, h.live.count * sizeof *h.live.at);
	Value where = unit_call(u, TD_HOOK_cross, h.arguments.at, (unsigned)h.arguments.count);
	add_resume(w, twin->stay, where);
	LLVMBuildCondBr(u->builder, LLVMBuildICmp(u->builder, LLVMIntNE, where, u->zero, ""), w->exit, rest);
	free(h.arguments.at);
	free(h.live.at);
}

void twin_go_back(struct weave *w, const struct twin *to)
{
	LLVMBuildRet(w->u->builder, unit_const32(w->u, index_of(w, to) + 1));
}

void twin_return(struct weave *w, Value ret)
{
	struct unit *u = w->u;
	if (LLVMGetNumOperands(ret))
		LLVMBuildStore(u->builder, LLVMGetOperand(ret, 0), field_address(w, w->state.symbolic, FIELD_RESULT));
	LLVMBuildRet(u->builder, u->zero);
	LLVMDeleteInstruction(ret);
}

/* The concrete side's exit: parameters and addresses do not change, so they are written once, here. */
static void finish_exit(struct weave *w)
{
	struct unit *u = w->u;
	Type types[] = {u->ptr, u->i32}, type = LLVMFunctionType(u->i32, types, 2, false), result = LLVMGetReturnType(LLVMGlobalGetValueType(w->concrete_side));
	LLVMPositionBuilderAtEnd(u->builder, w->exit);
	for (size_t k = 0; k < w->state.fields.count; k++)
		if (!split_is_variable(w->u, w->state.fields.at[k]))
			write_field(w, w->state.concrete, k, w->state.fields.at[k]);
	LLVMMetadataRef program = LLVMGetSubprogram(w->concrete_side);
	if (program)
		LLVMSetCurrentDebugLocation2(u->builder, LLVMDIBuilderCreateDebugLocation(u->context, 0, 0, program, NULL));
	Value code = LLVMBuildCall2(u->builder, type, w->symbolic_side, (Value[]){w->state.concrete, w->where}, 2, "");
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	Block done = unit_block(u, w->concrete_side, NULL, "td.done");
	Value next = LLVMBuildSwitch(u->builder, code, done, 1);
	LLVMPositionBuilderAtEnd(u->builder, done);
	if (result == u->none)
		LLVMBuildRetVoid(u->builder);
	else
		LLVMBuildRet(u->builder, LLVMBuildLoad2(u->builder, result, field_address(w, w->state.concrete, FIELD_RESULT), ""));
	for (size_t k = 0; k < w->twins.count; k++) {
		const struct twin *t = &w->twins.at[k];
		if (!t->header)
			continue;
		Block back = unit_block(u, w->concrete_side, NULL, "td.back");
		LLVMAddCase(next, unit_const32(u, k + 1), back);
		LLVMPositionBuilderAtEnd(u->builder, back);
		for (size_t f = 0; f < w->state.fields.count; f++) {
			Value v = w->state.fields.at[f];
			if (!split_is_variable(w->u, v) || !t->live[f])
				continue;
			Value now = LLVMBuildLoad2(u->builder, field_type(w, v), field_address(w, w->state.concrete, (unsigned)f + FIELD_FIRST), "");
			LLVMBuildStore(u->builder, now, v);
		}
		LLVMBuildBr(u->builder, t->concrete);
	}
}

/* Where to begin: at the start with what came with the call, or where the concrete side left. */
static void finish_symbolic(struct weave *w)
{
	struct unit *u = w->u;
	Block start = unit_block(u, w->symbolic_side, NULL, "td.start"), lost = unit_block(u, w->symbolic_side, NULL, "td.lost");
	LLVMPositionBuilderAtEnd(u->builder, LLVMGetFirstBasicBlock(w->symbolic_side));
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	Value where = LLVMBuildAnd(u->builder, LLVMGetParam(w->symbolic_side, 1), unit_const32(u, STAY - 1), "");
	Value choice = LLVMBuildSwitch(u->builder, where, lost, 1);
	LLVMAddCase(choice, u->zero, start);
	for (size_t k = 0; k < w->resumes.count; k++)
		LLVMAddCase(choice, unit_const32(u, k + 1), w->resumes.at[k]);
	LLVMPositionBuilderAtEnd(u->builder, lost);
	LLVMBuildUnreachable(u->builder);
	twin_use(w, true);
	w->current = start;
	LLVMPositionBuilderAtEnd(u->builder, start);
	call_take_arguments(w);
	LLVMBuildBr(u->builder, w->twins.at[0].symbolic);
}

/* Of the program's blocks some are nothing but a jump when all that lives across blocks is in variables. */
static void drop_jumps(struct weave *w)
{
	for (Block b = LLVMGetFirstBasicBlock(w->symbolic_side), next; b; b = next) {
		next = LLVMGetNextBasicBlock(b);
		Value only = LLVMGetFirstInstruction(b);
		if (!LLVMIsABranchInst(only) || LLVMIsConditional(only) || LLVMGetSuccessor(only, 0) == b)
			continue;
		LLVMReplaceAllUsesWith(LLVMBasicBlockAsValue(b), LLVMBasicBlockAsValue(LLVMGetSuccessor(only, 0)));
		LLVMDeleteBasicBlock(b);
	}
}

void twin_finish(struct weave *w)
{
	if (!w->one_sided) {
		finish_exit(w);
		finish_symbolic(w);
		for (Block b = LLVMGetFirstBasicBlock(w->symbolic_side); b; b = LLVMGetNextBasicBlock(b))
			drop_dead(w, b);
		finish_fields(w);
		drop_jumps(w);
	}
	local_finish(w->u, w->concrete_side, w->entry);
	describe_concrete(w);
	for (size_t k = 0; k < w->twins.count; k++)
		free(w->twins.at[k].live);
	free(w->twins.at);
	free(w->state.fields.at);
	free(w->parameters.at);
	free(w->resumes.at);
	ptrmap_free(&w->state.index);
	ptrmap_free(&w->state.places);
	ptrmap_free(&w->twin_index);
	ptrmap_free(&w->copies);
	ptrmap_free(&w->on_symbolic_side);
}
