/* Summaries there and back: all that is in one, bytes that are cut short, and bytes that say what cannot be although their check sum is right. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/crc.h"
#include "base/mem.h"
#include "base/rng.h"
#include "unit/summary.h"
#include "unit_draft.h"

#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 20000, BEGINS = sizeof "tandem summary 2\n" - 1 };

static struct draft fault, call;
static struct summary whole;
static struct pack bytes;

static void make_formulas(void)
{
	draft_begin(&fault);
	uint32_t read = draft_table(&fault, draft_byte(&fault, 0, 2), (const uint8_t[]){ 1, 2, 3, 4 });
	fault.bytes[0][2] = 3;
	fault.bytes[1][DRAFT_BYTES - 1] = 9;
	draft_compare(&fault, TD_ULT, draft_number(&fault, 0, 0, 2), 7, true);
	draft_demand(&fault, read, 4);
	fault.parts[1].differs = true;
	fault.f.fault = (struct formula_fault){ .object = 2, .lower = true, .start = 0x100000000, .size = 64, .reach = 4, .part = 1 };
	fault.f.name = digest_of('n');
	draft_end(&fault);
	draft_begin(&call);
	draft_piece(&call, TD_SNAPSHOT_BYTES, 0, 8, draft_byte(&call, 0, 0), 5);
	draft_piece(&call, TD_SNAPSHOT_POINTER, 1, 16, 0, TD_UNIT_CHOICE(1, 3));
	draft_extent(&call, 1, 0, UINT64_MAX);
	draft_end(&call);
}

static int begin(void **state)
{
	static const char *const frames[] = { "f at a.c:3:4", "main at a.c:9:1" }, *const args[] = { "./p", "" };
	static const uint32_t edges[] = { 1, 70000, 3 };
	static const struct testcase_mark marks[] = { { "f", (const uint8_t *)"\0\1\2", 3 }, { "", NULL, 0 } };
	static struct summary_failure failures[2];
	static struct summary_other others[1];
	static struct summary_call calls[1];
	(void)state;
	make_formulas();
	failures[0] = (struct summary_failure){
		.name = 0xfedcba9876543210, .class = "heap-overflow", .what = "read of 4 bytes", .place = "f at a.c:3:4", .frames = frames, .frames_count = 2, .input = "f(x = 5)",
		.feed = { .args = args, .args_count = 2, .bytes = (const uint8_t *)"in", .size = 2, .marks = marks, .marks_count = 2 }, .run = 12, .paths = &fault.f, .paths_count = 1, .paths_seen = 99,
	};
	failures[1] = (struct summary_failure){ .class = "abort", .what = "", .place = "", .input = "", .feed = { .args = args, .args_count = 1 } };
	others[0] = (struct summary_other){
		.is = { .name = 5, .class = "null-dereference", .what = "w", .place = "g at b.c:1:1", .frames = frames, .frames_count = 1, .input = "f(p = NULL)", .feed = { .args = args, .args_count = 1, .marks = marks, .marks_count = 1 }, .run = 3 }, .null = true,
	};
	calls[0] = (struct summary_call){ 77, call.f };
	whole = (struct summary){
		.plan = digest_of('p'), .given = 3, .failures = failures, .failures_count = 2, .others = others, .others_count = 1, .calls = calls, .calls_count = 1, .calls_left_out = true, .exhausted = true,
		.runs = 1234567, .seconds = 1.5, .started = 0.25, .edges = edges, .edges_count = 3,
	};
	summary_pack(&whole, &bytes);
	return 0;
}

static int end(void **state)
{
	(void)state;
	pack_free(&bytes);
	return 0;
}

static bool unpack(struct summary *s, const uint8_t *at, size_t size, struct arena *arena)
{
	struct err err = {0};
	bool ok = summary_unpack(s, at, size, arena, &err);
	assert_int_equal(ok, !*err.text);
	return ok;
}

static void same_terms(const struct terms *a, const struct terms *b)
{
	assert_int_equal(a->count, b->count);
	for (uint32_t id = 1; id < a->count; id++)
		assert_memory_equal(&a->nodes[id], &b->nodes[id], sizeof a->nodes[id]);
	assert_int_equal(a->arrays_count, b->arrays_count);
	for (uint32_t i = 0; i < a->arrays_count; i++)
		for (uint32_t k = 0; k < a->arrays[i].count; k++)
			assert_int_equal(terms_element(a, i, k), terms_element(b, i, k));
}

static void same_formula(const struct formula *a, const struct formula *b)
{
	same_terms(&a->terms, &b->terms);
	assert_int_equal(a->inputs_count, b->inputs_count);
	for (uint32_t i = 0; i < a->inputs_count; i++) {
		assert_int_equal(a->inputs[i].kind, b->inputs[i].kind);
		assert_int_equal(a->inputs[i].index, b->inputs[i].index);
		assert_int_equal(a->contents[i].length, b->contents[i].length);
		assert_memory_equal(a->contents[i].bytes, b->contents[i].bytes, a->contents[i].length);
	}
	assert_int_equal(a->count, b->count);
	for (size_t i = 0; i < a->count; i++)
		assert_true(conjunct_same(&a->parts[i], &b->parts[i]));
	assert_int_equal(a->pieces_count, b->pieces_count);
	for (size_t i = 0; i < a->pieces_count; i++) {
		assert_int_equal(a->pieces[i].what, b->pieces[i].what);
		assert_int_equal(a->pieces[i].object, b->pieces[i].object);
		assert_int_equal(a->pieces[i].offset, b->pieces[i].offset);
		assert_int_equal(a->pieces[i].node, b->pieces[i].node);
		assert_true(a->pieces[i].value == b->pieces[i].value);
	}
	assert_int_equal(a->extents_count, b->extents_count);
	if (a->extents_count)
		assert_memory_equal(a->extents, b->extents, a->extents_count * sizeof *a->extents);
	assert_int_equal(a->fault.object, b->fault.object);
	assert_int_equal(a->fault.lower, b->fault.lower);
	assert_true(a->fault.start == b->fault.start && a->fault.size == b->fault.size && a->fault.reach == b->fault.reach);
	assert_int_equal(a->fault.part, b->fault.part);
	assert_true(digest_same(a->name, b->name));
}

static void same_feed(const struct testcase *a, const struct testcase *b)
{
	assert_int_equal(a->args_count, b->args_count);
	for (size_t i = 0; i < a->args_count; i++)
		assert_string_equal(a->args[i], b->args[i]);
	assert_int_equal(a->size, b->size);
	assert_true(!a->size || memcmp(a->bytes, b->bytes, a->size) == 0);
	assert_int_equal(a->marks_count, b->marks_count);
	for (size_t i = 0; i < a->marks_count; i++) {
		assert_string_equal(a->marks[i].name, b->marks[i].name);
		assert_int_equal(a->marks[i].size, b->marks[i].size);
		assert_true(!a->marks[i].size || memcmp(a->marks[i].bytes, b->marks[i].bytes, a->marks[i].size) == 0);
	}
}

static void there_and_back(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct summary s;
	assert_true(unpack(&s, bytes.at, bytes.count, arena));
	assert_null(s.trouble);
	assert_true(digest_same(s.plan, whole.plan));
	assert_int_equal(s.given, 3);
	assert_int_equal(s.runs, 1234567);
	assert_true(s.seconds == 1.5 && s.started == 0.25);
	assert_true(s.exhausted && s.calls_left_out);
	assert_int_equal(s.edges_count, 3);
	assert_memory_equal(s.edges, whole.edges, 3 * sizeof *s.edges);
	assert_int_equal(s.failures_count, 2);
	const struct summary_failure *f = &s.failures[0], *was = &whole.failures[0];
	assert_true(f->name == was->name);
	assert_string_equal(f->class, was->class);
	assert_string_equal(f->what, was->what);
	assert_string_equal(f->place, was->place);
	assert_string_equal(f->input, was->input);
	assert_int_equal(f->frames_count, 2);
	assert_string_equal(f->frames[1], was->frames[1]);
	assert_int_equal(f->run, 12);
	assert_int_equal(f->paths_seen, 99);
	assert_int_equal(f->paths_count, 1);
	same_formula(&f->paths[0], &was->paths[0]);
	same_feed(&f->feed, &was->feed);
	assert_string_equal(s.failures[1].place, "");
	assert_int_equal(s.others_count, 1);
	assert_string_equal(s.others[0].is.input, "f(p = NULL)");
	assert_string_equal(s.others[0].is.place, "g at b.c:1:1");
	assert_string_equal(s.others[0].is.frames[0], whole.others[0].is.frames[0]);
	assert_int_equal(s.others[0].is.run, 3);
	assert_int_equal(s.others[0].is.paths_count, 0);
	same_feed(&s.others[0].is.feed, &whole.others[0].is.feed);
	assert_true(s.others[0].null);
	assert_int_equal(s.calls_count, 1);
	assert_int_equal(s.calls[0].callee, 77);
	same_formula(&s.calls[0].path, &call.f);
	arena_free(arena);
}

static void troubles(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct pack p = {0};
	struct summary s, trouble = { .trouble = "it cannot be" };
	pack_text(&p, "something in front");
	size_t from = p.count;
	summary_pack(&trouble, &p);
	assert_true(unpack(&s, p.at + from, p.count - from, arena));
	assert_string_equal(s.trouble, "it cannot be");
	assert_int_equal(s.failures_count + s.others_count + s.calls_count + s.edges_count, 0);
	pack_free(&p);
	arena_free(arena);
}

static void cut_short(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct summary s;
	for (size_t n = 0; n < bytes.count; n++) {
		uint8_t *part = mem_alloc(n + 1); /* so that whoever reads behind it is noticed */
		memcpy(part, bytes.at, n);
		assert_false(unpack(&s, part, n, arena));
		free(part);
	}
	assert_false(unpack(&s, NULL, 0, arena));
	arena_free(arena);
}

