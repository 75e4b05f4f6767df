/* Sources, the cutting of blocks, and where the concrete side looks at what it will touch; see weave.h.
 *
 * What is touched through a pointer has to be inside of the pointer's object: the head of its own block looks, so that nothing is asked
 * about accesses that do not happen; an address that comes too late for that begins a new block. What all ways here have looked at since the last
 * call is not looked at again. What is inside of a variable for sure is only looked at for something symbolic, which does no harm ahead of time:
 * a *stretch* is a tree of blocks with one entry, its head, in which nothing changes the shadows of memory, no call, no copy, no way back
 * from the symbolic side (loop headers begin a stretch), and the head looks for all of it.
 *
 * Heads and what they can compute are in head.c, looks in look.c; concrete.c writes them out as compares, weave.c as checks. */
#include "compile/bounds.h"
#include "compile/head.h"
#include "compile/local.h"
#include "compile/scope.h"
#include "compile/size.h"
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
	return is_memory_source(u, i) || (LLVMIsACallInst(i) && !bounds_is_narrow(i) && call_travels(u, i));
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

/* ---- where we are ---- */

enum { MAX_COVERED = 24, LOOK_AROUND = 1024 };

/* Bytes that have been looked at on all ways here, counted from a pointer. */
struct covered {
	Value pointer, base;
	uint64_t inside;
	int64_t from, to;
	uint64_t wide;          /* 1: on the concrete side */
};

struct cover { LIST(struct covered) list; };

struct end {
	struct head *stretch;   /* NULL: shadows have changed since */
	struct cover covered;
};

struct splitter {
	struct unit *u;
	Value function;
	struct cfg *cfg;
	struct end *ends;       /* per block */
	struct heads heads;
	struct level stretch, piece;
	struct cover covered;   /* here */
	struct ptrmap last;     /* block -> the last of the pieces it was cut into */
};

/* The stretch that all ways into a block come from; NULL: there is none, or a way comes from behind. */
static struct head *common_stretch(const struct splitter *s, const struct cfg_block *b)
{
	struct head *common = NULL;
	for (unsigned k = 0; k < b->predecessor_count; k++) {
		const struct cfg_block *from = &s->cfg->blocks[b->predecessors[k]];
		if (from->order < 0)
			continue;
		struct head *end = from->order < b->order ? s->ends[b->predecessors[k]].stretch : NULL;
		if (!end || (common && end != common))
			return NULL;
		common = end;
	}
	return common;
}

/* ---- accesses ---- */

static unsigned flags_of(Value i)
{
	return LLVMIsALoadInst(i) ? 0 : TD_LOOK_WRITES;
}

/* What is touched as a distance from the pointer without constant offsets. */
static struct look look_of(const struct unit *u, Value i, Value pointer, uint64_t size, enum look_kind kind)
{
	struct look k = {.pointer = weave_root(pointer), .size = size, .kind = kind, .about = i, .flags = flags_of(i)};
	bounds_offset(u, pointer, k.pointer, &k.offset);
	if (k.offset != (int32_t)k.offset) { /* struct td_look has no room for it */
		k.pointer = pointer;
		k.offset = 0;
	}
	return k;
}

static bool is_covered(const struct splitter *s, const struct look *k, bool wide)
{
	for (size_t n = 0; n < s->covered.list.count; n++) {
		const struct covered *c = &s->covered.list.at[n];
		if (c->wide <= wide && c->pointer == k->pointer && c->base == k->base && c->inside == k->inside && c->from <= k->offset && c->to >= k->offset + (int64_t)k->size)
			return true;
	}
	return false;
}

static void cover(struct splitter *s, const struct look *k)
{
	if (s->covered.list.count < MAX_COVERED)
		list_push(&s->covered.list, ((struct covered){k->pointer, k->base, k->inside, k->offset, k->offset + (int64_t)k->size, k->flags & TD_LOOK_WIDE ? 1 : 0}));
}

