/* See local.h. An object is alone in its 16-byte granules, with at least a byte behind it that belongs to it: so the map tells whose a
 * pointer is, also one past the end. All this is written last, since an alloca with room has another type. */
#include "compile/local.h"

#include "compile/bounds.h"
#include "compile/global.h"
#include "compile/intrinsic.h"
#include "compile/scope.h"
#include "contract/object.h"
#include "contract/report.h"

#include <llvm-c/DebugInfo.h>

#include <stdlib.h>
#include <string.h>

enum { FEW = 2, FEW_TURNS = 8 }; /* so many variables, or beginnings and ends of blocks, are worth inline code */

static unsigned kind_of_mark(const struct unit *u)
{
	return LLVMGetMDKindIDInContext(u->context, "td.local", 8);
}

/* ---- which ones ---- */

/* Does it get away, by itself or with an offset? */
static bool escapes(Value pointer)
{
	for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
		Value user = LLVMGetUser(use);
		if (LLVMIsALoadInst(user) || LLVMIsAICmpInst(user) || (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != pointer))
			continue;
		if ((LLVMIsAGetElementPtrInst(user) || bounds_is_narrow(user)) && !escapes(user))
			continue;
		if (LLVMIsACallInst(user) && (strcmp(intrinsic_of(user)->name, "dbg") == 0 || strcmp(intrinsic_of(user)->name, "lifetime") == 0))
			continue;
		if (scope_is_mark(user))
			continue;
		return true;
	}
	return false;
}

/* The second operand of a DILocalVariable is its name. */
static char *name_in(Value call)
{
	enum { NAME = 1, MOST = 16 };
	Value variable = LLVMGetOperand(call, 1), operands[MOST];
	unsigned count = LLVMGetMDNodeNumOperands(variable), length;
	if (count <= NAME || count > MOST)
		return NULL;
	LLVMGetMDNodeOperands(variable, operands);
	const char *text = operands[NAME] ? LLVMGetMDString(operands[NAME], &length) : NULL;
	return text ? memory_printf("%.*s", (int)length, text) : NULL;
}

