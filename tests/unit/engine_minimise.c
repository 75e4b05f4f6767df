/* Making inputs smaller, with questions in place of runs: what is left is what the answers demand, within the number of runs, and the same every time. */
#include "engine/minimise.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static unsigned asked, late_at, fails_at;

static struct testcase fed(const char *bytes)
{
	static const char *const args[] = { "./p" };
	return (struct testcase){ .args = args, .args_count = 1, .bytes = (const uint8_t *)bytes, .size = strlen(bytes) };
}

/* Is it there, in this order? */
static bool has(const uint8_t *bytes, size_t size, const char *letters)
{
	for (size_t i = 0; i < size && *letters; i++)
		letters += bytes[i] == (uint8_t)*letters;
	return !*letters;
}

static bool wants_letters(void *context, const struct testcase *t, enum minimise_verdict *v, struct err *err)
{
	*v = has(t->bytes, t->size, context) ? MINIMISE_SAME : MINIMISE_OTHER;
	if (++asked == late_at)
		*v = MINIMISE_LATE;
	return asked != fails_at || err_set(err, "it fails");
}

static struct minimised minimised(const struct testcase *from, const struct testcase *parent, minimise_try *try, const void *context, unsigned runs, struct arena *a)
{
	struct minimise m = { from, parent, try, (void *)context, runs, 60, false };
	struct minimised out;
	struct err err = {0};
	asked = 0;
	assert_true(minimise_input(&m, &out, a, &err));
	assert_int_equal(out.runs, asked);
	assert_true(asked <= runs);
	return out;
}

static void letters(const char *from, const char *parent, const char *wanted, const char *left)
{
	struct arena *a = arena_new();
	struct testcase t = fed(from), p = fed(parent ? parent : "");
	struct minimised out = minimised(&t, parent ? &p : NULL, wants_letters, wanted, 1000, a);
	assert_int_equal(out.input.size, strlen(left));
	assert_memory_equal(out.input.bytes, left, strlen(left));
	assert_false(out.late);
	arena_free(a);
}

static void test_stdin(void **state)
{
	(void)state;
	letters("abcdefgh", NULL, "", "");
	letters("abcdefgh", NULL, "h", "h");
	letters("abcdefgh", NULL, "adg", "adg");
	letters("0123456789012345678901234567890123456789x.............................................y", NULL, "xy", "xy");
	letters("", NULL, "", "");
}

/* The third byte must not be 'c', all else may be anything; and there must be six. */
static bool wants_no_c(void *context, const struct testcase *t, enum minimise_verdict *v, struct err *err)
{
	(void)context;
	(void)err;
	asked++;
	*v = t->size >= 6 && t->bytes[2] != 'c' ? MINIMISE_SAME : MINIMISE_OTHER;
	return true;
}

static void bytes_left(const char *from, const char *parent, const char *left)
{
	struct arena *a = arena_new();
	struct testcase t = fed(from), p = fed(parent ? parent : "");
	struct minimised out = minimised(&t, parent ? &p : NULL, wants_no_c, NULL, 1000, a);
	assert_int_equal(out.input.size, strlen(left));
	assert_memory_equal(out.input.bytes, left, strlen(left));
	arena_free(a);
}

static void test_bytes(void **state)
{
	(void)state;
	bytes_left("uvwxyz", NULL, "AAAAAA");
	bytes_left("uvwxyz", "abcdef", "abAdef");       /* the parent's where that will do */
	bytes_left("uvwxyz12", "abcdef__", "abAdef");
	bytes_left("0 A0 A", NULL, "0 A0 A");           /* plain already */
}

static bool wants_things(void *context, const struct testcase *t, enum minimise_verdict *v, struct err *err)
{
	(void)err;
	asked++;
	bool arg = t->args_count > 2 && strchr(t->args[2], 'k'), env = false, file = false;
	for (size_t i = 0; i < t->env_count; i++)
		env |= strncmp(t->env[i], "KEY=", 4) == 0 && strchr(t->env[i] + 4, 'v');
	for (size_t i = 0; i < t->files_count; i++)
		file |= strcmp(t->files[i].path, "in") == 0 && has(t->files[i].bytes, t->files[i].size, "f");
	*v = arg && env && file && (!context || (t->marks_count == 1 && t->marks[0].size == 4 && t->marks[0].bytes[3] == 'z')) ? MINIMISE_SAME : MINIMISE_OTHER;
	return true;
}

