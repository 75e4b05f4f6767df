/* Terms as a whole: evaluation on other inputs, and the check of what was recorded; and how they are printed. */
#include "trace_build.h"

#include "base/str.h"
#include "expr/print.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_evaluates_on_another_input(void **state)
{
	(void)state;
	struct build b = build_new("ab");
	uint32_t sum = build_node(&b, TD_ADD, 8, build_byte(&b, 0), build_byte(&b, 1), 0);
	uint32_t beyond = build_byte(&b, 9), length = build_node(&b, TD_LENGTH, 64, 0, 0, 0);
	struct content other = build_content("\x01\x02\x03");
	struct assignment in = build_input(&other);
	struct terms t = build_terms(&b);
	u128 values[16];
	terms_eval_all(&t, &in, values);
	assert_int_equal((int)values[sum], 3);
	assert_int_equal((int)values[beyond], 0);
	assert_int_equal((int)values[length], 3);
	assert_int_equal(build_nodes(&b)[sum].lo, ('a' + 'b') & 255);
	build_free(&b);
}

static void test_verify_finds_wrong_values(void **state)
{
	(void)state;
	struct build b = build_new("x");
	uint32_t is = build_is(&b, 0, 'x'), bad = 0;
	struct terms t = build_terms(&b);
	assert_int_equal(terms_verify(&t, &bad), 0);
	build_nodes(&b)[is].lo = 0;
	assert_int_equal(terms_verify(&t, &bad), 1);
	assert_int_equal(bad, is);
	build_nodes(&b)[1].lo = 0x100; /* an input byte of nine bits, which its parent does not follow from either */
	assert_int_equal(terms_verify(&t, &bad), 3);
	assert_int_equal(bad, 1);
	build_free(&b);
}

static void test_check_refuses_malformed_nodes(void **state)
{
	(void)state;
	static const struct td_node bad[] = {
		{ .op = TD_OP_NONE, .bits = 8 }, { .op = TD_OP_COUNT, .bits = 8 }, { .op = TD_CONST, .bits = 0 },
		{ .op = TD_CONST, .bits = 129 }, { .op = TD_INPUT, .bits = 16 }, { .op = TD_LENGTH, .bits = 32 },
		{ .op = TD_ADD, .bits = 8, .a = 1, .b = 0 }, { .op = TD_ADD, .bits = 8, .a = 1, .b = 3 },
		{ .op = TD_ADD, .bits = 16, .a = 1, .b = 2 }, { .op = TD_EQ, .bits = 8, .a = 1, .b = 1 },
		{ .op = TD_EQ, .bits = 1, .a = 1, .b = 2 }, { .op = TD_ZEXT, .bits = 4, .a = 1 },
		{ .op = TD_EXTRACT, .bits = 8, .a = 1, .b = 1 }, { .op = TD_EXTRACT, .bits = 8, .a = 1, .b = UINT32_MAX },
		{ .op = TD_CONCAT, .bits = 16, .a = 1, .b = 2 }, { .op = TD_ITE, .bits = 8, .a = 1, .b = 1, .c = 1 },
		{ .op = TD_FADD, .bits = 8, .a = 1, .b = 1 }, { .op = TD_FCMP, .bits = 1, .a = 2, .b = 2, .c = 16 },
		{ .op = TD_FROUND, .bits = 32, .a = 2, .b = 5 }, { .op = TD_FPCAST, .bits = 64, .a = 1 },
		{ .op = TD_TABLE, .bits = 8, .a = 1, .b = 0 }, { .op = TD_TABLE, .bits = 16, .a = 1, .b = 1 }, { .op = TD_TABLE, .bits = 16 },
	};
	struct td_array array = { .count = 2, .bits = 16 };
	struct td_node nodes[4] = { { 0 }, { .op = TD_INPUT, .bits = 8 }, { .op = TD_CONST, .bits = 32 } };
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		nodes[3] = bad[i];
		struct terms t = { .nodes = nodes, .count = 4, .arrays = &array, .arrays_count = 1 };
		uint32_t first = 0;
		if (terms_check(&t, &first) || first != 3 || terms_verify(&t, &first) != 1)
			fail_msg("malformed node %zu was accepted", i);
	}
}

