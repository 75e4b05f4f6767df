/* The weaver: puts the symbolic code of one function beside its concrete code.
 *
 * Instructions are re-inserted one by one. Those that compute with values that may be symbolic are collected in a
 * *region*; at its end one check decides whether the symbolic code, out of line, runs at all. A region ends at a branch, at a
 * call, at the end of its block and before any access whose address may be symbolic: what can crash must have been recorded.
 *
 * Shadows live in the *frame*, an array on the stack that only symbolic code touches, and are not carried in registers. The
 * *flag* says whether the frame holds anything: while it is 0, all shadows of this activation are 0 and
 * the frame is not even initialised. The check of a region is then: flag, or the shadow page of something it loads or stores.
 * So code that meets nothing symbolic pays for the test of one register and of the pages it touches.
 *
 * Invariant: outside an open region, if the flag is set, the slot of every live value that may be symbolic holds its shadow.
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
	bool defines;     /* value's shadow is computed here */
};

/* What a region writes to the frame. */
struct output {
	unsigned slot;
	Value shadow;     /* set while the symbolic side is written */
	Type type;        /* of the shadow */
	Value value;      /* whose shadow it is; a phi that is fed: NULL */
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
	struct ptrmap settled;  /* of these, the ones that turned out not to be */
	struct ptrmap kills;    /* value -> list of blocks from which on it is known to be fixed */
	struct ptrmap slots;    /* value -> its place in the frame + 1 */
	struct ptrmap feeds;    /* phi -> where its predecessors put what comes in, + 1 */
	struct ptrmap pending;  /* values defined in the open region */
	struct ptrmap inside;   /* instructions it is about */
	struct ptrmap fresh;    /* value -> shadow on the symbolic side being written */
	struct ptrmap last;     /* Block -> where its end went */
	Value frame, flag;      /* allocas: the array, and 0 or all ones */
	unsigned frame_words;
	LIST(Value) wakes;      /* calls that need to know the frame's final size */
	LIST(struct step) steps;
	LIST(Value) inputs;     /* values from outside the open region */
	LIST(Value) fed;        /* phis that are read in it */
	LIST(struct output) outputs;
	LIST(Value) pages;      /* directory entries that make it symbolic when nonzero */
	bool force;             /* it records a branch: also taken when all branches are wanted */
	Value set;              /* on the symbolic side: the flag */
	Value variadic_ids, variadic_desc; /* of a variadic function: what came with the call */
};

/* weave.c */
void weave_function(struct unit *u, Value function, Value identity, Value record);
bool weave_symbolic(const struct weave *w, Value v);      /* may v be symbolic here? */
Value weave_shadow(struct weave *w, Value v);             /* on the symbolic side */
void weave_place(struct weave *w, Value instruction);     /* re-insert the original */
void weave_fix(struct weave *w, Value v);                 /* from here on v has one value on this path */
void weave_settle(struct weave *w, Value v);              /* v is never symbolic */
Value weave_root(Value pointer);                          /* without constant offsets */

/* symbolic.c */
void symbolic_find(struct weave *w);
bool symbolic_carries(const struct unit *u, Value instruction); /* operands' terms flow into its result */

/* region.c */
void region_step(struct weave *w, step_emit *emit, Value value, unsigned detail, const void *extra);
void region_define(struct weave *w, Value instruction, step_emit *emit); /* NULL: by emit_shadow */
void region_phi(struct weave *w, Value phi);              /* at the head of its block */
void region_feed(struct weave *w, Value phi, Value in);   /* at the end of a predecessor */
void region_use(struct weave *w, Value v);
void region_page(struct weave *w, Value pointer);
void region_lose(struct weave *w, Value v, enum td_lost why);
void region_close(struct weave *w);
void region_run(struct weave *w);                         /* close it without a check */
unsigned region_slot(struct weave *w, Value v);           /* v's place in the frame, made if need be */
Value region_read(struct weave *w, Value v);              /* on the symbolic side: what its slot holds */
void region_keep(struct weave *w, Value v, Value shadow); /* on the symbolic side: store it, waking the frame */
void region_frame(struct weave *w);                       /* at the head of the function */
void region_finish(struct weave *w);

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
