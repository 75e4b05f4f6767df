/* The weaver: gives a traced function two sides.
 *
 * The *concrete side* is the function as it is. All it does besides is to look at the object or the shadow page of whatever it loads or
 * stores and at the tag of what it calls; there are no shadows, nothing is recorded at branches, and the optimiser may inline it
 * and do what it likes. The *symbolic side* is a function of its own, out of the optimiser's sight: a copy of all blocks with hooks
 * beside the instructions. The concrete side leaves for the symbolic one at the very load or call that brought something
 * symbolic; the symbolic side goes back at a loop header when nothing is symbolic any more. A function called with
 * symbolic arguments starts on the symbolic side.
 *
 * Callers on the symbolic side, and everybody who does not know better, enter by the *gate*, which chooses the side; callers on a
 * concrete side have nothing symbolic to pass and call the concrete side directly, where it may be inlined.
 *
 * To make leaving possible at any such *source*, every value that lives across blocks is put in a stack variable (LLVM's
 * reg2mem; its SROA undoes that on the concrete side). So a block is the unit: no value crosses it except through variables and
 * parameters. Crossing over means to write the variables that are live there into the *state*, a struct both sides know.
 * Blocks are split behind calls that may bring something symbolic, where the concrete side leaves, and otherwise so that all
 * that is touched can be looked at before, at the head of its block or of a stretch of blocks (split.c): the concrete side leaves there,
 * before anything is done, and the symbolic side runs it from its head, after it has checked the same for errors.
 *
 * Shadows of variables and parameters live in the *frame*, an array on the stack that only the symbolic side touches. Within
 * a block of the symbolic side, steps are collected in a *region*, and one check decides whether its hooks run. A region ends at
 * calls, at the end of its block, and before any access whose address may be symbolic: what can crash must
 * have been recorded.
 *
 * Functions that cannot be torn apart (computed goto, setjmp, alloca, variadic ones) have only a symbolic side, in place.
 *
 * Invariant: on the symbolic side, outside a region, the slot of every live variable holds its shadow.
 */
#ifndef TANDEM_COMPILE_WEAVE_H
#define TANDEM_COMPILE_WEAVE_H

#include "compile/cfg.h"
#include "compile/intrinsic.h"
#include "compile/shadow.h"
#include "contract/region.h"
#include "contract/slots.h"
#include "contract/trace.h"

struct weave;
struct step;
struct table;

/* One piece of symbolic code, written when its region closes. */
typedef void step_emit(struct weave *w, const struct step *step);

struct step {
	step_emit *emit;
	Value value;      /* instruction or operand it is about */
	unsigned detail;  /* enum td_lost, ... */
	const void *extra;
	bool defines;     /* value's shadow is computed here */
};

/* A block and its copy. */
struct twin {
	Block concrete, symbolic;
	bool header;               /* the symbolic side may be left here */
	Block stay;                /* of the symbolic side: behind that question */
	unsigned char *live;       /* variables that are live at its head */
	uint32_t behind;           /* an edge that has been taken before it, and is not marked because a site behind it tells; or TD_NO_EDGE */
};

/* The struct through which the sides hand over: result, then parameters, variables, addresses of objects. */
struct state {
	Type type;
	Value concrete, symbolic;   /* its address on either side */
	LIST(Value) fields;         /* on the concrete side: what field 1 + k stands for */
	struct ptrmap index;        /* and back: value -> k + 1 */
	struct ptrmap places;       /* on the symbolic side: what stands for it there -> offset + 1 */
};

