/* Narrowing against trying all values. Over two bytes everything can be tried: what is refuted has no model, the core alone has none
 * either, no value that some model has is narrowed away, and if nothing is left open the chosen values are a model. */
#include "solve_common.h"

#include "solve/naming.h"
#include "solve/narrow.h"

enum { PARTS = 6, ROUNDS = 80 };

struct scene {
	struct arena *arena;
	struct build b;
	struct path *path;
	struct problem_space space;
	struct slice slice;
	struct problem problem;
};

/* Demands on one of the bytes, on the other, and on both; mostly equalities, so that bytes become known. */
static uint32_t demand_on(struct build *b, struct rng *r)
{
	uint32_t x = build_byte(b, 0), y = build_byte(b, 1), one = rng_below(r, 2) ? x : y;
	uint64_t elements[16];
	switch (rng_below(r, 6)) {
	case 0: return one;
	case 1: return build_node(b, TD_AND, 8, one, build_const(b, 8, rng_below(r, 256)), 0);
	case 2: return build_node(b, TD_ULT, 1, one, build_const(b, 8, rng_below(r, 256)), 0);
	case 3:
		for (unsigned i = 0; i < 16; i++)
			elements[i] = rng_below(r, 3);
		return build_node(b, TD_TABLE, 8, build_node(b, TD_LSHR, 8, one, build_const(b, 8, 4), 0), build_array(b, "t", 8, elements, 16), 0);
	case 4: return build_node(b, TD_XOR, 8, build_node(b, TD_MUL, 8, x, y, 0), one, 0);
	default: return build_node(b, TD_SUB, 8, x, y, 0);
	}
}

static struct scene scene_new(struct rng *r)
{
	static char text[3];
	struct conjunct parts[PARTS + 1];
	text[0] = (char)(1 + rng_below(r, 255));
	text[1] = (char)(1 + rng_below(r, 255));
	struct scene s = { .arena = arena_new(), .b = build_new(text) };
	for (unsigned i = 0; i < PARTS; i++) {
		uint32_t node = demand_on(&s.b, r);
		parts[i] = (struct conjunct){ node, CONJUNCT_PATH, false, build_nodes(&s.b)[node].lo };
		if (i == PARTS - 1) /* the goal: anything */
			parts[i] = (struct conjunct){ node, CONJUNCT_GOAL, rng_below(r, 2), value_trim(rng_below(r, 256), build_nodes(&s.b)[node].bits) };
	}
	parts[PARTS] = is(build_node(&s.b, TD_SUB, 8, build_byte(&s.b, 0), build_byte(&s.b, 1), 0), CONJUNCT_PATH, 0); /* so that both bytes are there */
	parts[PARTS].value = build_nodes(&s.b)[parts[PARTS].node].lo;
	parts[PARTS].differs = rng_below(r, 2);
	parts[PARTS].value += parts[PARTS].differs ? 1 : 0;
	parts[PARTS].value &= 255;
	struct query q = query_of(&s.b, parts, PARTS + 1);
	struct question question = question_of(&q, NULL, 0, s.arena);
	s.path = question.path;
	s.slice = path_slice(&question, true, s.arena);
	s.problem = problem_new(&s.slice, &s.space, s.arena);
	return s;
}

static void scene_free(struct scene *s)
{
	path_free(s->path);
	problem_space_free(&s->space);
	build_free(&s->b);
	arena_free(s->arena);
}

/* Tries all values; of these parts, or of all. Sets seen[variable][value] for every model. */
static unsigned models(const struct problem *p, const bool *parts, bool seen[2][256])
{
	unsigned count = 0;
	u128 values[200];
	for (unsigned i = 0; i < 65536; i++) {
		uint64_t in[2] = { i & 255, i >> 8 };
		bool holds = true;
		problem_eval(p, in, values);
		for (size_t k = 0; k < p->count && holds; k++)
			holds = (parts && !parts[k]) || conjunct_holds(&p->parts[k], values);
		count += holds;
		for (uint32_t v = 0; holds && seen && v < p->variables_count; v++)
			seen[v][in[v]] = true;
	}
	return count;
}

static void check(const struct scene *s, const struct narrow *n, unsigned kinds[3])
{
	bool seen[2][256] = {{false}};
	unsigned count = models(&s->problem, NULL, seen);
	if (n->refuted) {
		assert_int_equal(count, 0);
		assert_int_equal(models(&s->problem, n->core, NULL), 0);
		kinds[0]++;
		return;
	}
	for (uint32_t v = 0; v < s->problem.variables_count; v++)
		for (unsigned i = 0; i < 256; i++)
			assert_true(!seen[v][i] || lanes_has(&n->sets[v], i));
	kinds[n->open_count ? 1 : 2]++;
	if (!n->open_count)
		assert_null(problem_refuted(&s->problem, n->value, s->arena));
}

static void test_narrowing_against_all_values(void **state)
{
	(void)state;
	struct memo ranges;
	struct lanes lanes = {0};
	struct rng r;
	unsigned kinds[3] = {0};
	rng_seed(&r, 21);
	memo_open(&ranges, sizeof(struct lane_set), 1000);
	for (unsigned round = 0; round < ROUNDS; round++) {
		struct scene s = scene_new(&r);
		unsigned left[2], open[2];
		for (unsigned again = 0; again < 2; again++) { /* the second time ranges are known, which must not make a difference */
			unsigned steps = round % 2 ? 1000 : round % 40;
			struct narrow n = narrow_problem(&s.problem, s.slice.names, &ranges, &lanes, &steps, round % 3, s.arena);
			check(&s, &n, kinds);
			left[again] = steps;
			open[again] = (unsigned)n.open_count;
		}
		assert_int_equal(left[0], left[1]);
		assert_int_equal(open[0], open[1]);
		scene_free(&s);
	}
	for (int i = 0; i < 3; i++) /* refuted, open and decided */
		assert_in_range(kinds[i], 10, 2 * ROUNDS);
	memo_close(&ranges);
	lanes_free(&lanes);
}

/* What is left over with no steps to spare is everything, and what is wrong with nothing narrowed is nothing. */
static void test_no_steps(void **state)
{
	(void)state;
	struct memo ranges;
	struct lanes lanes = {0};
	struct rng r;
	rng_seed(&r, 22);
	memo_open(&ranges, sizeof(struct lane_set), 1000);
	for (unsigned round = 0; round < 20; round++) {
		struct scene s = scene_new(&r);
		unsigned steps = 0;
		struct narrow n = narrow_problem(&s.problem, s.slice.names, &ranges, &lanes, &steps, 0, s.arena);
		assert_int_equal(n.open_count, s.problem.count);
		assert_false(n.refuted);
		scene_free(&s);
	}
	memo_close(&ranges);
	lanes_free(&lanes);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_narrowing_against_all_values), cmocka_unit_test(test_no_steps) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