static void put_sum(uint8_t *at, size_t size)
{
	uint32_t sum = crc_of(at, size - sizeof sum);
	memcpy(at + size - sizeof sum, &sum, sizeof sum);
}

/* One bit is enough to be noticed. */
static void flipped(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct summary s;
	for (size_t i = 0; i < bytes.count; i++) {
		bytes.at[i] ^= (uint8_t)(1u << i % 8);
		assert_false(unpack(&s, bytes.at, bytes.count, arena));
		bytes.at[i] ^= (uint8_t)(1u << i % 8);
	}
	assert_true(unpack(&s, bytes.at, bytes.count, arena));
	arena_free(arena);
}

/* What is taken for a summary can be used as one. */
static void is_sound(const struct formula *f)
{
	assert_true(terms_check(&f->terms, NULL));
	for (uint32_t id = 1; id < f->terms.count; id++)
		if (f->terms.nodes[id].op == TD_INPUT || f->terms.nodes[id].op == TD_LENGTH)
			assert_true(f->terms.nodes[id].a < f->inputs_count);
	for (size_t i = 0; i < f->count; i++)
		assert_true(f->parts[i].node && f->parts[i].node < f->terms.count);
	for (size_t i = 0; i < f->pieces_count; i++)
		assert_true(f->pieces[i].node < f->terms.count);
}

