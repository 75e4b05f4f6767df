/* See filter.h. The disjunctions of the specification are gone through one by one: a path of the failure, then a call of the innermost caller that goes together with it, then one of the next. What does not go together with what is below it is
 * not followed outwards, so that most pairs cost one question of few terms. */
#include "unit/filter.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/vec.h"
#include "unit/sieve.h"

#include <stdlib.h>
#include <string.h>

struct filter {
	struct filter_options o;
	struct solver *solver;
	struct arena *scratch;
};

/* Sieves of paths that were looked at, by address. */
struct known_sieves {
	struct map by_path;                     /* index, plus 1 */
	VEC(const struct sieve *) all;
};

struct ask {
	struct filter *f;
	const struct scope_context *context;
	const struct summary *const *summaries; /* by level, the function's own last */
	const struct formula **levels;          /* that are held together now */
	uint32_t *given;
	size_t count;                           /* of levels */
	size_t outermost;                       /* that anything was found possible for: what is further out was never asked */
	bool unknown, no_call, null;
	uint32_t without_call, with_null;
	struct arena *arena;
	struct filter_result *result;
	const struct sieve **sieves;            /* by level: of the path that is there */
	struct known_sieves *known;
	struct map *refuted;                    /* names of what calls give, which do not go together with what is below them */
};

struct filter *filter_new(const struct filter_options *o)
{
	struct filter *f = mem_alloc(sizeof *f);
	struct solver_options s = solver_options_default();
	f->o = *o;
	f->solver = solver_new(&s);
	f->scratch = arena_new();
	return f;
}

void filter_free(struct filter *f)
{
	if (!f)
		return;
	solver_free(f->solver);
	arena_free(f->scratch);
	free(f);
}

/* --- one question --- */

static void keep_witness(struct ask *a, const struct formula_joined *j, const struct assignment *model)
{
	struct assignment *inputs = arena_alloc(a->arena, a->count * sizeof *inputs);
	for (size_t i = 0; i < a->count; i++)
		inputs[i] = formula_contents(j, i, model, a->arena);
	a->result->witness = (struct filter_witness){ inputs, arena_copy(a->arena, a->levels, a->count * sizeof *a->levels), a->count };
}

/* The levels from `from` on. there: arguments of the first are not null. */
static enum verdict ask(struct ask *a, size_t from, bool there)
{
	struct formula_chain chain = { .levels = a->levels, .given = a->given, .count = a->count };
	if (there && a->f->o.there)
		chain.there_count = a->f->o.there(a->f->o.context, a->context->functions[from], &chain.there);
	if (there && !chain.there_count)
		return VERDICT_SAT;
	struct formula_joined joined;
	struct answer answer;
	struct err ignored = {0};
	arena_reset(a->f->scratch);
	a->result->questions++;
	if (!formula_join(&chain, from, a->f->scratch, &joined))
		return VERDICT_UNSAT;
	struct path *p = path_new(&joined.from);
	struct question q = { p, 0, joined.goals, joined.goals_count };
	bool ok = solver_check(a->f->solver, &q, a->f->scratch, &answer, &ignored);
	enum verdict v = !ok ? VERDICT_UNKNOWN : answer.verdict == VERDICT_UNSAT && answer.incomplete ? VERDICT_UNKNOWN : answer.verdict;
	if (v == VERDICT_SAT && from == 0)
		keep_witness(a, &joined, &answer.model);
	path_free(p);
	return v;
}

/* Nothing is known of what calls this level: does it go together without a null pointer that nobody was seen to give? */
static bool stands(struct ask *a, size_t level)
{
	enum verdict v = ask(a, level, true);
	if (v == VERDICT_UNSAT) {
		a->null = true;
		a->with_null = a->context->functions[level];
	}
	return v != VERDICT_UNSAT;
}

static bool is_enough(const struct ask *a)
{
	return a->f->o.questions_max && a->result->questions >= a->f->o.questions_max;
}

/* --- outwards --- */

static bool extend(struct ask *a, size_t level);

static const struct sieve *sieve_of(struct ask *a, const struct formula *path)
{
	uint32_t *at = map_at(&a->known->by_path, rng_mix((uint64_t)(uintptr_t)path));
	if (!*at) {
		vec_push(&a->known->all, sieve_new(path, a->arena));
		*at = (uint32_t)a->known->all.count;
	}
	return a->known->all.at[*at - 1];
}