/* llvm.dbg.declare mentions an alloca as metadata. */
static void collect_names(Value function, struct ptrmap *declared)
{
	for (Block b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		for (Value i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
			if (!LLVMIsACallInst(i) || strncmp(unit_name(LLVMGetCalledValue(i)), "llvm.dbg.declare", 16) != 0)
				continue;
			Value about = LLVMGetOperand(i, 0), variable = NULL;
			if (LLVMGetMDNodeNumOperands(about) == 1)
				LLVMGetMDNodeOperands(about, &variable);
			if (variable)
				ptrmap_set(declared, variable, i);
		}
}

static void mark(const struct unit *u, Value alloca, Value declare)
{
	char *name = declare ? name_in(declare) : NULL;
	uint32_t place = declare ? TD_PLACE(LLVMGetDebugLocLine(declare), LLVMGetDebugLocColumn(declare)) : 0;
	LLVMMetadataRef about[] = {LLVMMDStringInContext2(u->context, name ? name : "", name ? strlen(name) : 0), LLVMValueAsMetadata(unit_const32(u, place))};
	LLVMSetMetadata(alloca, kind_of_mark(u), LLVMMetadataAsValue(u->context, LLVMMDNodeInContext2(u->context, about, 2)));
	free(name);
}

bool local_is_object(const struct unit *u, Value alloca)
{
	return LLVMGetMetadata(alloca, kind_of_mark(u)) != NULL;
}

static unsigned kind_of_scoped(const struct unit *u)
{
	return LLVMGetMDKindIDInContext(u->context, "td.scoped", 9);
}

bool local_is_scoped(const struct unit *u, Value alloca)
{
	return LLVMGetMetadata(alloca, kind_of_scoped(u)) != NULL;
}

/* ---- what they become ---- */

static uint64_t size_of(const struct unit *u, Value alloca)
{
	return LLVMABISizeOfType(u->layout, LLVMGetAllocatedType(alloca)) * LLVMConstIntGetZExtValue(LLVMGetOperand(alloca, 0));
}

Value local_build(struct unit *u, Value alloca)
{
	uint64_t bytes = (size_of(u, alloca) / TD_GRANULE + 1) * TD_GRANULE;
	unsigned alignment = LLVMGetAlignment(alloca);
	Value made = LLVMBuildAlloca(u->builder, LLVMArrayType2(u->i8, bytes), "");
	LLVMSetAlignment(made, alignment > TD_GRANULE ? alignment : TD_GRANULE);
	return made;
}

/* A variable as it is told of; the name as a place in the file's data, behind that of the declaration. */
static struct td_local describe(struct unit *u, Value alloca)
{
	Value about[2];
	unsigned length = 0;
	LLVMGetMDNodeOperands(LLVMGetMetadata(alloca, kind_of_mark(u)), about);
	const char *name = LLVMGetMDString(about[0], &length);
	uint32_t place = (uint32_t)LLVMConstIntGetZExtValue(about[1]);
	char *bytes = memory_array(sizeof place + length + 1, 1);
	memcpy(bytes, &place, sizeof place);
	memcpy(bytes + sizeof place, name, length);
	uint32_t at = unit_add_data(u, bytes, sizeof place + length + 1) + (uint32_t)sizeof place;
	free(bytes);
	return (struct td_local){size_of(u, alloca), at, 0};
}

struct values { LIST(Value) list; };

/* Its marks have to tell of it on their own: the symbolic side has nothing but its address. */
static void mark_scoped(struct unit *u, Value alloca, struct values *turns)
{
	Value name = unit_const64(u, describe(u, alloca).name);
	LLVMSetMetadata(alloca, kind_of_scoped(u), LLVMMetadataAsValue(u->context, LLVMMDNodeInContext2(u->context, NULL, 0)));
	for (LLVMUseRef use = LLVMGetFirstUse(alloca); use; use = LLVMGetNextUse(use))
		if (scope_is_mark(LLVMGetUser(use))) {
			LLVMSetOperand(LLVMGetUser(use), SCOPE_NAME, name);
			list_push(&turns->list, LLVMGetUser(use));
		}
}

void local_mark(struct unit *u, Value function)
{
	struct ptrmap declared = {0};
	struct values turns = {0};
	struct cfg *cfg = NULL; /* few want it */
	collect_names(function, &declared);
	for (Block b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		for (Value i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
			if (!LLVMIsAAllocaInst(i))
				continue;
			bool scoped = scope_has_marks(i), object = escapes(i);
			if (scoped && !cfg)
				cfg = cfg_new(function);
			if (scoped && !scope_doubts(u, cfg, i) && !object)
				scope_drop(i);
			else if (scoped || object)
				mark(u, i, ptrmap_get(&declared, i));
			if (scoped && local_is_object(u, i))
				mark_scoped(u, i, &turns);
		}
	for (size_t k = 0; k < turns.list.count; k++)
		LLVMSetOperand(turns.list.at[k], SCOPE_INLINE, unit_const32(u, turns.list.count <= FEW_TURNS));
	free(turns.list.at);
	if (cfg)
		cfg_free(cfg);
	ptrmap_free(&declared);
}

static void call_with(struct unit *u, enum td_hook hook, Value first, const Value *addresses, size_t count)
{
	Value arguments[1 + TD_LOCALS_AT_ONCE] = {first};
	for (size_t k = 0; k < TD_LOCALS_AT_ONCE; k++)
		arguments[1 + k] = k < count ? addresses[k] : LLVMConstNull(u->ptr);
	unit_call(u, hook, arguments, 1 + TD_LOCALS_AT_ONCE);
}

void local_enter(struct unit *u, const Value *allocas, const Value *addresses, size_t count)
{
	for (size_t at = 0; at < count; at += TD_LOCALS_AT_ONCE) {
		struct td_local list[TD_LOCALS_AT_ONCE];
		size_t n = count - at < TD_LOCALS_AT_ONCE ? count - at : TD_LOCALS_AT_ONCE;
		for (size_t k = 0; k < n; k++)
			list[k] = describe(u, allocas[at + k]);
		uint32_t here = (uint32_t)u->data_bytes.count;
		for (size_t k = 0; k < n; k++)
			list[k].name -= here;
		call_with(u, TD_HOOK_born, unit_data(u, list, n * sizeof *list), addresses + at, n);
	}
}

void local_leave(struct unit *u, const Value *addresses, size_t count)
{
	for (size_t at = 0; at < count; at += TD_LOCALS_AT_ONCE) {
		size_t n = count - at < TD_LOCALS_AT_ONCE ? count - at : TD_LOCALS_AT_ONCE;
		call_with(u, TD_HOOK_died, unit_const32(u, n), addresses + at, n);
	}
}

/* ---- those that come and go within a function ---- */

Value local_grow(struct unit *u, Value alloca)
{
	Value count = LLVMBuildZExtOrBitCast(u->builder, LLVMGetOperand(alloca, 0), u->i64, "");
	Value bytes = LLVMBuildMul(u->builder, count, unit_const64(u, LLVMABISizeOfType(u->layout, LLVMGetAllocatedType(alloca))), "");
	Value room = LLVMBuildAnd(u->builder, LLVMBuildAdd(u->builder, bytes, unit_const64(u, TD_GRANULE), ""), unit_const64(u, ~(TD_GRANULE - 1ull)), "");
	unsigned alignment = LLVMGetAlignment(alloca);
	LLVMSetCurrentDebugLocation2(u->builder, LLVMInstructionGetDebugLoc(alloca));
	HOOK_CALL(u, room, bytes, unit_const32(u, TD_PLACE(LLVMGetDebugLocLine(alloca), LLVMGetDebugLocColumn(alloca))));
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	Value made = LLVMBuildArrayAlloca(u->builder, u->i8, room, "");
	LLVMSetAlignment(made, alignment > TD_GRANULE ? alignment : TD_GRANULE);
	HOOK_CALL(u, grown, made, bytes);
	return made;
}

void local_unwind(struct unit *u, bool frame, bool left)
{
	HOOK_CALL(u, unwound, frame ? unit_intrinsic(u, "llvm.frameaddress", u->ptr, &u->zero, 1) : LLVMConstNull(u->ptr), unit_const32(u, left));
}

static bool has_grown(Value function)
{
	for (Block b = LLVMGetNextBasicBlock(LLVMGetFirstBasicBlock(function)); b; b = LLVMGetNextBasicBlock(b))
		for (Value i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			if (LLVMIsAAllocaInst(i))
				return true;
	return false;
}

/* They lie where the caller left them, and somebody's variable may have been there before. */
static void enter_by_value(struct unit *u, Value function)
{
	for (unsigned k = 0; k < LLVMCountParams(function); k++) {
		Type type = unit_by_value(function, k);
		if (type)
			HOOK_CALL(u, reused, LLVMGetParam(function, k), unit_const64(u, LLVMABISizeOfType(u->layout, type)));
	}
}

/* ---- inline ---- */

static Value field_of(struct unit *u, Value record, uint64_t offset)
{
	Value at = unit_const64(u, offset);
	return LLVMBuildGEP2(u->builder, u->i8, record, &at, 1, "");
}

static Value is_equal(struct unit *u, Value record, uint64_t offset, Value to, uint64_t mask)
{
	Value field = LLVMBuildLoad2(u->builder, u->i64, field_of(u, record, offset), "");
	return LLVMBuildICmp(u->builder, LLVMIntEQ, LLVMBuildAnd(u->builder, field, unit_const64(u, mask), ""), to, "");
}

static void set_state(struct unit *u, Value record, uint64_t open, uint64_t state)
{
	LLVMBuildStore(u->builder, unit_const64(u, open), field_of(u, record, offsetof(struct td_object, open)));
	LLVMBuildStore(u->builder, unit_const64(u, state), field_of(u, record, offsetof(struct td_object, kind)));
}

/* The rest of the block goes on behind `then` and `otherwise`; the builder is in `then`. */
struct fork { Block otherwise, rest; };

static struct fork fork_on(struct unit *u, Value function, Block *here, Value condition)
{
	Block then = unit_block(u, function, *here, "td.usual");
	struct fork f = {unit_block(u, function, NULL, "td.unusual"), unit_block(u, function, then, "td.rest")};
	Value branch = LLVMBuildCondBr(u->builder, condition, then, f.otherwise);
	LLVMSetMetadata(branch, u->md_prof, u->likely);
	LLVMPositionBuilderAtEnd(u->builder, then);
	*here = f.rest;
	return f;
}

static Value name_at(const struct unit *u, struct td_local local)
{
	Value at = unit_const64(u, local.name);
	return LLVMConstGEP2(u->i8, u->data, &at, 1);
}

static void call_begins(struct unit *u, struct td_local local, Value address)
{
	HOOK_CALL(u, begins, address, unit_const64(u, local.size), name_at(u, local));
}

/* Where one like it was before, and nothing has come in between: it just lives again. */
static void begin_inline(struct unit *u, Value function, Block *here, struct td_local local, Value address)
{
	Value record = unit_record(u, address), at = LLVMBuildPtrToInt(u->builder, address, u->i64, "");
	Value same = is_equal(u, record, offsetof(struct td_object, start), at, UINT64_MAX);
	same = LLVMBuildAnd(u->builder, same, is_equal(u, record, offsetof(struct td_object, size), unit_const64(u, local.size), UINT64_MAX), "");
	same = LLVMBuildAnd(u->builder, same, is_equal(u, record, offsetof(struct td_object, kind), unit_const64(u, TD_LOCAL_GONE), ~TD_LOCAL_LEFT), "");
	Value low = LLVMBuildLoad2(u->builder, u->i64, u->lowest, "");
	same = LLVMBuildAnd(u->builder, same, LLVMBuildICmp(u->builder, LLVMIntUGE, at, low, ""), "");
	struct fork f = fork_on(u, function, here, same);
	set_state(u, record, local.size, TD_LOCAL_LIVES);
	LLVMBuildStore(u->builder, name_at(u, local), field_of(u, record, offsetof(struct td_object, name)));
	LLVMBuildBr(u->builder, f.rest);
	LLVMPositionBuilderAtEnd(u->builder, f.otherwise);
	call_begins(u, local, address);
	LLVMBuildBr(u->builder, f.rest);
	LLVMPositionBuilderAtEnd(u->builder, f.rest);
}

static void end_inline(struct unit *u, Value function, Block *here, Value address, bool left)
{
	Value record = unit_record(u, address), at = LLVMBuildPtrToInt(u->builder, address, u->i64, "");
	Value same = is_equal(u, record, offsetof(struct td_object, start), at, UINT64_MAX);
	same = LLVMBuildAnd(u->builder, same, is_equal(u, record, offsetof(struct td_object, kind), unit_const64(u, TD_LOCAL_LIVES), UINT64_MAX), "");
	struct fork f = fork_on(u, function, here, same);
	set_state(u, record, 0, TD_LOCAL_GONE | (left ? TD_LOCAL_LEFT : 0));
	LLVMBuildBr(u->builder, f.rest);
	LLVMPositionBuilderAtEnd(u->builder, f.otherwise);
	HOOK_CALL(u, ends, address, unit_const32(u, left));
	LLVMBuildBr(u->builder, f.rest);
	LLVMPositionBuilderAtEnd(u->builder, f.rest);
}

void local_turn(struct unit *u, Value function, Block *here, Value mark)
{
	Value address = LLVMGetOperand(mark, SCOPE_VARIABLE);
	struct td_local local = {scope_number(mark, SCOPE_SIZE), (uint32_t)scope_number(mark, SCOPE_NAME), 0};
	enum scope_turn turn = (enum scope_turn)scope_number(mark, SCOPE_TURN);
	bool is_inline = here && scope_number(mark, SCOPE_INLINE);
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	if (turn == SCOPE_BEGINS && is_inline)
		begin_inline(u, function, here, local, address);
	else if (turn == SCOPE_BEGINS)
		call_begins(u, local, address);
	else if (is_inline)
		end_inline(u, function, here, address, turn == SCOPE_LEFT);
	else
		HOOK_CALL(u, ends, address, unit_const32(u, turn == SCOPE_LEFT));
}

/* ---- thread-local ones ---- */

static Value thread_local(Value i)
{
	if (!LLVMIsACallInst(i) || strcmp(intrinsic_of(i)->name, "threadlocal.address") != 0)
		return NULL;
	Value g = LLVMGetOperand(i, 0);
	return LLVMIsAGlobalVariable(g) && global_is_padded(g) && escapes(i) ? g : NULL;
}

void local_threads(struct unit *u, Value function)
{
	uint64_t size;
	for (Block b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		for (Value i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
			Value g = thread_local(i);
			if (!g || !bounds_size(u, g, &size))
				continue;
			LLVMPositionBuilderBefore(u->builder, LLVMGetNextInstruction(i));
			LLVMSetCurrentDebugLocation2(u->builder, NULL);
			HOOK_CALL(u, thread, i, unit_const64(u, size), unit_data(u, unit_name(g), strlen(unit_name(g)) + 1));
		}
}

/* ---- when all else is written ---- */

static void leave_before(struct unit *u, Value function, Value ret, const Value *addresses, size_t count, bool grown)
{
	Value previous = LLVMGetPreviousInstruction(ret);
	if (previous && LLVMIsACallInst(previous) && LLVMGetTailCallKind(previous) == LLVMTailCallKindMustTail)
		ret = previous;
	if (count && count <= FEW && !grown) {
		Block here = LLVMGetInstructionParent(ret), end = unit_block(u, function, here, "td.return");
		unit_move(u, ret, end);
		LLVMPositionBuilderAtEnd(u->builder, here);
		LLVMSetCurrentDebugLocation2(u->builder, NULL);
		for (size_t k = 0; k < count; k++)
			end_inline(u, function, &here, addresses[k], false);
		LLVMBuildBr(u->builder, end);
		return;
	}
	LLVMPositionBuilderBefore(u->builder, ret);
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	local_leave(u, addresses, count);
	if (grown)
		local_unwind(u, true, false);
}

static void enter_at(struct unit *u, Value function, Value first, const Value *allocas, const Value *addresses, size_t count)
{
	LLVMPositionBuilderBefore(u->builder, first);
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	if (!count || count > FEW) {
		local_enter(u, allocas, addresses, count);
		enter_by_value(u, function);
		return;
	}
	Block here = LLVMGetInstructionParent(first), body = unit_block(u, function, here, "td.body");
	unit_move(u, first, body);
	LLVMPositionBuilderAtEnd(u->builder, here);
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	for (size_t k = 0; k < count; k++)
		begin_inline(u, function, &here, describe(u, allocas[k]), addresses[k]);
	enter_by_value(u, function);
	LLVMBuildBr(u->builder, body);
}

void local_finish(struct unit *u, Value function, Block entry)
{
	LIST(Value) allocas = {0}, addresses = {0}, returns = {0};
	size_t whole = 0; /* those that live from entry to return come first */
	for (unsigned scoped = 0; scoped < 2; scoped++) {
		for (Value i = LLVMGetFirstInstruction(entry); i; i = LLVMGetNextInstruction(i))
			if (LLVMIsAAllocaInst(i) && local_is_object(u, i) && local_is_scoped(u, i) == scoped) {
				LLVMPositionBuilderBefore(u->builder, i);
				LLVMSetCurrentDebugLocation2(u->builder, NULL);
				list_push(&allocas, i);
				list_push(&addresses, local_build(u, i));
			}
		whole = scoped ? whole : allocas.count;
	}
	bool grown = has_grown(function);
	if (!allocas.count && !grown && !unit_has_by_value(function))
		return;
	for (Block b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		if (LLVMIsAReturnInst(LLVMGetBasicBlockTerminator(b)))
			list_push(&returns, LLVMGetBasicBlockTerminator(b));
	Value first = LLVMGetFirstInstruction(entry);
	while (LLVMIsAAllocaInst(first))
		first = LLVMGetNextInstruction(first);
	for (size_t k = 0; k < returns.count; k++)
		leave_before(u, function, returns.at[k], addresses.at, whole, grown);
	enter_at(u, function, first, allocas.at, addresses.at, whole);
	for (size_t k = 0; k < allocas.count; k++) {
		LLVMReplaceAllUsesWith(allocas.at[k], addresses.at[k]);
		ptrmap_set(&u->variables, allocas.at[k], NULL); /* another may come to lie where it was */
		LLVMInstructionEraseFromParent(allocas.at[k]);
	}
	free(allocas.at);
	free(addresses.at);
	free(returns.at);
}
