/* What single bytes have to be for a path, and which calls that rules out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "unit/sieve.h"
#include "unit_draft.h"

static struct draft fails, calls;
static struct sieve own, callers, above;

static bool passes(void)
{
	sieve_take(&own, draft_end(&fails));
	return sieve_through(&above, &own, draft_end(&calls), &callers, false, 2);
}

static bool refuted(void)
{
	return !passes();
}

static int begin(void **state)
{
	(void)state;
	draft_begin(&fails);
	draft_begin(&calls);
	return 0;
}

static int end(void **state)
{
	(void)state;
	sieve_free(&own);
	sieve_free(&above);
	sieve_free(&callers);
	return 0;
}

static void constants(void **state)
{
	(void)state;
	draft_compare(&fails, TD_EQ, draft_byte(&fails, 0, 2), 7, true);
	assert_false(refuted()); /* nobody says what is there */
	draft_piece(&calls, TD_SNAPSHOT_BYTES, 0, 0, 0, 0x070000);
	assert_false(refuted());
	calls.pieces[0].value = 0x080000;
	assert_true(refuted());
	calls.pieces[0].node = draft_number(&calls, 0, 0, 8);
	assert_false(refuted()); /* it may be 7 as well */
}

/* Two that each leave something, and nothing together. */
static void several_demands(void **state)
{
	(void)state;
	uint32_t byte = draft_byte(&fails, 0, 0);
	draft_compare(&fails, TD_ULE, byte, 9, true);
	draft_compare(&fails, TD_EQ, byte, 4, false);
	draft_piece(&calls, TD_SNAPSHOT_BYTES, 0, 0, 0, 9);
	assert_false(refuted());
	calls.pieces[0].value = 4;
	assert_true(refuted());
	calls.pieces[0].value = 10;
	assert_true(refuted());
}

static void pointers(void **state)
{
	(void)state;
	draft_compare(&fails, TD_EQ, draft_byte(&fails, 0, 0), 0, true);
	draft_piece(&calls, TD_SNAPSHOT_POINTER, 0, 0, 0, TD_UNIT_CHOICE(0, 2));
	assert_false(refuted());
	calls.pieces[0].value = TD_UNIT_CHOICE(2, 2);
	assert_true(refuted());
	calls.pieces[0].value = TD_UNIT_CHOICE(TD_UNIT_ELSEWHERE, 2);
	assert_true(refuted()); /* wherever that is, it is not null */
	fails.f.count = 0;
	draft_compare(&fails, TD_EQ, draft_byte(&fails, 0, 0), 2, true);
	assert_false(refuted());
	calls.pieces[0].value = TD_UNIT_CHOICE(TD_UNIT_ELSEWHERE, 1);
	assert_true(refuted()); /* there is no second target that it could stand for */
}

static bool allows(size_t hole, unsigned value)
{
	return above.holes.at[hole].allowed[value / 64] >> value % 64 & 1;
}

/* A variable that the caller leaves as it is, and a sum of one byte: what the path demands, the caller's input has to give. */
static void passed_on(void **state)
{
	(void)state;
	draft_compare(&fails, TD_EQ, draft_byte(&fails, 0, 2), 7, true);
	draft_compare(&fails, TD_ULT, draft_byte(&fails, 0, 8), 3, true);
	draft_piece(&calls, TD_SNAPSHOT_BYTES, 0, 0, draft_number(&calls, 1, 4, 8), 0);
	draft_piece(&calls, TD_SNAPSHOT_BYTES, 0, 8, draft_node(&calls, TD_ADD, 8, draft_byte(&calls, 0, 1), draft_const(&calls, 8, 255), 0), 0);
	assert_true(passes());
	assert_int_equal(above.holes.count, 2);
	assert_int_equal(above.holes.at[0].object, 0);
	assert_int_equal(above.holes.at[0].offset, 1);
	assert_true(allows(0, 1) && allows(0, 3) && !allows(0, 0) && !allows(0, 4));
	assert_int_equal(above.holes.at[1].object, 1);
	assert_int_equal(above.holes.at[1].offset, 6);
	assert_true(allows(1, 7) && !allows(1, 8));
}

