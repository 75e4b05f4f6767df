/* The searches as they are defined, on walks made by hand: the order of flips, bounds, contexts, distances, when they start over. */
#include "search_common.h"

#include "search/aside.h"
#include "search/rounds.h"
#include "search/context.h"
#include "search/icfg.h"

#define WALK(s, id, ...) scene_walk(s, id, (const uint32_t[]){ __VA_ARGS__, WALK_NO_EDGE })

static enum search_move choose(struct scene *s, struct pick *p)
{
	return s->search->choose(s->self, p);
}

/* --- all --- */

/* A small tree is explored to its end, no path twice; those that start anew from a walk's own branches alone must find all. */
static void finds_all(void **state)
{
	static const char *const names[] = { "dfs", "dfs-deep", "generational", "own", "auto" };
	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct scene s;
		uint32_t values[100];
		bool seen[32] = { true };
		scene_open(&s, names[i]);
		uint32_t n = bits_explore(&s, 5, values, 100);
		assert_int_equal(n, 31);
		for (uint32_t k = 0; k < n; k++) {
			assert_false(seen[values[k]]);
			seen[values[k]] = true;
		}
		scene_close(&s);
	}
}

static void same_seed_same_choices(void **state)
{
	(void)state;
	for (size_t i = 0; i < search_count; i++) {
		uint32_t values[2][64], n[2];
		for (int k = 0; k < 2; k++) {
			struct scene s;
			scene_open(&s, search_table[i]->name);
			n[k] = bits_explore(&s, 6, values[k], 64);
			scene_close(&s);
		}
		assert_int_equal(n[0], n[1]);
		assert_memory_equal(values[0], values[1], n[0] * sizeof values[0][0]);
	}
}

/* A path without choices is no reason to stop, or to hang. */
static void nothing_to_choose(void **state)
{
	(void)state;
	for (size_t i = 0; i < search_count; i++) {
		struct scene s;
		struct pick p;
		scene_open(&s, search_table[i]->name);
		scene_begin(&s, scene_walk(&s, 0, (const uint32_t[]){ WALK_NO_EDGE }));
		assert_int_equal(choose(&s, &p), search_table[i]->whole ? SEARCH_NOTHING : SEARCH_RESTART);
		scene_close(&s);
	}
}

/* Branches that have no place (assumptions, code whose facts are not known) are tried like others; conditions and lengths are not for strategies, but for those that decide about everything. */
static void choices_without_edge(void **state)
{
	(void)state;
	for (size_t i = 0; i < search_count; i++) {
		struct scene s;
		struct pick p;
		if (search_table[i]->whole)
			continue;
		scene_open(&s, search_table[i]->name);
		uint32_t walk = WALK(&s, 0, 0, 2, 4);
		struct walk *w = &s.w.walks.at[walk];
		w->choices[0].kind = CHOICE_SAFETY;
		w->choices[1].edge = w->steps[1].edge = WALK_NO_EDGE;
		w->choices[2].kind = CHOICE_LENGTH;
		scene_begin(&s, walk);
		assert_int_equal(choose(&s, &p), SEARCH_TRY);
		assert_int_equal(p.choice.step, 1);
		scene_refute(&s, &p);
		assert_int_equal(choose(&s, &p), SEARCH_RESTART);
		scene_close(&s);
	}
}

static void names(void **state)
{
	struct str list = {0};
	(void)state;
	search_list(&list);
	assert_string_equal(str_text(&list), "auto, random, dfs, dfs-deep, cfds, cgs, generational, own, near, FILE.theta");
	assert_null(search_find("breadth"));
	str_free(&list);
}

/* --- depth first --- */

static void dfs_order(void **state)
{
	static const uint32_t shallow[] = { 1, 3, 7, 5, 2, 6, 4 }, deep[] = { 4, 2, 6, 1, 5, 3, 7 };
	uint32_t values[8];
	struct scene s;
	(void)state;
	scene_open(&s, "dfs");
	assert_int_equal(bits_explore(&s, 3, values, 8), 7);
	assert_memory_equal(values, shallow, sizeof shallow);
	scene_close(&s);
	scene_open(&s, "dfs-deep");
	assert_int_equal(bits_explore(&s, 3, values, 8), 7);
	assert_memory_equal(values, deep, sizeof deep);
	scene_close(&s);
}

