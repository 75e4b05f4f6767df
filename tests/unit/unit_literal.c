/* Numbers, texts and declarations as C reads them. */
#include "trace/declare.h"
#include "unit/literal.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct arena *arena;

static int open_arena(void **state)
{
	(void)state;
	arena = arena_new();
	return 0;
}

static int close_arena(void **state)
{
	(void)state;
	arena_free(arena);
	return 0;
}

static const char *number(enum type_kind kind, bool is_signed, const void *value, size_t size)
{
	struct type t = { .kind = kind, .is_signed = is_signed, .size = size, .name = "" };
	uint8_t bytes[16] = {0};
	memcpy(bytes, value, size);
	return literal_number(&t, bytes, true, arena);
}

#define NUMBER(kind, is_signed, type, ...) number(kind, is_signed, &(type){ __VA_ARGS__ }, sizeof(type))

static void test_integers(void **state)
{
	(void)state;
	assert_string_equal(NUMBER(TYPE_SIGNED, true, int, -70000), "-70000");
	assert_string_equal(NUMBER(TYPE_SIGNED, true, int64_t, INT64_MIN), "-9223372036854775807 - 1");
	assert_string_equal(NUMBER(TYPE_UNSIGNED, false, uint64_t, UINT64_MAX), "18446744073709551615u");
	assert_string_equal(NUMBER(TYPE_UNSIGNED, false, uint16_t, 65535), "65535");
	assert_string_equal(NUMBER(TYPE_CHAR, true, char, '\''), "'\\''");
	assert_string_equal(NUMBER(TYPE_CHAR, true, signed char, -1), "-1");
	assert_string_equal(NUMBER(TYPE_BOOL, false, bool, true), "1");
	assert_null(NUMBER(TYPE_BOOL, false, uint8_t, 2));
	assert_null(NUMBER(TYPE_SIGNED, true, __int128, 1));
}

static void test_enums(void **state)
{
	(void)state;
	const struct type_constant constants[] = { { "RED", 1 }, { "BLUE", -3 } };
	struct type t = { .kind = TYPE_ENUM, .is_signed = true, .size = 4, .name = "enum color", .constants = constants, .constants_count = 2 };
	const uint8_t blue[16] = { 0xfd, 0xff, 0xff, 0xff }, other[16] = { 7 };
	assert_string_equal(literal_number(&t, blue, true, arena), "BLUE");
	assert_string_equal(literal_number(&t, blue, false, arena), "-3");
	assert_string_equal(literal_number(&t, other, true, arena), "7");
}

static void test_floats(void **state)
{
	(void)state;
	assert_string_equal(NUMBER(TYPE_FLOAT, true, double, 0.1), "0.10000000000000001");
	assert_string_equal(NUMBER(TYPE_FLOAT, true, double, -0.0), "-0.0");
	assert_string_equal(NUMBER(TYPE_FLOAT, true, double, 1e300), "1.0000000000000001e+300");
	assert_string_equal(NUMBER(TYPE_FLOAT, true, float, 2.5f), "2.5f");
	assert_string_equal(NUMBER(TYPE_FLOAT, true, float, 3), "3.0f");
	uint8_t half[16] = { [7] = 0x80, [8] = 0xfe, [9] = 0x3f };
	assert_string_equal(number(TYPE_FLOAT, true, half, sizeof half), "0.5L");
	half[7] = 0; /* no number that the machine makes */
	half[8] = 1;
	assert_null(number(TYPE_FLOAT, true, half, sizeof half));
	assert_null(NUMBER(TYPE_FLOAT, true, double, (double)NAN));
	assert_null(NUMBER(TYPE_FLOAT, true, float, -INFINITY));
}

static void test_texts(void **state)
{
	(void)state;
	struct str s = {0};
	literal_text((const uint8_t *)"a\"\\\n\0" "1?" "?/\377", 10, "\t", &s);
	assert_string_equal(str_text(&s), "\"a\\\"\\\\\\n\\0001?\\?/\\377\"");
	str_clear(&s);
	literal_text(NULL, 0, "", &s);
	assert_string_equal(str_text(&s), "\"\"");
	str_free(&s);
}

static void check_declaration(const struct type *t, const char *wanted)
{
	struct str s = {0};
	assert_true(declare_print(t, "x", &s));
	assert_string_equal(str_text(&s), wanted);
	str_free(&s);
}

static void test_declarations(void **state)
{
	(void)state;
	const struct type number = { .kind = TYPE_SIGNED, .is_signed = true, .size = 4, .name = "int" };
	const struct type letter = { .kind = TYPE_CHAR, .is_signed = true, .is_const = true, .size = 1, .name = "char" };
	const struct type text = { .kind = TYPE_POINTER, .size = 8, .name = "const char *", .of = &letter };
	const struct type fixed = { .kind = TYPE_POINTER, .is_const = true, .size = 8, .name = "const char *", .of = &letter };
	const struct type words = { .kind = TYPE_POINTER, .size = 8, .name = "", .of = &fixed };
	const struct type row = { .kind = TYPE_ARRAY, .size = 16, .name = "", .of = &number, .count = 4 };
	const struct type rows = { .kind = TYPE_POINTER, .size = 8, .name = "", .of = &row };
	const struct type_member members[] = { { .name = "", .type = &number }, { .name = "", .type = &text } };
	const struct type function = { .kind = TYPE_FUNCTION, .name = "", .of = &text, .members = members, .members_count = 2, .is_variadic = true };
	const struct type pointer = { .kind = TYPE_POINTER, .size = 8, .name = "", .of = &function };
	const struct type nameless = { .kind = TYPE_STRUCT, .size = 4, .name = "" }, none = { .kind = TYPE_POINTER, .size = 8, .name = "", .of = &nameless };
	struct str s = {0};
	check_declaration(&letter, "char x");
	check_declaration(&text, "const char *x");
	check_declaration(&words, "const char *const *x");
	check_declaration(&rows, "int (*x)[4]");
	check_declaration(&pointer, "const char *(*x)(int, const char *, ...)");
	assert_false(declare_print(&none, "x", &s));
	assert_string_equal(str_text(&s), "");
	str_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_integers), cmocka_unit_test(test_enums), cmocka_unit_test(test_floats), cmocka_unit_test(test_texts), cmocka_unit_test(test_declarations) };
	return cmocka_run_group_tests(tests, open_arena, close_arena);
}
