/* A problem as Z3's terms. */
#ifndef TANDEM_SOLVE_TRANSLATE_H
#define TANDEM_SOLVE_TRANSLATE_H

#include "solve/problem.h"

#include <z3.h>

struct translation {
	Z3_context c;
	const struct problem *p;
	struct arena *arena;
	/* out: */
	Z3_ast *variables;   /* a fixed one is a constant */
	Z3_ast *ast;         /* by node */
	Z3_ast *parts;       /* truths */
	Z3_ast *ties;        /* truths: how bytes and lengths of an object hang together */
	Z3_ast *near;        /* truths: no object grows much */
	size_t ties_count, near_count;
};

void translate(struct translation *z);

#endif