/* Nothing is searched below a run that went elsewhere. */
static void dfs_divergence(void **state)
{
	struct scene s;
	struct pick p;
	(void)state;
	scene_open(&s, "dfs");
	scene_begin(&s, WALK(&s, 0, 0, 2));
	assert_int_equal(choose(&s, &p), SEARCH_TRY);
	assert_int_equal(p.choice.step, 0);
	scene_lead(&s, &p, WALK(&s, 10, 0, 4), false);
	assert_int_equal(choose(&s, &p), SEARCH_TRY);
	assert_int_equal(p.walk, 0);
	assert_int_equal(p.choice.step, 1);
	scene_refute(&s, &p);
	assert_int_equal(choose(&s, &p), SEARCH_RESTART);
	scene_close(&s);
}

/* --- own --- */

/* Branches of the function under test first, the newest path's deepest before others; then those of the functions around it. */
static void own_two_queues(void **state)
{
	struct scene s;
	struct pick p;
	uint8_t own[64] = { 1, 1, 1, 1, 1, 1, 1, 1 };
	(void)state;
	scene_open(&s, "own");
	s.w.own = own;
	s.w.own_edges = 64;
	scene_begin(&s, WALK(&s, 0, 0, 20, 2, 22));
	assert_int_equal(choose(&s, &p), SEARCH_TRY);
	assert_int_equal(p.choice.step, 2);
	scene_lead(&s, &p, WALK(&s, 10, 0, 20, 3, 4, 24), true);
	assert_int_equal(choose(&s, &p), SEARCH_TRY);
	assert_int_equal(p.choice.id, 13); /* what is new, and its own */
	scene_refute(&s, &p);
	assert_int_equal(choose(&s, &p), SEARCH_TRY);
	assert_int_equal(p.choice.id, 0);
	scene_refute(&s, &p);
	static const uint32_t others[] = { 14, 3, 1 };
	for (int i = 0; i < 3; i++) {
		assert_int_equal(choose(&s, &p), SEARCH_TRY);
		assert_int_equal(p.choice.id, others[i]);
		scene_refute(&s, &p);
	}
	assert_int_equal(choose(&s, &p), SEARCH_RESTART);
	scene_close(&s);
}

/* --- random --- */

static void random_without_replacement(void **state)
{
	struct scene s;
	struct pick p;
	unsigned seen = 0;
	(void)state;
	scene_open(&s, "random");
	scene_begin(&s, WALK(&s, 0, 0, 2, 4, 6));
	for (int i = 0; i < 4; i++) {
		assert_int_equal(choose(&s, &p), SEARCH_TRY);
		assert_false(seen >> p.choice.step & 1);
		seen |= 1u << p.choice.step;
		scene_refute(&s, &p);
	}
	assert_int_equal(choose(&s, &p), SEARCH_RESTART);
	scene_close(&s);
}

static void random_moves(void **state)
{
	struct scene s;
	struct pick p;
	(void)state;
	scene_open(&s, "random");
	scene_begin(&s, WALK(&s, 0, 0, 2));
	assert_int_equal(choose(&s, &p), SEARCH_TRY);
	uint32_t fresh = WALK(&s, 10, 0, 8), known = WALK(&s, 20, 0, 8), foreseen = WALK(&s, 30, 0, 8);
	scene_lead(&s, &p, fresh, false); /* something new: there, though it went elsewhere */
	assert_int_equal(choose(&s, &p), SEARCH_TRY);
	assert_int_equal(p.walk, fresh);
	scene_lead(&s, &p, known, false); /* neither: it stays */
	assert_int_equal(choose(&s, &p), SEARCH_TRY);
	assert_int_equal(p.walk, fresh);
	scene_lead(&s, &p, foreseen, true);
	assert_int_equal(choose(&s, &p), SEARCH_TRY);
	assert_int_equal(p.walk, foreseen);
	scene_close(&s);
}

