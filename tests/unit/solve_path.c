/* Paths: their slices are those of the plain way, whatever prefix is asked about and in whatever order; and names of terms do not
 * depend on the trace they come from. */
#include "solve_common.h"

#include "solve/forest.h"
#include "solve/slice.h"

enum { DEMANDS = 60, QUESTIONS = 40 };

struct scene {
	struct build b;
	struct conjunct demands[DEMANDS];
	uint32_t made[400];
	size_t made_count;
};

static uint32_t any(struct scene *s, struct rng *r)
{
	return s->made[rng_below(r, s->made_count)];
}

/* Some constants, bytes, also behind the end, lengths, and sums of what is there: supports of all sizes, much of it shared. */
static void grow(struct scene *s, struct rng *r)
{
	uint32_t id;
	switch (rng_below(r, 8)) {
	case 0: id = build_const(&s->b, 8, rng_below(r, 4)); break;
	case 1: case 2: case 3: id = build_byte(&s->b, (uint32_t)rng_below(r, 30)); break;
	case 4: id = build_node(&s->b, TD_EXTRACT, 8, build_node(&s->b, TD_LENGTH, 64, 0, 0, 0), 0, 0); break;
	default: id = build_node(&s->b, rng_below(r, 2) ? TD_ADD : TD_XOR, 8, any(s, r), any(s, r), 0);
	}
	s->made[s->made_count++] = id;
}

static void scene_fill(struct scene *s, struct rng *r)
{
	s->b = build_new("abcdefghijklmnopqrstuvwx");
	s->made[s->made_count++] = build_byte(&s->b, 0);
	for (size_t i = 0; i < DEMANDS; i++) {
		for (uint64_t k = rng_below(r, 3); k-- > 0;)
			grow(s, r);
		uint32_t node = rng_below(r, 3) || i == 0 ? any(s, r) : s->demands[i - 1].node;
		s->demands[i] = is(node, rng_below(r, 4) ? CONJUNCT_PATH : CONJUNCT_LOSS, build_nodes(&s->b)[node].lo);
		if (i && rng_below(r, 5) == 0) /* two demands on one term */
			s->demands[i] = (struct conjunct){ node, CONJUNCT_PATH, true, rng_below(r, 256) };
	}
}

static void check_same(const struct query *expected, const struct slice *got, const struct terms *t)
{
	assert_int_equal(got->count, expected->count);
	for (size_t i = 0; i < got->count; i++) {
		struct conjunct c = conjunct_normal(t, expected->parts[i]);
		assert_true(conjunct_same(&got->parts[i], &c));
		assert_int_equal(got->parts[i].kind, c.kind);
	}
}

/* Variables are what the parts read, no more and no less. */
static void check_variables(const struct slice *got, const struct query *expected, struct arena *arena)
{
	struct reach r = slice_reach(expected, arena);
	bool *seen = arena_alloc(arena, got->variables_count + 1);
	uint32_t count = 0;
	for (uint32_t id = 1; id < r.count; id++) {
		unsigned op = expected->terms.nodes[id].op;
		if (!r.needed[id] || (op != TD_INPUT && op != TD_LENGTH))
			continue;
		uint32_t v = path_variable(got, id);
		assert_in_range(v, 0, got->variables_count - 1);
		assert_int_equal(got->variables[v].is_length, op == TD_LENGTH);
		count += !seen[v];
		seen[v] = true;
	}
	assert_int_equal(count, got->variables_count);
}

static void check_question(struct scene *s, struct path *p, size_t prefix, uint32_t node, bool losses, struct arena *arena)
{
	struct conjunct goal = { node, CONJUNCT_GOAL, true, build_nodes(&s->b)[node].lo };
	struct conjunct parts[DEMANDS + 1];
	size_t count = 0;
	for (size_t i = 0; i < prefix; i++)
		if (losses || s->demands[i].kind != CONJUNCT_LOSS)
			parts[count++] = s->demands[i];
	parts[count++] = goal;
	struct query q = query_of(&s->b, parts, count), expected = slice_query(&q, arena);
	struct question question = { p, prefix, &goal, 1 };
	struct slice got = path_slice(&question, losses, arena);
	check_same(&expected, &got, &q.terms);
	check_variables(&got, &expected, arena);
}

static void test_slices_are_those_of_the_plain_way(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct rng r;
	rng_seed(&r, 7);
	for (unsigned round = 0; round < 60; round++) {
		struct scene s = {0};
		scene_fill(&s, &r);
		struct query whole = query_of(&s.b, s.demands, DEMANDS);
		struct path_source from = { whole.terms, NULL, 0, whole.seed, s.demands, DEMANDS };
		struct path *p = path_new(&from);
		for (unsigned k = 0; k < QUESTIONS; k++) {
			check_question(&s, p, rng_below(&r, DEMANDS + 1), any(&s, &r), rng_below(&r, 2), arena);
			arena_reset(arena);
		}
		path_free(p);
		build_free(&s.b);
	}
	arena_free(arena);
}