/* What all ways into a block have looked at. */
static void common_cover(struct splitter *s, const struct cfg_block *b)
{
	const struct cover *first = NULL;
	s->covered.list.count = 0;
	for (unsigned k = 0; k < b->predecessor_count; k++) {
		const struct cfg_block *from = &s->cfg->blocks[b->predecessors[k]];
		if (from->order < 0)
			continue;
		if (from->order >= b->order) { /* a loop: the symbolic side may come back here */
			s->covered.list.count = 0;
			return;
		}
		const struct cover *end = &s->ends[b->predecessors[k]].covered;
		for (size_t n = 0; !first && n < end->list.count; n++)
			list_push(&s->covered.list, end->list.at[n]);
		size_t kept = 0;
		for (size_t n = 0; first && n < s->covered.list.count; n++)
			for (size_t m = 0; m < end->list.count; m++)
				if (memcmp(&end->list.at[m], &s->covered.list.at[n], sizeof end->list.at[m]) == 0) {
					s->covered.list.at[kept++] = s->covered.list.at[n];
					break;
				}
		if (first)
			s->covered.list.count = kept;
		first = end;
	}
}

/* ---- cutting ---- */

/* What follows `after` becomes a block of its own. */
static Block cut(struct splitter *s, Block b, Value after)
{
	struct unit *u = s->u;
	Block rest = unit_block(u, s->function, b, "td.behind");
	unit_move(u, LLVMGetNextInstruction(after), rest);
	LLVMPositionBuilderAtEnd(u->builder, b);
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	LLVMBuildBr(u->builder, rest);
	struct head *heads[] = {s->stretch.head, s->piece.head};
	for (size_t k = 0; k < 2; k++) /* its place has moved */
		if (LLVMGetInstructionParent(heads[k]->before) != heads[k]->block)
			heads[k]->before = LLVMGetBasicBlockTerminator(heads[k]->block);
	return rest;
}

/* i becomes the first of a block of its own, unless it is that already; with a new head, and a new stretch if asked for. */
static Block cut_before(struct splitter *s, Block b, Value i, bool stretch)
{
	Value previous = LLVMGetPreviousInstruction(i);
	Block rest = previous && !LLVMIsAPHINode(previous) ? cut(s, b, previous) : b;
	struct head *head = head_make(&s->heads, rest);
	head_begin(&s->piece, head);
	if (stretch)
		head_begin(&s->stretch, head);
	return rest;
}

/* The head of its own block looks whether it is inside of the object. */
static Block look_inside(struct splitter *s, Block here, const struct look *k)
{
	if (is_covered(s, k, false))
		return here;
	if (!head_look(s->u, &s->piece, k)) {
		here = cut_before(s, here, k->about, false);
		head_look(s->u, &s->piece, k);
	}
	cover(s, k);
	return here;
}

/* Of an element that is inside of its array the concrete side looks at the array: it is there before the index is, and others may have looked at it. */
static Block look_around(struct splitter *s, Block here, const struct look *exact, int64_t from, uint64_t bytes)
{
	struct look wide = *exact, k = *exact;
	wide.pointer = exact->base;
	wide.offset = from;
	wide.size = bytes;
	wide.flags |= TD_LOOK_WIDE;
	k.flags |= TD_LOOK_EXACT;
	if (!is_covered(s, &wide, true)) {
		if (!head_look(s->u, &s->piece, &wide)) {
			here = cut_before(s, here, k.about, false);
			head_look(s->u, &s->piece, &wide);
		}
		cover(s, &wide);
	}
	if (!is_covered(s, &wide, false))
		look_put(s->u, &k, k.pointer, k.base, k.about);
	return here;
}

/* Elements of arrays with a length, outermost last. */
static Block look_at_elements(struct splitter *s, Block here, Value i, Value pointer)
{
	struct bounds_element e;
	for (; LLVMIsAGetElementPtrInst(pointer) || bounds_is_narrow(pointer); pointer = LLVMGetOperand(pointer, 0))
		if (bounds_element(s->u, pointer, &e))
			here = look_inside(s, here, &(struct look){e.element, e.array, 0, e.bytes, e.inside, LOOK_INSIDE_ONLY, i, flags_of(i)});
	return here;
}

/* By a pointer to an array in an object: inside of that, and of the object. */
static Block look_at_arrays(struct splitter *s, Block here, const struct look *access, Value pointer, Value *base)
{
	int64_t offset;
	for (; bounds_is_narrow(*base); *base = bounds_base(LLVMGetOperand(*base, 0))) {
		uint64_t inside = LLVMConstIntGetZExtValue(LLVMGetOperand(*base, 1));
		if (bounds_offset(s->u, pointer, *base, &offset) && offset >= 0 && (uint64_t)offset + access->size <= inside)
			continue;
		struct look k = *access;
		k.kind = LOOK_INSIDE_ONLY;
		k.base = *base;
		k.inside = inside;
		here = look_inside(s, here, &k);
	}
	return here;
}