static void garbled(void **state)
{
	(void)state;
	struct rng r;
	size_t taken = 0;
	uint8_t *copy = mem_alloc(bytes.count);
	rng_seed(&r, 1);
	for (unsigned round = 0; round < ROUNDS; round++) {
		struct arena *arena = arena_new();
		struct summary s;
		size_t size = rng_below(&r, 4) ? bytes.count : BEGINS + 8 + rng_below(&r, bytes.count - BEGINS - 8);
		memcpy(copy, bytes.at, size);
		for (uint64_t n = 1 + rng_below(&r, 3); n > 0; n--)
			copy[BEGINS + rng_below(&r, size - BEGINS - sizeof(uint32_t))] = (uint8_t)(rng_below(&r, 2) ? rng_below(&r, 256) : 255);
		put_sum(copy, size);
		if (unpack(&s, copy, size, arena)) {
			taken++;
			for (size_t i = 0; i < s.calls_count; i++)
				is_sound(&s.calls[i].path);
			for (size_t i = 0; i < s.failures_count; i++)
				for (size_t k = 0; k < s.failures[i].paths_count; k++)
					is_sound(&s.failures[i].paths[k]);
		}
		arena_free(arena);
	}
	free(copy);
	assert_in_range(taken, ROUNDS / 100, ROUNDS - 1);
}

/* A number of rows that would be more than memory. */
static void too_many(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct pack p = {0};
	struct summary s, nothing = {0};
	summary_pack(&nothing, &p);
	for (size_t i = BEGINS; i + sizeof(uint32_t) < p.count; i++) {
		uint8_t was[10];
		size_t n = p.count - sizeof(uint32_t) - i < sizeof was ? p.count - sizeof(uint32_t) - i : sizeof was;
		memcpy(was, p.at + i, n);
		memset(p.at + i, 0xff, n);
		put_sum(p.at, p.count);
		unpack(&s, p.at, p.count, arena);
		memcpy(p.at + i, was, n);
	}
	pack_free(&p);
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(there_and_back), cmocka_unit_test(troubles), cmocka_unit_test(cut_short), cmocka_unit_test(flipped), cmocka_unit_test(garbled), cmocka_unit_test(too_many),
	};
	return cmocka_run_group_tests(tests, begin, end);
}
