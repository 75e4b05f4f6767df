/* Is a failure possible as the callers call it? By rule of how a call links its two sides, on paths made by hand: f, which fails, is called by b, and that by a. Their arguments are numbers and pointers in the first mark. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/filter.h"
#include "unit_draft.h"

enum { F, B, A, FUNCTIONS };

static struct draft fails, calls, outer; /* paths of f, b and a */
static struct summary summaries[FUNCTIONS];
static bool known[FUNCTIONS];
static struct summary_call call_of_f, call_of_b;
static struct formula_pointer pointers[FUNCTIONS];
static size_t pointers_count[FUNCTIONS];
static struct arena *arena;

static const struct summary *summary_of(void *context, uint32_t function)
{
	(void)context;
	return known[function] ? &summaries[function] : NULL;
}

static size_t pointers_of(void *context, uint32_t function, const struct formula_pointer **out)
{
	(void)context;
	*out = &pointers[function];
	return pointers_count[function];
}

static int begin(void **state)
{
	(void)state;
	draft_begin(&fails);
	draft_begin(&calls);
	draft_begin(&outer);
	memset(summaries, 0, sizeof summaries);
	memset(known, 1, sizeof known);
	memset(pointers_count, 0, sizeof pointers_count);
	for (int i = 0; i < FUNCTIONS; i++)
		summaries[i].given = DRAFT_MARKS;
	arena = arena_new();
	return 0;
}

static int end(void **state)
{
	(void)state;
	arena_free(arena);
	return 0;
}

static void again(void **state)
{
	end(state);
	begin(state);
}

/* callers: how many of b and a there are. */
static struct filter_result ask(size_t callers, struct filter_options o)
{
	static const uint32_t chains[][2] = { { 0 }, { B }, { A, B } };
	const struct formula *path = draft_end(&fails);
	struct summary_failure failure = { .paths = path, .paths_count = 1 };
	call_of_f = (struct summary_call){ F, *draft_end(&calls) };
	call_of_b = (struct summary_call){ B, *draft_end(&outer) };
	summaries[B].calls = &call_of_f;
	summaries[A].calls = &call_of_b;
	summaries[B].calls_count += !summaries[B].calls_count;
	summaries[A].calls_count += !summaries[A].calls_count;
	o.summary = summary_of;
	struct filter *filter = filter_new(&o);
	struct scope_context c = { chains[callers], callers };
	struct filter_result r = filter_ask(filter, F, &summaries[F], &failure, &c, arena);
	filter_free(filter);
	return r;
}

static enum filter_verdict verdict(size_t callers)
{
	return ask(callers, (struct filter_options){ .expect = pointers_of }).verdict;
}

/* Of a level's first mark. */
static uint32_t number_in(const struct filter_result *r, size_t level, uint32_t offset)
{
	uint32_t value;
	assert_true(level < r->witness.count);
	memcpy(&value, r->witness.inputs[level].objects[0].bytes + offset, sizeof value);
	return value;
}

/* --- numbers --- */

/* b(x) calls f(x + 3) if x < 10 (signed). */
static void b_passes_a_sum(void)
{
	uint32_t x = draft_number(&calls, 0, 0, 4);
	draft_compare(&calls, TD_SLT, x, 10, true);
	draft_piece(&calls, TD_SNAPSHOT_BYTES, 0, 0, draft_node(&calls, TD_ADD, 32, x, draft_const(&calls, 32, 3), 0), 3);
}

static void agrees(void **state)
{
	(void)state;
	b_passes_a_sum();
	draft_compare(&fails, TD_SLT, draft_number(&fails, 0, 0, 4), 12, false);
	struct filter_result r = ask(1, (struct filter_options){0});
	assert_int_equal(r.verdict, FILTER_POSSIBLE);
	assert_int_equal(r.witness.count, 2);
	assert_int_equal(number_in(&r, 0, 0), 9);
	assert_int_equal(number_in(&r, 1, 0), 12);
	assert_ptr_equal(r.witness.levels[0], &call_of_f.path);
}

static void disagrees(void **state)
{
	(void)state;
	b_passes_a_sum();
	draft_compare(&fails, TD_SLT, draft_number(&fails, 0, 0, 4), 13, false);
	struct filter_result r = ask(1, (struct filter_options){0});
	assert_int_equal(r.verdict, FILTER_REFUTED);
	assert_int_equal(r.caller, B);
	assert_int_equal(r.questions, 1);
}

