/* Answers to whole queries: what was asked before, of the same seed, is answered by the same. */
#ifndef TANDEM_SOLVE_CACHE_H
#define TANDEM_SOLVE_CACHE_H

#include "base/vec.h"
#include "solve/memo.h"
#include "solve/path.h"

struct cached_change {
	uint32_t variable;
	uint64_t value;
};

struct cache {
	struct memo memo;
	VEC(struct cached_change) changes; /* of all models */
	size_t changes_limit;
};

void cache_open(struct cache *c, size_t bytes);
void cache_close(struct cache *c);

/* Is it known? What nobody knows is known too. SAT: model is filled in. held: floating point was. */
bool cache_find(const struct cache *c, const struct slice *s, uint64_t seed, enum verdict *verdict, bool *held, uint64_t *model);
void cache_put(struct cache *c, const struct slice *s, uint64_t seed, enum verdict verdict, bool held, const uint64_t *model);

#endif
