/* See scope.h. C's blocks are gone from the IR, but not from its debug information: every instruction of raw IR has a place, and a place a chain
 * of blocks. A variable begins where it is declared, and ends before the first instruction that is not of its block. That needs nothing of
 * the front end, which can say it too (llvm.lifetime) but makes a switch of every way out of a block.
 *
 * Only variables whose address goes somewhere that may outlive the block are marked, since a mark keeps a variable in memory. Nothing false is
 * to come of it: if a variable is named where by our account it may be dead, because somebody jumped past its declaration or because
 * the place of an instruction is not what it seems (clang gives calls of __attribute__((cleanup)) that of the block around), the variables of that
 * block are left alone, and live as long as the function. So are those whose block has a setjmp in it, which one may
 * return to from outside.
 *
 * The marks are calls td.scope(variable, size, name, turn, inline). LLVM's passes take them for something that reads and writes the variable. */
#include "compile/scope.h"

#include "compile/bounds.h"
#include "compile/weave.h"

#include <llvm-c/DebugInfo.h>

#include <stdlib.h>
#include <string.h>

#define MARK "td.scope"
enum { MOST_STEPS = 4, BLOCK_PARENT = 1 /* operand of a DILexicalBlock */ };

bool scope_is_mark(Value i)
{
	return unit_is_mark(i, MARK);
}

uint64_t scope_number(Value mark, enum scope_field field)
{
	return LLVMConstIntGetZExtValue(LLVMGetOperand(mark, field));
}

/* ---- blocks of the source ---- */

/* A block in a function, or in one that was inlined at a call. */
struct scope {
	LLVMMetadataRef block, call;
	bool broken;      /* we do not understand it */
	unsigned another; /* of the same block, + 1 */
};

struct scopes {
	struct unit *u;
	struct ptrmap parents;  /* of blocks */
	struct ptrmap declared; /* alloca -> its llvm.dbg.declare; &several: it has more than one */
	struct ptrmap first;    /* function -> index of its first variable, + 1 */
	LIST(struct variable) variables;
};

struct variable {
	Value alloca, declare;
	size_t next;            /* of the same function, + 1 */
	unsigned scope;
};

static char several;

static LLVMMetadataRef parent_of(struct scopes *s, LLVMMetadataRef block)
{
	LLVMMetadataRef known = ptrmap_get(&s->parents, block);
	if (known)
		return known;
	Value operands[8] = {0}, node = LLVMMetadataAsValue(s->u->context, block);
	if (LLVMGetMDNodeNumOperands(node) > 8)
		return block;
	LLVMGetMDNodeOperands(node, operands);
	known = operands[BLOCK_PARENT] ? LLVMValueAsMetadata(operands[BLOCK_PARENT]) : block;
	ptrmap_set(&s->parents, block, known);
	return known;
}

static bool is_kind(LLVMMetadataRef scope, LLVMMetadataKind kind)
{
	return LLVMGetMetadataKind(scope) == kind;
}

static struct scope scope_at(struct scopes *s, LLVMMetadataRef place)
{
	struct scope at = {LLVMDILocationGetScope(place), LLVMDILocationGetInlinedAt(place), false, 0};
	while (is_kind(at.block, LLVMDILexicalBlockFileMetadataKind))
		at.block = parent_of(s, at.block);
	return at;
}

/* To the scope around it; false: there is none in this function. */
static bool go_out(struct scopes *s, struct scope *at)
{
	if (is_kind(at->block, LLVMDILexicalBlockMetadataKind) || is_kind(at->block, LLVMDILexicalBlockFileMetadataKind))
		at->block = parent_of(s, at->block);
	else if (at->call)
		*at = scope_at(s, at->call);
	else
		return false;
	return true;
}

static bool is_inside(struct scopes *s, LLVMMetadataRef place, const struct scope *scope)
{
	for (struct scope at = scope_at(s, place); at.block != scope->block || at.call != scope->call;)
		if (!go_out(s, &at))
			return false;
	return true;
}

