/* Distances and dominators in a program that tandem cc built (programs/graph.c). */
#include "search_common.h"

#include "search/dominate.h"
#include "search/icfg.h"
#include "search/terrain.h"
#include "trace/facts.h"

#include <stdio.h>

static struct facts facts;

/* The dense number of a side of the branch in a line. */
static uint32_t edge(uint32_t line, uint32_t side)
{
	for (size_t i = 0; i < facts.modules[0].places_count; i++) {
		const struct facts_place *p = &facts.modules[0].places[i];
		if (p->site->line == line && p->site->kind != TD_SITE_SELECT && strstr(facts_file(p), "graph.c") && side < p->site->edges)
			return p->first_edge + side;
	}
	fail_msg("no branch in line %u", line);
	return 0;
}

static void cover(struct tally *t, uint32_t e)
{
	t->words[e / 64] |= 1ull << e % 64;
	t->changes++;
}

/* All is covered but what is told. */
static struct tally all_but(uint32_t e)
{
	struct tally t = { calloc(facts.edges / 64 + 1, 8), facts.edges / 64 + 1, 0, 1 };
	for (uint32_t i = 0; i < facts.edges; i++)
		if (i != e)
			cover(&t, i);
	return t;
}

static uint32_t distance(uint32_t from, uint32_t to)
{
	struct icfg *g = icfg_of(&facts);
	struct tally t = all_but(to);
	uint32_t *d = calloc(facts.edges, sizeof *d), result;
	icfg_measure(g, &t, d, facts.edges);
	result = d[from];
	free(d);
	tally_free(&t);
	icfg_free(g);
	return result;
}

static void distances(void **state)
{
	(void)state;
	assert_int_equal(distance(edge(9, 1), edge(9, 1)), 0);
	assert_int_equal(distance(edge(26, 1), edge(9, 1)), 1);  /* a call */
	assert_int_equal(distance(edge(26, 1), edge(4, 1)), 2);  /* and another behind a branch */
	assert_int_equal(distance(edge(26, 0), edge(28, 2)), 1); /* a case */
	assert_int_equal(distance(edge(26, 0), edge(28, 0)), 1); /* the default */
	assert_int_equal(distance(edge(28, 1), edge(16, 1)), 1); /* through a pointer */
	assert_int_equal(distance(edge(28, 2), edge(16, 1)), ICFG_FAR);
	assert_int_equal(distance(edge(9, 1), edge(4, 0)), 1);
	assert_int_equal(distance(edge(4, 1), edge(4, 0)), 1);   /* it calls itself */
	assert_int_equal(distance(edge(4, 0), edge(9, 0)), ICFG_FAR); /* no way back out of a callee */
}

static void domination(void **state)
{
	struct dominators *d = dominators_of(&facts);
	(void)state;
	assert_true(dominators_has(d, edge(26, 0), edge(28, 0)));
	assert_false(dominators_has(d, edge(26, 1), edge(28, 0)));
	assert_false(dominators_has(d, edge(26, 1), edge(9, 1))); /* another function */
	dominators_free(d);
}

/* The dense number of the edge that the site of this one tells of. */
static uint32_t behind(uint32_t e)
{
	const struct facts_place *p = facts_find(&facts, e);
	return p->site->behind == UINT32_MAX ? UINT32_MAX : p->block->first_edge + p->site->behind;
}

static void told_edges(void **state)
{
	(void)state;
	assert_int_equal(behind(edge(28, 0)), edge(26, 0)); /* a switch behind a branch */
	assert_int_equal(behind(edge(26, 0)), UINT32_MAX);  /* at a function's start */
	assert_int_equal(behind(edge(39, 0)), edge(38, 1)); /* a loop's condition, though there is a way back to it */
	assert_int_equal(behind(edge(40, 0)), edge(39, 1));
	assert_int_equal(behind(edge(42, 0)), UINT32_MAX);  /* where two ways meet */
	assert_int_equal(behind(edge(44, 0)), edge(38, 0)); /* whatever is called between: who gets there has come that way */
}

/* What would be a long way by hand: a loop with two bodies, in which the way back does not make the header undominated. */
static void loops(void **state)
{
	static const struct flow_arc arcs[] = { { 0, 1, WALK_NO_EDGE }, { 1, 2, 1 }, { 1, 4, 0 }, { 2, 3, 3 }, { 2, 1, 2 }, { 3, 1, WALK_NO_EDGE } };
	struct dominators *d = dominators_new(5, 6);
	(void)state;
	dominators_add(d, 0, 5, arcs, 6);
	assert_true(dominators_has(d, 1, 2));
	assert_false(dominators_has(d, 2, 1)); /* a way back */
	assert_false(dominators_has(d, 3, 1));
	assert_false(dominators_has(d, 0, 1));
	dominators_free(d);
}