/* Most calls give constants, and many the same ones. False: what this one gives depends on its caller's input. */
static bool name_call(const struct ask *a, size_t level, uint64_t *out)
{
	struct digest d;
	if (!formula_gives(a->levels[level], a->levels[level + 1], a->given[level + 1], &d))
		return false;
	for (size_t i = level + 1; i < a->count; i++)
		d = digest_join(d, a->levels[i]->name);
	*out = d.a + !d.a;
	return true;
}

/* level: of the caller that the path is of. */
static bool try_call(struct ask *a, size_t level, const struct formula *path)
{
	uint64_t name = 0;
	if (sieve_refutes(a->sieves[level + 1], path, a->given[level + 1]))
		return false;
	a->levels[level] = path;
	if (level)
		a->sieves[level] = sieve_of(a, path);
	if (name_call(a, level, &name) && map_find(a->refuted, name))
		return false;
	enum verdict v = ask(a, level, false);
	if (v == VERDICT_UNSAT && name)
		*map_at(a->refuted, name) = 1;
	if (v == VERDICT_UNSAT)
		return false;
	a->outermost = level < a->outermost ? level : a->outermost;
	if (v == VERDICT_UNKNOWN && level == 0) {
		a->unknown = true;
		return false;
	}
	return level == 0 ? stands(a, 0) : extend(a, level);
}

/* The levels from `level` on go together: with what is the first of them called? */
static bool extend(struct ask *a, size_t level)
{
	const struct summary *s = a->summaries[level - 1];
	uint32_t callee = a->context->functions[level];
	bool any = false;
	for (size_t i = 0; s && i < s->calls_count; i++) {
		if (s->calls[i].callee != callee)
			continue;
		any = true;
		if (is_enough(a)) {
			a->unknown = true;
			return false;
		}
		if (try_call(a, level - 1, &s->calls[i].path))
			return true;
	}
	if (!any && stands(a, level)) {
		a->no_call = true;
		a->without_call = a->context->functions[level - 1];
	}
	return false;
}

struct filter_result filter_ask(struct filter *f, uint32_t function, const struct summary *own, const struct summary_failure *failure, const struct scope_context *c, struct arena *arena)
{
	struct filter_result result = {0};
	const struct summary **summaries = arena_alloc(arena, (c->count + 1) * sizeof *summaries);
	uint32_t *functions = arena_alloc(arena, (c->count + 1) * sizeof *functions);
	memcpy(functions, c->functions, c->count * sizeof *functions);
	functions[c->count] = function;
	struct scope_context whole = { functions, c->count + 1 };
	struct map refuted = {0};
	struct known_sieves known = {0};
	struct ask a = { .refuted = &refuted, .known = &known, .f = f, .context = &whole, .summaries = summaries, .count = c->count + 1, .outermost = c->count, .arena = arena, .result = &result };
	a.levels = arena_alloc(arena, a.count * sizeof *a.levels);
	a.sieves = arena_alloc(arena, a.count * sizeof *a.sieves);
	a.given = arena_alloc(arena, a.count * sizeof *a.given);
	for (size_t i = 0; i < a.count; i++) {
		summaries[i] = i == c->count ? own : f->o.summary(f->o.context, functions[i]);
		a.given[i] = summaries[i] ? summaries[i]->given : 0;
	}
	bool possible = false;
	for (size_t i = 0; i < failure->paths_count && !possible; i++) {
		a.levels[c->count] = &failure->paths[i];
		a.sieves[c->count] = sieve_of(&a, &failure->paths[i]);
		possible = c->count ? extend(&a, c->count) : stands(&a, 0);
	}
	map_free(&refuted);
	map_free(&known.by_path);
	vec_free(&known.all);
	result.verdict = possible ? FILTER_POSSIBLE : a.no_call ? FILTER_NO_CALL : a.unknown ? FILTER_UNDECIDED : a.null ? FILTER_NULL : FILTER_REFUTED;
	result.caller = a.no_call ? a.without_call : a.null ? a.with_null : functions[a.outermost ? a.outermost - 1 : 0];
	return result;
}
