/* What is said of how two test cases differ. */
#include "testcase/differ.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct testcase fed(const char *bytes)
{
	static const char *const args[] = { "./p" };
	return (struct testcase){ .args = args, .args_count = 1, .bytes = (const uint8_t *)bytes, .size = strlen(bytes) };
}

static void says(const struct testcase *from, const struct testcase *to, size_t most, const char *wanted)
{
	struct str out = {0};
	assert_int_equal(differ_text(from, to, most, &out), wanted[0] != 0);
	assert_string_equal(str_text(&out), wanted);
	str_free(&out);
}

static void stdin_says(const char *from, const char *to, const char *wanted)
{
	struct testcase x = fed(from), y = fed(to);
	says(&x, &y, 8, wanted);
}

static void test_contents(void **state)
{
	(void)state;
	stdin_says("", "", "");
	stdin_says("abc", "abc", "");
	stdin_says("abcd", "abxd", "stdin byte 2 'c' -> 'x'");
	stdin_says("AAAA", "boom", "stdin bytes 0-3 \"AAAA\" -> \"boom\"");
	stdin_says("a.......b", "x.......y", "stdin byte 0 'a' -> 'x'; stdin byte 8 'b' -> 'y'");
	stdin_says("a..b", "x..y", "stdin bytes 0-3 \"a..b\" -> \"x..y\"");
	stdin_says("'", "\\", "stdin byte 0 '\\'' -> '\\\\'");
	stdin_says("a\n", "\x01\t", "stdin bytes 0-1 \"a\\n\" -> \"\\x01\\t\"");
}

static void test_lengths(void **state)
{
	(void)state;
	stdin_says("abcdef", "abc", "stdin is 3 bytes shorter");
	stdin_says("", "x", "stdin is 1 byte longer");
	stdin_says("abcdef", "xbc", "stdin byte 0 'a' -> 'x'; stdin is 3 bytes shorter");
	stdin_says("0123456789", "012456789", "stdin byte 3 '3' -> \"\"; stdin is 1 byte shorter");
	stdin_says("abcdefgh", "xabcdefgh", "stdin byte 0 \"\" -> 'x'; stdin is 1 byte longer");
	stdin_says("0123456789012345678901234567890123456789", "x", "stdin byte 0 '0' -> 'x'; stdin is 39 bytes shorter");
	char long_one[101] = {0}, other[101] = {0};
	memset(long_one, 'a', 100);
	memset(other, 'b', 100);
	stdin_says(long_one, other, "stdin bytes 0-99 \"aaaaaaaaaaaaaaaaaaaaaaaa\"... -> \"bbbbbbbbbbbbbbbbbbbbbbbb\"...");
}

static void test_parts(void **state)
{
	static const char *const args1[] = { "./p", "one", "two" }, *const args2[] = { "./other", "one", "twx", "three" };
	static const char *const env1[] = { "A=1", "B=2", "C=3", "D" }, *const env2[] = { "B=x", "C=3", "E=5", "D=4" };
	static const struct testcase_file files1[] = { { .path = "f", .bytes = (const uint8_t *)"ab", .size = 2, .mode = 0644, .mtime = 5 }, { .path = "g" } };
	static const struct testcase_file files2[] = { { .path = "f", .bytes = (const uint8_t *)"ac", .size = 2, .mode = 0600, .mtime = 6 }, { .path = "h" } };
	static const struct testcase_mark marks1[] = { { "m", (const uint8_t *)"12", 2 } }, marks2[] = { { "m", (const uint8_t *)"13", 2 }, { "n", NULL, 0 } };
	struct testcase x = { .args = args1, .args_count = 3, .env = env1, .env_count = 4, .files = files1, .files_count = 2, .marks = marks1, .marks_count = 1 };
	struct testcase y = { .args = args2, .args_count = 4, .env = env2, .env_count = 4, .files = files2, .files_count = 2, .marks = marks2, .marks_count = 2 };
	(void)state;
	says(&x, &x, 8, "");
	says(&x, &y, 99,
	     "argv[2] byte 2 'o' -> 'x'; argv[3] is new; $B byte 0 '2' -> 'x'; $E is new; $D is set; "
	     "f byte 1 'b' -> 'c'; f mode 0644 -> 0600; f time 5 -> 6; h is new; m byte 1 '2' -> '3'; n is new; $A is gone; g is gone");
	says(&x, &y, 2, "argv[2] byte 2 'o' -> 'x'; argv[3] is new; and 11 more");
	says(&x, &y, 0, "and 13 more");
	y = x;
	y.args_count = 2;
	says(&x, &y, 8, "argv[2] is gone");
	y.args_count = 1;
	says(&x, &y, 8, "argv[1] to argv[2] are gone");
	y.bytes = (const uint8_t *)"x";
	y.size = 1;
	x.bytes = (const uint8_t *)"yz";
	x.size = 2;
	says(&x, &y, 1, "stdin byte 0 'y' -> 'x'; and 2 more");
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_contents), cmocka_unit_test(test_lengths), cmocka_unit_test(test_parts) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
