/* Each feature of a branch, where it is there and where it is not, on walks and terrain made by hand. */
#include "search_common.h"

#include "contract/facts.h"
#include "search/feature.h"
#include "search/icfg.h"
#include "search/terrain.h"

#define WALK(b, id, ...) scene_walk(&(b)->s, id, (const uint32_t[]){ __VA_ARGS__, WALK_NO_EDGE })

struct bench {
	struct scene s;
	struct features *f;
};

static void bench_open(struct bench *b, struct terrain *t)
{
	scene_open(&b->s, "dfs");
	b->s.w.terrain = t;
	b->f = features_new(&b->s.w);
}

static void bench_close(struct bench *b)
{
	features_free(b->f);
	scene_close(&b->s);
}

static void meet(struct bench *b, uint32_t walk)
{
	tally_add(&b->s.w.ever, &b->s.w.walks.at[walk], &b->s.w.counted);
	features_meet(b->f, walk);
}

static bool has(struct bench *b, uint32_t choice, const char *name)
{
	features_update(b->f);
	for (unsigned i = 0; i < FEATURES; i++)
		if (strcmp(feature_table[i].name, name) == 0)
			return features_of(b->f, choice) >> i & 1;
	fail_msg("no feature is called %s", name);
	return false;
}

/* Which choices of the path have it, as bits. */
static uint32_t who(struct bench *b, const char *name)
{
	const struct walk *w = &b->s.w.walks.at[b->s.w.walks.count - 1];
	uint32_t bits = 0;
	for (uint32_t i = 0; i < w->choices_count && i < 32; i++)
		bits |= (uint32_t)has(b, i, name) << i;
	return bits;
}

static uint32_t go(struct bench *b, uint32_t walk)
{
	features_move(b->f, walk, WALK_NONE, false);
	return walk;
}

/* A branch, edges `edge` and the next. */
static void put_branch(struct terrain *t, uint32_t edge, uint32_t function, uint32_t site)
{
	for (uint32_t side = 0; side < 2; side++)
		terrain_put(t, edge + side, &(struct terrain_edge){ function, site, side, TD_SITE_BRANCH });
}

/* --- the table --- */

static void names(void **state)
{
	(void)state;
	for (unsigned i = 0; i < FEATURES; i++) {
		assert_true(*feature_table[i].text);
		assert_int_equal(strspn(feature_table[i].name, "abcdefghijklmnopqrstuvwxyz0123456789-"), strlen(feature_table[i].name));
		for (unsigned k = 0; k < i; k++)
			assert_string_not_equal(feature_table[i].name, feature_table[k].name);
	}
	assert_string_equal(feature_table[29].name, "opposite-uncovered");
}

/* --- the program: 1 to 12 --- */

static void sites(void **state)
{
	static const struct { const char *name; enum td_feature bit; } rows[] = {
		{ "in-main", TD_FEATURE_MAIN }, { "nested", TD_FEATURE_NESTED }, { "external-call", TD_FEATURE_EXTERNAL }, { "integer", TD_FEATURE_INTEGER },
		{ "literal", TD_FEATURE_LITERAL }, { "pointer", TD_FEATURE_POINTER }, { "local", TD_FEATURE_LOCAL }, { "in-loop", TD_FEATURE_IN_LOOP },
	};
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct bench b;
		struct terrain *t = terrain_new(64, 1);
		put_branch(t, 0, 0, 1u << rows[i].bit);
		put_branch(t, 2, 0, ~(1u << rows[i].bit));
		bench_open(&b, t);
		go(&b, WALK(&b, 0, 0, 2, 1, 3, 8));
		assert_int_equal(who(&b, rows[i].name), 5);
		bench_close(&b);
	}
}

