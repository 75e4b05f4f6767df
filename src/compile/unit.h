/* One source file on its way through the instrumenter: the LLVM module and what every stage asks for.
 * The C API has no classes to hang things on, so this struct is passed everywhere as `u`. */
#ifndef TANDEM_COMPILE_UNIT_H
#define TANDEM_COMPILE_UNIT_H

#include "compile/memory.h"
#include "compile/options.h"
#include "compile/ptrmap.h"
#include "contract/region.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include <stdbool.h>
#include <stdint.h>

typedef LLVMValueRef Value;
typedef LLVMTypeRef Type;
typedef LLVMBasicBlockRef Block;

/* A callable declaration: LLVM's opaque pointers no longer carry the type. */
struct hook {
	Value function;
	Type type;
};

struct unit {
	struct unit_options options;
	LLVMContextRef context;
	LLVMModuleRef module;
	LLVMBuilderRef builder;
	LLVMTargetDataRef layout;
	Type i1, i8, i32, i64, i128, ptr, none;
	Value zero;                      /* i32 0: the concrete shadow */
	struct hook hooks[TD_HOOK_COUNT];
	Value slots;                     /* thread-local struct td_slots */
	Type slots_type;
	Value directory;                 /* shadow pages by page number */
	Value space;                     /* struct td_space: the map of objects */
	Type space_type;
	Value owners, mask, objects;     /* its fields as the function at hand has them, or NULL */
	Value lowest;                    /* thread-local: see runtime/local.c */
	Value own_scope;                 /* alias scope of what only the runtime writes, */
	Value cover_scope, both_scopes;  /* and of what is written down of coverage: the program's own accesses are about neither */
	unsigned md_scope, md_noalias;
	Value force;                     /* nonzero: take the symbolic side always */
	Value tracing;                   /* nonzero: this is a traced run */
	Value edges;                     /* byte array of this file's edges (placeholder until its size is known) */
	Value cover;                     /* pointer to where it is written down that one was taken */
	Value functions;                 /* array of this file's struct td_function */
	Value bases;                     /* struct td_bases */
	Value data;                      /* likewise a placeholder, for what unit_add_data was given: */
	LIST(char) data_bytes;
	struct LLVMOpaqueDIBuilder *debug; /* NULL: the file has no debug information */
	struct ptrmap identities;        /* concrete side -> the symbol the world knows the function by */
	struct ptrmap entries;           /* concrete side -> the traced function's entry, which asks whether anything is symbolic */
	struct ptrmap variables;         /* what split_is_variable has found out */
	struct ptrmap users;             /* function -> parameters that it uses and that are all it uses, a bit each (lend.c) */
	unsigned md_site;                /* metadata kind that carries a site number */
	unsigned md_told;                /* on a branch or switch: edges that another one tells of, so that they need no mark */
	unsigned md_behind;              /* and on that other one: which it is */
	unsigned md_prof;
	unsigned md_signed;              /* on an addition, subtraction, multiplication: of signed numbers, by C's types */
	unsigned md_seen;                /* on an access: the head of its block looks at it (split.c) */
	Value unlikely, likely;          /* branch weights */
};

void unit_setup(struct unit *u, LLVMContextRef context, LLVMModuleRef module);
void unit_attribute(const struct unit *u, Value function, const char *name, uint64_t value);
void unit_keep_whole(const struct unit *u, Value function, bool optimised); /* it is not inlined */
void unit_frame_pointer(const struct unit *u, Value function); /* call stacks can be walked through it */
const char *unit_name(Value global);            /* its symbol name */
#define UNIT_MODEL "__td_m_"                    /* what that of a model begins with */
const char *unit_modelled(Value function);      /* the library function that it is the model of; NULL: it is none */
bool unit_is_named(Value global, const char *name);
Value unit_const32(const struct unit *u, uint64_t value);
Value unit_const64(const struct unit *u, uint64_t value);

/* Address of `target` minus address of the field at `offset` in the block: a link-time constant of 32 bits. */
Value unit_self_relative(const struct unit *u, Value block, size_t offset, Value target);

/* Calls a hook with what the argument list says. */
const char *unit_hook_types(enum td_hook hook); /* letters of contract/hook.def, result first, between commas */
Value unit_call(struct unit *u, enum td_hook hook, Value *arguments, unsigned count);
#define HOOK_CALL(u, name, ...) \
	unit_call(u, TD_HOOK_##name, (Value[]){__VA_ARGS__}, (unsigned)(sizeof((Value[]){__VA_ARGS__}) / sizeof(Value)))

void unit_copy_attributes(Value function, Value to, LLVMAttributeIndex at); /* to another function, or to a call */
bool unit_has_attribute(Value function, const char *name);
Type unit_by_value(Value function, unsigned parameter); /* of the struct on the stack that it is; NULL: it is none */
bool unit_has_by_value(Value function);   /* any such parameter */
void unit_set_callee(Value call, Value function);
bool unit_address_taken(Value function);  /* used other than by direct calls (labels do not count) */

/* In `caller`: return what `callee`, of the same type, returns for these arguments, without growing the stack if possible. */
Value unit_tail_call(struct unit *u, Value caller, Value callee, Value *arguments, unsigned count);

/* Constant bytes, 4-byte aligned: their address, or their place in the file's data. */
Value unit_data(struct unit *u, const void *data, size_t size);
uint32_t unit_add_data(struct unit *u, const void *data, size_t size);
void unit_start_data(struct unit *u);
void unit_finish_data(struct unit *u);          /* when all functions are woven */

/* Calls of functions that do not exist: what one stage has to tell a later one, in a way that LLVM's passes keep. */
enum unit_mark_memory { UNIT_MARK_PURE, UNIT_MARK_STAYS, UNIT_MARK_TOUCHES /* what its first argument points to */ };
Value unit_mark(struct unit *u, const char *name, Type result, Value *arguments, unsigned count, enum unit_mark_memory what);
bool unit_is_mark(Value i, const char *name);

/* The object that a pointer points to, inline: contract/object.h. */
void unit_load_space(struct unit *u, bool once);  /* here, for all that is written from now on; false: where it is used */
Value unit_record(struct unit *u, Value pointer);  /* its struct td_object */
void unit_object(struct unit *u, Value pointer, Value *start, Value *open);
Value unit_constant_load(struct unit *u, Value load); /* the same load: what it reads never changes while traced code runs */

/* A call of an LLVM intrinsic that is overloaded on one type. */
Value unit_intrinsic(struct unit *u, const char *name, Type type, Value *arguments, unsigned count);

/* Moves an instruction and all behind it to the end of another block. */
void unit_move(struct unit *u, Value first, Block to);

/* A block inserted right after `after`, to keep fast paths together. */
Block unit_block(struct unit *u, Value function, Block after, const char *name);

#endif