/* ---- which variables ---- */

static Value declared_by(Value declare)
{
	Value about = LLVMGetOperand(declare, 0), variable = NULL;
	if (LLVMGetMDNodeNumOperands(about) == 1)
		LLVMGetMDNodeOperands(about, &variable);
	return variable && LLVMIsAAllocaInst(variable) && LLVMIsAConstantInt(LLVMGetOperand(variable, 0)) ? variable : NULL;
}

static bool leaves(struct scopes *s, Value pointer, const struct scope *scope, unsigned steps);

/* Kept in a pointer that is gone with the block, if not before. */
static bool leaves_by(struct scopes *s, Value holder, const struct scope *scope, unsigned steps)
{
	Value declare = LLVMIsAAllocaInst(holder) ? ptrmap_get(&s->declared, holder) : NULL;
	LLVMMetadataRef place = declare && declare != (Value)&several ? LLVMInstructionGetDebugLoc(declare) : NULL;
	if (!place || !is_inside(s, place, scope))
		return true;
	for (LLVMUseRef use = LLVMGetFirstUse(holder); use; use = LLVMGetNextUse(use)) {
		Value user = LLVMGetUser(use);
		if (LLVMIsALoadInst(user) ? leaves(s, user, scope, steps) : !LLVMIsAStoreInst(user) || LLVMGetOperand(user, 0) == holder)
			return true;
	}
	return false;
}

static bool is_harmless_call(Value call)
{
	const struct intrinsic *i = intrinsic_of(call);
	return i->kind == INTRINSIC_COPY || i->kind == INTRINSIC_FILL || strcmp(i->name, "dbg") == 0;
}

/* May the address be somewhere when the block is over? */
static bool leaves(struct scopes *s, Value pointer, const struct scope *scope, unsigned steps)
{
	if (steps == MOST_STEPS)
		return true;
	for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
		Value user = LLVMGetUser(use);
		if (LLVMIsALoadInst(user) || LLVMIsAICmpInst(user))
			continue;
		if (LLVMIsAStoreInst(user)) {
			if (LLVMGetOperand(user, 0) == pointer && leaves_by(s, LLVMGetOperand(user, 1), scope, steps + 1))
				return true;
		} else if (LLVMIsAGetElementPtrInst(user) || bounds_is_narrow(user)) {
			if (leaves(s, user, scope, steps))
				return true;
		} else if (!LLVMIsACallInst(user) || !is_harmless_call(user)) {
			return true;
		}
	}
	return false;
}

static void add_variable(struct scopes *s, Value declare)
{
	Value alloca = declared_by(declare);
	LLVMMetadataRef place = LLVMInstructionGetDebugLoc(declare);
	if (!alloca || ptrmap_get(&s->declared, alloca) != declare || !place)
		return;
	struct scope scope = scope_at(s, place);
	if ((!is_kind(scope.block, LLVMDILexicalBlockMetadataKind) && !scope.call) || !leaves(s, alloca, &scope, 0))
		return;
	Value function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(declare));
	list_push(&s->variables, ((struct variable){alloca, declare, (size_t)(uintptr_t)ptrmap_get(&s->first, function), 0}));
	ptrmap_set(&s->first, function, (void *)s->variables.count);
}

static void collect(struct scopes *s)
{
	Value declare = LLVMGetNamedFunction(s->u->module, "llvm.dbg.declare");
	for (LLVMUseRef use = declare ? LLVMGetFirstUse(declare) : NULL; use; use = LLVMGetNextUse(use)) {
		Value call = LLVMGetUser(use), alloca = declared_by(call);
		if (alloca)
			ptrmap_set(&s->declared, alloca, ptrmap_get(&s->declared, alloca) ? (void *)&several : (void *)call);
	}
	for (LLVMUseRef use = declare ? LLVMGetFirstUse(declare) : NULL; use; use = LLVMGetNextUse(use))
		add_variable(s, LLVMGetUser(use));
}

/* ---- one function ---- */

