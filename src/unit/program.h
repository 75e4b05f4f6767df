/* A program as unit testing sees it: its functions, who may call whom, what they take and which variables they touch. */
#ifndef TANDEM_UNIT_PROGRAM_H
#define TANDEM_UNIT_PROGRAM_H

#include "base/arena.h"
#include "base/vec.h"
#include "trace/facts.h"
#include "trace/types.h"

/* Functions are known by their index: that of their record, and their number in events. */
struct unit_function {
	const char *name, *source, *file; /* source: that was compiled; file: that the function is in */
	uint32_t line;
	const struct facts_block *block;  /* NULL: it is none of the program's own, but a model */
	const struct td_function_facts *facts;
	const uint32_t *callees;          /* whom it may call, through pointers too: each once, in order */
	const uint32_t *callers;
	uint32_t callees_count, callers_count;
};

struct ranges;
struct shapes;

struct unit_program {
	struct facts facts;
	struct types *types;              /* NULL: it has no debug information */
	struct unit_function *functions;
	uint32_t count;
	uint32_t *named;                  /* functions by name */
	uint32_t *links;                  /* all lists of callees and callers */
	struct arena *arena;
	const struct type **function_types; /* of those that were asked for */
	bool *asked;
	struct ranges *ranges;            /* NULL: nobody has asked */
	struct shapes *shapes;            /* likewise */
	bool **changes;                   /* by function: which variables, by number; NULL: nobody has asked */
	bool *fixed;                      /* variables that nothing changes; NULL: nobody has asked */
};

/* False: it was not built with tandem cc, or without -g. */
bool unit_program_open(struct unit_program *p, const char *path, struct err *err);
void unit_program_close(struct unit_program *p);

/* Those of this name, "function" or "file.c:function", the next one from *index on; false: there is none. */
bool unit_program_find(const struct unit_program *p, const char *name, uint32_t *index);

/* Whom code of that file means by the name: its own function, or one that all can see; UINT32_MAX: none of the program's. */
uint32_t unit_program_named(const struct unit_program *p, const struct facts_block *from, const char *name);

/* Likewise, as LLVM calls it; NULL: none that is known. */
const struct type_variable *unit_program_variable(const struct unit_program *p, const struct facts_block *from, const char *name);

/* May a call of it change the variable, by itself or by what it calls? */
bool unit_program_changes(struct unit_program *p, uint32_t function, uint64_t variable /* address */);

const struct ranges *unit_program_ranges(struct unit_program *p);
const struct shapes *unit_program_shapes(struct unit_program *p);

bool unit_program_is_main(const struct unit_program *p, uint32_t function);

const struct type *unit_program_type(struct unit_program *p, uint32_t function); /* NULL: not known */

/* Variables that any of these functions mentions, each once, by address: all that debug information knows and that anybody in the program could change. The others are what they begin with. */
typedef VEC(const struct type_variable *) unit_variables;
void unit_program_variables(struct unit_program *p, const bool *members, unit_variables *out);

#endif
