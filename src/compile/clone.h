/* Two versions of every function: native and traced. The C API cannot clone a function, so the module is
 * read twice; the second reading is woven, renamed and linked back into the first. What the rest of the world knows by the
 * function's name is a dispatcher: one load, one branch, one jump. Calls inside a version stay in it. */
#ifndef TANDEM_COMPILE_CLONE_H
#define TANDEM_COMPILE_CLONE_H

#include "base/err.h"
#include "compile/facts.h"
#include "compile/unit.h"

/* A function that exists twice. One that is static and only called directly needs no dispatcher: each version has its own
 * callers, and the optimiser may treat it as it would have. */
struct cloned {
	char *name;
	bool dispatched;
};

struct clone {
	struct unit *native;  /* the module that is kept */
	struct unit *traced;  /* its second reading */
	const struct facts *facts;
	LIST(struct cloned) functions; /* in the order of the facts */
	LIST(Value) models;     /* when the models are compiled: struct td_model of each */
	LIST(char *) locals;    /* names of internal and private globals, external while linking */
};

/* Before the second reading: main gets out of the way, nameless globals get names. */
void clone_prepare(struct unit *u);
bool clone_make(struct clone *clone, struct err *err);
void clone_join(struct clone *clone); /* the traced module goes into the native one */

#endif