static void test_tables(void **state)
{
	(void)state;
	static const uint64_t elements[3][5] = { { 0x10, 0xff, 3, 4, 5 }, { 0xffff, 2, 0x8000, 4, 0x1234 }, { UINT64_MAX, 1, 2, 3, 1ull << 63 } };
	struct build b = build_new("\x01\x04\x05");
	for (unsigned k = 0; k < 3; k++) {
		unsigned bits = k == 0 ? 8 : k == 1 ? 16 : 64;
		uint32_t array = build_array(&b, "t", bits, elements[k], 5);
		for (uint32_t i = 0; i < 3; i++) {
			uint32_t id = build_node(&b, TD_TABLE, bits, build_byte(&b, i), array, 0);
			assert_int_equal(build_nodes(&b)[id].lo, i == 0 ? elements[k][1] : i == 1 ? elements[k][4] : 0); /* 5 is outside */
		}
	}
	struct terms t = build_terms(&b);
	uint32_t bad = 0;
	assert_int_equal(terms_verify(&t, &bad), 0);
	assert_true(terms_element(&t, 0, (u128)1 << 64) == 0 && terms_element(&t, 2, 4) == 1ull << 63);
	((char *)b.live.header)[b.live.header->array_bytes_off + 4] = 6; /* of the first array */
	assert_int_equal(terms_verify(&t, &bad), 1);
	assert_int_equal(bad, 4);
	build_free(&b);
}

/* --- printing --- */

static void expect_text(struct build *b, uint32_t id, bool truth, const char *wanted)
{
	struct trace t = build_view(b);
	struct print p = { t.terms, t.inputs, t.inputs_count, 0 };
	struct str text = {0};
	print_condition(&p, id, truth, &text);
	assert_string_equal(str_text(&text), wanted);
	str_free(&text);
}

static uint32_t word(struct build *b, bool big_endian)
{
	uint32_t id = build_byte(b, big_endian ? 0 : 3);
	for (uint32_t i = 1; i < 4; i++)
		id = build_node(b, TD_CONCAT, 8 * (i + 1), id, build_byte(b, big_endian ? i : 3 - i), 0);
	return id;
}

static void test_prints_conditions(void **state)
{
	(void)state;
	struct build b = build_new("hello");
	uint32_t is = build_is(&b, 3, 'x'), one = build_const(&b, 1, 1);
	expect_text(&b, is, true, "stdin[3] == 'x'");
	expect_text(&b, is, false, "stdin[3] != 'x'");
	uint32_t not = build_node(&b, TD_XOR, 1, is, one, 0);
	expect_text(&b, not, true, "stdin[3] != 'x'");
	uint32_t widened = build_node(&b, TD_ZEXT, 32, is, 0, 0);
	expect_text(&b, build_node(&b, TD_NE, 1, widened, build_const(&b, 32, 0), 0), true, "stdin[3] == 'x'");
	uint32_t both = build_node(&b, TD_AND, 1, is, build_is(&b, 0, '\n'), 0);
	expect_text(&b, both, false, "!((stdin[3] == 'x') & (stdin[0] == '\\n'))");

	uint32_t byte = build_byte(&b, 0), sext = build_node(&b, TD_SEXT, 32, byte, 0, 0);
	expect_text(&b, build_node(&b, TD_EQ, 1, sext, build_const(&b, 32, 'q'), 0), true, "stdin[0] == 'q'");
	expect_text(&b, build_node(&b, TD_SLT, 1, sext, build_const(&b, 32, 0), 0), true, "(int8_t)stdin[0] < 0");
	expect_text(&b, build_node(&b, TD_EQ, 1, byte, build_const(&b, 8, 0), 0), true, "stdin[0] == '\\0'");
	expect_text(&b, build_node(&b, TD_EQ, 1, byte, build_const(&b, 8, 255), 0), true, "stdin[0] == 255");
	expect_text(&b, build_node(&b, TD_EQ, 1, sext, build_const(&b, 32, -(u128)1), 0), true, "(int8_t)stdin[0] == -1");
	expect_text(&b, build_node(&b, TD_SLE, 1, byte, build_const(&b, 8, 254), 0), true, "(int8_t)stdin[0] <= -2");
	uint32_t zext = build_node(&b, TD_ZEXT, 32, byte, 0, 0);
	uint32_t digit = build_node(&b, TD_ADD, 32, zext, build_const(&b, 32, -(u128)'0'), 0);
	expect_text(&b, build_node(&b, TD_ULT, 1, digit, build_const(&b, 32, 10), 0), false, "(stdin[0] - '0') >=u 10");
	expect_text(&b, build_node(&b, TD_SLT, 1, build_const(&b, 32, 'a'), zext, 0), true, "stdin[0] > 'a'");

	uint32_t magic = build_const(&b, 32, 0x464c457f);
	expect_text(&b, build_node(&b, TD_EQ, 1, word(&b, false), magic, 0), true, "stdin[0..3] == 0x464c457f");
	expect_text(&b, build_node(&b, TD_ULE, 1, word(&b, true), magic, 0), true, "be(stdin[0..3]) <= 0x464c457f");
	uint32_t length = build_node(&b, TD_LENGTH, 64, 0, 0, 0);
	expect_text(&b, build_node(&b, TD_ULT, 1, build_const(&b, 64, 5), length, 0), false, "len(stdin) <= 5");
	build_free(&b);
}

