/* See cover.h. A byte per edge, set at a place that the file's variable td.cover points to (contract/module.h).
 *
 * It is plain code on both sides, without hooks and without new blocks where that can be had: if a side of a branch is the only way into a block, that
 * block begins with the store; else both sides are one store in front of the branch, at the edge plus the condition. Each case
 * of a switch gets a block of its own, and so does a side whose other one needs no mark because another site tells of it (facts.c). Where there would be many such blocks, all
 * cases are one store in front of the switch, by a table. The stores are marked as being about nothing else in the world, so that the optimiser moves loads across them. It may also
 * move them out of loops: of a run that is killed in a loop without calls, what was taken there may be missing.
 *
 * Models have no coverage: what is wanted is that of the program. */
#include "compile/cover.h"

#include <stdlib.h>
#include <string.h>

/* What no pass that we let run before the marks are made sees through. */
#define HIDING "llvm.ssa.copy"

struct coverer {
	struct unit *u;
	Value function;
	struct ptrmap ways;  /* block -> how many ways lead into it */
};

static uintptr_t ways_into(const struct coverer *c, Block b)
{
	return (uintptr_t)ptrmap_get(&c->ways, b);
}

static void count_ways(struct coverer *c)
{
	for (Block b = LLVMGetFirstBasicBlock(c->function); b; b = LLVMGetNextBasicBlock(b)) {
		Value end = LLVMGetBasicBlockTerminator(b);
		for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++)
			ptrmap_set(&c->ways, LLVMGetSuccessor(end, k), (void *)(ways_into(c, LLVMGetSuccessor(end, k)) + 1));
	}
}

static void put_store(struct unit *u, Value edge)
{
	Value place = unit_constant_load(u, LLVMBuildLoad2(u->builder, u->ptr, u->cover, ""));
	Value store = LLVMBuildStore(u->builder, LLVMConstInt(u->i8, 1, false), LLVMBuildGEP2(u->builder, u->i8, place, &edge, 1, ""));
	LLVMSetMetadata(store, u->md_scope, u->cover_scope);
	LLVMSetMetadata(store, u->md_noalias, u->own_scope);
}

static void store_before(struct unit *u, Value i, Value edge)
{
	LLVMPositionBuilderBefore(u->builder, i);
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	put_store(u, edge);
}

static void store_at_head(struct unit *u, Block b, uint64_t edge)
{
	Value i = LLVMGetFirstInstruction(b);
	while (LLVMIsAPHINode(i) || LLVMIsAAllocaInst(i))
		i = LLVMGetNextInstruction(i);
	store_before(u, i, unit_const64(u, edge));
}

/* In front of it: the edge is that of the false side, or the one behind. */
static void mark_either(struct coverer *c, Value i, Value condition, uint64_t edge)
{
	struct unit *u = c->u;
	LLVMPositionBuilderBefore(u->builder, i);
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	Value side = LLVMBuildZExt(u->builder, condition, u->i64, "");
	put_store(u, LLVMBuildAdd(u->builder, side, unit_const64(u, edge), ""));
}

/* Does another site tell of it? */
static bool is_told(const struct coverer *c, Value i, uint64_t edge)
{
	Value node = LLVMGetMetadata(i, c->u->md_told);
	unsigned count = node ? LLVMGetMDNodeNumOperands(node) : 0;
	Value *numbers = memory_array(count, sizeof *numbers);
	bool told = false;
	if (node)
		LLVMGetMDNodeOperands(node, numbers);
	for (unsigned k = 0; k < count; k++)
		told |= LLVMConstIntGetZExtValue(numbers[k]) == edge;
	free(numbers);
	return told;
}

static bool has_phi(Block b)
{
	return LLVMIsAPHINode(LLVMGetFirstInstruction(b)) != NULL;
}

/* One side alone. If it leads where others lead to, it gets a block of its own. */
static void mark_side(struct coverer *c, Value i, unsigned successor, uint64_t edge)
{
	struct unit *u = c->u;
	Block to = LLVMGetSuccessor(i, successor);
	if (ways_into(c, to) == 1) {
		store_at_head(u, to, edge);
		return;
	}
	Block way = unit_block(u, c->function, LLVMGetInstructionParent(i), "td.way");
	LLVMPositionBuilderAtEnd(u->builder, way);
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	put_store(u, unit_const64(u, edge));
	LLVMBuildBr(u->builder, to);
	LLVMSetSuccessor(i, successor, way);
}

