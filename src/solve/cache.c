/* That a query has no model depends on the query alone (if no floating point was held). Which model is found depends on the seed's bytes and the seed number too, and so does
 * that none is found in time. So the first is kept under the name of the slice, the rest under that and the seed's: an
 * answer out of here is what the stages would have said. A model is kept as the variables in which it differs from the seed. */
#include "solve/cache.h"

#include <string.h>

struct entry {
	uint32_t first, count; /* of changes */
	uint8_t verdict, held;
	uint8_t unused[6];
};

void cache_open(struct cache *c, size_t bytes)
{
	memset(c, 0, sizeof *c);
	memo_open(&c->memo, sizeof(struct entry), (uint32_t)(bytes / 4 / (sizeof(struct entry) + sizeof(struct digest)) + 1));
	c->changes_limit = bytes / 4 / sizeof *c->changes.at + 1;
}

void cache_close(struct cache *c)
{
	memo_close(&c->memo);
	vec_free(&c->changes);
}

static struct digest with_seed(const struct slice *s, uint64_t seed)
{
	return digest_add(digest_join(s->key, s->seed_key), seed);
}

bool cache_find(const struct cache *c, const struct slice *s, uint64_t seed, enum verdict *verdict, bool *held, uint64_t *model)
{
	const struct entry *e = memo_find(&c->memo, s->key);
	if (!e)
		e = memo_find(&c->memo, with_seed(s, seed));
	if (!e)
		return false;
	*verdict = (enum verdict)e->verdict;
	*held = e->held;
	for (uint32_t i = 0; *verdict == VERDICT_SAT && i < s->variables_count; i++)
		model[i] = s->variables[i].seed;
	for (uint32_t i = e->first; i < e->first + e->count; i++)
		model[c->changes.at[i].variable] = c->changes.at[i].value;
	return true;
}

static void make_room(struct cache *c, const struct slice *s)
{
	if (!memo_is_full(&c->memo) && c->changes.count + s->variables_count <= c->changes_limit)
		return;
	memo_forget(&c->memo);
	vec_free(&c->changes);
}

void cache_put(struct cache *c, const struct slice *s, uint64_t seed, enum verdict verdict, bool held, const uint64_t *model)
{
	make_room(c, s);
	uint32_t first = (uint32_t)c->changes.count;
	for (uint32_t i = 0; verdict == VERDICT_SAT && i < s->variables_count; i++)
		if (model[i] != s->variables[i].seed)
			vec_push(&c->changes, (struct cached_change){ i, model[i] });
	struct entry *e = memo_put(&c->memo, verdict == VERDICT_UNSAT && !held ? s->key : with_seed(s, seed));
	*e = (struct entry){ .first = first, .count = (uint32_t)c->changes.count - first, .verdict = (uint8_t)verdict, .held = held };
}
