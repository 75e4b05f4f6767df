/* What an input is made from may be dropped as soon as it has run (stock.c), and what is made shares much with it. Here that happens all the time: after every so many runs nothing but the newest input is kept,
 * and those before are overwritten at once. So whoever still has something of them has rubbish. */
#include "engine/engine.h"
#include "engine/stock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const words[] = { "sign", "1" }, *const variables[] = { "KEPT=as it is" };
static const struct testcase_file file = { .path = "kept", .bytes = (const uint8_t *)"as it is", .size = 8, .mode = TESTCASE_MODE, .mtime = TESTCASE_MTIME };
static const struct testcase first = { .args = words, .args_count = 2, .bytes = (const uint8_t *)"input", .size = 5, .env = variables, .env_count = 1, .files = &file, .files_count = 1 };

static struct {
	uint32_t period, oldest;        /* runs after which all is forgotten; the first input that is not */
	uint64_t hash;                  /* of the newest, when it came */
	unsigned spoilt, changed;       /* came with rubbish in them; had it when their run was told of */
	unsigned longer;                /* have a longer argument */
	unsigned bugs;
} seen;

/* --- the stock, with the linker's help --- */

uint32_t __real_stock_add(struct stock *s, const struct testcase *input, const struct trace *t);
const struct testcase *__real_stock_input(const struct stock *s, uint32_t number);
const struct trace *__real_stock_trace(const struct stock *s, uint32_t number);
uint32_t __wrap_stock_add(struct stock *s, const struct testcase *input, const struct trace *t);
const struct testcase *__wrap_stock_input(const struct stock *s, uint32_t number);
const struct trace *__wrap_stock_trace(const struct stock *s, uint32_t number);

static void spoil(const void *bytes, size_t size)
{
	if (size)
		memset((void *)(uintptr_t)bytes, '#', size);
}

static void forget(const struct testcase *t)
{
	for (size_t i = 0; i < t->args_count; i++)
		spoil(t->args[i], strlen(t->args[i]));
	for (size_t i = 0; i < t->env_count; i++)
		spoil(t->env[i], strlen(t->env[i]));
	for (size_t i = 0; i < t->files_count; i++) {
		spoil(t->files[i].path, strlen(t->files[i].path));
		spoil(t->files[i].bytes, t->files[i].size);
	}
	spoil(t->bytes, t->size);
}

/* What no search changes: names. */
static bool is_whole(const struct testcase *t)
{
	return strcmp(t->args[0], words[0]) == 0 && strncmp(t->env[0], "KEPT=", 5) == 0 && strcmp(t->files[0].path, file.path) == 0;
}

uint32_t __wrap_stock_add(struct stock *s, const struct testcase *input, const struct trace *t)
{
	seen.hash = testcase_hash(input);
	seen.spoilt += !is_whole(input);
	seen.longer += input->args_count == 2 && strlen(input->args[1]) == 2;
	uint32_t number = __real_stock_add(s, input, t);
	while (number % seen.period == 0 && seen.oldest < number)
		forget(__real_stock_input(s, seen.oldest++));
	return number;
}

const struct testcase *__wrap_stock_input(const struct stock *s, uint32_t number)
{
	return number >= seen.oldest ? __real_stock_input(s, number) : NULL;
}

const struct trace *__wrap_stock_trace(const struct stock *s, uint32_t number)
{
	return number >= seen.oldest ? __real_stock_trace(s, number) : NULL;
}

/* --- what is told of a run when it is over --- */

static void ran(void *context, uint64_t hash)
{
	(void)context;
	seen.changed += hash != seen.hash;
}

static void covered(void *context, const struct novelty *n)
{
	(void)context;
	seen.changed += testcase_hash(n->feed) != seen.hash;
}

static void found(void *context, const struct finding *f)
{
	(void)context;
	seen.bugs += is_whole(&f->feed);
}

static void note(void *context, const char *text)
{
	(void)context;
	(void)text;
}

static struct engine_stats explore(const struct testcase *feed, const struct past *past, uint32_t period)
{
	struct engine_options o = {
		.program = PROGRAM, .feeds = feed, .feeds_count = 1, .past = past, .seed = 1, .execs = 60, .go_on = true, .sandbox = true, .wall_ms = 5000, .grow_max = 16, .solver = solver_options_default(),
		.found = found, .covered = covered, .ran = ran, .note = note,
	};
	struct engine_stats stats;
	enum engine_end end;
	struct err err = {0};
	memset(&seen, 0, sizeof seen);
	seen.period = period;
	if (!engine_explore(&o, &end, &stats, &err))
		fail_msg("%s", err.text);
	assert_int_equal(seen.spoilt, 0);
	assert_int_equal(seen.changed, 0);
	return stats;
}

/* By branches, lengths, numbers of arguments; and by leaps, of which the second is made before the first has run. */
static void test_inputs_are_owned(void **state)
{
	(void)state;
	for (uint32_t period = 1; period <= 3; period += 2) {
		struct engine_stats stats = explore(&first, NULL, period);
		assert_true(stats.leaps > 1 && seen.longer > 0);
		assert_int_equal(seen.bugs, 1);
	}
}

/* Nothing but random inputs of the first one's shape: it is empty, there is nothing to be tried, and yet an earlier session may have left something. */
static void test_restarts_too(void **state)
{
	struct testcase_file empty = file;
	struct testcase feed = first;
	(void)state;
	empty.size = 0;
	feed.files = &empty;
	feed.args_count = 1;
	feed.size = 0;
	assert_true(explore(&feed, &(struct past){0}, 2).restarts > 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_inputs_are_owned), cmocka_unit_test(test_restarts_too) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
