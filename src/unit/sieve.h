/* A quick look before two paths are put together: what one demands of single bytes of its input, and whether a call of another gives it something else there. */
#ifndef TANDEM_UNIT_SIEVE_H
#define TANDEM_UNIT_SIEVE_H

#include "unit/formula.h"

struct sieve;

/* Of a path; it is borrowed, and the sieve is in the arena. */
const struct sieve *sieve_new(const struct formula *f, struct arena *arena);

/* The call at the end of the caller's path gives constants that the path does not go by. given: objects of the callee's plan. */
bool sieve_refutes(const struct sieve *s, const struct formula *caller, uint32_t given);

#endif
