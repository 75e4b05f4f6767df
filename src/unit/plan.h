/* What a function is given in unit mode (contract/unit.h), from its types. */
#ifndef TANDEM_UNIT_PLAN_H
#define TANDEM_UNIT_PLAN_H

#include "base/arena.h"
#include "base/str.h"
#include "contract/unit.h"
#include "trace/types.h"

/* A part of an object that has a value of its own. */
struct plan_leaf {
	uint64_t offset, size;
	uint32_t bit, bits;          /* of a bit-field, else 0 */
	const struct type *type;     /* no ARRAY, STRUCT: but for arrays of characters, which are leaves */
	const char *name;            /* "x", "p->next", "p[2].length", "g_count" */
};

struct plan_object {
	struct td_unit_object is;    /* but for the strings, which are in `name` */
	const char *name;
	const struct type *type;     /* of an element; NULL: the block of arguments */
	const struct type_variable *variable; /* NULL: it is made for the run */
	uint64_t count;              /* elements */
	const struct plan_leaf *leaves; /* within its inputs */
	size_t leaves_count;
};

/* A function of the program that a pointer may lead to, or that is a stub. */
struct plan_function {
	const struct type *type;
	const char *name;
	uint32_t index;              /* of its record */
	uint32_t machine;            /* parameters in machine code: a struct may be several, or none */
	bool ends;                   /* it does not return */
};

struct plan {
	struct plan_object *objects;
	struct td_unit_slot *slots;
	struct td_unit_target *targets;
	struct td_unit_stub *stubs;
	struct td_unit_range *ranges;
	size_t objects_count, slots_count, targets_count, stubs_count, ranges_count;
	uint32_t given, function;
	uint64_t facts;
	const struct type *type;     /* of the function */
	const struct plan_function *functions; /* that pointers may lead to, as wished for */
	size_t functions_count;
};

struct plan_options {
	uint64_t elements;           /* of what a pointer to an elementary type leads to (default 16) */
	uint64_t inputs_max;         /* bytes of an object that are inputs (default 1024) */
	unsigned depth;              /* pointers behind each other until only objects that are there can be led to (default 3) */
	size_t objects_max;          /* (default 96): for arguments and variables together, and for what each stub returns. More pointers lead to none of their own */
	bool no_alias;               /* no two pointers lead to one object */
	bool no_ends;                /* a pointer that says by its name that it is the end of what another leads to may lead anywhere */
	bool no_ranges;              /* integers may be anything */
	bool no_sizes;               /* and need not go with what pointers lead to */
};

#define PLAN_DEFAULT (struct plan_options){ .elements = 16, .inputs_max = 1024, .depth = 3, .objects_max = 96 }

struct ranges;
struct shapes;

struct plan_wish {
	struct plan_function function;
	bool is_main;                /* nothing is given to it */
	const struct type_variable *const *variables; /* that the unit touches */
	size_t variables_count;
	const struct plan_function *stubs;
	size_t stubs_count;
	const struct plan_function *functions; /* that a pointer to a function may lead to: those of its type do */
	size_t functions_count;
	uint64_t facts;
	const struct ranges *ranges; /* NULL: nothing is known */
	const struct shapes *shapes; /* likewise */
	struct plan_options options;
};

/* In the arena. False: why there can be none. */
bool plan_make(const struct plan_wish *w, struct arena *arena, struct plan *out, struct err *err);

/* As the runtime reads it; calls of the functions that the others are for are told. */
void plan_pack(const struct plan *p, const struct plan *const *watched, size_t watched_count, struct str *out);

/* Bytes of the mark of an object to begin with: all 0, but pointers lead to the first of their targets. In the arena; *size is its `inputs`. */
uint8_t *plan_first(const struct plan *p, size_t object, struct arena *arena, size_t *size);

/* "f(x = 5, p = "ab", p->next = NULL), g_count = -1, h() = 2": what marks mean, those of the plan's given objects and then of what stubs return; what a null pointer hides is left out. A mark that is shorter than its object, or not there, is 0. */
struct plan_value {
	const uint8_t *bytes;
	size_t size;
	const char *name;            /* of a stub's: which it is */
	const uint8_t *read;         /* by byte, as many as the object has inputs: not 0 if it matters. What does not is left out, and "..." stands for it. NULL: all of it does */
};
void plan_print(const struct plan *p, const char *function, const struct plan_value *marks, size_t count, struct str *out);

/* The pointer there; of a union, the one whose bytes the offset is among. NULL: there is none. */
const struct td_unit_slot *plan_slot(const struct plan *p, size_t object, uint64_t offset);
const struct td_unit_slot *plan_union_slot(const struct plan *p, size_t object, uint64_t offset);

/* How a plan's objects are laid out, for whoever walks along their types. */
bool plan_is_row(const struct plan_object *o);    /* elements behind each other, "p[3]", or a text, instead of one thing */
uint64_t plan_tail(const struct plan_object *o);  /* so many elements of a flexible array member are there */
uint64_t plan_argument_at(const struct type *function, size_t argument); /* in their block */
const char *plan_argument_name(struct arena *a, const struct type *function, size_t argument);
bool plan_is_led(const struct type_member *member); /* of a union: a pointer at its beginning */
const char *plan_member_name(struct arena *a, const char *of, const char *dot, const struct type_member *member);

#endif