/* 0/1: true stays; 2/3: false does; 4/5 decides about no loop; 6/7: a switch that leaves one. */
static void loops(void **state)
{
	struct bench b;
	struct terrain *t = terrain_new(64, 1);
	(void)state;
	put_branch(t, 0, 0, 1u << TD_FEATURE_LOOP_CONDITION | 1u << TD_FEATURE_LOOP_TRUE);
	put_branch(t, 2, 0, 1u << TD_FEATURE_LOOP_CONDITION);
	put_branch(t, 4, 0, 1u << TD_FEATURE_LOOP_TRUE | 1u << TD_FEATURE_IN_LOOP);
	for (uint32_t side = 0; side < 2; side++)
		terrain_put(t, 6 + side, &(struct terrain_edge){ 0, 1u << TD_FEATURE_LOOP_CONDITION, side, TD_SITE_SWITCH });
	bench_open(&b, t);
	go(&b, WALK(&b, 0, 0, 1, 2, 3, 4, 5, 6, 7));
	assert_int_equal(who(&b, "loop-goes-on"), 1u << 1 | 1u << 2);
	assert_int_equal(who(&b, "loop-ends"), 1u << 0 | 1u << 3);
	bench_close(&b);
}

/* A switch with the default 8 and the cases 9 and 10. */
static void cases(void **state)
{
	struct bench b;
	struct terrain *t = terrain_new(64, 1);
	(void)state;
	for (uint32_t side = 0; side < 3; side++)
		terrain_put(t, 8 + side, &(struct terrain_edge){ 0, 1u << TD_FEATURE_CASE, side, TD_SITE_SWITCH });
	put_branch(t, 0, 0, 0);
	bench_open(&b, t);
	uint32_t n = WALK(&b, 0, 9, 8, 0);
	struct walk_choice *c = b.s.w.walks.at[n].choices;
	c[0].edge = 8; /* of the case 9 the default */
	c[0].kind = CHOICE_DEFAULT;
	c[1].edge = 10; /* of the default a case */
	c[1].kind = CHOICE_CASE;
	go(&b, n);
	assert_int_equal(who(&b, "case-taken"), 1);
	assert_int_equal(who(&b, "case-not-taken"), 2);
	bench_close(&b);
}

/* Nothing is known of the program, or of this edge. */
static void no_terrain(void **state)
{
	struct bench b;
	(void)state;
	bench_open(&b, NULL);
	go(&b, WALK(&b, 0, 0, 2));
	features_update(b.f);
	assert_int_equal(features_of(b.f, 0) & 0xfff, 0);
	assert_int_equal(who(&b, "uncovered-function") | who(&b, "recent-function") | who(&b, "unreached-large"), 0);
	assert_int_equal(who(&b, "opposite-uncovered"), 3);
	bench_close(&b);
}

/* --- the path: 13 to 18, 27 --- */

static uint32_t long_walk(struct bench *b, uint32_t count)
{
	uint32_t edges[64];
	for (uint32_t i = 0; i < count; i++)
		edges[i] = 2 * (i % 30);
	edges[count] = WALK_NO_EDGE;
	return scene_walk(&b->s, 0, edges);
}

static void position(void **state)
{
	struct bench b;
	(void)state;
	bench_open(&b, NULL);
	go(&b, long_walk(&b, 25));
	assert_int_equal(who(&b, "first-tenth"), 7);
	assert_int_equal(who(&b, "last-tenth"), 7u << 22);
	go(&b, long_walk(&b, 20));
	assert_int_equal(who(&b, "first-tenth"), 3);
	assert_int_equal(who(&b, "last-tenth"), 3u << 18);
	go(&b, long_walk(&b, 1));
	assert_int_equal(who(&b, "first-tenth") & who(&b, "last-tenth"), 1);
	bench_close(&b);
}

/* By the opposite: the two sides of a branch are two. */
static void frequency(void **state)
{
	struct bench b;
	(void)state;
	bench_open(&b, NULL);
	go(&b, WALK(&b, 0, 0, 2, 2, 0, 2, 1, 4));
	assert_int_equal(who(&b, "most-frequent"), 1u << 1 | 1u << 2 | 1u << 4);
	assert_int_equal(who(&b, "least-frequent"), 1u << 5 | 1u << 6);
	go(&b, WALK(&b, 0, 0, 2));
	assert_int_equal(who(&b, "most-frequent") & who(&b, "least-frequent"), 3);
	bench_close(&b);
}

