/* Sites tell what is known of an edge. Where an edge leads is seen by going from its target along the blocks that jump to just one other, to the first that ends in a branch or returns: what these
 * blocks call is called before the next branch, unless a call does not come back. Callees are not entered. */
#include "search/terrain.h"

#include "base/mem.h"
#include "search/calls.h"
#include "search/flow.h"

#include <stdlib.h>

struct terrain *terrain_new(uint32_t edges, uint32_t functions)
{
	struct terrain *t = mem_alloc(sizeof *t);
	t->edges = mem_alloc((edges + 1u) * sizeof *t->edges);
	t->first_lead = mem_alloc((edges + 1u) * sizeof *t->first_lead);
	t->functions = mem_alloc((functions + 1u) * sizeof *t->functions);
	t->edges_count = edges;
	t->functions_count = functions;
	for (uint32_t i = 0; i < edges; i++)
		t->edges[i].function = TERRAIN_NOWHERE;
	return t;
}

void terrain_free(struct terrain *t)
{
	if (!t)
		return;
	free(t->edges);
	free(t->first_lead);
	free(t->functions);
	vec_free(&t->leads);
	free(t);
}

void terrain_put(struct terrain *t, uint32_t edge, const struct terrain_edge *e)
{
	if (edge >= t->edges_count)
		return;
	t->edges[edge] = *e;
	if (e->function < t->functions_count)
		t->functions[e->function].sides++;
}

void terrain_lead(struct terrain *t, uint32_t edge, uint32_t function)
{
	if (edge >= t->edges_count)
		return;
	vec_push(&t->leads, (struct terrain_lead){ function, t->first_lead[edge] });
	t->first_lead[edge] = (uint32_t)t->leads.count;
}

/* --- the order of functions --- */

struct ranked {
	uint32_t sides, function;
};

static int by_size(const void *x, const void *y)
{
	const struct ranked *a = x, *b = y;
	if (a->sides != b->sides)
		return a->sides < b->sides ? 1 : -1;
	return (a->function > b->function) - (a->function < b->function);
}

void terrain_rank(struct terrain *t)
{
	VEC(struct ranked) order = {0};
	for (uint32_t i = 0; i < t->functions_count; i++)
		if (t->functions[i].sides)
			vec_push(&order, (struct ranked){ t->functions[i].sides, i });
	if (order.count)
		qsort(order.at, order.count, sizeof *order.at, by_size);
	for (uint32_t i = 0; i < order.count; i++)
		t->functions[order.at[i].function].rank = i;
	t->ranked = (uint32_t)order.count;
	vec_free(&order);
}

/* --- of a program --- */

struct surveyor {
	struct terrain *t;
	uint32_t function;               /* the next to be visited */
	uint32_t *first_call;            /* by block: index + 1, or 0 */
	VEC(struct terrain_lead) calls;  /* likewise */
	VEC(uint32_t) jump;              /* of a function, by block: where it jumps without a branch, or WALK_NONE */
};

static void count_function(void *context, const struct flow_function *f)
{
	(void)f;
	++*(uint32_t *)context;
}

static void note_call(void *context, const struct call *c)
{
	struct surveyor *s = context;
	vec_push(&s->calls, (struct terrain_lead){ c->function, s->first_call[c->block] });
	s->first_call[c->block] = (uint32_t)s->calls.count;
}

static void note_jumps(struct surveyor *s, const struct flow_function *f)
{
	vec_clear(&s->jump);
	for (uint32_t i = 0; i < f->facts->blocks; i++)
		vec_push(&s->jump, WALK_NONE);
	for (uint32_t i = 0; i < f->arcs_count; i++)
		if (f->arcs[i].edge == WALK_NO_EDGE)
			s->jump.at[f->arcs[i].from] = f->arcs[i].to;
}

/* At most once around: a loop may have no branch. */
static void follow(struct surveyor *s, const struct flow_function *f, const struct flow_arc *a)
{
	uint32_t block = a->to;
	for (uint32_t n = 0; block != WALK_NONE && n < f->facts->blocks; n++) {
		for (uint32_t i = s->first_call[f->first + block]; i; i = s->calls.at[i - 1].next)
			terrain_lead(s->t, a->edge, s->calls.at[i - 1].function);
		block = s->jump.at[block];
	}
}

static void survey_function(void *context, const struct flow_function *f)
{
	struct surveyor *s = context;
	note_jumps(s, f);
	for (uint32_t i = 0; i < f->arcs_count; i++) {
		const struct flow_arc *a = &f->arcs[i];
		if (a->edge >= s->t->edges_count)
			continue;
		struct terrain_edge e = s->t->edges[a->edge];
		e.function = s->function;
		terrain_put(s->t, a->edge, &e);
		follow(s, f, a);
	}
	s->function++;
}

/* Of models too. */
static void put_sites(struct terrain *t, const struct facts *f)
{
	for (size_t m = 0; m < f->modules_count; m++)
		for (size_t i = 0; i < f->modules[m].places_count; i++) {
			const struct facts_place *p = &f->modules[m].places[i];
			for (uint32_t side = 0; side < p->site->edges; side++)
				terrain_put(t, p->first_edge + side, &(struct terrain_edge){ TERRAIN_NOWHERE, p->site->features, side, p->site->kind });
		}
}

struct terrain *terrain_of(const struct facts *f)
{
	uint32_t functions = 0;
	flow_each(f, count_function, &functions);
	struct surveyor s = { .t = terrain_new(f->edges, functions), .first_call = mem_alloc((flow_blocks(f) + 1u) * sizeof *s.first_call) };
	put_sites(s.t, f);
	calls_each(f, note_call, &s);
	flow_each(f, survey_function, &s);
	terrain_rank(s.t);
	free(s.first_call);
	vec_free(&s.calls);
	vec_free(&s.jump);
	return s.t;
}