static void constants(void **state)
{
	(void)state;
	draft_piece(&calls, TD_SNAPSHOT_BYTES, 0, 0, 0, 0x0000000700000102);
	draft_compare(&fails, TD_EQ, draft_number(&fails, 0, 0, 2), 0x102, true);
	draft_compare(&fails, TD_EQ, draft_byte(&fails, 0, 4), 7, true);
	assert_int_equal(verdict(1), FILTER_POSSIBLE);
	draft_compare(&fails, TD_EQ, draft_byte(&fails, 0, 1), 3, true);
	assert_int_equal(verdict(1), FILTER_REFUTED);
}

/* What nobody told of may be anything, and so may bytes that a term does not reach. */
static void untold(void **state)
{
	(void)state;
	draft_piece(&calls, TD_SNAPSHOT_BYTES, 0, 0, draft_number(&calls, 0, 0, 2), 0);
	draft_compare(&calls, TD_EQ, draft_byte(&calls, 0, 1), 5, true);
	draft_compare(&fails, TD_EQ, draft_byte(&fails, 0, 2), 77, true);
	draft_compare(&fails, TD_EQ, draft_byte(&fails, 0, 16), 78, true);
	draft_compare(&fails, TD_EQ, draft_byte(&fails, 1, 0), 79, true);
	assert_int_equal(verdict(1), FILTER_POSSIBLE);
	draft_compare(&fails, TD_EQ, draft_byte(&fails, 0, 1), 6, true);
	assert_int_equal(verdict(1), FILTER_REFUTED);
}

/* A mark that the plan does not give, such as a stub's result, is nobody's; that of the same number in the caller is another one. */
static void inputs_are_each_ones_own(void **state)
{
	(void)state;
	draft_compare(&calls, TD_EQ, draft_byte(&calls, 1, 0), 1, true);
	draft_compare(&fails, TD_EQ, draft_byte(&fails, 1, 0), 2, true);
	assert_int_equal(verdict(1), FILTER_POSSIBLE);
	draft_piece(&calls, TD_SNAPSHOT_BYTES, 1, 0, 0, 1);
	assert_int_equal(verdict(1), FILTER_REFUTED);
	summaries[F].given = 1;
	assert_int_equal(verdict(1), FILTER_POSSIBLE);
}

static void tables(void **state)
{
	(void)state;
	uint32_t here = draft_table(&calls, draft_byte(&calls, 0, 0), (const uint8_t[]){ 3, 1, 0, 2 });
	draft_piece(&calls, TD_SNAPSHOT_BYTES, 0, 0, here, 3);
	draft_compare(&calls, TD_ULT, draft_byte(&calls, 0, 0), 3, true); /* the last element is none of them */
	uint32_t there = draft_table(&fails, draft_byte(&fails, 0, 0), (const uint8_t[]){ 10, 20, 30, 40 });
	draft_compare(&fails, TD_EQ, there, 40, true);
	struct filter_result r = ask(1, (struct filter_options){0});
	assert_int_equal(r.verdict, FILTER_POSSIBLE); /* 3, from element 0 */
	assert_int_equal(r.witness.inputs[0].objects[0].bytes[0], 0);
	assert_int_equal(r.witness.inputs[1].objects[0].bytes[0], 3);
	draft_compare(&fails, TD_EQ, there, 30, false);
	draft_compare(&calls, TD_EQ, draft_byte(&calls, 0, 0), 0, false);
	assert_int_equal(verdict(1), FILTER_REFUTED); /* only 1 and 0 are left */
}

/* --- pointers --- */

/* f's pointer at the offset takes its k-th target. */
static void f_follows(uint32_t offset, uint8_t k)
{
	draft_compare(&fails, TD_EQ, draft_byte(&fails, 0, offset), k, true);
}

static void b_points(uint32_t offset, unsigned choice, unsigned targets)
{
	draft_piece(&calls, TD_SNAPSHOT_POINTER, 0, offset, 0, TD_UNIT_CHOICE(choice, targets));
}