static void newly_covered(void **state)
{
	struct bench b;
	(void)state;
	bench_open(&b, NULL);
	meet(&b, WALK(&b, 0, 0, 2));
	uint32_t second = WALK(&b, 10, 0, 3, 4, 3);
	meet(&b, second);
	features_move(b.f, second, 1, true);
	assert_int_equal(who(&b, "newly-covered"), 2 | 4 | 8);
	features_move(b.f, second, 1, false); /* it was another that ran last */
	assert_int_equal(who(&b, "newly-covered"), 0);
	bench_close(&b);
}

static void behind_negated(void **state)
{
	struct bench b;
	(void)state;
	bench_open(&b, NULL);
	uint32_t walk = long_walk(&b, 25);
	features_move(b.f, walk, 10, false);
	assert_int_equal(who(&b, "after-negated"), 1u << 11);
	assert_int_equal(who(&b, "near-negated"), 31u << 8);
	features_move(b.f, walk, 1, false);
	assert_int_equal(who(&b, "near-negated"), 15);
	features_move(b.f, walk, 24, false);
	assert_int_equal(who(&b, "after-negated"), 0);
	assert_int_equal(who(&b, "near-negated"), 7u << 22);
	go(&b, walk); /* it did not go where it should */
	assert_int_equal(who(&b, "after-negated") | who(&b, "near-negated"), 0);
	bench_close(&b);
}

/* --- what was tried: 19 to 26, 28, 29, 32 to 34 --- */

/* Negated behind 12 2 4 6 8 10; the second walk has k of these in front of it, and something else before. */
static void contexts(void **state)
{
	static const char *const names[] = { "context-1", "context-2", "context-3", "context-4", "context-5" };
	struct bench b;
	(void)state;
	bench_open(&b, NULL);
	uint32_t first = WALK(&b, 0, 12, 2, 4, 6, 8, 10, 20);
	go(&b, first);
	for (unsigned k = 0; k < 5; k++)
		assert_int_equal(who(&b, names[k]), 0);
	features_negated(b.f, first, &b.s.w.walks.at[first].choices[6]);
	for (uint32_t shared = 0; shared <= 5; shared++) {
		uint32_t edges[] = { 12, 2, 4, 6, 8, 10, 20, WALK_NO_EDGE };
		edges[5 - shared] ^= 1;
		go(&b, scene_walk(&b.s, 100 * (shared + 1), edges));
		for (uint32_t k = 1; k <= 5; k++)
			assert_int_equal(who(&b, names[k - 1]), k <= shared ? 1u << 6 : 0);
	}
	go(&b, WALK(&b, 1000, 12, 2, 4, 6, 8, 10, 21)); /* the other side is another branch */
	assert_int_equal(who(&b, "context-1"), 0);
	bench_close(&b);
}

/* Where a path begins, that is the context. */
static void context_at_start(void **state)
{
	struct bench b;
	(void)state;
	bench_open(&b, NULL);
	uint32_t first = WALK(&b, 0, 2, 4, 2);
	go(&b, first);
	features_negated(b.f, first, &b.s.w.walks.at[first].choices[0]);
	assert_int_equal(who(&b, "context-1"), 1);
	assert_int_equal(who(&b, "context-5"), 1);
	features_negated(b.f, first, &b.s.w.walks.at[first].choices[1]);
	go(&b, WALK(&b, 10, 2, 4));
	assert_int_equal(who(&b, "context-1"), 3);
	go(&b, WALK(&b, 20, 3, 4));
	assert_int_equal(who(&b, "context-1"), 0);
	bench_close(&b);
}