enum { ALIVE = 1, DEAD = 2 }; /* it may be so */

struct ending {
	unsigned variable;
	Value before;
	enum scope_turn turn;
};

struct pass {
	struct scopes *s;
	struct cfg *cfg;
	LIST(struct variable) variables;
	LIST(struct scope) scopes;
	struct ptrmap by_block;  /* block of the source -> its last scope + 1 */
	struct ptrmap index;     /* llvm.dbg.declare, alloca -> variable + 1 */
	struct ptrmap users;     /* instructions that name a variable */
	unsigned char *out;      /* state of each variable at the end of each block */
	LLVMMetadataRef block, call; /* of the place looked at last: */
	unsigned char *inside;   /* which scopes it is in */
	LIST(struct ending) endings;
};

static unsigned char *out_of(const struct pass *p, int block)
{
	return p->out + (size_t)block * p->variables.count;
}

/* Its index + 1, or 0. */
static unsigned find_scope(const struct pass *p, const struct scope *scope)
{
	unsigned k = (unsigned)(uintptr_t)ptrmap_get(&p->by_block, scope->block);
	while (k && p->scopes.at[k - 1].call != scope->call)
		k = p->scopes.at[k - 1].another;
	return k;
}

static void open_function(struct pass *p, Value function)
{
	struct scopes *s = p->s;
	for (size_t k = (size_t)(uintptr_t)ptrmap_get(&s->first, function); k; k = s->variables.at[k - 1].next) {
		struct variable v = s->variables.at[k - 1];
		struct scope scope = scope_at(s, LLVMInstructionGetDebugLoc(v.declare));
		unsigned known = find_scope(p, &scope);
		if (!known) {
			scope.another = (unsigned)(uintptr_t)ptrmap_get(&p->by_block, scope.block);
			list_push(&p->scopes, scope);
			known = (unsigned)p->scopes.count;
			ptrmap_set(&p->by_block, scope.block, (void *)p->scopes.count);
		}
		v.scope = known - 1;
		list_push(&p->variables, v);
		ptrmap_set(&p->index, v.declare, (void *)p->variables.count);
		ptrmap_set(&p->index, v.alloca, (void *)p->variables.count);
		for (LLVMUseRef use = LLVMGetFirstUse(v.alloca); use; use = LLVMGetNextUse(use))
			ptrmap_set(&p->users, LLVMGetUser(use), LLVMGetUser(use));
	}
	p->cfg = cfg_new(function);
	p->out = memory_array((size_t)p->cfg->count * p->variables.count, 1);
	p->inside = memory_array(p->scopes.count, 1);
}

static void close_function(struct pass *p)
{
	cfg_free(p->cfg);
	ptrmap_free(&p->by_block);
	ptrmap_free(&p->index);
	ptrmap_free(&p->users);
	free(p->variables.at);
	free(p->scopes.at);
	free(p->endings.at);
	free(p->out);
	free(p->inside);
}

/* Which scopes is this place in? */
static const unsigned char *inside_of(struct pass *p, LLVMMetadataRef place)
{
	LLVMMetadataRef block = LLVMDILocationGetScope(place), call = LLVMDILocationGetInlinedAt(place);
	if (block == p->block && call == p->call)
		return p->inside;
	memset(p->inside, 0, p->scopes.count);
	struct scope at = scope_at(p->s, place);
	do {
		unsigned k = find_scope(p, &at);
		if (k)
			p->inside[k - 1] = 1;
	} while (go_out(p->s, &at));
	p->block = block;
	p->call = call;
	return p->inside;
}

/* Where the code of all blocks comes together, or the function ends: of no inner block, whatever its place. */
static bool is_outside(Value i)
{
	return LLVMIsAReturnInst(i) || LLVMGetInstructionOpcode(i) == LLVMIndirectBr;
}

/* Nothing is left to do but to return? */
static bool is_returning(Value i)
{
	while (LLVMIsALoadInst(i) || LLVMIsACastInst(i) || LLVMIsAExtractValueInst(i) || LLVMIsAInsertValueInst(i))
		i = LLVMGetNextInstruction(i);
	return LLVMIsAReturnInst(i);
}

