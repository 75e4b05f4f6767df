/* What every function of a program is tested with, found when it is first asked for. */
#ifndef TANDEM_UNIT_BOOK_H
#define TANDEM_UNIT_BOOK_H

#include "unit/recipe.h"
#include "unit/scope.h"

struct book_options {
	struct scope_options scope;
	struct plan_options plan;
};

struct book;

/* The program is borrowed, and what the options point to. */
struct book *book_new(struct unit_program *p, const struct book_options *o);
void book_free(struct book *b);

const struct scope *book_scope(struct book *b, uint32_t function);
struct recipe book_recipe(struct book *b, uint32_t function);
const struct plan *book_plan(struct book *b, uint32_t function, const char **why); /* NULL: it cannot be tested, and why */

/* As the runtime reads it, with the plans of those it calls, whose calls are told if `watching`. */
void book_pack(struct book *b, uint32_t function, bool watching, struct str *out);

/* Likewise, but calls of these are told, whoever makes them. */
void book_pack_watching(struct book *b, uint32_t function, const uint32_t *watched, size_t count, struct str *out);

/* The same for the same plan. */
struct digest book_digest(struct book *b, uint32_t function);

#endif
