/* Inputs of another shape: with an argument more, or less, or one that is much longer. Nothing that a solver could change: the number of arguments decides nothing that is symbolic. */
#ifndef TANDEM_ENGINE_VARIANTS_H
#define TANDEM_ENGINE_VARIANTS_H

#include "testcase/testcase.h"

#include <stddef.h>

struct variants;

/* Of programs that are given arguments at all: of these inputs, the one with most of them has so many. */
struct variants *variants_new(const struct testcase *feeds, size_t count);
void variants_free(struct variants *v);

/* An input that covered something; what it is like in another shape is worth a try. */
void variants_add(struct variants *v, uint32_t walk, const struct testcase *t);

/* The next to try, the newest first: how it differs from the input of *walk. False: there is none. */
bool variants_next(struct variants *v, uint32_t *walk, unsigned *kind);
struct testcase variants_make(const struct testcase *from, unsigned kind, struct arena *arena);

#endif