static void null_where_it_is_followed(void **state)
{
	(void)state;
	b_points(0, 0, 1);
	f_follows(0, 1);
	assert_int_equal(verdict(1), FILTER_REFUTED);
}

static void null_where_that_is_the_fault(void **state)
{
	(void)state;
	b_points(0, 0, 1);
	f_follows(0, 0);
	assert_int_equal(verdict(1), FILTER_POSSIBLE);
}

/* f takes the second pointer for an object of its own, b gives the same twice. */
static void two_objects_that_are_one(void **state)
{
	(void)state;
	b_points(0, 1, 1);
	b_points(8, 2, 2);
	f_follows(0, 1);
	f_follows(8, 1);
	assert_int_equal(verdict(1), FILTER_REFUTED);
}

static void one_object_twice(void **state)
{
	(void)state;
	b_points(0, 1, 1);
	b_points(8, 2, 2);
	f_follows(8, 2);
	assert_int_equal(verdict(1), FILTER_POSSIBLE);
}

/* Where none of the targets is: not null, and anything else. */
static void elsewhere(void **state)
{
	(void)state;
	b_points(0, TD_UNIT_ELSEWHERE, 2);
	f_follows(0, 2);
	assert_int_equal(verdict(1), FILTER_POSSIBLE);
	again(state);
	b_points(0, TD_UNIT_ELSEWHERE, 2);
	f_follows(0, 0);
	assert_int_equal(verdict(1), FILTER_REFUTED);
	again(state);
	b_points(0, TD_UNIT_ELSEWHERE, 2);
	f_follows(0, 3);
	assert_int_equal(verdict(1), FILTER_REFUTED);
}

/* Only the first byte of a pointer says something; the next piece is another thing. */
static void bytes_behind_a_choice(void **state)
{
	(void)state;
	b_points(0, 1, 1);
	draft_piece(&calls, TD_SNAPSHOT_BYTES, 0, 8, 0, 9);
	draft_compare(&fails, TD_EQ, draft_byte(&fails, 0, 3), 200, true);
	assert_int_equal(verdict(1), FILTER_POSSIBLE);
	draft_compare(&fails, TD_EQ, draft_byte(&fails, 0, 8), 8, true);
	assert_int_equal(verdict(1), FILTER_REFUTED);
}

/* Where b's pointer depends on b's own input it leads where it did: b's choice 1 is f's first target. */
static void pointers_of_the_caller(void **state)
{
	(void)state;
	uint32_t mine = draft_byte(&calls, 0, 0);
	calls.bytes[0][0] = 1;
	draft_piece(&calls, TD_SNAPSHOT_POINTER, 0, 0, mine, TD_UNIT_CHOICE(1, 1));
	f_follows(0, 1);
	struct filter_result r = ask(1, (struct filter_options){0});
	assert_int_equal(r.verdict, FILTER_POSSIBLE);
	assert_int_equal(r.witness.inputs[0].objects[0].bytes[0], 1);
	draft_compare(&calls, TD_EQ, mine, 0, true);
	assert_int_equal(verdict(1), FILTER_REFUTED);
}

/* It was not null in b's run, but b does not ask for that. */
static void null_of_the_caller(void **state)
{
	(void)state;
	uint32_t mine = draft_byte(&calls, 0, 0);
	calls.bytes[0][0] = 1;
	uint32_t pointer = draft_node(&calls, TD_ITE, 64, draft_node(&calls, TD_EQ, 1, mine, draft_const(&calls, 8, 1), 0), draft_const(&calls, 64, 0x4000), draft_const(&calls, 64, 0));
	draft_piece(&calls, TD_SNAPSHOT_POINTER, 1, 8, pointer, TD_UNIT_CHOICE(1, 2));
	draft_compare(&fails, TD_EQ, draft_byte(&fails, 1, 8), 0, true);
	struct filter_result r = ask(1, (struct filter_options){0});
	assert_int_equal(r.verdict, FILTER_POSSIBLE);
	assert_int_equal(r.witness.inputs[0].objects[0].bytes[0], 0);
	fails.f.count = 0;
	draft_compare(&fails, TD_EQ, draft_byte(&fails, 1, 8), 2, true); /* where it did not lead */
	assert_int_equal(verdict(1), FILTER_REFUTED);
	fails.f.count = 0;
	draft_compare(&fails, TD_EQ, draft_byte(&fails, 1, 8), 0, true);
	draft_compare(&calls, TD_EQ, pointer, 0, false);
	assert_int_equal(verdict(1), FILTER_REFUTED);
}

