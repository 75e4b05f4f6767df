/* Which bits of each term anybody looks at. */
#ifndef TANDEM_SOLVE_DEMAND_H
#define TANDEM_SOLVE_DEMAND_H

#include "solve/problem.h"

/* By node: bit i is set if bit i of the term matters for some of these parts. */
const u128 *demand_bits(const struct problem *p, const bool *parts, struct arena *arena);

#endif