static void negated_often(void **state)
{
	static const struct { const char *name; unsigned times; } rows[] = { { "negated-10", 10 }, { "negated-20", 20 }, { "negated-30", 30 } };
	struct bench b;
	unsigned times = 0;
	(void)state;
	bench_open(&b, NULL);
	uint32_t walk = go(&b, WALK(&b, 0, 0, 2));
	for (size_t i = 0; i < 3; i++) {
		for (; times < rows[i].times; times++)
			features_negated(b.f, walk, &b.s.w.walks.at[walk].choices[1]);
		assert_int_equal(who(&b, rows[i].name), 0);
		features_negated(b.f, walk, &b.s.w.walks.at[walk].choices[1]);
		times++;
		assert_int_equal(who(&b, rows[i].name), 2);
	}
	bench_close(&b);
}

static void negated_lately(void **state)
{
	static const struct { const char *name; unsigned runs; } rows[] = { { "negated-lately-10", 10 }, { "negated-lately-20", 20 }, { "negated-lately-30", 30 } };
	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct bench b;
		bench_open(&b, NULL);
		uint32_t walk = go(&b, WALK(&b, 0, 0, 2));
		features_execute(b.f);
		assert_int_equal(who(&b, rows[i].name), 0);
		features_negated(b.f, walk, &b.s.w.walks.at[walk].choices[1]);
		for (unsigned runs = 0; runs < rows[i].runs; runs++) { /* the first is its own */
			go(&b, walk);
			assert_int_equal(who(&b, rows[i].name), 2);
			features_execute(b.f);
		}
		go(&b, walk);
		assert_int_equal(who(&b, rows[i].name), 0);
		bench_close(&b);
	}
}

/* 3 is the opposite of 2, and is taken by the third. */
static void failed_often(void **state)
{
	struct bench b;
	(void)state;
	bench_open(&b, NULL);
	go(&b, WALK(&b, 0, 0, 2, 3));
	assert_true(features_update(b.f));
	for (int i = 0; i < 10; i++)
		features_failed(b.f, 3);
	assert_false(features_update(b.f));
	assert_int_equal(who(&b, "failed") | who(&b, "opposite-failed"), 0);
	features_failed(b.f, 3);
	assert_true(features_update(b.f));
	assert_int_equal(who(&b, "failed"), 2);
	assert_int_equal(who(&b, "opposite-failed"), 4);
	assert_int_equal(features_failures(b.f, 3), 11);
	features_failed(b.f, WALK_NO_EDGE);
	assert_int_equal(features_failures(b.f, WALK_NO_EDGE), 0);
	bench_close(&b);
}

/* --- coverage: 30, 31, 35 to 40 --- */

/* The true side of block i leads to block i + 1, the false side out. */
static struct icfg *chain(uint32_t blocks)
{
	struct icfg *g = icfg_new(blocks + 1, 2 * blocks);
	for (uint32_t i = 0; i < blocks; i++) {
		icfg_branch(g, i, 2 * i + 1, i + 1);
		icfg_branch(g, i, 2 * i, blocks);
	}
	return g;
}

static void uncovered(void **state)
{
	struct bench b;
	(void)state;
	bench_open(&b, NULL);
	b.s.w.icfg = chain(4);
	uint32_t walk = WALK(&b, 0, 0, 1, 2, 3, 4, 6);
	meet(&b, walk);
	go(&b, walk);
	assert_int_equal(who(&b, "opposite-uncovered"), 1u << 4 | 1u << 5); /* 5 and 7 */
	assert_int_equal(who(&b, "next-uncovered"), 1u << 2);               /* 3, behind which is 5; 1 is two away; 5 is uncovered itself */
	meet(&b, WALK(&b, 10, 5));
	go(&b, WALK(&b, 20, 0, 1, 2, 3, 4, 6));
	assert_int_equal(who(&b, "opposite-uncovered"), 1u << 5);
	assert_int_equal(who(&b, "next-uncovered"), 1u << 4);
	bench_close(&b);
}