/* What has become of a variable in a block so far. */
enum { TOLD_NOTHING, TOLD_STAYS, TOLD_ENDS, TOLD_ENDS_AT_HEAD /* nothing of the block is in its scope */ };

/* The variables whose scope i is not in are dead from here on. */
static void leave_scopes(struct pass *p, Value i, unsigned char *state, unsigned char *told)
{
	LLVMMetadataRef place = LLVMInstructionGetDebugLoc(i);
	bool outside = is_outside(i);
	if (!place && !outside)
		return;
	const unsigned char *inside = outside ? NULL : inside_of(p, place);
	for (size_t v = 0; v < p->variables.count; v++) {
		if (!(state[v] & ALIVE))
			continue;
		bool stays = inside && inside[p->variables.at[v].scope];
		if (!stays)
			state[v] = DEAD;
		if (told)
			told[v] = stays ? TOLD_STAYS : told[v] == TOLD_NOTHING ? TOLD_ENDS_AT_HEAD : TOLD_ENDS;
	}
}

static void begin_scope(struct pass *p, Value i, unsigned char *state, unsigned char *told)
{
	size_t v = LLVMIsACallInst(i) ? (size_t)(uintptr_t)ptrmap_get(&p->index, i) : 0;
	if (!v)
		return;
	state[v - 1] = ALIVE;
	if (told)
		told[v - 1] = TOLD_STAYS;
}

static enum scope_turn turn_at(Value i)
{
	return is_returning(i) ? SCOPE_RETURNED : SCOPE_LEFT;
}

static void state_before(const struct pass *p, int block, unsigned char *state)
{
	const struct cfg_block *b = &p->cfg->blocks[block];
	memset(state, block == 0 ? DEAD : 0, p->variables.count);
	for (unsigned k = 0; k < b->predecessor_count; k++)
		for (size_t v = 0; v < p->variables.count; v++)
			state[v] |= out_of(p, b->predecessors[k])[v];
}

static void find_states(struct pass *p)
{
	size_t n = p->variables.count;
	unsigned char *state = memory_array(n, 1);
	for (bool grew = true; grew;) {
		grew = false;
		for (int k = 0; k < p->cfg->reachable; k++) {
			int block = p->cfg->order[k];
			state_before(p, block, state);
			for (Value i = LLVMGetFirstInstruction(p->cfg->blocks[block].block); i; i = LLVMGetNextInstruction(i)) {
				leave_scopes(p, i, state, NULL);
				begin_scope(p, i, state, NULL);
			}
			grew |= memcmp(state, out_of(p, block), n) != 0;
			memcpy(out_of(p, block), state, n);
		}
	}
	free(state);
}

/* ---- where marks go ---- */

static void add_ending(struct pass *p, unsigned variable, Value before, enum scope_turn turn)
{
	list_push(&p->endings, ((struct ending){variable, before, turn}));
}

/* All ways into a block leave the scope: those that lead nowhere else say so themselves, others pay nothing. */
static void end_on_edges(struct pass *p, int block, unsigned variable, Value i, enum scope_turn turn)
{
	const struct cfg_block *b = &p->cfg->blocks[block];
	bool one_way = true;
	for (unsigned k = 0; k < b->predecessor_count; k++)
		one_way &= !(out_of(p, b->predecessors[k])[variable] & ALIVE) || p->cfg->blocks[b->predecessors[k]].successor_count == 1;
	if (!one_way)
		add_ending(p, variable, i, turn);
	for (unsigned k = 0; one_way && k < b->predecessor_count; k++)
		if (out_of(p, b->predecessors[k])[variable] & ALIVE)
			add_ending(p, variable, LLVMGetBasicBlockTerminator(p->cfg->blocks[b->predecessors[k]].block), turn);
}

