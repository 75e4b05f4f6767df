/* The weaver: puts the symbolic code of one function beside its concrete code.
 *
 * Instructions are re-inserted one by one. Those that compute with values that may be symbolic are collected in a
 * *region*; at its end one check (the OR of all shadows that come in and of the shadow pages touched) decides whether the
 * symbolic code, out of line, runs at all. A region ends at a branch, at a call, at the end of its block and before any access
 * whose address may be symbolic: what can crash must have been recorded.
 *
 * Invariant: outside an open region every value that may be symbolic has its shadow in `shadow`; on the concrete
 * side of a region all shadows it defines are 0.
 */
#ifndef TANDEM_COMPILE_WEAVE_H
#define TANDEM_COMPILE_WEAVE_H

#include "compile/cfg.h"
#include "compile/intrinsic.h"
#include "compile/shadow.h"
#include "contract/trace.h"

struct weave;
struct step;

/* One piece of symbolic code, written when its region closes. */
typedef void step_emit(struct weave *w, const struct step *step);

struct step {
	step_emit *emit;
	Value value;      /* instruction or operand it is about */
	unsigned detail;  /* enum td_lost, ... */
	const void *extra;
};

struct kill { int block; struct kill *next; };

struct weave {
	struct unit *u;
	Value function;        /* the traced body */
	Value identity;        /* the symbol callers know it by: tag of calls and results */
	Value record;          /* its struct td_function, or NULL */
	struct cfg *cfg;
	int block;             /* index of the block being woven */
	Block current;         /* where instructions go now */
	struct ptrmap symbolic; /* values that may be symbolic */
	struct ptrmap shadow;   /* value -> its shadow */
	struct ptrmap pending;  /* values defined in the open region */
	struct ptrmap fresh;    /* value -> shadow on the symbolic side being written */
	struct ptrmap kills;    /* value -> list of blocks from which on it is known to be fixed */
	struct ptrmap last;     /* Block -> where its end went */
	LIST(struct step) steps;
	LIST(Value) words;      /* 32-bit words that make the region symbolic when nonzero */
	LIST(Value) pages;      /* likewise, 64-bit */
	bool force;             /* the region records a branch: also taken when all branches are wanted */
	Value variadic_ids, variadic_desc; /* of a variadic function: what came with the call */
};

/* weave.c */
void weave_function(struct unit *u, Value function, Value identity, Value record);
bool weave_symbolic(const struct weave *w, Value v);      /* may v be symbolic here? */
Value weave_shadow(struct weave *w, Value v);
Value weave_shadow_at(struct weave *w, Value v, int block);
void weave_place(struct weave *w, Value instruction);     /* re-insert the original */
void weave_fix(struct weave *w, Value v);                 /* from here on v has one value on this path */
Value weave_root(Value pointer);                          /* without constant offsets */

/* symbolic.c */
void symbolic_find(struct weave *w);
bool symbolic_carries(const struct unit *u, Value instruction); /* operands' terms flow into its result */

/* region.c */
void region_step(struct weave *w, step_emit *emit, Value value, unsigned detail, const void *extra);
void region_define(struct weave *w, Value instruction);   /* its shadow is computed in the region */
void region_use(struct weave *w, Value v);
void region_page(struct weave *w, Value pointer);
void region_lose(struct weave *w, Value v, enum td_lost why);
void region_close(struct weave *w);

/* emit.c */
Value emit_shadow(struct weave *w, Value instruction);    /* on the symbolic side: the shadow of its result */
Value emit_load(struct weave *w, Value pointer, Value value);
void emit_store(struct weave *w, Value pointer, Value value, Value shadow);
Value emit_binary(struct weave *w, enum td_op op, Value a, Value sa, Value b, Value sb, Value result, unsigned immediate);
Value emit_unary(struct weave *w, enum td_op op, Value a, Value sa, Value result, unsigned immediate);
Value emit_select(struct weave *w, Value c, Value sc, Value a, Value sa, Value b, Value sb);
void emit_lose(struct weave *w, const struct step *step);
void emit_lose_value(struct weave *w, Value v, Value shadow, enum td_lost why);

/* call.c */
void call_weave(struct weave *w, Value call);
void call_prologue(struct weave *w);
void call_return(struct weave *w, Value ret);
Value call_slot(struct weave *w, unsigned field, unsigned index);

#endif