/* --- generational --- */

/* Everything of the first path, then the child with the most new edges, from its bound on. */
static void generational_bounds(void **state)
{
	struct scene s;
	struct pick p;
	(void)state;
	scene_open(&s, "generational");
	scene_begin(&s, WALK(&s, 0, 0, 2, 4));
	uint32_t children[] = { WALK(&s, 10, 1, 2, 4, 6, 8), WALK(&s, 20, 0, 3, 10, 12, 14, 16), WALK(&s, 30, 0, 2, 5) };
	for (uint32_t i = 0; i < 3; i++) {
		assert_int_equal(choose(&s, &p), SEARCH_TRY);
		assert_int_equal(p.walk, 0);
		assert_int_equal(p.choice.step, i);
		scene_lead(&s, &p, children[i], true);
	}
	for (uint32_t step = 2; step < 6; step++) {
		assert_int_equal(choose(&s, &p), SEARCH_TRY);
		assert_int_equal(p.walk, children[1]);
		assert_int_equal(p.choice.step, step);
		scene_refute(&s, &p);
	}
	assert_int_equal(choose(&s, &p), SEARCH_TRY);
	assert_int_equal(p.walk, children[0]);
	assert_int_equal(p.choice.step, 1);
	scene_close(&s);
}

/* --- contexts --- */

/* Of a loop's decisions only the first is tried for contexts of length 1, which is the place itself; each length more brings another. A question that
 * was impossible does not use its context up, unless many were. */
static void cgs_contexts(void **state)
{
	static const uint32_t steps[] = { 0, 1, 2, 3, 4 };
	struct scene s;
	struct pick p;
	(void)state;
	scene_open(&s, "cgs");
	scene_begin(&s, WALK(&s, 0, 0, 2, 2, 2, 2));
	for (size_t i = 0; i < 5; i++) {
		assert_int_equal(choose(&s, &p), SEARCH_TRY);
		assert_int_equal(p.choice.step, steps[i]);
		scene_refute(&s, &p);
	}
	assert_int_equal(choose(&s, &p), SEARCH_RESTART);
	scene_close(&s);
}

/* In a pass only one of equal contexts is tried, and shallow branches come before deep ones, in whatever path. */
static void cgs_breadth_first(void **state)
{
	static const uint32_t expected[][2] = { { 0, 1 }, { 1, 1 }, { 1, 2 }, /* length 2: */ { 0, 2 }, /* 3: */ { 0, 3 }, /* 4: */ { 0, 4 } };
	struct scene s;
	struct pick p;
	(void)state;
	scene_open(&s, "cgs");
	scene_begin(&s, WALK(&s, 0, 0, 2, 2, 2, 2, 2, 2, 2, 2));
	assert_int_equal(choose(&s, &p), SEARCH_TRY);
	assert_int_equal(p.choice.step, 0);
	scene_lead(&s, &p, WALK(&s, 20, 1, 4, 6), true);
	for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
		assert_int_equal(choose(&s, &p), SEARCH_TRY);
		assert_int_equal(p.walk, expected[i][0]);
		assert_int_equal(p.choice.step, expected[i][1]);
		scene_lead(&s, &p, 0, false);
	}
	scene_close(&s);
}