/* Is it about a variable of known size? Then it is inside, or one compare with a constant tells. */
static Block look_at_variable(struct splitter *s, Block here, Value i, Value pointer, uint64_t size, Value base, uint64_t whole)
{
	int64_t offset;
	uint64_t bytes;
	bool known = bounds_extent(s->u, pointer, size, base, &offset, &bytes);
	if (known && offset >= 0 && (uint64_t)offset <= whole && bytes <= whole - (uint64_t)offset)
		return here;
	struct look k = look_of(s->u, i, pointer, size, LOOK_INSIDE_ONLY);
	k.base = base;
	k.inside = whole;
	k.flags |= TD_LOOK_VARIABLE;
	return look_inside(s, here, &k);
}

static Value accessed_pointer(Value i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMLoad: case LLVMAtomicRMW: case LLVMAtomicCmpXchg: return LLVMGetOperand(i, 0);
	case LLVMStore: return LLVMGetOperand(i, 1);
	default: return NULL;
	}
}

static enum look_kind kind_of(struct unit *u, Value i)
{
	return is_memory_source(u, i) ? LOOK_READS : split_loses(u, i) ? LOOK_LOSES : LLVMIsALoadInst(i) ? LOOK_INSIDE_ONLY : LOOK_CLEARS;
}

/* Looks at pages alone, for what is inside for sure. What is read is looked at by the head of the stretch. What is written is only
 * cleared by the head of its own block: nothing is before it has happened for sure. */
static Block look_at_pages(struct splitter *s, Block here, Value i, const struct look *k)
{
	if (k->kind == LOOK_READS) {
		if (!head_look(s->u, &s->stretch, k)) {
			here = cut_before(s, here, i, true);
			head_look(s->u, &s->stretch, k);
		}
	} else if (k->kind != LOOK_INSIDE_ONLY && split_clears(s->u, i) && here == s->stretch.head->block && head_look(s->u, &s->stretch, k)) {
		LLVMSetMetadata(i, s->u->md_seen, s->u->unlikely);
	}
	return here;
}

/* One end of a copy or fill of constant length: its bounds. The shadows follow when it has happened. */
static Block look_at_end(struct splitter *s, Block here, Value i, unsigned operand)
{
	struct unit *u = s->u;
	Value pointer = LLVMGetOperand(i, operand), length = LLVMGetOperand(i, 2), base = bounds_base(pointer);
	uint64_t whole, size = LLVMConstIntGetZExtValue(length);
	if (!size || size > INT32_MAX)
		return here;
	struct look k = look_of(u, i, pointer, size, LOOK_INSIDE_ONLY);
	k.flags = operand == 0 ? TD_LOOK_WRITES : 0;
	here = look_at_arrays(s, here, &k, pointer, &base);
	if (bounds_size(u, base, &whole) && !scope_in_doubt(u, i))
		return look_at_variable(s, here, i, pointer, size, base, whole);
	k.base = base;
	return look_inside(s, here, &k);
}

static Block look_at_ends(struct splitter *s, Block here, Value i)
{
	enum intrinsic_kind kind = LLVMIsACallInst(i) ? intrinsic_of(i)->kind : INTRINSIC_NOT;
	if ((kind != INTRINSIC_COPY && kind != INTRINSIC_FILL) || !LLVMIsAConstantInt(LLVMGetOperand(i, 2)))
		return here;
	here = look_at_end(s, here, i, 0);
	return kind == INTRINSIC_COPY ? look_at_end(s, here, i, 1) : here;
}

/* The operand of __builtin_constant_p: nothing is done with it. */
static bool is_never_read(Value i)
{
	LLVMUseRef use = LLVMIsALoadInst(i) ? LLVMGetFirstUse(i) : NULL;
	for (; use; use = LLVMGetNextUse(use))
		if (!LLVMIsACallInst(LLVMGetUser(use)) || strcmp(intrinsic_of(LLVMGetUser(use))->name, "is.constant") != 0)
			return false;
	return LLVMIsALoadInst(i) && LLVMGetFirstUse(i);
}

