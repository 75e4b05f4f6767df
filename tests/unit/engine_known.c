/* What comes back of a run leads to the same flips as its trace did; what comes back of a question is the same input. What is damaged, or of other modules, is not known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "base/vec.h"
#include "engine/known.h"
#include "search/search.h"
#include "store/hoard.h"
#include "trace_build.h"

#include <fcntl.h>
#include <unistd.h>

static char directory[64];
static struct hoard *hoard;

static int start(void **state)
{
	struct err err = {0};
	(void)state;
	strcpy(directory, "/tmp/tandem-known-XXXXXX");
	hoard = mkdtemp(directory) ? hoard_open(directory, 1, 1u << 30, &err) : NULL;
	return hoard ? 0 : -1;
}

static int end(void **state)
{
	char path[128];
	(void)state;
	hoard_close(hoard);
	snprintf(path, sizeof path, "%s/known.index", directory);
	unlink(path);
	snprintf(path, sizeof path, "%s/known.data", directory);
	unlink(path);
	return rmdir(directory);
}

/* --- runs --- */

typedef VEC(uint64_t) words;

static void note_flip(void *context, const struct flip *f)
{
	words *w = context;
	vec_push(w, f->kind);
	vec_push(w, f->event);
	vec_push(w, f->edge);
	vec_push(w, f->value);
	vec_push(w, f->object);
	vec_push(w, f->key);
	vec_push(w, f->path);
}

static void note_taken(void *context, const struct flip_taken *d)
{
	words *w = context;
	vec_push(w, d->edge);
	vec_push(w, d->key);
	vec_push(w, d->path);
}

static void assert_same_flips(const struct trace *a, const struct trace *b)
{
	words x = {0}, y = {0};
	flip_walk(a, NULL, note_flip, note_taken, &x);
	flip_walk(b, NULL, note_flip, note_taken, &y);
	assert_int_equal(x.count, y.count);
	assert_true(x.count > 0);
	assert_memory_equal(x.at, y.at, x.count * sizeof *x.at);
	vec_free(&x);
	vec_free(&y);
}

static const char *const program[] = { "prog" };

static struct testcase of(const char *input)
{
	return (struct testcase){ .args = program, .args_count = 1, .bytes = (const uint8_t *)input, .size = strlen(input) };
}

/* Branches, some on one term, a switch, a loss, conditions, lengths in both ways, concrete ones, sites to and fro. */
static struct build build_run(const char *input)
{
	struct build b = build_new(input);
	uint32_t first = build_is(&b, 0, 'a'), second = build_is(&b, 1, 'b'), byte = build_byte(&b, 1);
	uint32_t length = build_node(&b, TD_LENGTH, 64, 0, 0, 0);
	uint32_t more = build_node(&b, TD_ULT, 1, build_const(&b, 64, 1), length, 0), past = build_node(&b, TD_ULT, 1, build_const(&b, 64, strlen(input)), length, 0);
	build_decision(&b, TD_EV_LENGTH, TD_NO_SITE, more);
	build_decision(&b, TD_EV_BRANCH, 70000, first);
	build_event(&b, TD_EV_BRANCH, 12, 0, 1);
	build_decision(&b, TD_EV_SWITCH, 3, byte);
	build_event(&b, TD_EV_CONCRETISE, TD_NO_SITE, byte, 98);
	build_decision(&b, TD_EV_BRANCH, 5, second);
	build_decision(&b, TD_EV_BRANCH, 8, first);
	build_decision(&b, TD_EV_SAFETY, 2, second);
	build_events(&b)[b.live.header->events - 1].sub = 3;
	build_events(&b)[b.live.header->events - 1].aux = 77;
	build_decision(&b, TD_EV_LENGTH, TD_NO_SITE, past);
	return b;
}

static void runs(void **state)
{
	struct build b = build_run("ab");
	struct trace t = build_view(&b), back;
	struct testcase input = of("ab"), other = of("ac");
	struct outcome out = { .kind = OUTCOME_EXIT, .code = 3, .wall_us = 1234 }, again;
	struct known *k = known_new(hoard, 1), *later = known_new(hoard, 2);
	uint8_t edges[300] = {0};
	(void)state;
	for (size_t i = 0; i < sizeof edges; i++)
		edges[i] = i < 3 || i % 7 == 2 || i > 290;
	t.edges = edges;
	t.edges_count = sizeof edges;
	assert_false(known_run(k, &input, &again, &back));
	known_add_run(k, &input, &out, &t);
	assert_false(known_run(later, &other, &again, &back));
	assert_true(known_run(later, &input, &again, &back));
	assert_true(again.kind == OUTCOME_EXIT && again.code == 3 && again.wall_us == 1234);
	assert_int_equal(back.events_count, t.events_count);
	assert_int_equal(back.inputs_count, t.inputs_count);
	assert_memory_equal(back.inputs, t.inputs, t.inputs_count * sizeof *t.inputs);
	assert_int_equal(back.edges_count, sizeof edges);
	assert_memory_equal(back.edges, edges, sizeof edges);
	assert_false(back.header->incomplete);
	for (uint32_t i = 0; i < t.events_count; i++)
		assert_true(back.events[i].kind == t.events[i].kind && back.events[i].site == t.events[i].site && back.events[i].sub == t.events[i].sub && back.events[i].aux == t.events[i].aux &&
		            back.events[i].value == t.events[i].value && !back.events[i].node == !t.events[i].node);
	assert_same_flips(&t, &back);
	known_free(k);
	known_free(later);
	build_free(&b);
}