/* 0/1: if (a) ...; 2/3: if (b) behind it, in the same function; 4/5 inside of 3. */
static void context_leaves_dominators_out(void **state)
{
	static const struct flow_arc arcs[] = { { 0, 1, 1 }, { 0, 2, 0 }, { 1, 2, WALK_NO_EDGE }, { 2, 3, 3 }, { 2, 4, 2 }, { 3, 4, 5 }, { 3, 5, 4 }, { 4, 5, WALK_NO_EDGE } };
	struct dominators *d = dominators_new(6, 6);
	struct scene s;
	(void)state;
	dominators_add(d, 0, 6, arcs, 8);
	assert_false(dominators_has(d, 0, 2)); /* the other side comes there as well */
	assert_false(dominators_has(d, 1, 4));
	assert_true(dominators_has(d, 3, 4));
	assert_false(dominators_has(d, 2, 4));
	scene_open(&s, "cgs");
	const struct walk *w;
	WALK(&s, 0, 0, 3, 4);
	WALK(&s, 10, 1, 3, 4);
	w = s.w.walks.at;
	assert_int_equal(context_of(&w[0], &w[0].choices[2], 1, NULL), context_of(&w[1], &w[1].choices[2], 1, NULL)); /* both are behind 3 */
	assert_int_not_equal(context_of(&w[0], &w[0].choices[2], 1, d), context_of(&w[1], &w[1].choices[2], 1, d));   /* which does not count */
	assert_int_equal(context_of(&w[0], &w[0].choices[2], 0, d), context_of(&w[1], &w[1].choices[2], 0, d));
	scene_close(&s);
	dominators_free(d);
}

/* --- control-flow directed --- */

/* A chain of branches: the true side of block i leads to block i + 1, the false side out. */
static struct icfg *chain(uint32_t blocks)
{
	struct icfg *g = icfg_new(blocks + 1, 2 * blocks);
	for (uint32_t i = 0; i < blocks; i++) {
		icfg_branch(g, i, 2 * i + 1, i + 1 < blocks ? i + 1 : blocks);
		icfg_branch(g, i, 2 * i, blocks);
	}
	return g;
}

/* Edges 1, 3, 5 lead on, 7 is uncovered. */
static void cfds_order(void **state)
{
	struct scene s;
	struct pick p;
	(void)state;
	scene_open(&s, "cfds");
	s.w.icfg = chain(4);
	uint32_t first = WALK(&s, 0, 0, 2, 4, 6, 1, 3, 5);
	s.w.walks.at[first].choices_count = 4;
	scene_begin(&s, first);
	for (uint32_t step = 3, i = 0; i < 4; i++) {
		assert_int_equal(choose(&s, &p), SEARCH_TRY);
		assert_int_equal(p.choice.step, step - i);
		scene_refute(&s, &p);
	}
	assert_int_equal(choose(&s, &p), SEARCH_RESTART);
	scene_close(&s);
}

/* What was reached and covered nothing is followed along its decisions to where it gets closer; what is uncovered is the goal, and coverage that is new is
 * where it goes on. */
static void cfds_follows(void **state)
{
	struct scene s;
	struct pick p;
	(void)state;
	scene_open(&s, "cfds");
	s.w.icfg = chain(4);
	uint32_t first = WALK(&s, 0, 0, 2, 4, 6, 1, 3, 5);
	s.w.walks.at[first].choices_count = 1; /* only the first decision, 3 away */
	scene_begin(&s, first);
	assert_int_equal(choose(&s, &p), SEARCH_TRY);
	assert_int_equal(p.choice.edge, 1);
	uint32_t second = WALK(&s, 10, 1, 2);
	scene_lead(&s, &p, second, true);
	assert_int_equal(choose(&s, &p), SEARCH_TRY);
	assert_int_equal(p.walk, second);
	assert_int_equal(p.choice.edge, 3);
	uint32_t third = WALK(&s, 20, 1, 3, 4);
	scene_lead(&s, &p, third, true);
	assert_int_equal(choose(&s, &p), SEARCH_TRY);
	assert_int_equal(p.walk, third);
	assert_int_equal(p.choice.edge, 5);
	uint32_t fourth = WALK(&s, 30, 1, 3, 5, 7);
	scene_lead(&s, &p, fourth, true);
	assert_int_equal(choose(&s, &p), SEARCH_RESTART); /* all is covered */
	scene_begin(&s, second);                          /* and counted afresh */
	assert_int_equal(choose(&s, &p), SEARCH_TRY);
	assert_int_equal(p.walk, second);
	scene_close(&s);
}

/* --- auto --- */