static void test_a_forest_remembers(void **state)
{
	(void)state;
	struct forest f = {0};
	forest_list elements = {0}, items = {0};
	forest_grow(&f, 5);
	forest_put(&f, 0, 0);
	forest_join(&f, 0, 1, 1);
	forest_put(&f, 1, 1);
	forest_join(&f, 2, 3, 2);
	forest_join(&f, 3, 0, 3);
	forest_put(&f, 0, 3);
	assert_int_not_equal(forest_root(&f, 0, 1), forest_root(&f, 1, 1));
	assert_int_equal(forest_root(&f, 0, 2), forest_root(&f, 1, 2));
	assert_int_not_equal(forest_root(&f, 0, 3), forest_root(&f, 2, 3));
	assert_int_equal(forest_root(&f, 1, 4), forest_root(&f, 2, 4));
	forest_collect(&f, forest_root(&f, 1, 3), 3, &elements, &items);
	assert_int_equal(elements.count, 2);
	assert_int_equal(items.count, 2);
	vec_clear(&elements);
	vec_clear(&items);
	forest_collect(&f, forest_root(&f, 1, 4), 4, &elements, &items);
	assert_int_equal(elements.count, 4);
	assert_int_equal(items.count, 3);
	vec_free(&elements);
	vec_free(&items);
	forest_free(&f);
}

/* --- names --- */

static const struct td_input one[] = { { .kind = TD_IN_STDIN, .name = "stdin" } };
static const struct td_input two[] = { { .kind = TD_IN_ARG, .index = 1, .name = "argv[1]" }, { .kind = TD_IN_STDIN, .name = "stdin" } };

struct asked {
	struct digest key, seed_key;
};

/* A comparison of a table's element and a byte, in a trace where other things came before and objects have other numbers. */
static struct asked ask_table(const char *text, uint64_t third, uint32_t object, unsigned noise, const struct td_input *inputs, uint32_t count)
{
	struct arena *arena = arena_new();
	struct build b = build_new(text);
	struct content contents[2] = { b.content, b.content };
	uint64_t elements[4] = { 5, 6, third, 8 }, other[2] = { 1, 2 };
	if (noise)
		build_array(&b, "noise", 16, other, 2);
	for (unsigned i = 0; i < noise; i++)
		build_byte(&b, i);
	uint32_t left = build_node(&b, TD_INPUT, 8, object, 1, 0), right = build_node(&b, TD_INPUT, 8, object, 2, 0);
	uint32_t table = build_node(&b, TD_TABLE, 8, left, build_array(&b, "t", 8, elements, 4), 0);
	uint32_t same = build_node(&b, TD_EQ, 1, table, right, 0);
	struct conjunct goal = is(same, CONJUNCT_GOAL, 1);
	struct path_source from = { build_terms(&b), inputs, count, { contents, 2 }, NULL, 0 };
	struct path *p = path_new(&from);
	struct question q = { p, 0, &goal, 1 };
	struct slice s = path_slice(&q, true, arena);
	struct asked out = { s.key, s.seed_key };
	path_free(p);
	build_free(&b);
	arena_free(arena);
	return out;
}

static void test_names_are_the_same_in_every_trace(void **state)
{
	(void)state;
	struct asked first = ask_table("abcd", 7, 0, 0, one, 1), again = ask_table("xbcx", 7, 1, 3, two, 2);
	assert_true(digest_same(first.key, again.key));
	assert_true(digest_same(first.seed_key, again.seed_key)); /* bytes 1 and 2 are the same */
	struct asked seed = ask_table("abXd", 7, 0, 0, one, 1), table = ask_table("abcd", 9, 0, 0, one, 1);
	assert_true(digest_same(first.key, seed.key));
	assert_false(digest_same(first.seed_key, seed.seed_key));
	assert_false(digest_same(first.key, table.key)); /* another content */
	struct asked argument = ask_table("abcd", 7, 0, 0, two, 2), behind = ask_table("ab", 7, 0, 0, one, 1);
	assert_false(digest_same(first.key, argument.key)); /* another object */
	assert_false(digest_same(first.key, behind.key));   /* a byte that is not there */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_forest_remembers), cmocka_unit_test(test_slices_are_those_of_the_plain_way),
		cmocka_unit_test(test_names_are_the_same_in_every_trace),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