/* Two ways to edge 4, one of them through edge 1: 0 -0-> 1 -1-> 3 -4-> 4, and 0 -2-> 2 -3-> 3. */
static void ways_around(void **state)
{
	struct icfg *g = icfg_new(5, 5);
	struct tally t = { calloc(1, 8), 1, 0, 1 }, closed = { calloc(1, 8), 1, 0, 1 };
	uint32_t d[5];
	(void)state;
	icfg_branch(g, 0, 0, 1);
	icfg_branch(g, 1, 1, 3);
	icfg_branch(g, 0, 2, 2);
	icfg_branch(g, 2, 3, 3);
	icfg_branch(g, 3, 4, 4);
	for (uint32_t e = 0; e < 4; e++)
		cover(&t, e);
	cover(&closed, 1);
	icfg_measure_around(g, &t, &closed, d, 5);
	assert_int_equal(d[4], 0);
	assert_int_equal(d[1], 1); /* its own distance is known */
	assert_int_equal(d[0], ICFG_FAR);
	assert_int_equal(d[3], 1);
	assert_int_equal(d[2], 2);
	cover(&closed, 4);         /* what is looked for may be closed */
	icfg_measure_around(g, &t, &closed, d, 5);
	assert_int_equal(d[2], 2);
	tally_free(&t);
	tally_free(&closed);
	icfg_free(g);
}

/* An uncovered edge that is reached at a price first and for nothing later. */
static void nearest_wins(void **state)
{
	struct icfg *g = icfg_new(4, 4);
	struct tally t = { calloc(1, 8), 1, 0, 1 };
	uint32_t d[4];
	(void)state;
	icfg_branch(g, 0, 0, 1);
	icfg_branch(g, 1, 1, 2);
	icfg_flow(g, 1, 2); /* a call */
	icfg_branch(g, 2, 2, 3);
	icfg_branch(g, 2, 3, 0);
	for (uint32_t e = 0; e < 3; e++)
		cover(&t, e);
	icfg_measure(g, &t, d, 4);
	assert_int_equal(d[3], 0);
	assert_int_equal(d[1], 1);
	assert_int_equal(d[0], 1);
	assert_int_equal(d[2], ICFG_FAR);
	tally_free(&t);
	icfg_free(g);
}

static int open_program(void **state)
{
	struct err err = {0};
	(void)state;
	if (facts_open(&facts, PROGRAM, &err))
		return 0;
	fprintf(stderr, "%s\n", err.text);
	return 1;
}

static int close_program(void **state)
{
	(void)state;
	facts_close(&facts);
	return 0;
}

static const struct terrain_function *function_of(const struct terrain *t, uint32_t e)
{
	assert_true(t->edges[e].function < t->functions_count);
	return &t->functions[t->edges[e].function];
}

static bool leads(const struct terrain *t, uint32_t from, uint32_t to)
{
	for (uint32_t i = t->first_lead[from]; i; i = t->leads.at[i - 1].next)
		if (t->leads.at[i - 1].function == t->edges[to].function)
			return true;
	return false;
}

/* Lines are of functions, edges of sites, and what is called behind an edge is known up to the next branch. */
static void terrain(void **state)
{
	struct terrain *t = terrain_of(&facts);
	(void)state;
	assert_int_equal(function_of(t, edge(26, 0))->sides, 2 + 4); /* main: the default and three cases */
	assert_ptr_equal(function_of(t, edge(26, 0)), function_of(t, edge(28, 2)));
	assert_int_equal(function_of(t, edge(38, 0))->rank, 0);
	assert_int_equal(function_of(t, edge(26, 0))->rank, 1);
	assert_int_equal(t->ranked, 5);
	assert_true(t->edges[edge(26, 1)].site >> TD_FEATURE_MAIN & 1);
	assert_false(t->edges[edge(38, 1)].site >> TD_FEATURE_MAIN & 1);
	assert_int_equal(t->edges[edge(28, 2)].side, 2);
	assert_int_equal(t->edges[edge(28, 2)].kind, TD_SITE_SWITCH);
	assert_true(leads(t, edge(26, 1), edge(9, 1)));  /* a call */
	assert_false(leads(t, edge(26, 0), edge(9, 1))); /* on the other side */
	assert_false(leads(t, edge(26, 1), edge(4, 1))); /* behind a branch of the callee */
	assert_true(leads(t, edge(28, 1), edge(16, 1))); /* through a pointer */
	assert_false(leads(t, edge(28, 2), edge(16, 1)));
	assert_true(leads(t, edge(38, 0), edge(4, 0)));  /* for a condition */
	assert_false(leads(t, edge(38, 1), edge(4, 0)));
	terrain_free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(terrain), cmocka_unit_test(distances), cmocka_unit_test(domination), cmocka_unit_test(told_edges), cmocka_unit_test(loops), cmocka_unit_test(ways_around), cmocka_unit_test(nearest_wins),
	};
	return cmocka_run_group_tests(tests, open_program, close_program);
}
