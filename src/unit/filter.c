/* See filter.h. The disjunctions of the specification are gone through one by one: a path of the failure, then a call of the innermost caller that goes together with it, then one of the next. What does not go together with what is below it is
 * not followed outwards, so that most pairs cost one question of few terms; what single bytes say against all of the callers further out comes before any question. */
#include "unit/filter.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/vec.h"
#include "unit/outlook.h"

#include <stdlib.h>
#include <string.h>

struct filter {
	struct filter_options o;
	struct solver *solver;
	struct arena *scratch;
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
	const struct sieve **demands;           /* by level: what it and those below demand of single bytes and of numbers of its input */
	struct sieve *through;                  /* by level: where that is, if it is a caller's */
	struct outlook *outlook;
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

static bool expect(struct ask *a, size_t from, struct formula_chain *chain)
{
	bool any = false;
	chain->expected = arena_alloc(a->f->scratch, a->count * sizeof *chain->expected);
	for (size_t i = from; a->f->o.expect && i < a->count; i++) {
		chain->expected[i].count = a->f->o.expect(a->f->o.context, a->context->functions[i], &chain->expected[i].at);
		any |= chain->expected[i].count > 0;
	}
	return any;
}

/* The levels from `from` on. expected: pointers are as expected. */
static enum verdict ask(struct ask *a, size_t from, bool expected)
{
	struct formula_chain chain = { .levels = a->levels, .given = a->given, .count = a->count };
	arena_reset(a->f->scratch);
	if (expected && !expect(a, from, &chain))
		return VERDICT_SAT;
	struct formula_joined joined;
	struct answer answer;
	struct err ignored = {0};
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

/* Nothing is known of what calls this level: does it go together with pointers as they are expected? */
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
	a->demands[level] = &a->through[level];
	if (!sieve_through(&a->through[level], a->demands[level + 1], path, outlook_sieve(a->outlook, path), true, a->given[level + 1]) || !outlook_is_open(a->outlook, level, a->demands[level], &a->outermost))
		return false;
	a->levels[level] = path;
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

static bool try_path(struct ask *a, const struct formula *path)
{
	size_t own = a->count - 1;
	a->levels[own] = path;
	a->demands[own] = outlook_sieve(a->outlook, path);
	if (own && !outlook_is_open(a->outlook, own, a->demands[own], &a->outermost))
		return false;
	return own ? extend(a, own) : stands(a, 0);
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
	struct ask a = { .refuted = &refuted, .f = f, .context = &whole, .summaries = summaries, .count = c->count + 1, .outermost = c->count, .arena = arena, .result = &result };
	a.levels = arena_alloc(arena, a.count * sizeof *a.levels);
	a.demands = arena_alloc(arena, a.count * sizeof *a.demands);
	a.through = arena_alloc(arena, a.count * sizeof *a.through);
	a.given = arena_alloc(arena, a.count * sizeof *a.given);
	for (size_t i = 0; i < a.count; i++) {
		summaries[i] = i == c->count ? own : f->o.summary(f->o.context, functions[i]);
		a.given[i] = summaries[i] ? summaries[i]->given : 0;
	}
	a.outlook = outlook_new(&(struct outlook_options){ .functions = functions, .summaries = summaries, .given = a.given, .count = a.count });
	bool possible = false;
	for (size_t i = 0; i < failure->paths_count && !possible; i++)
		possible = try_path(&a, &failure->paths[i]);
	for (size_t i = 0; i < a.count; i++)
		sieve_free(&a.through[i]);
	outlook_free(a.outlook);
	map_free(&refuted);
	result.verdict = possible ? FILTER_POSSIBLE : a.no_call ? FILTER_NO_CALL : a.unknown ? FILTER_UNDECIDED : a.null ? FILTER_NULL : FILTER_REFUTED;
	result.caller = a.no_call ? a.without_call : a.null ? a.with_null : functions[a.outermost ? a.outermost - 1 : 0];
	return result;
}
