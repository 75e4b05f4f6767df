/* From the values that a solver chose to an input. */
#ifndef TANDEM_SOLVE_MODEL_H
#define TANDEM_SOLVE_MODEL_H

#include "solve/path.h"

/* The seed with these values; objects that stay as they are are the seed's own. */
struct assignment model_apply(const struct slice *s, const uint64_t *values, struct arena *arena);

bool model_resizes(const struct slice *s, const uint64_t *values); /* does any object change its length? */

#endif
