/* Units and contexts: of the paper's example, by distance, of functions that call themselves or by pointers, and where there are too many chains. */
#include "unit_common.h"

#include "base/str.h"
#include "unit/scope.h"

static struct arena *arena;

static void expect_names(const char *wanted, const bool *members, const uint32_t *list, size_t count)
{
	struct str text = {0};
	for (uint32_t i = 0; members && i < program.count; i++)
		if (members[i] && program.functions[i].block)
			str_printf(&text, "%s%s", text.length ? " " : "", program.functions[i].name);
	for (size_t i = 0; i < count; i++)
		if (program.functions[list[i]].block)
			str_printf(&text, "%s%s", text.length ? " " : "", program.functions[list[i]].name);
	assert_string_equal(str_text(&text), wanted);
	str_free(&text);
}

static void expect_unit(const struct scope *s, const char *members, const char *stubs)
{
	expect_names(members, s->members, NULL, 0);
	expect_names(stubs, NULL, s->stubs, s->stubs_count);
}

/* One context after the other. */
static void expect_contexts(const struct scope *s, const char *const *wanted)
{
	size_t n = 0;
	for (; wanted[n] && n < s->contexts_count; n++)
		expect_names(wanted[n], NULL, s->contexts[n].functions, s->contexts[n].count);
	assert_null(wanted[n]);
	assert_int_equal(n, s->contexts_count);
	assert_false(s->contexts_cut);
}

#define CONTEXTS(...) ((const char *const[]){ __VA_ARGS__ __VA_OPT__(,) NULL })

static struct scope scope(const char *name, enum scope_kind kind, double tau, unsigned distance, const struct profile *p)
{
	struct scope_options o = { .kind = kind, .tau = tau, .distance = distance, .profile = p };
	return scope_find(&program, function(name), &o, arena);
}

/* --- the paper's example --- */

static int open_paper(void **state)
{
	(void)state;
	arena = arena_new();
	return program_open("paper");
}

static int close_all(void **state)
{
	arena_free(arena);
	return program_close(state);
}

static void of_the_paper(void **state)
{
	(void)state;
	struct profile *p = paper_profile();
	struct scope f = scope("f", SCOPE_DEPENDENCY, 0.7, 3, p);
	assert_int_equal(f.kind, SCOPE_DEPENDENCY);
	expect_unit(&f, "f g", "h");
	expect_contexts(&f, CONTEXTS("b")); /* it stops there, although prog is at 1 */
	struct scope b = scope("b", SCOPE_DEPENDENCY, 0.7, 3, p);
	expect_unit(&b, "b f g", "h");
	expect_contexts(&b, CONTEXTS());
	struct scope h = scope("h", SCOPE_DEPENDENCY, 0.7, 3, p);
	expect_unit(&h, "h", "");
	expect_contexts(&h, CONTEXTS("main prog a1 b f"));
	profile_free(p);
}

static void tau(void **state)
{
	(void)state;
	struct profile *p = paper_profile();
	struct scope s = scope("f", SCOPE_DEPENDENCY, 2.0 / 3, 3, p);
	expect_contexts(&s, CONTEXTS("main prog a1 b"));
	s = scope("f", SCOPE_DEPENDENCY, 1.0 / 3, 3, p);
	expect_unit(&s, "f g h", "");
	expect_contexts(&s, CONTEXTS("main prog a1 b", "main prog a2 b"));
	s = scope("f", SCOPE_DEPENDENCY, 1, 3, p);
	expect_unit(&s, "f g", "h");
	profile_free(p);
}

static void distances(void **state)
{
	(void)state;
	struct scope s = scope("b", SCOPE_DISTANCE, 0.7, 1, NULL);
	expect_unit(&s, "b f", "g h");
	expect_contexts(&s, CONTEXTS("a1", "a2"));
	s = scope("b", SCOPE_DISTANCE, 0.7, 2, NULL);
	expect_unit(&s, "b f g h", "");
	expect_contexts(&s, CONTEXTS("prog a1", "prog a2"));
	s = scope("f", SCOPE_DISTANCE, 0.7, 0, NULL);
	expect_unit(&s, "f", "g h");
	expect_contexts(&s, CONTEXTS());
}

static void alone(void **state)
{
	(void)state;
	struct profile *p = paper_profile();
	struct scope s = scope("f", SCOPE_ALONE, 0.7, 3, p);
	expect_unit(&s, "f", "g h");
	expect_contexts(&s, CONTEXTS());
	profile_free(p);
}

/* Of a function that no test ran nothing is known: the distance says it. */
static void not_run(void **state)
{
	(void)state;
	struct profile *p = profile_new(&program);
	profile_run(p, "main prog a1");
	struct scope s = scope("f", SCOPE_DEPENDENCY, 0.7, 1, p);
	assert_int_equal(s.kind, SCOPE_DISTANCE);
	expect_unit(&s, "f g h", "");
	expect_contexts(&s, CONTEXTS("b"));
	s = scope("f", SCOPE_DEPENDENCY, 0.7, 1, NULL);
	assert_int_equal(s.kind, SCOPE_DISTANCE);
	s = scope("a1", SCOPE_DEPENDENCY, 0.7, 1, p);
	assert_int_equal(s.kind, SCOPE_DEPENDENCY);
	expect_unit(&s, "a1", "b");
	profile_free(p);
}

