/* Random numbers that depend on the seed and nothing else (xoshiro256**, seeded by splitmix64). */
#ifndef TANDEM_BASE_RNG_H
#define TANDEM_BASE_RNG_H

#include <stdint.h>

struct rng {
	uint64_t state[4];
};

void rng_seed(struct rng *r, uint64_t seed);
uint64_t rng_next(struct rng *r);
uint64_t rng_below(struct rng *r, uint64_t limit); /* 0 .. limit - 1, unbiased; limit > 0 */
uint64_t rng_mix(uint64_t x);                      /* one splitmix64 step: a good hash of a number */

#endif