/* What another walk covers is known at once; what does not count is not uncovered. */
static void coverage_of_all(void **state)
{
	struct bench b;
	(void)state;
	bench_open(&b, NULL);
	uint32_t other = WALK(&b, 10, 1), walk = WALK(&b, 0, 0, 2, 4);
	b.s.w.counted = (struct counted){ malloc(8), 1 };
	b.s.w.counted.words[0] = ~(3ull << 4);
	meet(&b, walk);
	go(&b, walk);
	assert_int_equal(who(&b, "opposite-uncovered"), 3);
	assert_int_equal(who(&b, "next-uncovered"), 1u << 2); /* 5, until a run takes it */
	assert_int_equal(who(&b, "newly-covered"), 0);
	assert_false(features_update(b.f));
	meet(&b, other);
	assert_true(features_update(b.f));
	assert_int_equal(who(&b, "opposite-uncovered"), 2);
	meet(&b, WALK(&b, 20, 5));
	go(&b, walk);
	assert_int_equal(who(&b, "next-uncovered"), 0);
	bench_close(&b);
}

/* Ten functions: number k has 2 * k + 2 sides; 0/1 leads to the function 9, 2/3 to 8 and 7, 4/5 to 0 and 6, 6/7 to 0, 8/9 to 4, 10/11 to 5. The branches themselves are of none. */
static struct terrain *ten_functions(void)
{
	struct terrain *t = terrain_new(256, 10);
	uint32_t edge = 20;
	for (uint32_t k = 0; k < 10; k++)
		for (uint32_t i = 0; i <= k; i++, edge += 2)
			put_branch(t, edge, k, 0);
	terrain_lead(t, 1, 9);
	terrain_lead(t, 3, 8);
	terrain_lead(t, 3, 7);
	terrain_lead(t, 5, 0);
	terrain_lead(t, 5, 6);
	terrain_lead(t, 7, 0);
	terrain_lead(t, 9, 4);
	terrain_lead(t, 11, 5);
	terrain_rank(t);
	return t;
}

/* Covers an edge beyond the first 64. */
static uint32_t covering(struct bench *b, uint32_t edge)
{
	uint32_t n = WALK(b, 0, 0);
	struct walk *w = &b->s.w.walks.at[n];
	free(w->covered);
	w->words = 4;
	w->covered = calloc(4, 8);
	w->covered[edge / 64] |= 1ull << edge % 64;
	return n;
}

static void unreached(void **state)
{
	struct bench b;
	struct terrain *t = ten_functions();
	(void)state;
	bench_open(&b, t);
	b.s.w.edges = 256;
	assert_int_equal(t->ranked, 10);
	assert_int_equal(t->functions[9].rank, 0);
	assert_int_equal(t->functions[0].rank, 9);
	go(&b, WALK(&b, 0, 0, 2, 4, 6, 8, 1));
	assert_int_equal(who(&b, "unreached-largest-10"), 1);
	assert_int_equal(who(&b, "unreached-largest-20"), 3);
	assert_int_equal(who(&b, "unreached-largest-30"), 3);
	assert_int_equal(who(&b, "unreached-large"), 7); /* more than 10 sides: the functions 5 to 9 */
	go(&b, WALK(&b, 0, 10, 8));
	assert_int_equal(who(&b, "unreached-large"), 1);
	meet(&b, covering(&b, 92));  /* of the function 8 */
	meet(&b, covering(&b, 110)); /* of the function 9 */
	go(&b, WALK(&b, 0, 0, 2, 4, 6, 1));
	assert_int_equal(who(&b, "unreached-largest-10") | who(&b, "unreached-largest-20"), 0);
	assert_int_equal(who(&b, "unreached-largest-30"), 2);
	assert_int_equal(who(&b, "unreached-large"), 6);
	meet(&b, covering(&b, 76)); /* 7 */
	go(&b, WALK(&b, 0, 0, 2, 4, 6, 1));
	assert_int_equal(who(&b, "unreached-largest-30"), 0);
	assert_int_equal(who(&b, "unreached-large"), 4);
	bench_close(&b);
}

