/* See outlook.h. Each byte alone comes first: that a variable is null is often demanded by all paths of a failure, and passed on by all calls, until somebody far out sets it in all of his. Then all bytes together, through each call, with what the caller's path demands
 * besides. What was found for a set of demands has a name, as most calls leave the same one; so this is a walk through few sets, though there are very many chains of calls.
 *
 * Without it the chains are gone through with a solver, and those that end nowhere use up all questions. */
#include "unit/outlook.h"

#include "base/digest.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/rng.h"

#include <stdlib.h>

enum { OPEN = 1, SHUT, STEPS_MAX = 3000 /* calls that are looked through at once, */, STEPS_ALL = 100000 /* and in all */ };

struct outlook {
	struct outlook_options o;
	struct map paths;                 /* index of its sieve, plus 1, by address */
	VEC(struct sieve *) sieves;
	struct map known;                 /* OPEN or SHUT, by level and demands */
	struct sieve *through;            /* by level: of the call that is looked at */
	uint64_t steps, steps_all;
	size_t farthest;
};

struct outlook *outlook_new(const struct outlook_options *o)
{
	struct outlook *k = mem_alloc(sizeof *k);
	k->o = *o;
	k->through = mem_alloc((o->count + 1) * sizeof *k->through);
	return k;
}

void outlook_free(struct outlook *o)
{
	if (!o)
		return;
	for (size_t i = 0; i < o->sieves.count; i++) {
		sieve_free(o->sieves.at[i]);
		free(o->sieves.at[i]);
	}
	for (size_t i = 0; i <= o->o.count; i++)
		sieve_free(&o->through[i]);
	vec_free(&o->sieves);
	map_free(&o->paths);
	map_free(&o->known);
	free(o->through);
	free(o);
}

struct sieve *outlook_sieve(struct outlook *o, const struct formula *path)
{
	uint32_t *at = map_at(&o->paths, rng_mix((uint64_t)(uintptr_t)path) | 1);
	if (!*at) {
		struct sieve *s = mem_alloc(sizeof *s);
		sieve_take(s, path);
		vec_push(&o->sieves, s);
		*at = (uint32_t)o->sieves.count;
	}
	return o->sieves.at[*at - 1];
}

static uint64_t name_of(size_t level, const struct sieve *s)
{
	struct digest d = digest_join(digest_of(level), sieve_name(s));
	return d.a + !d.a;
}

/* whole: what the callers' paths demand besides counts. */
static bool look(struct outlook *o, size_t level, const struct sieve *s, bool whole);

static bool is_too_much(const struct outlook *o)
{
	return o->steps >= STEPS_MAX || o->steps_all >= STEPS_ALL;
}

/* False: no call goes by it, and there are some. */
static bool look_through(struct outlook *o, size_t level, const struct sieve *s, bool whole)
{
	const struct summary *caller = o->o.summaries[level - 1];
	bool any = false;
	for (size_t i = 0; caller && i < caller->calls_count; i++) {
		const struct summary_call *c = &caller->calls[i];
		if (c->callee != o->o.functions[level])
			continue;
		any = true;
		if (is_too_much(o))
			return true;
		o->steps++;
		o->steps_all++;
		if (sieve_through(&o->through[level], s, &c->path, outlook_sieve(o, &c->path), whole, o->o.given[level]) && look(o, level - 1, &o->through[level], whole))
			return true;
	}
	return !any;
}

static bool look(struct outlook *o, size_t level, const struct sieve *s, bool whole)
{
	uint64_t name = name_of(2 * level + whole, s);
	uint32_t known = map_find(&o->known, name);
	o->farthest = level < o->farthest ? level : o->farthest;
	if (known || !level)
		return known != SHUT;
	bool open = look_through(o, level, s, whole);
	if (!is_too_much(o))
		*map_at(&o->known, name) = open ? OPEN : SHUT;
	return open;
}

static bool is_open_alone(struct outlook *o, size_t level, const struct sieve *s)
{
	bool open = true;
	o->steps = 0;
	for (size_t i = 0; open && i < s->holes.count; i++) {
		struct sieve one = {0};
		vec_push(&one.holes, s->holes.at[i]);
		o->farthest = level;
		open = look(o, level, &one, false);
		sieve_free(&one);
	}
	for (size_t i = 0; open && i < s->numbers.count; i++) {
		struct sieve one = {0};
		vec_push(&one.numbers, s->numbers.at[i]);
		o->farthest = level;
		open = look(o, level, &one, false);
		sieve_free(&one);
	}
	return open;
}

bool outlook_is_open(struct outlook *o, size_t level, const struct sieve *s, size_t *farthest)
{
	bool open = is_open_alone(o, level, s);
	if (open) {
		o->steps = 0;
		o->farthest = level;
		open = look(o, level, s, true);
	}
	*farthest = !open && o->farthest < *farthest ? o->farthest : *farthest;
	return open;
}
