/* The honesty check, on traces made by hand: a checker that cannot fail is worth nothing, so most tests are of
 * predictions that must be called wrong. */
#include "trace_build.h"

#include "trace/predict.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* if (1) ...; if (stdin[0] == 'a') ...; switch (stdin[1]) ...; table[stdin[2]]; end of input */
static struct build program(const char *input)
{
	struct build b = build_new(input);
	build_event(&b, TD_EV_BRANCH, 0, 0, 1);
	build_decision(&b, TD_EV_BRANCH, 2, build_is(&b, 0, 'a'));
	build_event(&b, TD_EV_CALL, 0, 0, 0); /* not a decision: skipped */
	build_decision(&b, TD_EV_SWITCH, 4, build_byte(&b, 1));
	build_decision(&b, TD_EV_CONCRETISE, 6, build_byte(&b, 2));
	uint32_t length = build_node(&b, TD_LENGTH, 64, 0, 0, 0);
	uint32_t end = build_const(&b, 64, strlen(input));
	build_decision(&b, TD_EV_LENGTH, TD_NO_SITE, build_node(&b, TD_ULT, 1, end, length, 0));
	return b;
}

static struct prediction compare(struct build *a, struct build *b)
{
	struct trace ta = build_view(a), tb = build_view(b);
	struct assignment in = build_input(&b->content);
	return predict_compare(&ta, &tb, &in);
}

static void expect(struct build a, struct build b, enum predict_result result, const char *text)
{
	struct prediction p = compare(&a, &b);
	if (p.result != result || !strstr(p.text, text))
		fail_msg("got %d \"%s\", wanted %d \"%s\"", p.result, p.text, result, text);
	build_free(&a);
	build_free(&b);
}

static void test_same(void **state)
{
	(void)state;
	expect(program("axy"), program("axy"), PREDICT_SAME, "equal");
	struct build a = program("axy");
	struct trace t = build_view(&a);
	assert_int_equal(predict_self(&t).result, PREDICT_SAME);
	assert_int_equal(predict_self(&t).compared, 4);
	build_events(&a)[1].value = 0;
	assert_int_equal(predict_self(&t).result, PREDICT_WRONG);
	build_free(&a);
}

static void test_flips(void **state)
{
	(void)state;
	expect(program("axy"), program("bxy"), PREDICT_FLIP, "branch");
	expect(program("axy"), program("azy"), PREDICT_FLIP, "switch");
	expect(program("axy"), program("axz"), PREDICT_FLIP, "concretise");
	expect(program("axy"), program("axyz"), PREDICT_FLIP, "length");
	expect(program("axyz"), program("axy"), PREDICT_FLIP, "length");
}

static void test_end_of_input_that_only_b_meets(void **state)
{
	(void)state;
	struct build a = program("axyz"), b = program("axy");
	a.live.header->events--; /* A stopped reading before its end */
	build_event(&a, TD_EV_BRANCH, 8, 0, 1);
	expect(a, b, PREDICT_FLIP, "length (of B)");
}

/* if (table[stdin[0]] == 7) ..., with a table of three elements; outside of it the program ends. */
static struct build lookup(const char *input, uint64_t last)
{
	struct build b = build_new(input);
	uint64_t elements[3] = { 7, 8, last };
	uint32_t byte = build_byte(&b, 0), inside = build_node(&b, TD_ULT, 1, byte, build_const(&b, 8, 3), 0);
	uint32_t x = build_node(&b, TD_TABLE, 8, byte, build_array(&b, "table", 8, elements, 3), 0);
	if (build_nodes(&b)[inside].lo) {
		build_decision(&b, TD_EV_BOUND, TD_NO_SITE, inside);
		build_decision(&b, TD_EV_BRANCH, 2, build_node(&b, TD_EQ, 1, x, build_const(&b, 8, 7), 0));
	}
	return b;
}

static void test_tables(void **state)
{
	(void)state;
	expect(lookup("\1", 7), lookup("\1", 7), PREDICT_SAME, "equal");
	expect(lookup("\1", 7), lookup("\2", 7), PREDICT_FLIP, "branch");
	expect(lookup("\1", 9), lookup("\2", 9), PREDICT_SAME, "equal");
	expect(lookup("\1", 7), lookup("\3", 7), PREDICT_FLIP, "bound");
	expect(lookup("\1", 7), lookup("\2", 9), PREDICT_WRONG, "1 was predicted"); /* A has other elements than were there */
	struct build a = lookup("\1", 7), b = lookup("\3", 7);
	build_events(&a)[0] = build_events(&a)[1]; /* without its bound A says more than it knows */
	a.live.header->events = 1;
	expect(a, b, PREDICT_WRONG, "B ended early");
}

static void test_lost_symbolism_is_wrong(void **state)
{
	(void)state;
	struct build a = program("axy"), b = program("bxy");
	build_events(&a)[1].node = 0; /* the branch depends on stdin[0], but A holds it for concrete */
	expect(a, b, PREDICT_WRONG, "concrete in A");
}

static void test_wrong_term_is_wrong(void **state)
{
	(void)state;
	struct build a = program("axa"), b = program("bxa");
	build_nodes(&a)[1].b = 2; /* reads stdin[2] instead of stdin[0] */
	expect(a, b, PREDICT_WRONG, "symbolic in A");
	a = program("axy"), b = program("bxy");
	build_events(&b)[1].site = 3; /* where the prediction flips, B must be at the same branch */
	expect(a, b, PREDICT_WRONG, "site 3");
	a = program("axy"), b = program("axy");
	build_events(&b)[1].kind = TD_EV_SWITCH;
	expect(a, b, PREDICT_WRONG, "B a switch");
}

static void test_ends(void **state)
{
	(void)state;
	struct build a = program("axy"), b = program("axy");
	b.live.header->events -= 2;
	expect(a, b, PREDICT_WRONG, "B ended early");
	a = program("axy"), b = program("axy");
	a.live.header->events -= 2;
	b.live.header->incomplete = 1; /* the longer one: no excuse */
	expect(a, b, PREDICT_WRONG, "A ended early");
	a = program("axy"), b = program("axy");
	b.live.header->events -= 2;
	b.live.header->incomplete = 1;
	expect(a, b, PREDICT_SAME, "as far as recorded");
	a = program("axy"), b = program("axy");
	build_events(&b)[1] = (struct td_event){ .kind = TD_EV_NOTE, .sub = TD_NOTE_THREADS };
	expect(a, b, PREDICT_SAME, "as far as recorded");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same), cmocka_unit_test(test_flips), cmocka_unit_test(test_end_of_input_that_only_b_meets),
		cmocka_unit_test(test_lost_symbolism_is_wrong), cmocka_unit_test(test_wrong_term_is_wrong),
		cmocka_unit_test(test_ends), cmocka_unit_test(test_tables),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
