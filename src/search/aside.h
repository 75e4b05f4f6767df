/* Choices that take no branch: conditions that must hold, and lengths of inputs. They get turns of their own between a strategy's
 * choices, so that strategies are what the papers say, and a crash is looked for whatever the search. */
#ifndef TANDEM_SEARCH_ASIDE_H
#define TANDEM_SEARCH_ASIDE_H

#include "search/search.h"

struct aside;

struct aside *aside_new(struct world *w, bool conditions_first);
void aside_free(struct aside *a);

void aside_meet(struct aside *a, uint32_t walk); /* a new walk */

/* Is it the turn of one of them? Call once per step, before the strategy is asked. */
bool aside_choose(struct aside *a, struct pick *out);

/* The strategy wants to start over, or has nothing left (idle). */
bool aside_instead(struct aside *a, bool idle, struct pick *out);

/* After each step: edges that are new. */
void aside_learn(struct aside *a, const struct result *r);

#endif
