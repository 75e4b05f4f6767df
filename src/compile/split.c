/* Sources, the cutting of blocks, and where the concrete side looks for what is symbolic; see weave.h.
 *
 * A *stretch* is a tree of pieces of blocks with one entry, its head, in which nothing changes the shadows of memory: no call,
 * no copy, no way back from the symbolic side (loop headers begin a stretch). What a stretch loads at addresses that can be computed
 * at its head is looked at there, together, whichever way the stretch goes; a load that comes too late for that begins a new
 * stretch. Looks are calls of a function that does not exist, with copies of the address computation; concrete.c writes
 * them out, the symbolic side drops them. */
#include "compile/weave.h"

#include <stdlib.h>
#include <string.h>

/* Constants of the program are never symbolic. */
static bool is_constant_memory(Value pointer)
{
	while (LLVMIsAGetElementPtrInst(pointer) || (LLVMIsAConstantExpr(pointer) && LLVMGetConstOpcode(pointer) == LLVMGetElementPtr))
		pointer = LLVMGetOperand(pointer, 0);
	return LLVMIsAGlobalVariable(pointer) && LLVMIsGlobalConstant(pointer);
}

/* A load of a type without terms: whatever was symbolic there is lost. */
bool split_loses(struct unit *u, Value i)
{
	return LLVMIsALoadInst(i) && !shadow_tracked(u, LLVMTypeOf(i)) && !is_constant_memory(LLVMGetOperand(i, 0));
}

static bool is_memory_source(struct unit *u, Value i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMLoad:
		return shadow_tracked(u, LLVMTypeOf(i)) && !split_is_variable(u, LLVMGetOperand(i, 0)) &&
		       !is_constant_memory(LLVMGetOperand(i, 0));
	case LLVMAtomicRMW: case LLVMAtomicCmpXchg:
		return shadow_tracked(u, LLVMTypeOf(i));
	default:
		return false;
	}
}

bool split_is_source(struct unit *u, Value i)
{
	return is_memory_source(u, i) || (LLVMIsACallInst(i) && call_travels(u, i));
}

/* Concrete data goes there, or terms are lost there: shadows have to follow. */
bool split_clears(struct unit *u, Value i)
{
	return (LLVMIsAStoreInst(i) && !split_is_variable(u, LLVMGetOperand(i, 1))) || split_loses(u, i);
}

static bool is_variable(Value v)
{
	Type type = LLVMGetAllocatedType(v);
	for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use)) {
		Value user = LLVMGetUser(use);
		bool load = LLVMIsALoadInst(user) && LLVMTypeOf(user) == type;
		bool store = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != v && LLVMTypeOf(LLVMGetOperand(user, 0)) == type;
		if (!(load || store) || LLVMGetVolatile(user))
			return false;
	}
	return true;
}

/* Asked for again and again; what an alloca is does not change. */
bool split_is_variable(struct unit *u, Value v)
{
	static char yes, no;
	if (!LLVMIsAAllocaInst(v))
		return false;
	void *known = ptrmap_get(&u->variables, v);
	if (!known) {
		known = is_variable(v) ? &yes : &no;
		ptrmap_set(&u->variables, v, known);
	}
	return known == &yes;
}

/* Bytes that a load, store or atomic operation touches. */
uint64_t split_access_size(const struct unit *u, Value i)
{
	Value like = LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 0) : LLVMIsAAtomicCmpXchgInst(i) ? LLVMGetOperand(i, 1) : i;
	return LLVMStoreSizeOfType(u->layout, LLVMTypeOf(like));
}

/* ---- moving instructions ---- */

static void move_rest(struct unit *u, Value after, Block to)
{
	LLVMPositionBuilderAtEnd(u->builder, to);
	for (Value i = LLVMGetNextInstruction(after), next; i; i = next) {
		next = LLVMGetNextInstruction(i);
		LLVMInstructionRemoveFromParent(i);
		LLVMSetCurrentDebugLocation2(u->builder, NULL);
		LLVMInsertIntoBuilder(u->builder, i);
	}
}

/* The last piece of each block takes its place as a predecessor. */
static void rebuild_phi(struct unit *u, Value phi, const struct ptrmap *last)
{
	LLVMPositionBuilderBefore(u->builder, phi);
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	Value rebuilt = LLVMBuildPhi(u->builder, LLVMTypeOf(phi), "");
	for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
		Value v = LLVMGetIncomingValue(phi, k);
		Block from = LLVMGetIncomingBlock(phi, k), moved = ptrmap_get(last, from);
		LLVMAddIncoming(rebuilt, &v, moved ? &moved : &from, 1);
	}
	LLVMReplaceAllUsesWith(phi, rebuilt);
	LLVMInstructionEraseFromParent(phi);
}