/* An uncovered side first, then by distance. */
static void auto_order(void **state)
{
	struct scene s;
	struct pick p;
	(void)state;
	scene_open(&s, "auto");
	s.w.icfg = chain(4);
	scene_begin(&s, WALK(&s, 0, 0, 2, 4, 6));
	scene_begin(&s, WALK(&s, 10, 1, 3, 4));
	assert_int_equal(choose(&s, &p), SEARCH_TRY);
	assert_true(p.choice.edge == 5 || p.choice.edge == 7);
	scene_close(&s);
}

/* Of two that lead to the same side, the one on the shorter path, unless it is not much shorter. */
static void auto_prefers_short(void **state)
{
	(void)state;
	for (unsigned length = 4; length <= 800; length *= 200) {
		unsigned short_first = 0;
		for (uint64_t seed = 0; seed < 20; seed++) {
			struct scene s;
			struct pick p;
			scene_open(&s, "auto");
			rng_seed(&s.w.rng, seed);
			s.w.icfg = chain(4);
			for (uint32_t k = 0; k < 8; k++)
				scene_begin(&s, WALK(&s, 4 * k, 0, 2, 4));
			uint32_t brief = WALK(&s, 50, 0, 2, 4, 6);
			scene_begin(&s, brief);
			uint32_t *edges = malloc((length + 1) * sizeof *edges);
			for (unsigned i = 0; i < length; i++)
				edges[i] = i < length - 1 ? 2 : 6;
			edges[length] = WALK_NO_EDGE;
			scene_begin(&s, scene_walk(&s, 100, edges));
			free(edges);
			do
				assert_int_equal(choose(&s, &p), SEARCH_TRY);
			while (p.choice.edge != 7);
			short_first += p.walk == brief;
			scene_close(&s);
		}
		assert_true(length == 4 ? short_first < 20 : short_first == 20);
	}
}

/* One that had to be stopped waits until nothing else is left. */
static void auto_avoids_stopped(void **state)
{
	struct scene s;
	struct pick p;
	(void)state;
	scene_open(&s, "auto");
	s.w.icfg = chain(4);
	scene_begin(&s, WALK(&s, 0, 0, 2));
	uint32_t slow = WALK(&s, 10, 1, 3, 4);
	s.w.walks.at[slow].stopped = true;
	scene_begin(&s, slow);
	for (int i = 0; i < 5; i++) {
		assert_int_equal(choose(&s, &p), SEARCH_TRY);
		assert_int_equal(p.walk == slow, i >= 2);
		scene_refute(&s, &p);
	}
	scene_close(&s);
}

/* Of two edges that are as far, the one whose questions are hard is tried less often. */
static void auto_avoids_effort(void **state)
{
	struct scene s;
	struct pick p;
	unsigned hard = 0, easy = 0;
	(void)state;
	scene_open(&s, "auto");
	for (uint32_t i = 0; i < 40; i++)
		scene_begin(&s, WALK(&s, 2 * i, 0, 2));
	for (int i = 0; i < 40; i++) {
		assert_int_equal(choose(&s, &p), SEARCH_TRY);
		bool is_hard = p.choice.edge == 1;
		*(is_hard ? &hard : &easy) += 1;
		s.states[p.choice.id] = CHOICE_REFUTED;
		s.search->learn(s.self, &p, &(struct result){ .kind = RESULT_REFUTED, .walk = WALK_NONE, .effort = is_hard ? 30 : 0 });
	}
	assert_true(3 * hard < 2 * easy);
	scene_close(&s);
}

/* When nothing new comes, the first decisions have their turn, though each of 200 is as good. (The very first ones have contexts of their own.) */
static void auto_goes_wide(void **state)
{
	enum { DECISIONS = 200, TRIES = 95, SEEDS = 20, FROM = 4, TO = 8 };
	uint32_t edges[DECISIONS + 1] = { 0 }, wide = 0;
	(void)state;
	edges[DECISIONS] = WALK_NO_EDGE;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct scene s;
		struct pick p;
		unsigned first = 0;
		scene_open(&s, "auto");
		rng_seed(&s.w.rng, seed);
		scene_begin(&s, scene_walk(&s, 0, edges));
		for (int i = 0; i < TRIES; i++) {
			assert_int_equal(choose(&s, &p), SEARCH_TRY);
			first += p.choice.step >= FROM && p.choice.step < TO;
			scene_refute(&s, &p);
		}
		wide += first == TO - FROM;
		scene_close(&s);
	}
	assert_true(wide >= SEEDS / 2);
}