static void mark_branch(struct coverer *c, Value i, uint64_t edge)
{
	Block yes = LLVMGetSuccessor(i, 0), no = LLVMGetSuccessor(i, 1);
	bool yes_told = is_told(c, i, edge + 1), no_told = is_told(c, i, edge);
	if (yes_told && no_told)
		return;
	if (ways_into(c, yes) == 1 && ways_into(c, no) == 1 && !yes_told && !no_told) {
		store_at_head(c->u, no, edge);
		store_at_head(c->u, yes, edge + 1);
	} else if (yes_told && !has_phi(no)) {
		mark_side(c, i, 1, edge);
	} else if (no_told && !has_phi(yes)) {
		mark_side(c, i, 0, edge + 1);
	} else {
		mark_either(c, i, LLVMGetCondition(i), edge);
	}
}

/* ---- switches ---- */

enum { FEW_BLOCKS = 3, MAX_SPAN = 512, MAX_EDGES = 255 };

/* The values of a switch's cases, as far as they are close together. */
struct span {
	uint64_t low, count; /* count 0: they are not */
};

static uint64_t case_value(Value i, unsigned k)
{
	return LLVMConstIntGetZExtValue(LLVMGetOperand(i, 2 * k));
}

static struct span span_of(Value i)
{
	uint64_t low = UINT64_MAX, high = 0;
	unsigned cases = LLVMGetNumSuccessors(i) - 1;
	bool fits = cases && cases < MAX_EDGES && LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(i, 0))) <= 64;
	for (unsigned k = 1; fits && k <= cases; k++) {
		uint64_t n = case_value(i, k);
		low = n < low ? n : low;
		high = n > high ? n : high;
	}
	return (struct span){low, fits && high - low < MAX_SPAN ? high - low + 1 : 0};
}

/* Which edge each value takes, and behind them all others: the default. Both sides and all inlined copies share it. */
static Value edge_table(struct unit *u, Value i, uint64_t edge, struct span span)
{
	char *name = memory_printf("td.cases.%llu", (unsigned long long)edge);
	Value table = LLVMGetNamedGlobal(u->module, name);
	if (!table) {
		char *edges = memory_array(span.count + 1, 1);
		for (unsigned k = 1; k < LLVMGetNumSuccessors(i); k++)
			edges[case_value(i, k) - span.low] = (char)k;
		Value text = LLVMConstStringInContext2(u->context, edges, span.count + 1, true);
		table = LLVMAddGlobal(u->module, LLVMTypeOf(text), name);
		LLVMSetInitializer(table, text);
		LLVMSetLinkage(table, LLVMPrivateLinkage);
		LLVMSetUnnamedAddress(table, LLVMGlobalUnnamedAddr);
		LLVMSetGlobalConstant(table, true);
		free(edges);
	}
	free(name);
	return table;
}

/* In front of it: one store for all cases. */
static void mark_by_table(struct coverer *c, Value i, uint64_t edge, struct span span)
{
	struct unit *u = c->u;
	Value table = edge_table(u, i, edge, span), by = LLVMGetOperand(i, 0);
	LLVMPositionBuilderBefore(u->builder, i);
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	by = LLVMBuildSub(u->builder, by, LLVMConstInt(LLVMTypeOf(by), span.low, false), "");
	by = LLVMBuildZExt(u->builder, by, u->i64, "");
	by = unit_intrinsic(u, "llvm.umin", u->i64, (Value[]){by, unit_const64(u, span.count)}, 2);
	Value side = unit_constant_load(u, LLVMBuildLoad2(u->builder, u->i8, LLVMBuildGEP2(u->builder, u->i8, table, &by, 1, ""), ""));
	side = LLVMBuildZExt(u->builder, side, u->i64, "");
	put_store(u, LLVMBuildAdd(u->builder, side, unit_const64(u, edge), ""));
}

