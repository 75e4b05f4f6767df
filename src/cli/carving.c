/* See carving.h. The system tests run once more, the whole program in unit mode, where calls of some functions are watched: not of all at once, since each call is told with all that it can reach. A sample of many tests is enough:
 * what is wanted are states that really occur, from which the exploration of a function goes on. */
#include "cli/carving.h"

#include "base/map.h"
#include "base/rng.h"
#include "cli/cli.h"
#include "engine/runner.h"

enum {
	TESTS_MAX = 64,
	AT_ONCE = 48,      /* functions */
	FEEDS_MAX = 32,    /* of a function, each from another test */
	WALL_MS = 10000
};

struct carver {
	struct carving *to;
	const struct carving_options *o;
	struct map known;  /* hashes of function and marks */
	uint32_t main;
};

static size_t gcd(size_t a, size_t b)
{
	return b ? gcd(b, a % b) : a;
}

static bool find_main(struct carver *c)
{
	for (c->main = 0; c->main < c->o->program->count; c->main++)
		if (unit_program_is_main(c->o->program, c->main) && book_plan(c->o->book, c->main, NULL))
			return true;
	return false;
}

static bool is_new(struct carver *c, const struct testcase *t, uint32_t function)
{
	uint32_t *seen = map_at(&c->known, rng_mix(testcase_hash(t) + function) | 1);
	return !(*seen)++;
}

static void take_call(struct carver *c, const struct trace *t, uint32_t event, uint32_t test)
{
	uint32_t function = t->events[event].site;
	const struct plan *p = function < c->to->count ? book_plan(c->o->book, function, NULL) : NULL;
	struct carved *its = p ? &c->to->functions[function] : NULL;
	if (!its)
		return;
	if (!its->pointers)
		its->pointers = arena_alloc(c->o->arena, p->slots_count + 1);
	carve_pointers(p, t, event, its->pointers);
	if (its->feeds.count >= FEEDS_MAX)
		return;
	if (its->last == test + 1)
		return;
	struct testcase feed = c->o->tests->feeds.at[test];
	size_t strangers;
	feed.marks = carve_marks(p, t, event, c->o->arena, &strangers);
	feed.marks_count = p->given;
	c->to->strangers += strangers;
	if (!is_new(c, &feed, function))
		return;
	its->last = test + 1;
	c->to->calls++;
	vec_push(&its->feeds, feed);
}

static void run_test(struct carver *c, struct runner *r, uint32_t test)
{
	struct outcome out;
	struct trace t;
	struct err ignored = {0};
	if (!runner_run(r, &c->o->tests->feeds.at[test], &out, &t, &ignored))
		return;
	outcome_free(&out);
	c->to->runs++;
	for (uint32_t i = 0; t.header && i < t.events_count; i++)
		if (t.events[i].kind == TD_EV_CALL)
			take_call(c, &t, i, test);
}

/* Tests of one kind are often next to each other: those that come after each other here are far apart. */
static size_t nth_test(size_t i, size_t count)
{
	size_t step = (size_t)((double)count * 0.618) | 1;
	while (count && gcd(step, count) != 1)
		step++;
	return count ? i * step % count : 0;
}

/* All tests of the sample, with the calls of some functions watched. */
static bool run_tests(struct carver *c, const uint32_t *functions, size_t count, struct err *err)
{
	struct str packed = {0};
	size_t tests = c->o->tests->feeds.count, sample = tests < TESTS_MAX ? tests : TESTS_MAX;
	book_pack_watching(c->o->book, c->main, functions, count, &packed);
	struct runner_options o = { .program = c->o->path, .flags = TD_UNINITIALISED | TD_GO_ON, .sandbox = c->o->sandbox, .wall_ms = WALL_MS, .unit = packed.text, .unit_size = packed.length };
	struct runner *r = runner_open(&o, err);
	for (size_t i = 0; r && i < sample && !cli_stopped; i++)
		run_test(c, r, (uint32_t)nth_test(i, tests));
	runner_close(r);
	str_free(&packed);
	return r;
}

bool carving_run(struct carving *to, const struct carving_options *o, const uint32_t *functions, size_t count, struct err *err)
{
	struct carver c = { .to = to, .o = o };
	*to = (struct carving){ .functions = arena_alloc(o->arena, (o->program->count + 1u) * sizeof *to->functions), .count = o->program->count };
	bool ok = true;
	if (find_main(&c))
		for (size_t i = 0; ok && i < count && !cli_stopped; i += AT_ONCE)
			ok = run_tests(&c, functions + i, count - i < AT_ONCE ? count - i : AT_ONCE, err);
	map_free(&c.known);
	to->presence = presence_new(o->program);
	for (uint32_t i = 0; i < to->count; i++)
		if (to->functions[i].pointers)
			presence_note(to->presence, i, book_plan(o->book, i, NULL), to->functions[i].pointers);
	return ok;
}

void carving_free(struct carving *c)
{
	presence_free(c->presence);
	for (uint32_t i = 0; c->functions && i < c->count; i++)
		vec_free(&c->functions[i].feeds);
}
