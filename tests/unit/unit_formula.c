/* What is taken from a run: the terms that its demands and its call are made of, without what it lost, and what a fault was about. How formulas are put together is in unit_filter.c. */
#include "solve_common.h"

#include "contract/unit.h"
#include "unit/formula.h"

#include <string.h>

struct run {
	struct build b;
	struct conjunct demands[16];
	size_t demands_count;
	struct trace t;
	struct path_source from;
	struct path *path;
};

/* Its input is the first mark. */
static struct run begin(const char *bytes)
{
	struct run r = { .b = build_new(bytes) };
	struct td_input *input = (void *)((char *)r.b.live.header + r.b.live.header->inputs_off);
	input->kind = TD_IN_MARK;
	strcpy(input->name, "f");
	return r;
}

static void demand(struct run *r, uint32_t node, unsigned kind)
{
	r->demands[r->demands_count++] = is(node, kind, build_nodes(&r->b)[node].lo);
}

static void event(struct run *r, unsigned kind, unsigned sub, uint32_t site, uint32_t aux, uint32_t node, uint64_t value)
{
	build_events(&r->b)[r->b.live.header->events++] = (struct td_event){ .kind = (uint8_t)kind, .sub = (uint8_t)sub, .site = site, .aux = aux, .node = node, .value = value };
}

static void end(struct run *r)
{
	r->t = build_view(&r->b);
	r->from = (struct path_source){ r->t.terms, r->t.inputs, r->t.inputs_count, build_input(&r->b.content), r->demands, r->demands_count };
	r->path = path_new(&r->from);
}

static void close_run(struct run *r)
{
	path_free(r->path);
	build_free(&r->b);
}

/* Two branches with a loss between them, then a call that is given a sum, a constant, a pointer and an object. */
static struct run a_call(const char *bytes)
{
	struct run r = begin(bytes);
	uint32_t idle = build_byte(&r.b, 5); /* nobody wants it */
	uint32_t first = build_is(&r.b, 0, bytes[0]), lost = build_node(&r.b, TD_ADD, 8, idle, idle, 0), second = build_is(&r.b, 1, 'z');
	uint32_t sum = build_node(&r.b, TD_ADD, 8, build_byte(&r.b, 0), build_byte(&r.b, 2), 0), choice = build_byte(&r.b, 3);
	demand(&r, first, CONJUNCT_PATH);
	demand(&r, lost, CONJUNCT_LOSS);
	demand(&r, second, CONJUNCT_PATH);
	event(&r, TD_EV_BRANCH, 0, 0, 0, first, 1);
	event(&r, TD_EV_CALL, 0, 7, 0, 0, 0x1234);
	event(&r, TD_EV_SNAPSHOT, TD_SNAPSHOT_BYTES, 0, 0, sum, build_nodes(&r.b)[sum].lo);
	event(&r, TD_EV_SNAPSHOT, TD_SNAPSHOT_BYTES, 0, 8, 0, 42);
	event(&r, TD_EV_SNAPSHOT, TD_SNAPSHOT_POINTER, 0, 16, choice, TD_UNIT_CHOICE(1, 2));
	event(&r, TD_EV_SNAPSHOT, TD_SNAPSHOT_EXTENT, 1, 8, 0, 32);
	event(&r, TD_EV_SNAPSHOT, TD_SNAPSHOT_BYTES, 2, 0, idle, (uint8_t)bytes[5]);
	event(&r, TD_EV_BRANCH, 0, 0, 0, second, 0);
	event(&r, TD_EV_SNAPSHOT, TD_SNAPSHOT_BYTES, 0, 24, 0, 9); /* of another call */
	end(&r);
	return r;
}