/* --- how large objects are --- */

static void too_small_for_what_is_read(void **state)
{
	(void)state;
	b_points(0, 1, 1);
	draft_extent(&calls, 1, 0, 8);
	draft_compare(&fails, TD_EQ, draft_byte(&fails, 1, 7), 5, true);
	assert_int_equal(verdict(1), FILTER_POSSIBLE);
	draft_compare(&fails, TD_EQ, draft_byte(&fails, 1, 8), 5, true);
	assert_int_equal(verdict(1), FILTER_REFUTED);
}

static void nobody_knows_how_large(void **state)
{
	(void)state;
	b_points(0, 1, 1);
	draft_extent(&calls, 1, 0, UINT64_MAX);
	draft_compare(&fails, TD_EQ, draft_byte(&fails, 1, 40), 5, true);
	assert_int_equal(verdict(1), FILTER_POSSIBLE);
}

/* f's object is the inside of b's: what is told of it is from there on. */
static void interior_pointer(void **state)
{
	(void)state;
	b_points(0, 1, 1);
	draft_extent(&calls, 1, 24, 16);
	draft_piece(&calls, TD_SNAPSHOT_BYTES, 1, 0, draft_number(&calls, 1, 24, 4), 0);
	draft_compare(&calls, TD_ULT, draft_number(&calls, 1, 24, 4), 100, true);
	draft_compare(&fails, TD_EQ, draft_number(&fails, 1, 0, 4), 99, true);
	struct filter_result r = ask(1, (struct filter_options){0});
	assert_int_equal(r.verdict, FILTER_POSSIBLE);
	assert_int_equal(r.witness.inputs[0].objects[1].bytes[24], 99);
	assert_int_equal(r.witness.inputs[1].objects[1].bytes[0], 99);
	draft_compare(&fails, TD_EQ, draft_number(&fails, 1, 0, 4), 100, true);
	assert_int_equal(verdict(1), FILTER_REFUTED);
}

enum { START = 0x1000, SIZE = 64 };

/* f reads four bytes at a fixed place behind the end of the 64 bytes that the plan has chosen. */
static void f_leaves(uint64_t reach)
{
	fails.f.fault = (struct formula_fault){ .object = 2, .start = START, .size = SIZE, .reach = reach };
}

static void larger_than_planned(void **state)
{
	static const struct { uint64_t after; enum filter_verdict is; } cases[] = { { 10, FILTER_POSSIBLE }, { 64, FILTER_POSSIBLE }, { 67, FILTER_POSSIBLE }, { 68, FILTER_REFUTED }, { 1000, FILTER_REFUTED }, { UINT64_MAX, FILTER_REFUTED } };
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		again(state);
		b_points(0, 1, 1);
		draft_extent(&calls, 1, 0, cases[i].after);
		f_leaves(68);
		assert_int_equal(verdict(1), cases[i].is);
	}
	again(state);
	f_leaves(68); /* nothing is told of it */
	assert_int_equal(verdict(1), FILTER_POSSIBLE);
}

static void more_room_in_front(void **state)
{
	static const struct { uint64_t before; enum filter_verdict is; } cases[] = { { 0, FILTER_POSSIBLE }, { 3, FILTER_POSSIBLE }, { 4, FILTER_REFUTED } };
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		again(state);
		draft_extent(&calls, 1, cases[i].before, 64);
		f_leaves(4);
		fails.f.fault.lower = true;
		assert_int_equal(verdict(1), cases[i].is);
	}
}

/* f reads p[i], of four bytes each, and i says where: the condition that did not hold is START + 4 * i <= START + 60. */
static void f_indexes(void)
{
	uint32_t i = draft_node(&fails, TD_ZEXT, 64, draft_byte(&fails, 0, 8), 0, 0);
	uint32_t at = draft_node(&fails, TD_ADD, 64, draft_const(&fails, 64, START), draft_node(&fails, TD_MUL, 64, i, draft_const(&fails, 64, 4), 0), 0);
	draft_demand(&fails, draft_node(&fails, TD_ULE, 1, at, draft_const(&fails, 64, START + SIZE - 4), 0), 0);
	fails.f.fault = (struct formula_fault){ .object = 2, .start = START, .size = SIZE, .reach = 68, .part = 1 };
	fails.bytes[0][8] = 16;
}

