/* Letters that are put in front instead of in place of others. */
#include "engine/feed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct testcase of(const char *const *args, size_t count, const char *input)
{
	return (struct testcase){ .args = args, .args_count = count, .bytes = (const uint8_t *)input, .size = strlen(input) };
}

static void test_arguments(void **state)
{
	(void)state;
	static const char *const from[] = { "prog", "12", "same", "abcdef", "" }, *const to[] = { "other", "-2", "same", "abXYef", "" };
	struct arena *a = arena_new();
	struct testcase x = of(from, 5, "in"), y = of(to, 5, "in"), out;
	assert_true(feed_inserted(&x, &y, a, &out));
	assert_int_equal(out.args_count, 5);
	assert_string_equal(out.args[0], "prog");
	assert_string_equal(out.args[1], "-12");
	assert_string_equal(out.args[2], "same");
	assert_string_equal(out.args[3], "abXYcdef");
	assert_string_equal(out.args[4], "");
	assert_int_equal(out.size, 2);
	arena_free(a);
}

static void test_input(void **state)
{
	(void)state;
	static const char *const args[] = { "prog", "a" };
	struct arena *a = arena_new();
	struct testcase x = of(args, 2, "1+2"), y = of(args, 2, "1+-"), out;
	assert_true(feed_inserted(&x, &y, a, &out));
	assert_int_equal(out.size, 4);
	assert_memory_equal(out.bytes, "1+-2", 4);
	assert_string_equal(out.args[1], "a");
	arena_free(a);
}

/* Five of one name, one byte each, then another: they do not become more. */
static void test_marks(void **state)
{
	(void)state;
	static const char *const args[] = { "prog" };
	static const char *const before[] = { "a", "b", "c", "d", "e", "z" }, *const after[] = { "a", "X", "c", "d", "e", "z" }, *const wanted[] = { "a", "X", "b", "c", "d", "z" };
	struct testcase_mark from[6], to[6];
	struct arena *a = arena_new();
	for (size_t i = 0; i < 6; i++) {
		from[i] = (struct testcase_mark){ i < 5 ? "x" : "y", (const uint8_t *)before[i], 1 };
		to[i] = (struct testcase_mark){ i < 5 ? "x" : "y", (const uint8_t *)after[i], 1 };
	}
	struct testcase x = of(args, 1, ""), y = of(args, 1, ""), out;
	x.marks = from;
	y.marks = to;
	x.marks_count = y.marks_count = 6;
	assert_true(feed_inserted(&x, &y, a, &out));
	assert_int_equal(out.marks_count, 6);
	for (size_t i = 0; i < 6; i++)
		assert_memory_equal(out.marks[i].bytes, wanted[i], 1);
	assert_false(feed_inserted(&x, &x, a, &out));
	arena_free(a);
}

/* What is as it was, or longer already. */
static void test_none(void **state)
{
	(void)state;
	static const char *const from[] = { "prog", "12" }, *const longer[] = { "prog", "123" };
	struct arena *a = arena_new();
	struct testcase x = of(from, 2, "in"), y = of(longer, 2, "inp"), out;
	assert_false(feed_inserted(&x, &x, a, &out));
	assert_false(feed_inserted(&x, &y, a, &out));
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_arguments), cmocka_unit_test(test_input), cmocka_unit_test(test_marks), cmocka_unit_test(test_none) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