/* Somebody names a variable that may be dead, or may come back to where it is alive. */
static void find_trouble(struct pass *p, Value i, const unsigned char *state)
{
	for (int k = 0; k < LLVMGetNumOperands(i) && ptrmap_get(&p->users, i); k++) {
		size_t v = (size_t)(uintptr_t)ptrmap_get(&p->index, LLVMGetOperand(i, (unsigned)k));
		if (v && state[v - 1] & DEAD)
			p->scopes.at[p->variables.at[v - 1].scope].broken = true;
	}
	if (LLVMIsACallInst(i) && twin_returns_twice(i))
		for (size_t v = 0; v < p->variables.count; v++)
			if (state[v] & ALIVE)
				p->scopes.at[p->variables.at[v].scope].broken = true;
}

static void find_endings(struct pass *p, int block)
{
	size_t n = p->variables.count;
	unsigned char *state = memory_array(n, 1), *told = memory_array(n, 1);
	state_before(p, block, state);
	for (Value i = LLVMGetFirstInstruction(p->cfg->blocks[block].block); i; i = LLVMGetNextInstruction(i)) {
		leave_scopes(p, i, state, told);
		for (unsigned v = 0; v < n; v++) {
			if (told[v] == TOLD_ENDS)
				add_ending(p, v, i, turn_at(i));
			else if (told[v] == TOLD_ENDS_AT_HEAD)
				end_on_edges(p, block, v, i, turn_at(i));
			if (told[v] > TOLD_STAYS)
				told[v] = TOLD_STAYS;
		}
		find_trouble(p, i, state);
		begin_scope(p, i, state, told);
	}
	free(state);
	free(told);
}

static void put_mark(struct pass *p, const struct variable *v, Value before, enum scope_turn turn)
{
	struct unit *u = p->s->u;
	if (p->scopes.at[v->scope].broken)
		return;
	LLVMPositionBuilderBefore(u->builder, before);
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	uint64_t size = 0;
	bounds_size(u, v->alloca, &size);
	Value fields[SCOPE_FIELDS] = {v->alloca, unit_const64(u, size), unit_const64(u, 0), unit_const32(u, turn), u->zero};
	unit_mark(u, MARK, u->none, fields, SCOPE_FIELDS, UNIT_MARK_TOUCHES);
}

static void mark_function(struct scopes *s, Value function)
{
	struct pass p = {.s = s};
	open_function(&p, function);
	find_states(&p);
	for (int k = 0; k < p.cfg->reachable; k++)
		find_endings(&p, p.cfg->order[k]);
	for (size_t k = 0; k < p.endings.count; k++)
		put_mark(&p, &p.variables.at[p.endings.at[k].variable], p.endings.at[k].before, p.endings.at[k].turn);
	for (size_t k = 0; k < p.variables.count; k++)
		put_mark(&p, &p.variables.at[k], LLVMGetNextInstruction(p.variables.at[k].declare), SCOPE_BEGINS);
	close_function(&p);
}