/* b's object has 128 bytes, and its index is less than so much. */
static enum filter_verdict index_below(void **state, uint64_t below, uint64_t after)
{
	again(state);
	draft_extent(&calls, 1, 0, after);
	uint32_t i = draft_byte(&calls, 0, 0);
	draft_compare(&calls, TD_ULT, i, below, true);
	draft_piece(&calls, TD_SNAPSHOT_BYTES, 0, 8, i, 16);
	f_indexes();
	return verdict(1);
}

static void the_limit_moves(void **state)
{
	assert_int_equal(index_below(state, 17, 64), FILTER_POSSIBLE);
	assert_int_equal(index_below(state, 16, 64), FILTER_REFUTED);
	assert_int_equal(index_below(state, 32, 128), FILTER_REFUTED);
	assert_int_equal(index_below(state, 33, 128), FILTER_POSSIBLE);
	assert_int_equal(index_below(state, 11, 40), FILTER_POSSIBLE);
	assert_int_equal(index_below(state, 10, 40), FILTER_REFUTED);
	assert_int_equal(index_below(state, 200, UINT64_MAX), FILTER_REFUTED); /* who knows where it ends */
}

/* --- chains --- */

/* a(x) calls b(x) if x > 0. */
static void a_passes_on(void)
{
	uint32_t x = draft_number(&outer, 0, 0, 4);
	draft_compare(&outer, TD_SLT, draft_const(&outer, 32, 0), 0, false); /* of no interest */
	draft_demand(&outer, draft_node(&outer, TD_SLT, 1, draft_const(&outer, 32, 0), x, 0), 1);
	draft_piece(&outer, TD_SNAPSHOT_BYTES, 0, 0, x, 0);
}

static void three_levels(void **state)
{
	(void)state;
	a_passes_on();
	b_passes_a_sum();
	draft_compare(&fails, TD_SLT, draft_number(&fails, 0, 0, 4), 5, true);
	struct filter_result r = ask(2, (struct filter_options){0});
	assert_int_equal(r.verdict, FILTER_POSSIBLE);
	assert_int_equal(r.witness.count, 3);
	assert_int_equal(number_in(&r, 0, 0), 1);
	assert_int_equal(number_in(&r, 1, 0), 1);
	assert_int_equal(number_in(&r, 2, 0), 4);
}

/* b could call it so, but a does not call b so. */
static void refused_further_out(void **state)
{
	(void)state;
	a_passes_on();
	b_passes_a_sum();
	draft_compare(&fails, TD_SLT, draft_number(&fails, 0, 0, 4), 4, true);
	assert_int_equal(verdict(1), FILTER_POSSIBLE);
	struct filter_result r = ask(2, (struct filter_options){0});
	assert_int_equal(r.verdict, FILTER_REFUTED);
	assert_int_equal(r.caller, A);
}

/* The next path of a failure, or the next call, may go together. */
static void any_of_several(void **state)
{
	(void)state;
	static struct draft second;
	static struct summary_call several[2];
	struct filter_options o = { .summary = summary_of };
	b_passes_a_sum();
	draft_begin(&second);
	draft_piece(&second, TD_SNAPSHOT_BYTES, 0, 0, 0, 50);
	draft_compare(&fails, TD_EQ, draft_number(&fails, 0, 0, 4), 50, true);
	struct summary_failure failure = { .paths = draft_end(&fails), .paths_count = 1 };
	several[0] = (struct summary_call){ F, *draft_end(&calls) };
	several[1] = (struct summary_call){ F, *draft_end(&second) };
	summaries[B].calls = several;
	struct filter *filter = filter_new(&o);
	struct scope_context c = { (const uint32_t[]){ B }, 1 };
	summaries[B].calls_count = 1;
	assert_int_equal(filter_ask(filter, F, &summaries[F], &failure, &c, arena).verdict, FILTER_REFUTED);
	summaries[B].calls_count = 2;
	struct filter_result r = filter_ask(filter, F, &summaries[F], &failure, &c, arena);
	assert_int_equal(r.verdict, FILTER_POSSIBLE);
	assert_ptr_equal(r.witness.levels[0], &several[1].path);
	assert_int_equal(r.questions, 2);
	several[1].callee = A; /* a call of another one is none of it */
	assert_int_equal(filter_ask(filter, F, &summaries[F], &failure, &c, arena).verdict, FILTER_REFUTED);
	filter_free(filter);
}

