/* Pairs of functions are counted once per run. Successors and predecessors in the static call graph are found when they are first asked for, by function. */
#include "unit/profile.h"

#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

/* `above` was on the stack when `below` was called; with EITHER, that or the other way round, and `below` is the larger. */
#define EITHER (1u << 31)
struct pair { uint32_t above, below; };

struct counted {
	struct pair pair;
	uint64_t runs, last;  /* last: the number of the last run that had it */
};

struct profile {
	const struct unit_program *program;
	VEC(struct counted) pairs;
	uint32_t *table;      /* by hash: index + 1 */
	size_t table_size;
	uint64_t *ran, *last_run; /* by function */
	uint64_t runs;
	bool **reach;         /* by function: whom it may call, directly or not; NULL: not known yet */
};

struct profile *profile_new(const struct unit_program *program)
{
	struct profile *p = mem_alloc(sizeof *p);
	p->program = program;
	p->ran = mem_alloc((program->count + 1u) * sizeof *p->ran);
	p->last_run = mem_alloc((program->count + 1u) * sizeof *p->last_run);
	p->reach = mem_alloc((program->count + 1u) * sizeof *p->reach);
	return p;
}

void profile_free(struct profile *p)
{
	if (!p)
		return;
	for (uint32_t i = 0; i < p->program->count; i++)
		free(p->reach[i]);
	free(p->reach);
	vec_free(&p->pairs);
	free(p->table);
	free(p->ran);
	free(p->last_run);
	free(p);
}

/* --- counting --- */

static uint32_t *slot_of(const struct profile *p, struct pair pair)
{
	size_t i = (pair.above * 0x9E3779B1u ^ pair.below * 0x85EBCA77u) & (p->table_size - 1);
	while (p->table[i] && memcmp(&p->pairs.at[p->table[i] - 1].pair, &pair, sizeof pair) != 0)
		i = (i + 1) & (p->table_size - 1);
	return &p->table[i];
}

static void grow(struct profile *p)
{
	p->table_size = p->table_size ? 2 * p->table_size : 1024;
	free(p->table);
	p->table = mem_alloc(p->table_size * sizeof *p->table);
	for (size_t i = 0; i < p->pairs.count; i++)
		*slot_of(p, p->pairs.at[i].pair) = (uint32_t)i + 1;
}

static void count_pair(struct profile *p, struct pair pair)
{
	if (2 * (p->pairs.count + 1) > p->table_size)
		grow(p);
	uint32_t *slot = slot_of(p, pair);
	if (!*slot) {
		vec_push(&p->pairs, (struct counted){ .pair = pair });
		*slot = (uint32_t)p->pairs.count;
	}
	struct counted *c = &p->pairs.at[*slot - 1];
	c->runs += c->last != p->runs;
	c->last = p->runs;
}

static struct pair either_of(uint32_t a, uint32_t b)
{
	return a < b ? (struct pair){ a | EITHER, b } : (struct pair){ b | EITHER, a };
}

static void count_function(struct profile *p, uint32_t f)
{
	p->ran[f] += p->last_run[f] != p->runs;
	p->last_run[f] = p->runs;
}

/* A set of functions as the trace builds it: one more than another one has. */
struct set { uint32_t before, function; };

void profile_add(struct profile *p, const struct trace *t)
{
	VEC(struct set) sets = {0};
	vec_push(&sets, (struct set){ 0, UINT32_MAX });
	p->runs++;
	for (uint32_t i = 0; i < t->events_count; i++) {
		const struct td_event *e = &t->events[i];
		if (e->kind != TD_EV_CALL || e->site >= p->program->count || e->aux >= sets.count || e->value > sets.count)
			continue;
		count_function(p, e->site);
		for (uint32_t s = e->aux; s; s = sets.at[s].before) {
			count_pair(p, (struct pair){ sets.at[s].function, e->site });
			count_pair(p, either_of(sets.at[s].function, e->site));
		}
		if (e->value == sets.count)
			vec_push(&sets, (struct set){ e->aux, e->site });
	}
	vec_free(&sets);
}

/* --- asking --- */

uint64_t profile_runs(const struct profile *p)
{
	return p->runs;
}

uint64_t profile_ran(const struct profile *p, uint32_t function)
{
	return p->ran[function];
}

static const bool *reach_of(const struct profile *p, uint32_t f)
{
	if (p->reach[f])
		return p->reach[f];
	bool *seen = p->reach[f] = mem_alloc(p->program->count + 1u);
	VEC(uint32_t) left = {0};
	vec_push(&left, f);
	while (left.count) {
		const struct unit_function *n = &p->program->functions[left.at[--left.count]];
		for (uint32_t i = 0; i < n->callees_count; i++) {
			if (!seen[n->callees[i]])
				vec_push(&left, n->callees[i]);
			seen[n->callees[i]] = true;
		}
	}
	vec_free(&left);
	return seen;
}

static uint64_t runs_of(const struct profile *p, struct pair pair)
{
	uint32_t at = p->table_size ? *slot_of(p, pair) : 0;
	return at ? p->pairs.at[at - 1].runs : 0;
}

double profile_dependency(const struct profile *p, uint32_t g, uint32_t f)
{
	bool successor = reach_of(p, f)[g], predecessor = reach_of(p, g)[f];
	if (!p->ran[f] || (!successor && !predecessor))
		return 0;
	struct pair pair = successor && predecessor ? either_of(f, g) : successor ? (struct pair){ f, g } : (struct pair){ g, f };
	return (double)runs_of(p, pair) / (double)p->ran[f];
}

double profile_relevance(const struct profile *p, uint32_t f, uint32_t g)
{
	double together = f == g ? 0 : (double)runs_of(p, either_of(f, g));
	return together > 0 ? (together / (double)p->ran[f] + together / (double)p->ran[g]) / 2 : 0;
}

static int more_first(const void *a, const void *b)
{
	const double *x = a, *y = b;
	return (*x < *y) - (*x > *y);
}

double profile_relevance_of(const struct profile *p, double share)
{
	VEC(double) all = {0};
	for (size_t i = 0; i < p->pairs.count; i++) {
		struct pair pair = p->pairs.at[i].pair;
		if (pair.above & EITHER && (pair.above & ~EITHER) != pair.below)
			vec_push(&all, profile_relevance(p, pair.above & ~EITHER, pair.below));
	}
	if (all.count)
		qsort(all.at, all.count, sizeof *all.at, more_first);
	size_t at = (size_t)(share * (double)all.count);
	double result = !all.count ? 1 : all.at[at < all.count ? at : all.count - 1];
	vec_free(&all);
	return result;
}
