/* The context of a branch: what was decided just before it. */
#ifndef TANDEM_SEARCH_CONTEXT_H
#define TANDEM_SEARCH_CONTEXT_H

#include "search/dominate.h"

/* A hash of the edge that the choice would take, the side taken instead and the k decisions before that do not dominate it: those are the same whenever it is reached. Dominators may be
 * NULL: then none does. */
uint64_t context_of(const struct walk *w, const struct walk_choice *c, unsigned k, const struct dominators *d);

#endif