static void test_things(void **state)
{
	static const char *const args[] = { "./p", "one", "akb", "three", "four" }, *const env[] = { "ONE=1", "KEY=avb", "TWO=2" };
	static const struct testcase_file files[] = {
		{ .path = "other", .bytes = (const uint8_t *)"x", .size = 1 }, { .path = "in", .bytes = (const uint8_t *)"xxfxx", .size = 5, .mode = 0600 },
		{ .path = "kept", .bytes = (const uint8_t *)"whole", .size = 5, .fixed = true }, { .path = "dir", .type = TESTCASE_DIRECTORY },
	};
	static const struct testcase_mark marks[] = { { "m", (const uint8_t *)"wxyz", 4 } };
	struct testcase t = { .args = args, .args_count = 5, .env = env, .env_count = 3, .files = files, .files_count = 4, .marks = marks, .marks_count = 1, .bytes = (const uint8_t *)"in", .size = 2 };
	struct arena *a = arena_new();
	(void)state;
	struct testcase out = minimised(&t, NULL, wants_things, &t, 1000, a).input;
	assert_int_equal(out.args_count, 3);
	assert_string_equal(out.args[0], "./p");
	assert_string_equal(out.args[1], "");
	assert_string_equal(out.args[2], "k");
	assert_int_equal(out.env_count, 1);
	assert_string_equal(out.env[0], "KEY=v");
	assert_int_equal(out.files_count, 3);
	assert_string_equal(out.files[0].path, "in");
	assert_int_equal(out.files[0].size, 1);
	assert_int_equal(out.files[0].bytes[0], 'f');
	assert_int_equal(out.files[0].mode, 0600);
	assert_string_equal(out.files[1].path, "kept");
	assert_int_equal(out.files[1].size, 5);
	assert_int_equal(out.size, 0);
	assert_int_equal(out.marks[0].size, 4);
	assert_memory_equal(out.marks[0].bytes, "AAAz", 4);
	assert_string_equal(args[2], "akb"); /* what was given is not touched */
	arena_free(a);
}

static bool wants_second_mark(void *context, const struct testcase *t, enum minimise_verdict *v, struct err *err)
{
	(void)context;
	(void)err;
	asked++;
	*v = t->marks[1].size == 4 && t->marks[1].bytes[3] == 'z' ? MINIMISE_SAME : MINIMISE_OTHER;
	return true;
}

/* What the parent leaves to the program is left to it again, unless it matters. */
static void test_marks_that_say_nothing(void **state)
{
	static const struct testcase_mark marks[] = { { "a", (const uint8_t *)"abcd", 4 }, { "b", (const uint8_t *)"wxyz", 4 }, { "c", (const uint8_t *)"efgh", 4 } }, of_parent[] = { { "a", NULL, 0 }, { "b", NULL, 0 }, { "c", (const uint8_t *)"eFGh", 4 } };
	struct arena *a = arena_new();
	struct testcase t = fed(""), p = t;
	(void)state;
	t.marks = marks;
	p.marks = of_parent;
	t.marks_count = p.marks_count = 3;
	struct testcase out = minimised(&t, &p, wants_second_mark, NULL, 1000, a).input;
	assert_int_equal(out.marks[0].size, 0);
	assert_int_equal(out.marks[1].size, 4);
	assert_memory_equal(out.marks[1].bytes, "AAAz", 4);
	assert_memory_equal(out.marks[2].bytes, "eFGh", 4);
	arena_free(a);
}

static void test_limits(void **state)
{
	static const char many[] = "aXbXcXdXeXfXgXhXiXjXkXlXmXnXoXpXqXrXsXtXuXvXwXxXyXz";
	struct arena *a = arena_new();
	struct testcase t = fed(many);
	struct err err = {0};
	(void)state;
	for (unsigned runs = 0; runs < 60; runs++) {
		struct minimised out = minimised(&t, NULL, wants_letters, "aeimquy", runs, a), again = minimised(&t, NULL, wants_letters, "aeimquy", runs, a);
		assert_true(has(out.input.bytes, out.input.size, "aeimquy"));
		assert_int_equal(out.input.size, again.input.size);
		assert_memory_equal(out.input.bytes, again.input.bytes, out.input.size);
	}
	late_at = 5;
	struct minimised out = minimised(&t, NULL, wants_letters, "aeimquy", 1000, a);
	assert_true(out.late);
	assert_int_equal(out.runs, 5);
	assert_true(has(out.input.bytes, out.input.size, "aeimquy"));
	late_at = 0;
	fails_at = 5;
	asked = 0;
	struct minimise m = { &t, NULL, wants_letters, (void *)"aeimquy", 1000, 60, false };
	assert_false(minimise_input(&m, &out, a, &err));
	assert_string_equal(err.text, "it fails");
	fails_at = 0;
	m.seconds = 0;
	asked = 0;
	assert_true(minimise_input(&m, &out, a, &err));
	assert_true(out.late);
	assert_int_equal(out.runs, 1);
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_stdin), cmocka_unit_test(test_bytes), cmocka_unit_test(test_things), cmocka_unit_test(test_marks_that_say_nothing), cmocka_unit_test(test_limits) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