struct weave {
	struct unit *u;
	Value function;        /* the side being written */
	Value concrete_side, symbolic_side;
	Value identity;        /* the symbol callers know it by: tag of calls and results */
	Value record;          /* its struct td_function, or NULL */
	unsigned number;       /* which of its file that is */
	bool one_sided;        /* the symbolic side alone, in place */
	Value gate;            /* the function that callers enter by: anything symbolic? */
	Block entry;           /* of the concrete side: stack variables */
	Block exit;            /* calls the symbolic side */
	Value where;           /* phi there: index in `resumes` + 1 */
	LIST(Block) resumes;   /* of the symbolic side */
	struct state state;
	LIST(struct twin) twins;
	struct ptrmap twin_index; /* concrete block -> index + 1 */
	struct ptrmap copies;   /* concrete side -> symbolic side: variables, parameters, objects, instructions */
	struct ptrmap on_symbolic_side; /* blocks */
	LIST(Value) parameters; /* as the symbolic side has them */
	uint32_t behind;        /* of the block at hand */
	Block current;          /* where instructions go now */
	struct ptrmap symbolic; /* values that may be symbolic */
	struct ptrmap fixed;    /* in this block: values that have one value on this path */
	struct ptrmap slots;    /* value or variable -> its place in the frame + 1 */
	struct ptrmap pending;  /* values defined in the open region */
	struct ptrmap inside;   /* instructions the open region is about */
	struct ptrmap fresh;    /* value or variable -> shadow, on the symbolic side being written */
	Value frame;            /* its address */
	unsigned frame_words;
	LIST(Value) sized;      /* calls that need to know the frame's final size */
	LIST(struct step) steps;
	LIST(Value) inputs;     /* values and variables the open region reads */
	LIST(Value) outputs;    /* and those it sets */
	LIST(Value) pages;      /* addresses whose pages make it symbolic */
	LIST(Value) fixing;     /* what will be fixed when it has run */
	LIST(struct table *) tables;
	unsigned flags;         /* enum td_region_flag */
	bool recording;         /* hooks are put into the open region */
	enum td_condition condition; /* of those that come now */
	LIST(uint32_t) operations;
	unsigned operation_count, shadow_count;
	LIST(Value) values;     /* what it has to be given when it runs */
	struct ptrmap words;    /* scalar -> its low word, in this block: */
	Block words_block;
	struct ptrmap high_words;
	Value variadic_ids, variadic_desc; /* of a variadic function: what came with the call */
};

/* split.c */
void split_function(struct unit *u, Value function);      /* before reg2mem */
void split_forward(struct unit *u, Value function);       /* after it: a variable is read once in a block at most */
bool split_is_source(struct unit *u, Value instruction);
bool split_loses(struct unit *u, Value instruction);
bool split_clears(struct unit *u, Value instruction);
bool split_is_variable(struct unit *u, Value v);          /* a stack variable that is only loaded and stored */
uint64_t split_access_size(const struct unit *u, Value instruction);

/* safety.c */
void safety_keep(struct unit *u);                         /* before anything is optimised */
void safety_insert(struct unit *u, Value function);       /* before blocks are split */
void safety_mark(struct unit *u);                         /* on the raw IR: where it may be divided or shifted in vain */
void safety_put(struct unit *u, Value a, Value b, unsigned shape, Value before); /* such a mark */
bool safety_in_doubt(const struct unit *u, Value i);      /* division, shift and the like: may it go wrong? */
bool safety_is_mark(Value i);
Value safety_condition(struct unit *u, Value mark);       /* concrete side: does this go wrong? NULL if it cannot */
void safety_fail(struct unit *u, Value mark);             /* then it does */
void safety_weave(struct weave *w, Value mark);           /* symbolic side: instead of the mark */
void safety_extent(struct weave *w, Value call);          /* likewise, if the call is one that safety_insert made */
void safety_look(struct weave *w, Value look);            /* in the open region: what must hold, if the address is symbolic */
void safety_callee(struct weave *w, Value call);          /* likewise what is called, */
void safety_room(struct weave *w, Value alloca);          /* or how much */
void safety_given(struct weave *w, Value i, enum td_given kind, Value a, Value b); /* now: what must hold for something handed on */

/* lend.c */
void lend_find(struct unit *u, Value function);           /* before any of them is changed: what does it do with its parameters? */
void lend_arguments(struct unit *u, Value call);

/* library.c: what uninstrumented functions do to memory is checked. */
void library_insert(struct unit *u, Value function);      /* before blocks are split */