void scope_mark(struct unit *u)
{
	struct scopes s = {.u = u};
	collect(&s);
	for (Value f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
		if (ptrmap_get(&s.first, f))
			mark_function(&s, f);
	ptrmap_free(&s.parents);
	ptrmap_free(&s.declared);
	ptrmap_free(&s.first);
	free(s.variables.at);
}

/* ---- when variables are in registers ---- */

bool scope_has_marks(Value alloca)
{
	for (LLVMUseRef use = LLVMGetFirstUse(alloca); use; use = LLVMGetNextUse(use))
		if (scope_is_mark(LLVMGetUser(use)))
			return true;
	return false;
}

void scope_drop(Value alloca)
{
	for (LLVMUseRef use = LLVMGetFirstUse(alloca), next; use; use = next) {
		next = LLVMGetNextUse(use);
		if (scope_is_mark(LLVMGetUser(use)))
			LLVMInstructionEraseFromParent(LLVMGetUser(use));
	}
}

static unsigned kind_of_doubt(const struct unit *u)
{
	return LLVMGetMDKindIDInContext(u->context, "td.doubt", 8);
}

bool scope_in_doubt(const struct unit *u, Value access)
{
	return LLVMHasMetadata(access) && LLVMGetMetadata(access, kind_of_doubt(u)) != NULL;
}

/* The last mark of this variable at or before i, in i's block. */
static Value mark_before(Value i, Value alloca)
{
	while (i && !(scope_is_mark(i) && LLVMGetOperand(i, SCOPE_VARIABLE) == alloca))
		i = LLVMGetPreviousInstruction(i);
	return i;
}

static unsigned char state_after(Value mark)
{
	return scope_number(mark, SCOPE_TURN) == SCOPE_BEGINS ? ALIVE : DEAD;
}

struct search {
	struct unit *u;
	const struct cfg *cfg;
	Value alloca;
	Value *last;        /* mark in each block */
	unsigned char *in;  /* state at the head of each block */
	struct ptrmap seen;
	bool found;
};

static void find_last_marks(struct search *s)
{
	s->last = memory_array((size_t)s->cfg->count, sizeof *s->last);
	for (LLVMUseRef use = LLVMGetFirstUse(s->alloca); use; use = LLVMGetNextUse(use)) {
		Value mark = LLVMGetUser(use);
		if (!scope_is_mark(mark))
			continue;
		int b = cfg_index(s->cfg, LLVMGetInstructionParent(mark));
		s->last[b] = s->last[b] ? mark_before(LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(mark)), s->alloca) : mark;
	}
}

static void find_heads(struct search *s)
{
	const struct cfg *cfg = s->cfg;
	s->in = memory_array((size_t)cfg->count, 1);
	s->in[0] = DEAD;
	for (bool grew = true; grew;) {
		grew = false;
		for (int k = 0; k < cfg->reachable; k++) {
			int b = cfg->order[k];
			unsigned char out = s->last[b] ? state_after(s->last[b]) : s->in[b];
			for (unsigned n = 0; n < cfg->blocks[b].successor_count; n++) {
				unsigned char *next = &s->in[cfg->blocks[b].successors[n]];
				grew |= (*next | out) != *next;
				*next |= out;
			}
		}
	}
}

static bool may_be_dead_at(const struct search *s, Value i)
{
	int b = cfg_index(s->cfg, LLVMGetInstructionParent(i));
	Value mark = s->last[b] ? mark_before(i, s->alloca) : NULL;
	return (mark ? state_after(mark) : s->in[b]) & DEAD;
}

static bool is_access(Value i, Value pointer)
{
	if (LLVMIsACallInst(i))
		return intrinsic_of(i)->kind == INTRINSIC_COPY || intrinsic_of(i)->kind == INTRINSIC_FILL;
	return LLVMIsALoadInst(i) || LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i) || (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == pointer);
}

static void doubt_accesses(struct search *s, Value pointer)
{
	Value empty = LLVMMetadataAsValue(s->u->context, LLVMMDNodeInContext2(s->u->context, NULL, 0));
	for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
		Value user = LLVMGetUser(use);
		bool choice = LLVMIsAPHINode(user) || LLVMIsASelectInst(user);
		if (LLVMIsAGetElementPtrInst(user) || bounds_is_narrow(user) || LLVMIsAFreezeInst(user) || choice) {
			if (choice && ptrmap_get(&s->seen, user))
				continue;
			if (choice)
				ptrmap_set(&s->seen, user, user);
			doubt_accesses(s, user);
		} else if (is_access(user, pointer) && may_be_dead_at(s, user)) {
			LLVMSetMetadata(user, kind_of_doubt(s->u), empty);
			s->found = true;
		}
	}
}

bool scope_doubts(struct unit *u, const struct cfg *cfg, Value alloca)
{
	struct search s = {.u = u, .cfg = cfg, .alloca = alloca};
	find_last_marks(&s);
	find_heads(&s);
	doubt_accesses(&s, alloca);
	ptrmap_free(&s.seen);
	free(s.last);
	free(s.in);
	return s.found;
}