/* The same byte in two places. */
static void passed_on_twice(void **state)
{
	(void)state;
	draft_compare(&fails, TD_ULT, draft_byte(&fails, 0, 0), 4, true);
	draft_compare(&fails, TD_ULT, draft_byte(&fails, 0, 8), 3, false);
	uint32_t byte = draft_byte(&calls, 0, 5);
	draft_piece(&calls, TD_SNAPSHOT_BYTES, 0, 0, byte, 0);
	draft_piece(&calls, TD_SNAPSHOT_BYTES, 0, 8, byte, 0);
	assert_true(passes());
	assert_int_equal(above.holes.count, 1);
	assert_true(allows(0, 3) && !allows(0, 2) && !allows(0, 4));
	fails.f.parts = &fails.parts[1];
	draft_compare(&fails, TD_ULT, draft_byte(&fails, 0, 0), 2, true);
	fails.f.count = 2;
	assert_false(passes());
}

/* A number of several bytes says something when all of it is known: here, or further out. */
static void numbers(void **state)
{
	(void)state;
	draft_compare(&fails, TD_EQ, draft_number(&fails, 0, 0, 2), 0x107, true);
	draft_piece(&calls, TD_SNAPSHOT_BYTES, 0, 0, 0, 0x207);
	assert_true(refuted());
	calls.pieces[0].value = 0x107;
	assert_false(refuted());
	calls.pieces[0].node = draft_number(&calls, 0, 16, 2);
	assert_false(refuted());
	assert_int_equal(above.numbers.count, 1);
	struct sieve farther = {0};
	struct draft outer;
	draft_begin(&outer);
	draft_piece(&outer, TD_SNAPSHOT_BYTES, 0, 16, 0, 0x107);
	assert_true(sieve_through(&farther, &above, draft_end(&outer), &callers, false, 2));
	outer.pieces[0].value = 0x108;
	assert_false(sieve_through(&farther, &above, draft_end(&outer), &callers, false, 2));
	sieve_free(&farther);
}

/* It is null where the caller's is, and otherwise where that led. */
static void pointers_of_the_caller(void **state)
{
	(void)state;
	uint32_t mine = draft_byte(&calls, 0, 3);
	calls.bytes[0][3] = 2;
	uint32_t pointer = draft_node(&calls, TD_ITE, 64, draft_node(&calls, TD_EQ, 1, mine, draft_const(&calls, 8, 2), 0), draft_const(&calls, 64, 0x4000), draft_const(&calls, 64, 0));
	draft_piece(&calls, TD_SNAPSHOT_POINTER, 1, 8, pointer, TD_UNIT_CHOICE(1, 2));
	draft_compare(&fails, TD_EQ, draft_byte(&fails, 1, 8), 0, true);
	assert_true(passes());
	assert_int_equal(above.holes.count, 1);
	assert_int_equal(above.holes.at[0].offset, 3);
	assert_true(allows(0, 0) && !allows(0, 2) && allows(0, 1));
	fails.f.count = 0;
	draft_compare(&fails, TD_EQ, draft_byte(&fails, 1, 8), 1, true);
	assert_true(passes());
	assert_true(!allows(0, 0) && allows(0, 2) && !allows(0, 1));
	fails.f.count = 0;
	draft_compare(&fails, TD_EQ, draft_byte(&fails, 1, 8), 2, true);
	assert_false(passes());
}

/* What is about the size of an object says nothing. */
static void left_alone(void **state)
{
	(void)state;
	draft_piece(&calls, TD_SNAPSHOT_BYTES, 0, 0, 0, 9);
	draft_compare(&fails, TD_EQ, draft_byte(&fails, 0, 4), 3, true);
	fails.f.fault.part = 1;
	assert_false(refuted());
	fails.f.fault.part = 0;
	assert_true(refuted()); /* the piece has a 0 there */
}

/* A term that a loop has made. */
static void deep(void **state)
{
	enum { DEPTH = 1000000 };
	struct td_node *nodes = calloc(DEPTH + 2, sizeof *nodes);
	struct formula f = *draft_end(&fails);
	(void)state;
	nodes[1] = (struct td_node){ .op = TD_INPUT, .bits = 8 };
	for (uint32_t id = 2; id < DEPTH + 2; id++)
		nodes[id] = (struct td_node){ .op = TD_ADD, .bits = 8, .a = id - 1, .b = id - 1 };
	f.terms.nodes = nodes;
	f.terms.count = DEPTH + 2;
	f.parts = &(struct conjunct){ .node = DEPTH + 1, .value = 1 };
	f.count = 1;
	draft_piece(&calls, TD_SNAPSHOT_BYTES, 0, 0, 0, 9);
	sieve_take(&own, &f);
	assert_true(sieve_through(&above, &own, draft_end(&calls), &callers, false, 2));
	free(nodes);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = { TEST(constants), TEST(several_demands), TEST(pointers), TEST(passed_on), TEST(passed_on_twice), TEST(numbers), TEST(pointers_of_the_caller), TEST(left_alone), TEST(deep) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
