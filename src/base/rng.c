/* xoshiro256** by Blackman and Vigna (public domain), seeded by splitmix64 as they advise: a seed of 0 is fine. */
#include "base/rng.h"

#include <assert.h>

uint64_t rng_mix(uint64_t x)
{
	x += 0x9e3779b97f4a7c15u;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

void rng_seed(struct rng *r, uint64_t seed)
{
	for (int i = 0; i < 4; i++, seed += 0x9e3779b97f4a7c15u)
		r->state[i] = rng_mix(seed);
}

static uint64_t rotate(uint64_t x, int by)
{
	return x << by | x >> (64 - by);
}

uint64_t rng_next(struct rng *r)
{
	uint64_t *s = r->state, result = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;
	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotate(s[3], 45);
	return result;
}

uint64_t rng_below(struct rng *r, uint64_t limit)
{
	assert(limit);
	uint64_t uneven = -limit % limit; /* 2^64 mod limit: numbers below it would be too frequent */
	uint64_t x;
	do
		x = rng_next(r);
	while (x < uneven);
	return x % limit;
}