static void nobody_was_seen_to_call(void **state)
{
	(void)state;
	draft_compare(&fails, TD_EQ, draft_byte(&fails, 0, 0), 50, true);
	known[B] = false;
	struct filter_result r = ask(1, (struct filter_options){0});
	assert_int_equal(r.verdict, FILTER_NO_CALL);
	assert_int_equal(r.caller, B);
	again(state);
	b_passes_a_sum();
	draft_compare(&fails, TD_SLT, draft_number(&fails, 0, 0, 4), 13, false);
	known[A] = false;
	r = ask(2, (struct filter_options){0});
	assert_int_equal(r.verdict, FILTER_REFUTED); /* b does not call it so, whoever calls b */
	assert_int_equal(r.caller, B);
}

static void too_much_to_ask(void **state)
{
	(void)state;
	a_passes_on();
	b_passes_a_sum();
	draft_compare(&fails, TD_SLT, draft_number(&fails, 0, 0, 4), 4, true);
	assert_int_equal(ask(2, (struct filter_options){ .questions_max = 1 }).verdict, FILTER_UNDECIDED);
	assert_int_equal(ask(2, (struct filter_options){ .questions_max = 3 }).verdict, FILTER_REFUTED);
}

/* What b passes on as it is, a never gives: nothing has to be asked for that. */
static void refused_at_a_glance(void **state)
{
	(void)state;
	draft_piece(&calls, TD_SNAPSHOT_BYTES, 0, 0, draft_number(&calls, 0, 8, 4), 0);
	draft_piece(&outer, TD_SNAPSHOT_BYTES, 0, 8, 0, 41);
	draft_compare(&fails, TD_EQ, draft_number(&fails, 0, 0, 4), 42, true);
	struct filter_result r = ask(2, (struct filter_options){0});
	assert_int_equal(r.verdict, FILTER_REFUTED);
	assert_int_equal(r.questions, 0);
	assert_int_equal(r.caller, A);
	outer.pieces[0].value = 42;
	assert_int_equal(verdict(2), FILTER_POSSIBLE);
}

/* --- arguments that are null --- */

/* Nobody is known to call f: that its pointer is null has to come from somewhere. */
static void null_from_nowhere(void **state)
{
	(void)state;
	f_follows(0, 0);
	pointers[F] = (struct formula_pointer){ .offset = 0, .targets = 1, .most = 1, .there = true };
	pointers_count[F] = 1;
	struct filter_result r = ask(0, (struct filter_options){ .expect = pointers_of });
	assert_int_equal(r.verdict, FILTER_NULL);
	assert_int_equal(r.caller, F);
	assert_int_equal(ask(0, (struct filter_options){0}).verdict, FILTER_POSSIBLE);
	pointers[F].offset = 8; /* another one */
	assert_int_equal(verdict(0), FILTER_POSSIBLE);
}

/* Nobody was seen to call f, but that is not why: nobody calls it so. */
static void null_and_no_call(void **state)
{
	(void)state;
	f_follows(0, 0);
	known[B] = false;
	pointers[F] = (struct formula_pointer){ .offset = 0, .targets = 1, .most = 1, .there = true };
	pointers_count[F] = 1;
	struct filter_result r = ask(1, (struct filter_options){ .expect = pointers_of });
	assert_int_equal(r.verdict, FILTER_NULL);
	assert_int_equal(r.caller, F);
	assert_int_equal(ask(1, (struct filter_options){0}).verdict, FILTER_NO_CALL);
}

