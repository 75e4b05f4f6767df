/* Inputs with another number of arguments: which there are, and that programs without any are left alone. */
#include "engine/variants.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char *const words[] = { "prog", "-f", "1", "a", "b", "c" };

static struct testcase with(size_t args)
{
	return (struct testcase){ .args = words, .args_count = args };
}

static void test_all(void **state)
{
	(void)state;
	struct testcase first = with(3);
	struct variants *v = variants_new(&first, 1);
	struct arena *a = arena_new();
	char seen[256] = "";
	uint32_t walk;
	unsigned kind;
	variants_add(v, 7, &first);
	while (variants_next(v, &walk, &kind)) {
		assert_int_equal(walk, 7);
		struct testcase t = variants_make(&first, kind, a);
		for (size_t i = 0; i < t.args_count; i++)
			snprintf(seen + strlen(seen), sizeof seen - strlen(seen), "%s%s", t.args[i], i + 1 < t.args_count ? " " : "; ");
	}
	assert_string_equal(seen, "prog -f 1 AAAAAA; prog AAAAAA -f 1; prog -f; prog -fffff 1; ");
	variants_free(v);
	arena_free(a);
}

static unsigned count(struct variants *v, const struct testcase *t)
{
	uint32_t walk;
	unsigned kind, n = 0;
	variants_add(v, 1, t);
	while (variants_next(v, &walk, &kind))
		n++;
	return n;
}

static void test_bounds(void **state)
{
	(void)state;
	struct testcase none = with(1), one = with(2), full = with(5);
	struct variants *v = variants_new(&none, 1);
	assert_int_equal(count(v, &none), 0); /* nobody spoke of arguments */
	variants_free(v);
	struct testcase feeds[] = { none, one };
	v = variants_new(feeds, 2);
	assert_int_equal(count(v, &none), 2);
	assert_int_equal(count(v, &one), 4);
	assert_int_equal(count(v, &full), 2); /* three more than the most that was given: enough */
	variants_free(v);
}

/* The longest argument, the last of equals, by copies of a letter in its middle or at its end; there is a limit. */
static void test_stretches(void **state)
{
	static const char *const script[] = { "prog", "abc", "s/x/y/", "-n" };
	struct testcase t = { .args = script, .args_count = 4 };
	struct variants *v = variants_new(&t, 1);
	struct arena *a = arena_new();
	char seen[256] = "";
	uint32_t walk;
	unsigned kind;
	(void)state;
	variants_add(v, 1, &t);
	while (variants_next(v, &walk, &kind)) {
		struct testcase made = variants_make(&t, kind, a);
		if (made.args_count == 4)
			snprintf(seen + strlen(seen), sizeof seen - strlen(seen), "%s %s; ", made.args[1], made.args[2]);
	}
	assert_string_equal(seen, "abc s/xxxxx/y/; abc s/x/y/////; ");
	char lots[70] = "";
	memset(lots, 'x', 61);
	const char *const enough[] = { "prog", lots };
	t = (struct testcase){ .args = enough, .args_count = 2 };
	assert_int_equal(count(v, &t), 3);
	variants_free(v);
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_all), cmocka_unit_test(test_bounds), cmocka_unit_test(test_stretches) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
