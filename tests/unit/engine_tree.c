/* The tree, and walks made of traces: shared prefixes have the same numbers, what was taken is not open. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/stock.h"
#include "engine/survey.h"
#include "trace_build.h"

static void nodes(void **state)
{
	struct tree *t = tree_new(1000);
	bool is_new;
	(void)state;
	for (uint32_t i = 0; i < 1000; i++) {
		assert_int_equal(tree_node(t, 77 * (i + 1ull), &is_new), i);
		assert_true(is_new);
	}
	for (uint32_t i = 0; i < 1000; i++) {
		assert_int_equal(tree_node(t, 77 * (i + 1ull), &is_new), i);
		assert_false(is_new);
		assert_int_equal(tree_key(t, i), 77 * (i + 1ull));
		assert_int_equal(tree_state(t, i), CHOICE_OPEN);
	}
	assert_int_equal(tree_node(t, 5, &is_new), WALK_NONE); /* no room */
	assert_int_equal(tree_counts(t).refused, 1);
	tree_close(t, 3, CHOICE_REFUTED, WALK_NONE);
	tree_close(t, 4, CHOICE_TAKEN, 9);
	tree_close(t, 4, CHOICE_TAKEN, 10); /* the first stays */
	tree_close(t, 4, CHOICE_GAVE_UP, WALK_NONE);
	assert_int_equal(tree_state(t, 4), CHOICE_TAKEN);
	assert_int_equal(tree_walk(t, 4), 9);
	assert_int_equal(tree_states(t)[3], CHOICE_REFUTED);
	assert_int_equal(tree_counts(t).open, 998);
	tree_free(t);
}

static void inputs(void **state)
{
	struct tree *t = tree_new(10);
	(void)state;
	assert_int_equal(tree_input(t, 1), WALK_NONE);
	for (uint32_t i = 0; i < 5000; i++)
		tree_add_input(t, i * 1000ull, i);
	tree_add_input(t, 3000, 77);
	for (uint32_t i = 0; i < 5000; i++)
		assert_int_equal(tree_input(t, i * 1000ull), i);
	assert_int_equal(tree_input(t, 1), WALK_NONE);
	tree_free(t);
}

/* A run that compares bytes with "abc" one by one, until one differs. Nothing is known of the sites. */
static struct build compared(const char *text)
{
	struct build b = build_new(text);
	for (uint32_t i = 0; i < 3; i++) {
		build_decision(&b, TD_EV_BRANCH, 10 + 2 * i, build_is(&b, i, "abc"[i]));
		if (text[i] != "abc"[i])
			break;
	}
	return b;
}

static void walk_free(struct walk *w)
{
	free(w->steps);
	free(w->choices);
}

static void shared_prefix(void **state)
{
	static const char *const texts[] = { "xyz", "ayz", "abz" };
	struct facts facts = {0};
	struct testcase first = { .size = 3 };
	struct walk walks[3];
	struct tree *t = tree_new(100);
	struct survey s = { .tree = t, .facts = &facts, .feeds = &first, .feeds_count = 1 };
	(void)state;
	for (uint32_t i = 0; i < 3; i++) {
		struct build b = compared(texts[i]);
		struct trace trace = build_view(&b);
		walks[i] = survey_walk(&s, &trace, i, i ? &walks[i - 1] : NULL);
		struct flip f;
		assert_true(survey_flip(&trace, &facts, &walks[i].choices[0], &f));
		assert_int_equal(f.kind, FLIP_BRANCH);
		build_free(&b);
	}
	assert_int_equal(walks[0].choices_count, 1);
	assert_int_equal(walks[1].choices_count, 2);
	assert_int_equal(walks[2].choices_count, 3);
	/* What the first offered the second took, so it went where it should; the second and the third have the prefix in common. */
	const struct walk_choice *c = &walks[0].choices[0];
	assert_true(c->is_new);
	assert_int_equal(tree_state(t, c->id), CHOICE_TAKEN);
	assert_int_equal(tree_walk(t, c->id), 1);
	assert_true(survey_came_true(&walks[1], c));
	assert_false(survey_came_true(&walks[0], c));
	assert_int_equal(walks[1].choices[0].id, walks[2].choices[0].id);
	assert_false(walks[2].choices[0].is_new);
	assert_int_equal(tree_state(t, walks[1].choices[0].id), CHOICE_TAKEN); /* back to where the first was */
	assert_int_equal(tree_walk(t, walks[1].choices[0].id), 0);
	assert_int_equal(tree_state(t, walks[2].choices[2].id), CHOICE_OPEN);
	assert_int_equal(tree_counts(t).open, 1);
	/* The same without a parent: other numbers would mean other questions. */
	struct build b = compared("abz");
	struct trace trace = build_view(&b);
	struct walk alone = survey_walk(&s, &trace, 3, NULL);
	for (uint32_t i = 0; i < 3; i++) {
		assert_int_equal(alone.choices[i].id, walks[2].choices[i].id);
		assert_false(alone.choices[i].is_new);
	}
	build_free(&b);
	walk_free(&alone);
	for (int i = 0; i < 3; i++)
		walk_free(&walks[i]);
	tree_free(t);
}

/* Traces go, the newest last of all; inputs stay until they are too many. */
static void stock_is_bounded(void **state)
{
	struct facts facts = {0};
	struct stock *s = stock_new(&facts, &(struct stock_limits){ 5000, 2000000 });
	struct build b = compared("abz");
	struct trace trace = build_view(&b);
	struct testcase input = { .bytes = (const uint8_t *)"abz", .size = 3 };
	(void)state;
	for (uint32_t i = 0; i < 100; i++)
		assert_int_equal(stock_add(s, &input, &trace), i);
	assert_null(stock_trace(s, 0));
	assert_non_null(stock_input(s, 0));
	assert_non_null(stock_trace(s, 99));
	assert_true(stock_counts(s).traces_dropped > 90);
	stock_renew(s, 0, &trace);
	assert_non_null(stock_trace(s, 0));
	assert_int_equal(stock_trace(s, 0)->events_count, 3);
	for (uint32_t i = 100; i < 20000; i++)
		stock_add(s, &input, &trace);
	assert_null(stock_input(s, 0));
	assert_null(stock_trace(s, 0));
	assert_non_null(stock_input(s, 19999));
	assert_true(stock_counts(s).inputs_dropped > 0);
	stock_free(s);
	build_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nodes), cmocka_unit_test(inputs), cmocka_unit_test(shared_prefix), cmocka_unit_test(stock_is_bounded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