/* --- what takes no branch --- */

static void add_conditions(struct scene *s, uint32_t walk, uint32_t id, uint32_t count, enum choice_kind kind)
{
	struct walk *w = &s->w.walks.at[walk];
	w->choices = realloc(w->choices, (w->choices_count + count) * sizeof *w->choices);
	for (uint32_t i = 0; i < count; i++)
		w->choices[w->choices_count++] = (struct walk_choice){ .id = id + i, .place = 7, .step = w->steps_count, .kind = kind & 15u, .is_new = 1 };
}

/* Of one place the 1st, 2nd, 4th and 8th are due, one step in four; the others when there is nothing else. */
static void conditions_in_turns(void **state)
{
	struct scene s;
	struct pick p;
	unsigned due = 0, rest = 0, steps = 0;
	(void)state;
	scene_open(&s, "dfs");
	struct aside *a = aside_new(&s.w, false);
	uint32_t walk = WALK(&s, 0, 0, 2);
	add_conditions(&s, walk, 100, 10, CHOICE_SAFETY);
	aside_meet(a, walk);
	for (; steps < 40; steps++) {
		bool chosen = aside_choose(a, &p);
		assert_true(!chosen || (p.choice.kind == CHOICE_SAFETY && 4 * (due + 1) <= steps + 1));
		due += chosen;
	}
	assert_int_equal(due, 4);
	while (aside_instead(a, true, &p))
		rest++;
	assert_int_equal(rest, 6);
	aside_free(a);
	scene_close(&s);
}

/* Questions that are hard take more of their share: of 400 steps, conditions that count for nine steps more are asked in 13. */
static void hard_conditions_seldom(void **state)
{
	struct scene s;
	struct pick p;
	unsigned hard = 0;
	(void)state;
	scene_open(&s, "dfs");
	struct aside *a = aside_new(&s.w, false);
	for (uint32_t place = 0; place < 100; place++) {
		uint32_t walk = WALK(&s, 0, 0, 2);
		add_conditions(&s, walk, 100 + place, 1, CHOICE_SAFETY);
		s.w.walks.at[walk].choices[2].place = 1000 + place;
		aside_meet(a, walk);
	}
	for (unsigned steps = 0; steps < 400; steps++) {
		bool chosen = aside_choose(a, &p);
		hard += chosen;
		aside_learn(a, &(struct result){ .effort = chosen ? 36 : 0 });
	}
	assert_in_range(hard, 12, 14);
	aside_free(a);
	scene_close(&s);
}

static void lengths_when_calm(void **state)
{
	struct scene s;
	struct pick p;
	(void)state;
	scene_open(&s, "dfs");
	struct aside *a = aside_new(&s.w, false);
	uint32_t walk = WALK(&s, 0, 0, 2);
	add_conditions(&s, walk, 100, 3, CHOICE_LENGTH);
	aside_meet(a, walk);
	for (int i = 0; i < 100; i++) {
		assert_false(aside_choose(a, &p));
		aside_learn(a, &(struct result){ .fresh = 1 });
	}
	assert_true(aside_instead(a, false, &p));
	assert_int_equal(p.choice.kind, CHOICE_LENGTH);
	bool chosen = false;
	for (int i = 0; i < 100; i++) {
		chosen |= aside_choose(a, &p);
		aside_learn(a, &(struct result){ .fresh = 0 });
	}
	assert_true(chosen);
	aside_free(a);
	scene_close(&s);
}