static void of_main(void **state)
{
	(void)state;
	struct scope s = scope("main", SCOPE_ALONE, 0.7, 3, NULL);
	expect_unit(&s, "prog a1 a2 b f g h main", "");
	expect_contexts(&s, CONTEXTS());
}

/* --- the call graph --- */

static int open_calls(void **state)
{
	(void)state;
	arena = arena_new();
	return program_open("calls");
}

static void recursion(void **state)
{
	(void)state;
	struct scope s = scope("itself", SCOPE_DISTANCE, 0.7, 1, NULL);
	expect_unit(&s, "itself down", "");
	expect_contexts(&s, CONTEXTS("main")); /* nobody is in a chain twice */
	s = scope("down", SCOPE_DISTANCE, 0.7, 9, NULL);
	expect_contexts(&s, CONTEXTS("main itself"));
	s = scope("ping", SCOPE_DISTANCE, 0.7, 1, NULL);
	expect_unit(&s, "pong ping up", "");
	expect_contexts(&s, CONTEXTS("pong", "main"));
	s = scope("pong", SCOPE_DISTANCE, 0.7, 0, NULL);
	expect_unit(&s, "pong", "ping");
	s = scope("up", SCOPE_DISTANCE, 0, 5, NULL);
	expect_contexts(&s, CONTEXTS("main ping", "main by_pointer")); /* pong is called by nobody but ping, which is there already */
}

/* Of two that call each other each was there when the other was called, or the other way round. */
static void depend_on_each_other(void **state)
{
	(void)state;
	struct profile *p = profile_new(&program);
	profile_run(p, "main ping pong");
	assert_true(profile_dependency(p, function("ping"), function("pong")) > 0.99);
	assert_true(profile_dependency(p, function("pong"), function("ping")) > 0.99);
	profile_run(p, "main ping up");
	assert_true(profile_dependency(p, function("pong"), function("ping")) < 0.51);
	assert_true(profile_dependency(p, function("ping"), function("pong")) > 0.99);
	profile_free(p);
}

static void pointers(void **state)
{
	(void)state;
	struct scope s = scope("by_pointer", SCOPE_DISTANCE, 0.7, 1, NULL);
	expect_unit(&s, "up by_pointer", "");
	s = scope("sorts", SCOPE_DISTANCE, 0.7, 1, NULL);
	expect_unit(&s, "sorts by_size", ""); /* the library calls it */
	s = scope("by_size", SCOPE_DISTANCE, 0.7, 1, NULL);
	expect_contexts(&s, CONTEXTS("sorts"));
}

static void too_many(void **state)
{
	(void)state;
	struct scope s = scope("end", SCOPE_DISTANCE, 0.7, 99, NULL);
	assert_true(s.contexts_cut);
	assert_int_equal(s.contexts_count, 64);
	for (size_t i = 0; i < s.contexts_count; i++) {
		assert_int_equal(s.contexts[i].count, 15); /* main, and of each step two */
		assert_int_equal(s.contexts[i].functions[0], function("main"));
		assert_int_equal(s.contexts[i].functions[1], function("step7"));
	}
	s = scope("end", SCOPE_DISTANCE, 0.7, 10, NULL);
	assert_int_equal(s.contexts_count, 32); /* five times two ways */
	assert_false(s.contexts_cut);
}

/* --- functions and variables by name --- */

static void names(void **state)
{
	(void)state;
	uint32_t i = 0;
	assert_true(unit_program_find(&program, "calls.c:ping", &i));
	assert_int_equal(i, function("ping"));
	i = 0;
	assert_true(unit_program_find(&program, "programs/calls.c:down", &i));
	i = 0;
	assert_false(unit_program_find(&program, "alls.c:ping", &i));
	i = 0;
	assert_false(unit_program_find(&program, "balls.c:ping", &i));
	i = 0;
	assert_false(unit_program_find(&program, "qsort", &i));
	i = function("ping") + 1;
	assert_false(unit_program_find(&program, "ping", &i));
	assert_true(unit_program_is_main(&program, function("main")));
	assert_false(unit_program_is_main(&program, function("ping")));
	const struct type_variable *v = unit_program_variable(&program, program.functions[function("ping")].block, "chosen");
	assert_non_null(v);
	assert_string_equal(v->name, "chosen");
	assert_null(unit_program_variable(&program, program.functions[function("ping")].block, "nobody"));
}

int main(void)
{
	const struct CMUnitTest paper[] = {
		cmocka_unit_test(of_the_paper), cmocka_unit_test(tau), cmocka_unit_test(distances), cmocka_unit_test(alone), cmocka_unit_test(not_run), cmocka_unit_test(of_main),
	};
	const struct CMUnitTest calls[] = {
		cmocka_unit_test(recursion), cmocka_unit_test(depend_on_each_other), cmocka_unit_test(pointers), cmocka_unit_test(too_many), cmocka_unit_test(names),
	};
	int failed = cmocka_run_group_tests(paper, open_paper, close_all);
	return failed + cmocka_run_group_tests(calls, open_calls, close_all);
}