static void test_prints_terms(void **state)
{
	(void)state;
	struct build b = build_new("hello");
	uint32_t x = build_node(&b, TD_ZEXT, 32, build_byte(&b, 1), 0, 0), y = build_node(&b, TD_MUL, 32, x, x, 0);
	expect_text(&b, build_node(&b, TD_SUB, 32, y, build_const(&b, 32, 7), 0), true, "(stdin[1] * stdin[1]) - 7");
	expect_text(&b, build_node(&b, TD_EXTRACT, 8, y, 0, 0), true, "(uint8_t)(stdin[1] * stdin[1])");
	expect_text(&b, build_node(&b, TD_EXTRACT, 3, y, 4, 0), true, "(stdin[1] * stdin[1]).bits[4..6]");
	expect_text(&b, build_node(&b, TD_UREM, 32, x, build_const(&b, 32, 7), 0), true, "stdin[1] % 7");
	expect_text(&b, build_node(&b, TD_UREM, 32, y, x, 0), true, "(stdin[1] * stdin[1]) %u stdin[1]");
	expect_text(&b, build_node(&b, TD_SADDO, 1, y, x, 0), true, "sadd_overflows(stdin[1] * stdin[1], stdin[1])");
	expect_text(&b, build_node(&b, TD_ITE, 32, build_is(&b, 0, 'h'), x, y), true,
	            "(stdin[0] == 'h') ? stdin[1] : (stdin[1] * stdin[1])");
	uint32_t f = build_node(&b, TD_UITOFP, 64, x, 0, 0), half = build_const(&b, 64, 0x3fe0000000000000);
	expect_text(&b, build_node(&b, TD_FCMP, 1, f, half, TD_FCMP_OLT), true, "uitofp(stdin[1]) < 0.5");
	expect_text(&b, build_node(&b, TD_FCMP, 1, f, half, TD_FCMP_UGT), false, "!fcmp_ugt(uitofp(stdin[1]), 0.5)");
	expect_text(&b, 0, true, "(concrete)");
	build_free(&b);
}

static void test_prints_tables(void **state)
{
	(void)state;
	static const uint64_t elements[2] = { 1, 2 };
	struct build b = build_new("hello");
	uint32_t named = build_array(&b, "classes", 8, elements, 2), other = build_array(&b, "", 8, elements, 2);
	uint32_t changed = build_array(&b, "classes", 8, elements, 2), byte = build_byte(&b, 1);
	struct td_array *arrays = (void *)((char *)b.live.header + b.live.header->arrays_off);
	arrays[changed].version = 1;
	uint32_t x = build_node(&b, TD_TABLE, 8, byte, named, 0);
	expect_text(&b, x, true, "classes[stdin[1]]");
	expect_text(&b, build_node(&b, TD_TABLE, 8, byte, other, 0), true, "table#1[stdin[1]]");
	expect_text(&b, build_node(&b, TD_TABLE, 8, byte, changed, 0), true, "classes#2[stdin[1]]");
	uint32_t zext = build_node(&b, TD_ZEXT, 32, x, 0, 0), sext = build_node(&b, TD_SEXT, 32, x, 0, 0), two = build_const(&b, 32, 2);
	expect_text(&b, build_node(&b, TD_EQ, 1, zext, two, 0), false, "classes[stdin[1]] != 2");
	expect_text(&b, build_node(&b, TD_SLT, 1, sext, two, 0), true, "(int8_t)classes[stdin[1]] < 2");
	uint32_t sum = build_node(&b, TD_ADD, 32, zext, build_const(&b, 32, -(u128)1), 0);
	expect_text(&b, build_node(&b, TD_TABLE, 8, sum, other, 0), true, "table#1[classes[stdin[1]] - 1]");
	build_free(&b);
}

static void test_cuts_long_terms(void **state)
{
	(void)state;
	struct build b = build_new("hello");
	uint32_t x = build_byte(&b, 0);
	for (int i = 0; i < 200; i++)
		x = build_node(&b, TD_XOR, 8, x, x, 0);
	struct trace t = build_view(&b);
	struct print p = { t.terms, t.inputs, t.inputs_count, 10 };
	struct str text = {0};
	print_term(&p, x, &text);
	assert_non_null(strstr(text.text, "..."));
	assert_true(text.length < 200);
	str_clear(&text);
	print_json("a\"b\\\n\xff", &text);
	assert_string_equal(text.text, "a\\\"b\\\\\\u000a\\u00ff");
	str_free(&text);
	build_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_evaluates_on_another_input), cmocka_unit_test(test_verify_finds_wrong_values),
		cmocka_unit_test(test_check_refuses_malformed_nodes), cmocka_unit_test(test_prints_conditions),
		cmocka_unit_test(test_prints_terms), cmocka_unit_test(test_cuts_long_terms),
		cmocka_unit_test(test_tables), cmocka_unit_test(test_prints_tables),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