static void conditions_first(void **state)
{
	struct scene s;
	struct pick p;
	(void)state;
	scene_open(&s, "dfs");
	struct aside *a = aside_new(&s.w, true);
	uint32_t walk = WALK(&s, 0, 0, 2);
	add_conditions(&s, walk, 100, 10, CHOICE_SAFETY);
	s.states[103] = CHOICE_REFUTED; /* answered by another walk */
	aside_meet(a, walk);
	int chosen = 0;
	for (int i = 0; i < 20; i++)
		chosen += aside_choose(a, &p);
	assert_int_equal(chosen, 9);
	assert_false(aside_choose(a, &p));
	aside_free(a);
	scene_close(&s);
}

/* Of one place some are due; between the others branches have their turn. */
static void conditions_first_leave_room(void **state)
{
	struct scene s;
	struct pick p;
	int others = 0;
	(void)state;
	scene_open(&s, "dfs");
	struct aside *a = aside_new(&s.w, true);
	uint32_t walk = WALK(&s, 0, 0, 2);
	add_conditions(&s, walk, 100, 16, CHOICE_SAFETY);
	aside_meet(a, walk);
	for (int i = 0; i < 5; i++) /* the 1st, 2nd, 4th, 8th, 16th */
		assert_true(aside_choose(a, &p));
	for (int i = 0; i < 22; i++)
		others += aside_choose(a, &p);
	assert_int_equal(others, 11);
	aside_free(a);
	scene_close(&s);
}

/* The loop of edges 2 (once more) and 3 (out of it) is the function's own: it goes around once more, each time from where the longest row ended. */
static void rounds_grow(void **state)
{
	struct scene s;
	struct pick p;
	static uint8_t own[64] = { [2] = 1, [3] = 1 };
	(void)state;
	scene_open(&s, "auto");
	s.w.own = own;
	s.w.own_edges = 64;
	struct rounds *r = rounds_new(&s.w);
	rounds_meet(r, WALK(&s, 0, 0, 3, 1));
	assert_false(rounds_choose(r, &p)); /* nobody has been around yet: that is for others */
	rounds_meet(r, WALK(&s, 10, 0, 2, 3, 5, 4));
	assert_true(rounds_choose(r, &p));
	assert_int_equal(p.choice.id, 12);
	rounds_meet(r, WALK(&s, 20, 2, 3));
	rounds_meet(r, WALK(&s, 30, 2, 2, 3, 4, 4, 4, 5));
	assert_true(rounds_choose(r, &p)); /* not the one that ended sooner, nor another function's */
	assert_int_equal(p.choice.id, 32);
	assert_false(rounds_choose(r, &p));
	rounds_meet(r, WALK(&s, 40, 2, 2, 3));
	s.states[42] = CHOICE_REFUTED;
	assert_false(rounds_choose(r, &p));
	rounds_free(r);
	scene_close(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_all), cmocka_unit_test(same_seed_same_choices), cmocka_unit_test(nothing_to_choose), cmocka_unit_test(choices_without_edge), cmocka_unit_test(names),
		cmocka_unit_test(dfs_order), cmocka_unit_test(dfs_divergence), cmocka_unit_test(own_two_queues), cmocka_unit_test(random_without_replacement), cmocka_unit_test(random_moves),
		cmocka_unit_test(generational_bounds), cmocka_unit_test(cgs_contexts), cmocka_unit_test(cgs_breadth_first),
		cmocka_unit_test(context_leaves_dominators_out), cmocka_unit_test(cfds_order), cmocka_unit_test(cfds_follows), cmocka_unit_test(auto_order), cmocka_unit_test(auto_avoids_stopped), cmocka_unit_test(auto_goes_wide), cmocka_unit_test(auto_avoids_effort), cmocka_unit_test(auto_prefers_short),
		cmocka_unit_test(conditions_in_turns), cmocka_unit_test(hard_conditions_seldom), cmocka_unit_test(lengths_when_calm), cmocka_unit_test(conditions_first), cmocka_unit_test(conditions_first_leave_room), cmocka_unit_test(rounds_grow),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