static void until_a_call(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct run r = a_call("abcdefgh");
	struct formula f = formula_until_call(&r.t, r.path, 3, 1, NULL, arena);
	assert_int_equal(f.count, 2); /* without the loss */
	assert_int_equal(f.parts[0].value, 1);
	assert_int_equal(f.parts[1].value, 0);
	assert_int_equal(f.terms.nodes[f.parts[0].node].op, TD_EQ);
	assert_int_equal(f.pieces_count, 4);
	assert_int_equal(f.pieces[1].value, 42);
	assert_int_equal(f.pieces[1].node, 0);
	assert_int_equal(f.pieces[2].what, TD_SNAPSHOT_POINTER);
	assert_int_equal(f.pieces[2].value, TD_UNIT_CHOICE(1, 2));
	assert_int_equal(f.pieces[3].object, 2);
	assert_int_equal(f.extents_count, 1);
	assert_int_equal(f.extents[0].object, 1);
	assert_int_equal(f.extents[0].before, 8);
	assert_int_equal(f.extents[0].after, 32);
	const struct td_node *sum = &f.terms.nodes[f.pieces[0].node];
	assert_int_equal(sum->op, TD_ADD);
	assert_int_equal(sum->lo, (uint8_t)('a' + 'c'));
	assert_int_equal(f.terms.nodes[sum->a].b + f.terms.nodes[sum->b].b, 2);
	assert_true(terms_check(&f.terms, NULL));
	assert_int_equal(f.inputs_count, 1);
	assert_int_equal(f.contents[0].length, 8);
	assert_memory_equal(f.contents[0].bytes, "abcdefgh", 8);
	close_run(&r); /* nothing of it is needed any more */
	uint32_t bad;
	assert_int_equal(terms_verify(&f.terms, &bad), 0);
	arena_free(arena);
}

/* Only what is wanted is copied, and fewer demands want less. */
static void only_what_is_wanted(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	static const bool unknown[] = { true, false, true };
	struct run r = a_call("abcdefgh");
	struct formula all = formula_until_call(&r.t, r.path, 3, 1, NULL, arena), some = formula_until_call(&r.t, r.path, 1, 1, unknown, arena);
	assert_true(all.terms.count < r.t.terms.count);
	assert_int_equal(some.count, 1);
	assert_int_equal(some.pieces_count, 0);
	assert_int_equal(some.extents_count, 1);
	assert_int_equal(some.terms.count, 1 + 4); /* a byte, which is extended, a constant, and whether they are the same */
	close_run(&r);
	arena_free(arena);
}

/* By what is demanded and given, not by the values that the run had. */
static void names(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	static const bool unknown[] = { false, false, true };
	struct run r = a_call("abcdefgh"), s = a_call("abXYZfgh"), other = a_call("bbcdefgh");
	struct formula f = formula_until_call(&r.t, r.path, 3, 1, NULL, arena), g = formula_until_call(&s.t, s.path, 3, 1, NULL, arena);
	assert_true(digest_same(f.name, g.name));
	g = formula_until_call(&other.t, other.path, 3, 1, NULL, arena); /* another byte is demanded */
	assert_false(digest_same(f.name, g.name));
	g = formula_until_call(&r.t, r.path, 2, 1, NULL, arena);
	assert_false(digest_same(f.name, g.name));
	g = formula_until_call(&r.t, r.path, 3, 1, unknown, arena);
	assert_false(digest_same(f.name, g.name));
	build_events(&s.b)[5].value++; /* it is larger */
	g = formula_until_call(&s.t, s.path, 3, 1, NULL, arena);
	assert_false(digest_same(f.name, g.name));
	close_run(&r);
	close_run(&s);
	close_run(&other);
	arena_free(arena);
}