/* Sees to it that an access is looked at; returns the block it is in then. */
static Block look_before(struct splitter *s, Block here, Value i)
{
	struct unit *u = s->u;
	Value pointer = accessed_pointer(i);
	if (!pointer)
		return look_at_ends(s, here, i);
	if (split_is_variable(u, pointer) || is_never_read(i))
		return here;
	uint64_t size = split_access_size(u, i), whole;
	Value base = bounds_base(pointer);
	struct look k = look_of(u, i, pointer, size, kind_of(u, i));
	here = look_at_elements(s, here, i, pointer);
	here = look_at_arrays(s, here, &k, pointer, &base);
	if (LLVMIsAFunction(base) || !size)
		return look_at_pages(s, here, i, &k);
	if (bounds_size(u, base, &whole) && !scope_in_doubt(u, i)) {
		here = look_at_variable(s, here, i, pointer, size, base, whole);
		return look_at_pages(s, here, i, &k);
	}
	k.base = base;
	LLVMSetMetadata(i, u->md_seen, u->unlikely);
	int64_t from;
	uint64_t bytes;
	bool known = bounds_extent(u, pointer, size, base, &from, &bytes);
	if (known && bytes > size && bytes <= LOOK_AROUND && from == (int32_t)from && k.kind == LOOK_READS)
		return look_around(s, here, &k, from, bytes);
	return look_inside(s, here, &k);
}

static void split_block(struct splitter *s, const struct cfg_block *block)
{
	Block here = block->block;
	for (Value i = LLVMGetFirstInstruction(here), next; i; i = next) {
		if (look_is(i)) {
			next = LLVMGetNextInstruction(i);
			continue;
		}
		here = look_before(s, here, i);
		head_follow(&s->stretch, i, here);
		head_follow(&s->piece, i, here);
		if (head_is_ended_by(i))
			s->covered.list.count = 0;
		bool source = LLVMIsACallInst(i) && split_is_source(s->u, i);
		if (source) {
			here = cut(s, here, i);
			struct head *head = head_make(&s->heads, here);
			head_begin(&s->stretch, head);
			head_begin(&s->piece, head);
		}
		next = source ? LLVMGetFirstInstruction(here) : LLVMGetNextInstruction(i);
	}
	if (here != block->block)
		ptrmap_set(&s->last, block->block, here);
}

/* A stretch may come from before; a piece is never larger than a block. */
static void begin_block(struct splitter *s, const struct cfg_block *b)
{
	struct head *own = head_make(&s->heads, b->block), *stretch = common_stretch(s, b);
	head_begin(&s->stretch, stretch ? stretch : own);
	head_begin(&s->piece, own);
	common_cover(s, b);
}

static void end_block(struct splitter *s, struct end *end)
{
	end->stretch = s->stretch.changed ? NULL : s->stretch.head;
	for (size_t n = 0; n < s->covered.list.count; n++)
		list_push(&end->covered.list, s->covered.list.at[n]);
}

static void free_splitter(struct splitter *s)
{
	heads_free(&s->heads);
	for (int k = 0; k < s->cfg->count; k++)
		free(s->ends[k].covered.list.at);
	free(s->covered.list.at);
	free(s->ends);
	cfg_free(s->cfg);
	struct ptrmap *maps[] = {&s->stretch.home, &s->stretch.late, &s->piece.home, &s->piece.late, &s->last};
	for (size_t k = 0; k < sizeof maps / sizeof maps[0]; k++)
		ptrmap_free(maps[k]);
}

/* The program's stores do not change what the runtime keeps: loops may read that once. Nor has coverage to do with what it reads and writes. */
static void promise_own(struct unit *u, Value function)
{
	for (Block b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		for (Value i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			if (LLVMIsAStoreInst(i) || LLVMIsALoadInst(i))
				LLVMSetMetadata(i, u->md_noalias, u->both_scopes);
}

void split_function(struct unit *u, Value function)
{
	struct splitter s = {.u = u, .function = function};
	bounds_leave(u, function);
	local_mark(u, function);
	drop_debug(function);
	promise_own(u, function);
	local_threads(u, function);
	safety_insert(u, function);
	size_insert(u, function);
	library_insert(u, function);
	split_forward(u, function);
	s.cfg = cfg_new(function);
	s.ends = memory_array((size_t)s.cfg->count, sizeof *s.ends);
	for (int k = 0; k < s.cfg->reachable; k++) {
		int b = s.cfg->order[k];
		begin_block(&s, &s.cfg->blocks[b]);
		split_block(&s, &s.cfg->blocks[b]);
		end_block(&s, &s.ends[b]);
	}
	if (s.last.used)
		rebuild_phis(u, function, &s.last);
	bounds_widen(function);
	table_gather(u, function);
	free_splitter(&s);
}