/* What went wrong has to happen again; what is of other modules has other numbers. */
static void left_out(void **state)
{
	struct build b = build_run("ab");
	struct trace t = build_view(&b), back, none = {0};
	struct testcase input = of("ab"), other = of("xy");
	struct outcome fine = { .kind = OUTCOME_EXIT }, crash = { .kind = OUTCOME_SIGNAL, .signal = 11 }, again;
	struct known *k = known_new(hoard, 1);
	(void)state;
	known_add_run(k, &input, &crash, &t);
	known_add_run(k, &input, &fine, &none);
	assert_false(known_run(k, &input, &again, &back));
	build_events(&b)[1].thread = 1;
	known_add_run(k, &input, &fine, &t);
	assert_false(known_run(k, &input, &again, &back));
	build_events(&b)[1].thread = 0;
	known_add_run(k, &input, &fine, &t);
	assert_true(known_run(k, &input, &again, &back));
	struct td_loaded *modules = calloc(1, sizeof *modules);
	modules->build = 9;
	t.modules = modules;
	t.modules_count = 1;
	known_add_run(k, &other, &fine, &t);
	assert_false(known_run(k, &other, &again, &back));
	struct known *with = known_new(hoard, 1);
	known_add_run(with, &other, &fine, &t);
	assert_false(known_run(with, &input, &again, &back));
	assert_true(known_run(with, &other, &again, &back) && back.modules[0].build == 9);
	known_free(with);
	known_free(k);
	free(modules);
	build_free(&b);
}

/* --- replies --- */

static const struct walk_choice choice = { .event = 17, .kind = CHOICE_BRANCH, .edge = 5 };

static void replies(void **state)
{
	static const char *const args[] = { "prog", "one", "" }, *const more[] = { "prog", "on", "longer" }, *const env[] = { "A=1" }, *const changed[] = { "A=22" };
	static const struct testcase_file file = { .path = "f", .bytes = (const uint8_t *)"text", .size = 4, .mode = 0644, .mtime = 5, .fixed = true }, grown = { .path = "f", .bytes = (const uint8_t *)"texts\0", .size = 6, .mode = 0600, .mtime = -7, .fixed = true };
	static const struct testcase_mark mark = { "m", (const uint8_t *)"\1\2", 2 }, marks[] = { { "m", (const uint8_t *)"\1\3", 2 }, { "new", (const uint8_t *)"", 0 } };
	struct testcase parent = { .args = args, .args_count = 3, .bytes = (const uint8_t *)"in", .size = 2, .input = TESTCASE_PIPE, .env = env, .env_count = 1, .files = &file, .files_count = 1, .marks = &mark, .marks_count = 1, .directory = "/d" };
	struct testcase child = parent, other = parent;
	struct arena *arena = arena_new();
	struct known *k = known_new(hoard, 1), *seeded = known_new(hoard, 2);
	struct walk_choice sibling = choice;
	struct reply back;
	(void)state;
	child.args = more;
	child.env = changed;
	child.files = &grown;
	child.marks = marks;
	child.marks_count = 2;
	child.size = 1;
	other.size = 0;
	sibling.edge = 6;
	struct reply r = { .kind = RESULT_WALK, .verdict = 0, .asked = 2, .sure = true, .place = 9, .flip = { .kind = FLIP_CASE, .event = 17, .edge = TD_NO_SITE, .value = 1ull << 40, .object = 3 }, .condition = { .kind = TD_EV_SAFETY, .site = 4 }, .feed = child };
	known_add_reply(k, &parent, &choice, false, &r);
	assert_true(known_reply(k, &parent, &choice, false, &back, arena));
	assert_true(back.kind == RESULT_WALK && back.asked == 2 && back.sure && !back.optimistic && back.place == 9 && back.flip.value == 1ull << 40 && back.flip.edge == TD_NO_SITE && back.condition.site == 4);
	assert_true(testcase_hash(&back.feed) == testcase_hash(&child));
	assert_string_equal(back.feed.args[2], "longer");
	assert_string_equal(back.feed.marks[1].name, "new");
	assert_true(back.feed.files[0].fixed && back.feed.files[0].mtime == -7 && back.feed.input == TESTCASE_PIPE);
	/* Another parent, side, seed, or without the path: another question. */
	assert_false(known_reply(k, &other, &choice, false, &back, arena));
	assert_false(known_reply(k, &parent, &sibling, false, &back, arena));
	assert_false(known_reply(seeded, &parent, &choice, false, &back, arena));
	assert_false(known_reply(k, &parent, &choice, true, &back, arena));
	r = (struct reply){ .kind = RESULT_REFUTED, .verdict = 1, .asked = 1 };
	known_add_reply(k, &parent, &sibling, true, &r);
	assert_true(known_reply(k, &parent, &sibling, true, &back, arena));
	assert_true(back.kind == RESULT_REFUTED && back.verdict == 1 && !back.condition.kind);
	known_free(k);
	known_free(seeded);
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test_setup_teardown(runs, start, end), cmocka_unit_test_setup_teardown(left_out, start, end), cmocka_unit_test_setup_teardown(replies, start, end) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