/* look.c */
bool look_is(Value instruction);                          /* a mark: an access that the head of a block has to look at */
enum look_field {
	LOOK_POINTER, LOOK_OFFSET, LOOK_SIZE, /* what is touched: bytes from a pointer */
	LOOK_KIND, LOOK_BOUNDED,              /* 1: it has to be inside of */
	LOOK_BASE, LOOK_INSIDE,               /* the object at a pointer, or so many bytes from there */
	LOOK_FLAGS, LOOK_LINE, LOOK_COLUMN, LOOK_FIELDS
};
enum look_kind {
	LOOK_READS = TD_LOOK_READS, LOOK_CLEARS = TD_LOOK_CLEARS, LOOK_LOSES = TD_LOOK_LOSES, /* loads; stores, or loads a type without terms, in its own block */
	LOOK_INSIDE_ONLY = TD_LOOK_INSIDE     /* nothing but bounds */
};
Value look_pointer(Value look);
Value look_base(Value look);
uint64_t look_number(Value look, enum look_field field);
bool look_checks(Value look);                             /* is it about bounds, on the symbolic side? */
bool look_exact(Value look);                              /* right in front of its access, for the symbolic side alone */
struct look {
	Value pointer, base;    /* base NULL: of no interest */
	int64_t offset;
	uint64_t size, inside;  /* bytes; of the array or variable at base, if known */
	enum look_kind kind;
	Value about;            /* the access */
	unsigned flags;         /* enum td_look_flag */
};
void look_put(struct unit *u, const struct look *k, Value pointer, Value base, Value before); /* the two as they are there */
void look_finish(struct unit *u);
struct look_list {                                        /* all that a head looks at, as data and the pointers that are meant */
	LIST(struct td_look) looks;
	Value pointers[TD_ASK_POINTERS];
	uint8_t pointer_count;
};
struct look_list look_list(const Value *looks, size_t count);

/* twin.c */
void twin_make(struct weave *w);                          /* after it */
LLVMMetadataRef twin_describe(struct weave *w, Value function); /* debug information of its own, under its own name; NULL: there is none */
void twin_use(struct weave *w, bool symbolic);            /* which side is being written */
const struct twin *twin_of(const struct weave *w, Block concrete);
Value twin_staying(struct weave *w);                         /* symbolic side: nonzero if there is no way back */
void twin_begin(struct weave *w);                            /* in the gate: run the symbolic side to its end */
void twin_hand_over(struct weave *w, const struct twin *to, Block resume); /* concrete side: write what is live at `to`, go to `resume` */
void twin_cross(struct weave *w, const struct twin *twin, const struct look_list *looks, Block rest); /* likewise, to this block, if a look wants it; else to `rest` */
void twin_go_back(struct weave *w, const struct twin *to);   /* symbolic side: likewise */
void twin_return(struct weave *w, Value ret);                /* symbolic side: the function is over */
void twin_finish(struct weave *w);
bool twin_returns_twice(Value call);                         /* setjmp and the like */

/* weave.c */
void weave_function(struct unit *u, Value function, Value identity, Value record, unsigned number);
bool weave_symbolic(const struct weave *w, Value v);      /* may v be symbolic here? */
Value weave_shadow(struct weave *w, Value v);             /* on the symbolic side */
void weave_place(struct weave *w, Value instruction);     /* re-insert the original */
Value weave_root(Value pointer);                          /* without constant offsets */

/* table.c */
void table_gather(struct unit *u, Value function);        /* after blocks are split: addresses in the blocks of the loads that use them */
struct table *table_of(const struct unit *u, Value load); /* a read from arrays of known size, or NULL */
void table_free(struct table *t);
void table_weave(struct weave *w, Value load, struct table *t); /* the load itself included; t is needed until the region is closed */

/* Nothing on a page is symbolic without the page before it having shadows too (runtime/shadow.c), so one look is enough for so
 * many bytes. */
enum { LOOK_REACH = 4096 };

/* concrete.c */
void concrete_weave(struct weave *w, const struct twin *twin);

/* symbolic.c */
void symbolic_find(struct weave *w);
bool symbolic_carries(Value instruction);                 /* operands' terms flow into its result */

/* region.c */
void region_step(struct weave *w, step_emit *emit, Value value, unsigned detail, const void *extra);
void region_define(struct weave *w, Value instruction, step_emit *emit); /* NULL: by emit_shadow */
void region_use(struct weave *w, Value v);
void region_read(struct weave *w, Value load, Value variable);
void region_write(struct weave *w, Value store, Value variable, Value v);
void region_lose(struct weave *w, Value v, enum td_lost why);
void region_fix(struct weave *w, Value v, enum td_lost why); /* if v may be symbolic: from this region's end on it has one value on this path */
void region_close(struct weave *w);
void region_always(struct weave *w);                      /* it runs whether or not anything is symbolic */
void region_run(struct weave *w);                         /* close it without a check */
void region_force(struct weave *w);                       /* it records a branch */
Value region_page_entry(struct unit *u, Value pointer);   /* the directory entry of its page */
void region_page(struct weave *w, Value pointer);
Value region_holder(const struct weave *w, Value v);      /* the variable that v was loaded from and still equals, or v */
uint32_t region_field(const struct weave *w, Value v);    /* TD_VALUE_FIELD, or 0: it is not in the state now */
void region_sized(struct weave *w, Value call);           /* its second argument is the frame's size */
void region_frame(struct weave *w);                       /* at the head of the symbolic side: an empty frame */
void region_finish(struct weave *w);

