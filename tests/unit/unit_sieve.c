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

static bool refuted(void)
{
	struct arena *a = arena_new();
	bool result = sieve_refutes(sieve_new(draft_end(&fails), a), draft_end(&calls), 1);
	arena_free(a);
	return result;
}

static int begin(void **state)
{
	(void)state;
	draft_begin(&fails);
	draft_begin(&calls);
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
	assert_false(refuted()); /* that is for the solver */
}

/* What is about two bytes, or the size of an object, says nothing. */
static void left_alone(void **state)
{
	(void)state;
	draft_compare(&fails, TD_EQ, draft_number(&fails, 0, 0, 2), 7, true);
	draft_piece(&calls, TD_SNAPSHOT_BYTES, 0, 0, 0, 9);
	assert_false(refuted());
	draft_compare(&fails, TD_EQ, draft_byte(&fails, 0, 4), 3, true);
	fails.f.fault.part = 2;
	assert_false(refuted());
	fails.f.fault.part = 0;
	assert_true(refuted()); /* the piece has a 0 there */
}

/* A term that a loop has made. */
static void deep(void **state)
{
	enum { DEPTH = 1000000 };
	struct td_node *nodes = calloc(DEPTH + 2, sizeof *nodes);
	struct arena *a = arena_new();
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
	assert_false(sieve_refutes(sieve_new(&f, a), draft_end(&calls), 1));
	arena_free(a);
	free(nodes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(constants, begin), cmocka_unit_test_setup(several_demands, begin), cmocka_unit_test_setup(pointers, begin), cmocka_unit_test_setup(left_alone, begin), cmocka_unit_test_setup(deep, begin),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