static void rebuild_phis(struct unit *u, Value function, const struct ptrmap *last)
{
	LIST(Value) phis = {0};
	for (Block b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		for (Value i = LLVMGetFirstInstruction(b); i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
			list_push(&phis, i);
	for (size_t k = 0; k < phis.count; k++)
		rebuild_phi(u, phis.at[k], last);
	free(phis.at);
}

static bool is_debug(Value i)
{
	return LLVMIsACallInst(i) && strcmp(intrinsic_of(i)->name, "dbg") == 0;
}

static void drop_debug(Value function)
{
	for (Block b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		for (Value i = LLVMGetFirstInstruction(b), next; i; i = next) {
			next = LLVMGetNextInstruction(i);
			if (is_debug(i))
				LLVMInstructionEraseFromParent(i);
		}
}

/* reg2mem lets every user read the variable anew, even in the block that has just set it. */
static void forward_block(struct unit *u, Block b, struct ptrmap *now)
{
	ptrmap_clear(now);
	for (Value i = LLVMGetFirstInstruction(b), next; i; i = next) {
		next = LLVMGetNextInstruction(i);
		bool store = LLVMIsAStoreInst(i) != NULL;
		if (!store && !LLVMIsALoadInst(i))
			continue;
		Value variable = LLVMGetOperand(i, store ? 1 : 0);
		if (!split_is_variable(u, variable))
			continue;
		Value known = ptrmap_get(now, variable);
		if (store || !known) {
			ptrmap_set(now, variable, store ? LLVMGetOperand(i, 0) : i);
			continue;
		}
		LLVMReplaceAllUsesWith(i, known);
		LLVMInstructionEraseFromParent(i);
	}
}

void split_forward(struct unit *u, Value function)
{
	struct ptrmap now = {0};
	for (Block b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		forward_block(u, b, &now);
	ptrmap_free(&now);
}

/* ---- looks ---- */

#define LOOK_NAME "td.look"

/* Of what a stretch accesses: `size` bytes at an offset from a root. */
Value split_look_root(Value look)
{
	return LLVMGetOperand(look, 0);
}

uint64_t split_look_number(Value look, enum look_field field)
{
	return LLVMConstIntGetZExtValue(LLVMGetOperand(look, field));
}

bool split_is_look(Value i)
{
	return LLVMIsACallInst(i) && LLVMIsAFunction(LLVMGetCalledValue(i)) && unit_is_named(LLVMGetCalledValue(i), LOOK_NAME);
}

static int64_t index_offset(const struct unit *u, Type *type, Value index)
{
	int64_t n = LLVMConstIntGetSExtValue(index);
	if (LLVMGetTypeKind(*type) == LLVMStructTypeKind) {
		uint64_t offset = LLVMOffsetOfElement(u->layout, *type, (unsigned)n);
		*type = LLVMStructGetTypeAtIndex(*type, (unsigned)n);
		return (int64_t)offset;
	}
	*type = LLVMGetElementType(*type);
	return n * (int64_t)LLVMABISizeOfType(u->layout, *type);
}

/* How far a pointer is from its root (weave_root). */
static int64_t root_offset(const struct unit *u, Value pointer, Value root)
{
	int64_t offset = 0;
	for (; pointer != root; pointer = LLVMGetOperand(pointer, 0)) {
		Type type = LLVMGetGEPSourceElementType(pointer);
		offset += LLVMConstIntGetSExtValue(LLVMGetOperand(pointer, 1)) * (int64_t)LLVMABISizeOfType(u->layout, type);
		for (int k = 2; k < LLVMGetNumOperands(pointer); k++)
			offset += index_offset(u, &type, LLVMGetOperand(pointer, (unsigned)k));
	}
	return offset;
}

static Value look_function(struct unit *u, Type *type)
{
	Type parameters[] = {u->ptr, u->i64, u->i64, u->i64};
	*type = LLVMFunctionType(u->none, parameters, 4, false);
	Value found = LLVMGetNamedFunction(u->module, LOOK_NAME);
	return found ? found : LLVMAddFunction(u->module, LOOK_NAME, *type);
}

void split_finish(struct unit *u)
{
	Value look = LLVMGetNamedFunction(u->module, LOOK_NAME);
	if (look)
		LLVMDeleteFunction(look);
}

/* ---- stretches ---- */

enum { MAX_ROOTS = 4, MAX_LOOKS = 32 }; /* of a head */

struct stretch {
	int number;
	Block head;
	Value before;           /* there: looks go in front of this */
	struct ptrmap copies;   /* of address computations */
	Value roots[MAX_ROOTS];
	unsigned root_count, look_count;
};

struct splitter {
	struct unit *u;
	Value function;
	struct cfg *cfg;
	struct stretch **ends;       /* per block: the stretch at its end; NULL: shadows have changed since */
	LIST(struct stretch *) all;
	struct ptrmap home, late;    /* value -> number of the stretch that computes it; in which it comes late */
	struct ptrmap last;          /* block -> the last of the pieces it was cut into */
	struct stretch *now;
	bool changed;
};

/* May run earlier than it does, and without need: nothing but its operands matters. */
static bool is_movable(Value i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMUDiv: case LLVMSDiv: case LLVMURem: case LLVMSRem:
		return false;
	case LLVMAlloca:
		return LLVMIsConstant(LLVMGetOperand(i, 0));
	case LLVMCall:
		return !LLVMIsAInlineAsm(LLVMGetCalledValue(i)) && (symbolic_carries(i) || strcmp(intrinsic_of(i)->name, "threadlocal.address") == 0);
	default:
		return symbolic_carries(i);
	}
}

/* Shadows of memory may be others behind it. */
static bool changes_shadows(Value i)
{
	if (!LLVMIsACallInst(i))
		return false;
	enum intrinsic_kind kind = intrinsic_of(i)->kind;
	return kind == INTRINSIC_NOT || kind == INTRINSIC_COPY || kind == INTRINSIC_VA_START || kind == INTRINSIC_VA_COPY || kind == INTRINSIC_UNKNOWN;
}

static bool is_in(const struct ptrmap *map, Value v, const struct stretch *s)
{
	return (intptr_t)ptrmap_get(map, v) == s->number;
}

/* Can the head compute it? A phi is there in the head alone. */
static void follow(struct splitter *s, Value i, Block piece)
{
	bool late = LLVMIsAPHINode(i) ? piece != s->now->head : !is_movable(i);
	for (int k = 0; k < LLVMGetNumOperands(i) && !late && !LLVMIsAPHINode(i); k++)
		late = is_in(&s->late, LLVMGetOperand(i, (unsigned)k), s->now);
	void *number = (void *)(intptr_t)s->now->number;
	ptrmap_set(&s->home, i, number);
	if (late)
		ptrmap_set(&s->late, i, number);
	s->changed |= changes_shadows(i);
}

static void begin_stretch(struct splitter *s, Block head)
{
	struct stretch *made = memory_array(1, sizeof *made);
	list_push(&s->all, made);
	made->number = (int)s->all.count;
	made->head = head;
	made->before = LLVMGetFirstInstruction(head);
	while (LLVMIsAPHINode(made->before) || LLVMIsAAllocaInst(made->before))
		made->before = LLVMGetNextInstruction(made->before);
	s->now = made;
	s->changed = false;
}

/* The stretch that all ways into a block come from; NULL: there is none, or a way comes from behind. */
static struct stretch *common_stretch(const struct splitter *s, const struct cfg_block *b)
{
	struct stretch *common = NULL;
	for (unsigned k = 0; k < b->predecessor_count; k++) {
		const struct cfg_block *from = &s->cfg->blocks[b->predecessors[k]];
		if (from->order < 0)
			continue;
		struct stretch *end = from->order < b->order ? s->ends[b->predecessors[k]] : NULL;
		if (!end || (common && end != common))
			return NULL;
		common = end;
	}
	return common;
}

/* At the head: what an address is made of. */
static Value at_head(struct splitter *s, Value v)
{
	struct unit *u = s->u;
	Value known = ptrmap_get(&s->now->copies, v);
	if (known)
		return known;
	if (!LLVMIsAInstruction(v) || LLVMIsAPHINode(v) || LLVMIsAAllocaInst(v) || !is_in(&s->home, v, s->now))
		return v;
	Value copy = LLVMInstructionClone(v);
	for (int k = 0; k < LLVMGetNumOperands(v); k++)
		LLVMSetOperand(copy, (unsigned)k, at_head(s, LLVMGetOperand(v, (unsigned)k)));
	LLVMPositionBuilderBefore(u->builder, s->now->before);
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	LLVMInsertIntoBuilder(u->builder, copy);
	ptrmap_set(&s->now->copies, v, copy);
	return copy;
}

/* Computed before the program has made sure that it may be: a shift too far, say, would make a look at it undefined. Nothing
 * else is wrong with a look at an arbitrary address. */
static Value frozen_at_head(struct splitter *s, Value root)
{
	struct unit *u = s->u;
	Value from = at_head(s, root);
	if (!LLVMIsAInstruction(from) || LLVMIsAAllocaInst(from) || LLVMIsALoadInst(from) || LLVMIsAFreezeInst(from))
		return from;
	LLVMPositionBuilderBefore(u->builder, s->now->before);
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	Value frozen = LLVMBuildFreeze(u->builder, from, "");
	ptrmap_set(&s->now->copies, root, frozen);
	return frozen;
}

static bool has_room(struct stretch *s, Value root)
{
	if (s->look_count == MAX_LOOKS)
		return false;
	for (unsigned k = 0; k < s->root_count; k++)
		if (s->roots[k] == root)
			return true;
	if (s->root_count == MAX_ROOTS)
		return false;
	s->roots[s->root_count++] = root;
	return true;
}

/* Lets the head look at an access if it can. */
static bool look_at_head(struct splitter *s, Value i, enum look_kind kind)
{
	struct unit *u = s->u;
	Value pointer = LLVMGetOperand(i, LLVMIsAStoreInst(i) ? 1 : 0);
	Value root = weave_root(pointer);
	int64_t from_root = root_offset(u, pointer, root);
	if (from_root != (int32_t)from_root) { /* struct td_read has no room for it */
		root = pointer;
		from_root = 0;
	}
	if (s->changed || is_in(&s->late, root, s->now) || !has_room(s->now, root))
		return false;
	Value from = frozen_at_head(s, root), offset = unit_const64(u, (uint64_t)from_root);
	Type look_type;
	Value look = look_function(u, &look_type), size = unit_const64(u, split_access_size(u, i));
	LLVMPositionBuilderBefore(u->builder, s->now->before);
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	LLVMBuildCall2(u->builder, look_type, look, (Value[]){from, offset, size, unit_const64(u, kind)}, 4, "");
	s->now->look_count++;
	return true;
}

/* ---- cutting ---- */

/* What follows `after` becomes a block of its own. */
static Block cut(struct splitter *s, Block b, Value after)
{
	struct unit *u = s->u;
	Block rest = unit_block(u, s->function, b, "td.behind");
	move_rest(u, after, rest);
	LLVMPositionBuilderAtEnd(u->builder, b);
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	LLVMBuildBr(u->builder, rest);
	begin_stretch(s, rest);
	return rest;
}

/* What is written is only cleared by the head of its own block: nothing is before it has happened for sure. */
static bool clears_at_head(struct splitter *s, Value i, Block piece)
{
	return piece == s->now->head && split_clears(s->u, i) && look_at_head(s, i, LLVMIsAStoreInst(i) ? LOOK_CLEARS : LOOK_LOSES);
}

static void split_block(struct splitter *s, const struct cfg_block *block)
{
	struct unit *u = s->u;
	Block piece = block->block;
	for (Value i = LLVMGetFirstInstruction(piece), next; i; i = next) {
		if (split_is_look(i)) {
			next = LLVMGetNextInstruction(i);
			continue;
		}
		if (is_memory_source(u, i) && !look_at_head(s, i, LOOK_READS)) {
			Value previous = LLVMGetPreviousInstruction(i);
			if (previous && !LLVMIsAPHINode(previous))
				piece = cut(s, piece, previous);
			else
				begin_stretch(s, piece);
			look_at_head(s, i, LOOK_READS);
		}
		if (clears_at_head(s, i, piece))
			LLVMSetMetadata(i, u->md_seen, u->unlikely);
		follow(s, i, piece);
		bool source = LLVMIsACallInst(i) && split_is_source(u, i);
		if (source)
			piece = cut(s, piece, i);
		next = source ? LLVMGetFirstInstruction(piece) : LLVMGetNextInstruction(i);
	}
	if (piece != block->block)
		ptrmap_set(&s->last, block->block, piece);
}

void split_function(struct unit *u, Value function)
{
	struct splitter s = {.u = u, .function = function};
	drop_debug(function);
	split_forward(u, function);
	s.cfg = cfg_new(function);
	s.ends = memory_array((size_t)s.cfg->count, sizeof *s.ends);
	for (int k = 0; k < s.cfg->reachable; k++) {
		int b = s.cfg->order[k];
		s.now = common_stretch(&s, &s.cfg->blocks[b]);
		s.changed = false;
		if (!s.now)
			begin_stretch(&s, s.cfg->blocks[b].block);
		split_block(&s, &s.cfg->blocks[b]);
		s.ends[b] = s.changed ? NULL : s.now;
	}
	if (s.last.used)
		rebuild_phis(u, function, &s.last);
	table_gather(u, function);
	for (size_t k = 0; k < s.all.count; k++) {
		ptrmap_free(&s.all.at[k]->copies);
		free(s.all.at[k]);
	}
	free(s.all.at);
	free(s.ends);
	cfg_free(s.cfg);
	struct ptrmap *maps[] = {&s.home, &s.late, &s.last};
	for (size_t k = 0; k < sizeof maps / sizeof maps[0]; k++)
		ptrmap_free(maps[k]);
}