/* Only the arrays that are read, with their bytes. */
static void arrays(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	static const uint64_t idle[] = { 1, 2, 3 }, wide[] = { 1000, 2000, 3000, 4000 }, narrow[] = { 5, 6, 7 };
	struct run r = begin("\1\2cdefgh");
	build_array(&r.b, "idle", 8, idle, 3);
	uint32_t a = build_array(&r.b, "wide", 32, wide, 4), b = build_array(&r.b, "narrow", 8, narrow, 3);
	uint32_t x = build_node(&r.b, TD_TABLE, 32, build_byte(&r.b, 0), a, 0), y = build_node(&r.b, TD_TABLE, 8, build_byte(&r.b, 1), b, 0);
	demand(&r, x, CONJUNCT_PATH);
	demand(&r, y, CONJUNCT_PATH);
	end(&r);
	struct formula f = formula_until_fault(&r.t, r.path, NULL, false, arena), g = formula_until_call(&r.t, r.path, 0, 0, NULL, arena);
	close_run(&r);
	assert_int_equal(f.terms.arrays_count, 2);
	assert_int_equal(g.terms.arrays_count, 0);
	assert_int_equal(f.terms.arrays[1].offset % 8, 0);
	assert_int_equal(terms_element(&f.terms, f.terms.nodes[f.parts[0].node].b, 3), 4000);
	assert_int_equal(terms_element(&f.terms, f.terms.nodes[f.parts[1].node].b, 2), 7);
	assert_int_equal(f.parts[0].value, 2000);
	assert_int_equal(f.parts[1].value, 7);
	assert_true(terms_check_arrays(&f.terms, 24, NULL));
	arena_free(arena);
}

/* --- faults --- */

static struct td_report report_of(uint32_t node)
{
	return (struct td_report){ .violation = TD_VIOLATION_UPPER, .address = 0x1040, .bytes = 4, .object = { .start = 0x1000, .size = 64, .number = 1 }, .planned = 2, .terms = { node } };
}

static void faults(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct run r = begin("abcdefgh");
	uint32_t first = build_is(&r.b, 0, 'a'), lost = build_byte(&r.b, 1), within = build_is(&r.b, 2, 'x');
	demand(&r, first, CONJUNCT_PATH);
	demand(&r, lost, CONJUNCT_LOSS);
	demand(&r, within, CONJUNCT_PATH);
	end(&r);
	struct td_report report = report_of(within);
	struct formula f = formula_until_fault(&r.t, r.path, &report, true, arena);
	assert_int_equal(f.fault.object, 2);
	assert_false(f.fault.lower);
	assert_int_equal(f.fault.start, 0x1000);
	assert_int_equal(f.fault.size, 64);
	assert_int_equal(f.fault.reach, 68);
	assert_int_equal(f.fault.part, 2); /* of those that are left */
	assert_int_equal(f.count, 2);
	report.violation = TD_VIOLATION_LOWER;
	report.address = 0xff8;
	report.terms[0] = 0;
	f = formula_until_fault(&r.t, r.path, &report, true, arena);
	assert_true(f.fault.lower);
	assert_int_equal(f.fault.reach, 8);
	assert_int_equal(f.fault.part, 0);
	close_run(&r);
	arena_free(arena);
}

/* Nobody else's size would make a difference. */
static void faults_that_stay(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct run r = begin("abcdefgh");
	uint32_t within = build_is(&r.b, 2, 'x');
	demand(&r, within, CONJUNCT_PATH);
	end(&r);
	struct td_report report = report_of(within), other = report;
	assert_int_equal(formula_until_fault(&r.t, r.path, &report, true, arena).fault.object, 2);
	assert_int_equal(formula_until_fault(&r.t, r.path, &report, false, arena).fault.object, 0);
	assert_int_equal(formula_until_fault(&r.t, r.path, NULL, true, arena).fault.object, 0);
	other.planned = 0;
	assert_int_equal(formula_until_fault(&r.t, r.path, &other, true, arena).fault.object, 0);
	other = report;
	other.violation = TD_VIOLATION_NULL;
	assert_int_equal(formula_until_fault(&r.t, r.path, &other, true, arena).fault.object, 0);
	other = report;
	other.member_size = 8; /* an array inside of it was left */
	assert_int_equal(formula_until_fault(&r.t, r.path, &other, true, arena).fault.object, 0);
	close_run(&r);
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(until_a_call), cmocka_unit_test(only_what_is_wanted), cmocka_unit_test(names), cmocka_unit_test(arrays), cmocka_unit_test(faults), cmocka_unit_test(faults_that_stay),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
