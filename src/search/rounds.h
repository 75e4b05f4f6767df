/* Once more around a loop than any run before: what a buffer has no room for comes after as many rounds as it has bytes, and no round of them covers anything new. */
#ifndef TANDEM_SEARCH_ROUNDS_H
#define TANDEM_SEARCH_ROUNDS_H

#include "search/search.h"

struct rounds;
struct rounds *rounds_new(struct world *w);
void rounds_free(struct rounds *r);

void rounds_meet(struct rounds *r, uint32_t walk);

/* The shortest first. False: there is nothing that goes around. */
bool rounds_choose(struct rounds *r, struct pick *out);

#endif