/* Function 0: 0 to 5; 1: 10 to 15; 2: 20 to 23. */
static struct terrain *three_functions(void)
{
	struct terrain *t = terrain_new(64, 3);
	for (uint32_t i = 0; i < 6; i += 2) {
		put_branch(t, i, 0, 0);
		put_branch(t, 10 + i, 1, 0);
		if (i < 4)
			put_branch(t, 20 + i, 2, 0);
	}
	terrain_rank(t);
	return t;
}

static void uncovered_function(void **state)
{
	struct bench b;
	(void)state;
	bench_open(&b, three_functions());
	meet(&b, WALK(&b, 0, 0, 10));
	go(&b, WALK(&b, 0, 0, 10, 20, 2, 40));
	assert_int_equal(who(&b, "uncovered-function"), 1u << 0 | 1u << 3); /* 5 are left of either: the first */
	meet(&b, WALK(&b, 10, 3));
	go(&b, WALK(&b, 20, 0, 10, 20, 2, 40));
	assert_int_equal(who(&b, "uncovered-function"), 1u << 1);
	bench_close(&b);
}

/* Of those that one run reaches, the one it came to last; then whatever is new. */
static void recent_function(void **state)
{
	struct bench b;
	(void)state;
	bench_open(&b, three_functions());
	uint32_t first = WALK(&b, 0, 0, 20, 10, 20, 2);
	go(&b, first);
	assert_int_equal(who(&b, "recent-function"), 0);
	meet(&b, first);
	go(&b, first);
	assert_int_equal(who(&b, "recent-function"), 1u << 2); /* back in 2 and 0 afterwards */
	meet(&b, WALK(&b, 10, 0, 3, 21));                      /* new, but of functions that were reached */
	go(&b, WALK(&b, 20, 0, 20, 10));
	assert_int_equal(who(&b, "recent-function"), 1u << 2);
	bench_close(&b);
	bench_open(&b, three_functions());
	meet(&b, WALK(&b, 0, 10, 20));
	meet(&b, WALK(&b, 10, 10, 0));
	go(&b, WALK(&b, 20, 0, 20, 10));
	assert_int_equal(who(&b, "recent-function"), 1);
	bench_close(&b);
}

/* Libraries bring edges: what is known of the others stays. */
static void more_edges(void **state)
{
	struct bench b;
	(void)state;
	bench_open(&b, NULL);
	b.s.w.edges = 8;
	uint32_t walk = WALK(&b, 0, 0, 20);
	go(&b, walk);
	for (int i = 0; i < 11; i++)
		features_failed(b.f, 1);
	features_failed(b.f, 21);
	assert_int_equal(who(&b, "failed"), 1);
	b.s.w.edges = 64;
	assert_true(features_update(b.f));
	assert_int_equal(who(&b, "failed"), 1);
	assert_int_equal(features_failures(b.f, 21), 0);
	assert_int_equal(who(&b, "opposite-uncovered"), 3);
	bench_close(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names), cmocka_unit_test(sites), cmocka_unit_test(loops), cmocka_unit_test(cases), cmocka_unit_test(no_terrain), cmocka_unit_test(position), cmocka_unit_test(frequency),
		cmocka_unit_test(newly_covered), cmocka_unit_test(behind_negated), cmocka_unit_test(contexts), cmocka_unit_test(context_at_start), cmocka_unit_test(negated_often), cmocka_unit_test(negated_lately),
		cmocka_unit_test(failed_often), cmocka_unit_test(uncovered), cmocka_unit_test(coverage_of_all), cmocka_unit_test(unreached), cmocka_unit_test(uncovered_function), cmocka_unit_test(recent_function),
		cmocka_unit_test(more_edges),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