/* Successor 0 is the default, as edge 0 is; before variables are registers again, only what an inlined function returns is a phi, and no switch leads there. */
static void mark_switch(struct coverer *c, Value i, uint64_t edge)
{
	struct span span = span_of(i);
	unsigned blocks = 0; /* that are there for the mark alone */
	for (unsigned k = 0; k < LLVMGetNumSuccessors(i); k++) {
		Block to = LLVMGetSuccessor(i, k);
		bool only_leads_on = LLVMGetFirstInstruction(to) == LLVMGetBasicBlockTerminator(to) && LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(to)) == 1;
		blocks += !is_told(c, i, edge + k) && (ways_into(c, to) != 1 || only_leads_on);
	}
	if (span.count && blocks > FEW_BLOCKS && !c->u->options.marks_all) {
		mark_by_table(c, i, edge, span);
		return;
	}
	for (unsigned k = 0; k < LLVMGetNumSuccessors(i); k++)
		if (!is_told(c, i, edge + k) && !(has_phi(LLVMGetSuccessor(i, k)) && ways_into(c, LLVMGetSuccessor(i, k)) != 1))
			mark_side(c, i, k, edge + k);
}

static void mark(struct coverer *c, Value i)
{
	Value node = LLVMGetMetadata(i, c->u->md_site), number;
	if (!node)
		return;
	LLVMGetMDNodeOperands(node, &number);
	uint64_t edge = LLVMConstIntGetZExtValue(number);
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMBr: mark_branch(c, i, edge); break;
	case LLVMSwitch: mark_switch(c, i, edge); break;
	case LLVMSelect:
		if (LLVMTypeOf(LLVMGetOperand(i, 0)) == c->u->i1)
			mark_either(c, i, LLVMGetOperand(i, 0), edge);
		break;
	default: break;
	}
}

/* ---- all of them ---- */

struct sites { LIST(Value) list; };

static struct sites find_sites(const struct unit *u, Value function)
{
	struct sites s = {0};
	for (Block b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		for (Value i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			if (LLVMHasMetadata(i) && LLVMGetMetadata(i, u->md_site))
				list_push(&s.list, i);
	return s;
}

static Value first_function(const struct unit *u)
{
	return u->options.models ? NULL : LLVMGetFirstFunction(u->module);
}

static void hide(struct unit *u, Value i)
{
	Value condition = LLVMGetOperand(i, 0);
	if (LLVMGetTypeKind(LLVMTypeOf(condition)) != LLVMIntegerTypeKind)
		return;
	LLVMPositionBuilderBefore(u->builder, i);
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	LLVMSetOperand(i, 0, unit_intrinsic(u, HIDING, LLVMTypeOf(condition), &condition, 1));
}

void cover_hide(struct unit *u)
{
	for (Value f = first_function(u); f; f = LLVMGetNextFunction(f)) {
		if (unit_has_attribute(f, "noinline"))
			continue;
		struct sites s = find_sites(u, f);
		for (size_t k = 0; k < s.list.count; k++)
			hide(u, s.list.at[k]);
		free(s.list.at);
	}
}

/* Inlining may have found that others are the same as what is hidden here. */
static void show(Value i)
{
	Value hidden = LLVMGetOperand(i, 0);
	if (!LLVMIsAIntrinsicInst(hidden) || strncmp(unit_name(LLVMGetCalledValue(hidden)), HIDING, strlen(HIDING)) != 0)
		return;
	LLVMReplaceAllUsesWith(hidden, LLVMGetOperand(hidden, 0));
	LLVMInstructionEraseFromParent(hidden);
}

void cover_mark(struct unit *u)
{
	for (Value f = first_function(u); f; f = LLVMGetNextFunction(f)) {
		struct coverer c = {.u = u, .function = f};
		struct sites s = find_sites(u, f);
		if (s.list.count)
			count_ways(&c);
		for (size_t k = 0; k < s.list.count; k++) {
			show(s.list.at[k]);
			mark(&c, s.list.at[k]);
		}
		ptrmap_free(&c.ways);
		free(s.list.at);
	}
}
