/* Between which bounds the integers of programs/ranges.c are, and of which nothing is known. */
#include "unit_common.h"

#include "base/str.h"
#include "unit/ranges.h"

#include <inttypes.h>

static const struct ranges *ranges;

static int open_ranges(void **state)
{
	(void)state;
	if (program_open("ranges") != 0)
		return -1;
	ranges = unit_program_ranges(&program);
	return 0;
}

static void is(bool known, struct range r, const char *wanted)
{
	char text[64] = "anything";
	if (known)
		snprintf(text, sizeof text, "%" PRId64 "..%" PRId64, r.lo, r.hi);
	assert_string_equal(text, wanted);
}

static void parameter(const char *name, uint32_t number, unsigned bits, const char *wanted)
{
	struct range r = {0};
	is(ranges_ask(ranges, ranges_place_of_parameter(ranges, function(name), number), bits, &r), r, wanted);
}

static void result(const char *name, const char *wanted)
{
	struct range r = {0};
	is(ranges_ask(ranges, ranges_place_of_result(ranges, function(name)), 32, &r), r, wanted);
}

static void variable(const char *name, unsigned bits, const char *wanted)
{
	const struct type_variable *v = unit_program_variable(&program, program.functions[function("main")].block, name);
	struct range r = {0};
	assert_non_null(v);
	is(ranges_ask(ranges, ranges_place_of_variable(ranges, v), bits, &r), r, wanted);
}

static void parameters(void **state)
{
	(void)state;
	parameter("constant", 0, 32, "42..42");
	parameter("several", 0, 32, "-2..5");
	parameter("in_loop", 0, 32, "0..9");
	parameter("two", 0, 32, "0..1");
	parameter("two", 1, 64, "7..7");
	parameter("anything", 0, 32, "anything");
	parameter("nobody_calls", 0, 32, "anything");
	parameter("main", 0, 32, "anything");
	parameter("constant", 1, 32, "anything"); /* there is none */
}

static void arithmetic(void **state)
{
	(void)state;
	parameter("masked", 0, 32, "0..15");
	parameter("rest", 0, 32, "0..7");
	parameter("halves", 0, 32, "0..127");
	parameter("narrow", 0, 8, "0..3");
}

static void what_branches_say(void **state)
{
	(void)state;
	parameter("guarded", 0, 32, "1..99");
	parameter("refused", 0, 32, "anything"); /* 0 is in the middle */
	parameter("counts_down", 0, 32, "0..10");
	parameter("grows", 0, 32, "anything"); /* in the end it wraps */
}

static void library(void **state)
{
	(void)state;
	parameter("of_characters", 0, 32, "-1..255");
	parameter("of_texts", 0, 64, "0..9223372036854775807");
}

static void results(void **state)
{
	(void)state;
	result("grade", "1..7");
	parameter("passes_on", 0, 32, "1..7");
	result("passes_on", "1..7");
	result("anything", "anything");
}

static void pointers_to_functions(void **state)
{
	(void)state;
	parameter("by_pointer", 0, 32, "4..6");
	parameter("by_pointer_too", 0, 32, "4..6");
	result("by_pointer_too", "5..7");
	parameter("pointed_elsewhere", 0, 64, "anything"); /* nobody here calls such a function by a pointer: somebody else does */
}

static void variables(void **state)
{
	(void)state;
	variable("level", 32, "3..9");
	variable("steps", 32, "0..18");
	variable("given_away", 32, "anything");
	variable("small", 8, "anything");
}

static void members(void **state)
{
	(void)state;
	const struct type *point = unit_program_type(&program, function("points"))->members[0].type->of, *box = unit_program_type(&program, function("points"))->members[1].type->of;
	struct range r = {0};
	assert_string_equal(point->name, "struct point");
	is(ranges_ask(ranges, ranges_place_of_member(ranges, point, 0), 32, &r), r, "-1..5");
	is(ranges_ask(ranges, ranges_place_of_member(ranges, point, 4), 32, &r), r, "anything"); /* nobody here sets it */
	is(ranges_ask(ranges, ranges_place_of_member(ranges, point, 12), 8, &r), r, "anything");
	is(ranges_ask(ranges, ranges_place_of_member(ranges, box, 0), 32, &r), r, "0..10");
	struct type other = *point;
	other.name = "struct elsewhere";
	is(ranges_ask(ranges, ranges_place_of_member(ranges, &other, 0), 32, &r), r, "anything");
	other = *point;
	other.is_foreign = true;
	is(ranges_ask(ranges, ranges_place_of_member(ranges, &other, 0), 32, &r), r, "anything");
}

static uint32_t place(const char *name)
{
	const struct type_variable *v = unit_program_variable(&program, program.functions[function("main")].block, name);
	assert_non_null(v);
	return ranges_place_of_variable(ranges, v);
}

static void null(void **state)
{
	(void)state;
	const struct type_variable *calls = unit_program_variable(&program, program.functions[function("main")].block, "calls");
	assert_false(ranges_is_nulled(ranges, place("set_once")));
	assert_true(ranges_is_nulled(ranges, place("set_to_null")));
	assert_false(ranges_is_nulled(ranges, place("from_library"))); /* it may be, but nobody says so */
	assert_false(ranges_is_nulled(ranges, ranges_place_of_member(ranges, calls->type, 16)));
	assert_false(ranges_is_nulled(ranges, 0));
	variable("begins_somewhere", 64, "1..9223372036854775807");
	variable("set_once", 64, "0..9223372036854775807"); /* it begins so */
	variable("lent", 64, "0..9223372036854775807");
}

static void functions(void **state)
{
	(void)state;
	const struct type_variable *calls = unit_program_variable(&program, program.functions[function("main")].block, "calls");
	uint32_t member = ranges_place_of_member(ranges, calls->type, 0);
	assert_true(ranges_leads_to(ranges, place("handler"), function("by_pointer")));
	assert_true(ranges_leads_to(ranges, place("handler"), function("by_pointer_too"))); /* by way of the member */
	assert_false(ranges_leads_to(ranges, place("handler"), function("never_stored")));
	assert_true(ranges_leads_to(ranges, member, function("by_pointer_too")));
	assert_false(ranges_leads_to(ranges, member, function("by_pointer")));
	assert_true(ranges_leads_to(ranges, ranges_place_of_member(ranges, calls->type, 8), function("by_pointer"))); /* nobody puts any there */
	assert_true(ranges_leads_to(ranges, 0, function("by_pointer")));
}

static void addresses(void **state)
{
	(void)state;
	assert_true(ranges_gives_address(ranges, unit_program_variable(&program, program.functions[function("main")].block, "here")));
	assert_false(ranges_gives_address(ranges, unit_program_variable(&program, program.functions[function("main")].block, "lent")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parameters), cmocka_unit_test(arithmetic), cmocka_unit_test(what_branches_say), cmocka_unit_test(library), cmocka_unit_test(results), cmocka_unit_test(pointers_to_functions),
		cmocka_unit_test(variables), cmocka_unit_test(members), cmocka_unit_test(null), cmocka_unit_test(functions), cmocka_unit_test(addresses),
	};
	return cmocka_run_group_tests(tests, open_ranges, program_close);
}