static void null_from_the_outermost(void **state)
{
	(void)state;
	uint32_t mine = draft_byte(&calls, 0, 16);
	draft_piece(&calls, TD_SNAPSHOT_POINTER, 0, 0, mine, TD_UNIT_CHOICE(0, 1));
	f_follows(0, 0);
	pointers[B] = (struct formula_pointer){ .offset = 16, .targets = 1, .most = 1, .there = true };
	pointers_count[B] = 1;
	struct filter_result r = ask(1, (struct filter_options){ .expect = pointers_of });
	assert_int_equal(r.verdict, FILTER_NULL);
	assert_int_equal(r.caller, B);
	assert_int_equal(ask(1, (struct filter_options){0}).verdict, FILTER_POSSIBLE);
}

/* A variable's pointer that is none of its targets is null as well, whatever the byte is; but for what the variable had, if the path asks for that. */
static void null_by_no_choice(void **state)
{
	(void)state;
	pointers[F] = (struct formula_pointer){ .object = 1, .offset = 8, .targets = 2, .most = 2, .there = true };
	pointers_count[F] = 1;
	uint32_t choice = draft_byte(&fails, 1, 8);
	draft_compare(&fails, TD_EQ, choice, 1, false);
	draft_compare(&fails, TD_EQ, choice, 2, false);
	assert_int_equal(verdict(0), FILTER_NULL);
	draft_compare(&fails, TD_EQ, choice, TD_UNIT_KEPT, true);
	assert_int_equal(verdict(0), FILTER_POSSIBLE);
	draft_compare(&fails, TD_ULT, choice, TD_UNIT_KEPT, true);
	assert_int_equal(verdict(0), FILTER_NULL);
}

/* Nobody was seen to lead it to its second target, which another one leads to as well; it may be null. */
static void where_another_leads(void **state)
{
	(void)state;
	pointers[F] = (struct formula_pointer){ .object = 1, .offset = 8, .targets = 2, .most = 1 };
	pointers_count[F] = 1;
	uint32_t choice = draft_byte(&fails, 1, 8);
	draft_compare(&fails, TD_EQ, choice, 1, false);
	assert_int_equal(verdict(0), FILTER_POSSIBLE);
	draft_compare(&fails, TD_EQ, choice, 2, true);
	assert_int_equal(verdict(0), FILTER_NULL);
}

/* What b does not tell of is nobody's as well. */
static void null_below_the_outermost(void **state)
{
	(void)state;
	pointers[F] = (struct formula_pointer){ .object = 1, .offset = 8, .targets = 1, .most = 1, .there = true };
	pointers_count[F] = 1;
	draft_compare(&fails, TD_EQ, draft_byte(&fails, 1, 8), 0, true);
	assert_int_equal(verdict(1), FILTER_NULL);
	draft_piece(&calls, TD_SNAPSHOT_POINTER, 1, 8, 0, TD_UNIT_CHOICE(0, 1));
	assert_int_equal(verdict(1), FILTER_POSSIBLE);
}

/* b itself says NULL: that is somewhere. */
static void null_from_a_caller(void **state)
{
	(void)state;
	b_points(0, 0, 1);
	f_follows(0, 0);
	pointers[F] = pointers[B] = (struct formula_pointer){ .offset = 0, .targets = 1, .most = 1, .there = true };
	pointers_count[F] = pointers_count[B] = 1;
	assert_int_equal(verdict(1), FILTER_POSSIBLE);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		TEST(agrees), TEST(disagrees), TEST(constants), TEST(untold), TEST(inputs_are_each_ones_own), TEST(tables),
		TEST(null_where_it_is_followed), TEST(null_where_that_is_the_fault), TEST(two_objects_that_are_one), TEST(one_object_twice), TEST(elsewhere), TEST(bytes_behind_a_choice), TEST(pointers_of_the_caller), TEST(null_of_the_caller),
		TEST(too_small_for_what_is_read), TEST(nobody_knows_how_large), TEST(interior_pointer), TEST(larger_than_planned), TEST(more_room_in_front), TEST(the_limit_moves),
		TEST(three_levels), TEST(refused_further_out), TEST(any_of_several), TEST(nobody_was_seen_to_call), TEST(too_much_to_ask), TEST(refused_at_a_glance),
		TEST(null_from_nowhere), TEST(null_by_no_choice), TEST(where_another_leads), TEST(null_below_the_outermost), TEST(null_and_no_call), TEST(null_from_the_outermost), TEST(null_from_a_caller),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
