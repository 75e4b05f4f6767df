/* How much functions depend on each other: the figures of the paper's example, what calls itself, what never ran, and traces that are garbled. */
#include "unit_common.h"

static void near(double is, double wanted)
{
	assert_true(is > wanted - 1e-12 && is < wanted + 1e-12);
}

static double on(const struct profile *p, const char *g, const char *f)
{
	return profile_dependency(p, function(g), function(f));
}

static void figures_of_the_paper(void **state)
{
	(void)state;
	struct profile *p = paper_profile();
	assert_int_equal(profile_runs(p), 3);
	assert_int_equal(profile_ran(p, function("f")), 3);
	assert_int_equal(profile_ran(p, function("h")), 1);
	near(on(p, "prog", "f"), 1);
	near(on(p, "a1", "f"), 2.0 / 3);
	near(on(p, "a2", "f"), 1.0 / 3);
	near(on(p, "b", "f"), 1);
	near(on(p, "g", "f"), 1);
	near(on(p, "h", "f"), 1.0 / 3);
	near(on(p, "f", "h"), 1);
	near(on(p, "a1", "h"), 1);
	near(on(p, "a2", "h"), 0);
	near(on(p, "f", "a1"), 1);
	near(on(p, "h", "a1"), 0.5);
	near(on(p, "g", "h"), 0); /* neither calls the other */
	near(on(p, "a1", "a2"), 0);
	near(on(p, "f", "f"), 0);
	profile_free(p);
}

/* In whichever direction, on average of the two. */
static void relevance(void **state)
{
	(void)state;
	struct profile *p = paper_profile();
	near(profile_relevance(p, function("f"), function("g")), 1);
	near(profile_relevance(p, function("g"), function("f")), 1);
	near(profile_relevance(p, function("f"), function("a1")), (2.0 / 3 + 1) / 2);
	near(profile_relevance(p, function("h"), function("f")), (1 + 1.0 / 3) / 2);
	near(profile_relevance(p, function("g"), function("h")), 0);
	near(profile_relevance_of(p, 1), 0.5 / 3 + 0.5);
	assert_true(profile_relevance_of(p, 0.3) > 0.99);
	profile_free(p);
}

/* Often in one run is once; not called in the run is no dependency, even if another run has it. */
static void runs_count_and_not_calls(void **state)
{
	(void)state;
	struct profile *p = profile_new(&program);
	profile_run(p, "main prog a1 b f g . g . g . h . h . . f g");
	profile_run(p, "main f . f . b f");
	near(on(p, "h", "f"), 0.5);
	near(on(p, "b", "f"), 1);
	near(on(p, "a1", "f"), 0.5);
	assert_int_equal(profile_ran(p, function("g")), 1);
	profile_free(p);
}

/* On the stack when it was called, however far up; one that has returned is not. */
static void returned_is_not_there(void **state)
{
	(void)state;
	struct profile *p = profile_new(&program);
	profile_run(p, "main b . f g . h");
	near(on(p, "b", "f"), 0);
	near(on(p, "h", "f"), 1);
	near(on(p, "main", "h"), 1);
	profile_free(p);
}

static void never_ran(void **state)
{
	(void)state;
	struct profile *p = profile_new(&program), *nothing = profile_new(&program);
	profile_run(p, "main prog a1");
	near(on(p, "b", "f"), 0);
	near(on(p, "f", "a1"), 0);
	near(on(p, "prog", "a1"), 1);
	near(on(nothing, "b", "f"), 0);
	assert_int_equal(profile_runs(nothing), 0);
	profile_free(p);
	profile_free(nothing);
	profile_free(NULL);
}

/* Sets and functions that cannot be. */
static void garbled(void **state)
{
	(void)state;
	struct profile *p = profile_new(&program);
	struct build b = build_new("");
	uint32_t f = function("f"), g = function("g");
	build_call(&b, f, 0, 1);
	build_call(&b, program.count, 1, 2); /* there is no such function */
	build_call(&b, UINT32_MAX, 1, 2);
	build_call(&b, g, 7, 2);             /* nor such a set, */
	build_call(&b, g, UINT32_MAX, 2);
	build_call(&b, g, 1, 9);             /* and that one is not the next */
	build_call(&b, g, 1, 1);             /* one that is there already */
	struct trace t = build_view(&b);
	profile_add(p, &t);
	near(on(p, "g", "f"), 1);
	assert_int_equal(profile_ran(p, f), 1);
	build_free(&b);
	profile_free(p);
}

/* More pairs than the table begins with. */
static void many_functions(void **state)
{
	(void)state;
	enum { MANY = 30 };
	struct profile *p = profile_new(&program);
	struct build b = build_new("");
	uint32_t f = function("f"), g = function("g"), first = f < MANY ? 0 : f - MANY / 2;
	assert_true(program.count > first + MANY);
	for (uint32_t i = 0; i < MANY; i++) {
		build_call(&b, first + i, 0, i + 1);
		for (uint32_t k = 0; k < MANY; k++)
			build_call(&b, first + k, i + 1, 1);
	}
	struct trace t = build_view(&b);
	profile_add(p, &t);
	for (uint32_t i = 0; i < MANY; i++)
		assert_int_equal(profile_ran(p, first + i), 1);
	assert_true(g - first < MANY);
	near(on(p, "g", "f"), 1);
	near(on(p, "f", "g"), 1);
	build_free(&b);
	profile_free(p);
}

static int open_paper(void **state)
{
	(void)state;
	return program_open("paper");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_of_the_paper), cmocka_unit_test(relevance), cmocka_unit_test(runs_count_and_not_calls), cmocka_unit_test(returned_is_not_there), cmocka_unit_test(never_ran), cmocka_unit_test(garbled),
		cmocka_unit_test(many_functions),
	};
	return cmocka_run_group_tests(tests, open_paper, program_close);
}
