/* Which taken edges a block owes its execution to: within a function only, callers do not count. */
#ifndef TANDEM_SEARCH_DOMINATE_H
#define TANDEM_SEARCH_DOMINATE_H

#include "search/flow.h"

struct dominators;

struct dominators *dominators_of(const struct facts *f);

/* By hand: functions are added one by one. */
struct dominators *dominators_new(uint32_t blocks, uint32_t edges);
void dominators_add(struct dominators *d, uint32_t first, uint32_t blocks, const struct flow_arc *arcs, uint32_t arcs_count);
void dominators_free(struct dominators *d);

/* Does every way through the function to where `edge` leaves from go over `earlier`? */
bool dominators_has(const struct dominators *d, uint32_t earlier, uint32_t edge);

#endif
