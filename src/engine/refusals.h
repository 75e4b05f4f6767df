/* When a branch that paths refute is worth a leap: the first few times, and then ever more seldom. */
#ifndef TANDEM_ENGINE_REFUSALS_H
#define TANDEM_ENGINE_REFUSALS_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

struct refusal {
	uint32_t count, next; /* how often it was refuted, and at how many a leap is due */
};

/* Zero is a good start. */
struct refusals {
	VEC(struct refusal) edges;
};

bool refusals_add(struct refusals *r, uint32_t edge); /* true: a leap is due */
void refusals_free(struct refusals *r);

#endif