/* A hook: called, or on the symbolic side put into the open region. */
Value region_hook(struct weave *w, enum td_hook hook, Value *arguments, unsigned count);
#define EMIT(w, name, ...) \
	region_hook(w, TD_HOOK_##name, (Value[]){__VA_ARGS__}, (unsigned)(sizeof((Value[]){__VA_ARGS__}) / sizeof(Value)))

/* emit.c */
void emit_words(struct weave *w, Value scalar, Value words[2]); /* like shadow_words; the same in a block for the same value */
Value emit_shadow(struct weave *w, Value instruction);    /* the shadow of its result */
Value emit_load(struct weave *w, Value pointer, Value value);
void emit_store(struct weave *w, Value pointer, Value value, Value shadow);
Value emit_binary(struct weave *w, enum td_op op, Value a, Value sa, Value b, Value sb, Value result, unsigned immediate);
Value emit_unary(struct weave *w, enum td_op op, Value a, Value sa, Value result, unsigned immediate);
Value emit_select(struct weave *w, Value c, Value sc, Value a, Value sa, Value b, Value sb);
void emit_lose(struct weave *w, const struct step *step);
void emit_lose_value(struct weave *w, Value v, Value shadow, enum td_lost why);

/* variadic.c */
struct variadic_layout {                                  /* what the arguments so far have taken */
	unsigned general, floating, stack;                /* registers; bytes, */
	unsigned fixed;                                   /* of these by arguments that have a parameter */
};
struct td_va variadic_place(const struct unit *u, Value call, unsigned argument, struct variadic_layout *at); /* the next one: where its callee will find it */
uint64_t variadic_stacked(const struct unit *u, Value call); /* what it puts on the stack behind its fixed arguments */
void variadic_enter(struct weave *w, Value match);        /* in a function that is variadic; match: was it called with ids? */
void variadic_start(struct weave *w, Value call);
void variadic_copy(struct weave *w, Value call);

/* assembly.c */
void assembly_weave(struct weave *w, Value call);
void assembly_emit(struct weave *w, const struct step *step); /* its effects alone */

/* call.c */
enum call_field {                                         /* of struct td_slots */
	SLOT_CALLEE, SLOT_RETURNER, SLOT_VARIADIC, SLOT_ARG, SLOT_RESULT, SLOT_BY_VALUE, SLOT_STACKED_FOR, SLOT_STACKED, SLOT_VALUE
};
Value call_slot(struct weave *w, enum call_field field, unsigned index);
LLVMAttributeRef call_attribute(Value call, unsigned argument, const char *name); /* NULL: it has none */
uint64_t call_by_value(const struct unit *u, Value call, unsigned argument); /* bytes of a struct that is passed on the stack, or 0 */
void call_weave(struct weave *w, Value call);
void call_gate(struct weave *w);                          /* in the gate: is anything symbolic about this call? */
void call_take_arguments(struct weave *w);                /* into the frame, if they came for this function */
void call_return(struct weave *w, Value ret);
void call_stacked(struct weave *w, Value call);     /* on either side, before it: arguments on the stack lose the terms of what was there */
bool call_travels(struct unit *u, Value call);      /* may its result come with terms? */
bool call_touches(const struct unit *u, Value call, unsigned argument); /* an uninstrumented callee reads or writes behind it */
bool call_must_ask(const struct unit *u, Value call);      /* has pointers for a callee that may be foreign and unknown */
bool call_through_pointer(Value call);
bool call_resolve(struct weave *w, Value call);           /* concrete side: a call through a pointer goes to the model, and its effects are seen to */
void call_unseen(struct weave *w, Value call);            /* says so if it reads input that we do not see */
void call_tell_values(struct weave *w);                   /* of its parameters, into the slots */
void call_answer_invented(struct weave *w);               /* a stub returns what the runtime makes up */
void call_answer_nothing(struct weave *w);                 /* concrete side, before a return: nobody may take an inner call's result for ours */
Value call_returner(struct weave *w);
Value call_tag(const struct unit *u, Value call);
void call_take_result(struct weave *w, Value result);     /* in the open region */
void call_emit_effects(struct weave *w, Value call);      /* on the concrete side: nothing is symbolic but memory */

#endif
