/* What is seen in a run that went wrong, and where: hangs by their loop, wherever they were stopped in it. */
#include "engine/bugs.h"
#include "trace/facts.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { SITES = 5, EVENTS = 4000 };

/* A program with some branches, of two sides each. */
static struct td_site sites[SITES];
static struct facts_place places[SITES];
static uint32_t place_of[2 * SITES];
static struct facts_module module = { .build = 7, .edges = 2 * SITES, .places = places, .places_count = SITES, .place_of = place_of };
static struct facts facts = { &module, 1, 2 * SITES };

static int make_facts(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < SITES; i++) {
		sites[i] = (struct td_site){ .first_edge = 2 * i, .edges = 2, .kind = TD_SITE_BRANCH };
		places[i] = (struct facts_place){ NULL, &sites[i], 2 * i };
		place_of[2 * i] = place_of[2 * i + 1] = i;
	}
	return 0;
}

static struct td_event branch(uint32_t site, uint64_t side)
{
	return (struct td_event){ .kind = TD_EV_BRANCH, .site = 2 * site, .node = 1, .value = side };
}

static struct finding look(const struct td_event *events, uint32_t count, enum outcome_kind kind, int signal, bool wanted)
{
	static const struct td_header header;
	struct bugs *b = bugs_new(&(struct bugs_options){ .facts = &facts, .wall_ms = 1000 });
	struct trace t = { .header = &header, .events = events, .events_count = count };
	struct outcome out = { .kind = kind, .signal = signal };
	struct finding f = {0};
	assert_int_equal(bugs_look(b, &out, &t, &f), wanted);
	bugs_free(b);
	return f;
}

/* Sites 2, 3 and 4 again and again, after 0 and 1. */
static struct finding loop_stopped_at(uint32_t count)
{
	static struct td_event events[EVENTS];
	for (uint32_t i = 0; i < EVENTS; i++)
		events[i] = branch(i < 2 ? i : 2 + i % 3, i / 3 % 2);
	return look(events, count, OUTCOME_TIMEOUT, SIGKILL, true);
}

static void test_hangs(void **state)
{
	struct finding f = loop_stopped_at(EVENTS);
	(void)state;
	assert_int_equal(f.kind, FINDING_HANG);
	assert_int_equal(f.edge, 4);
	for (uint32_t i = 1; i < 20; i++) {
		assert_int_equal(loop_stopped_at(EVENTS - i).name, f.name);
		assert_int_equal(loop_stopped_at(EVENTS - i).edge, 4);
	}
	/* Behind a branch that was taken once or twice. */
	struct td_event few[] = { branch(0, 0), branch(1, 1), branch(0, 1), branch(1, 0), { .kind = TD_EV_LENGTH, .node = 1 } };
	assert_int_equal(look(few, 5, OUTCOME_TIMEOUT, SIGKILL, true).edge, 2);
	assert_int_equal(look(few, 3, OUTCOME_TIMEOUT, SIGKILL, true).edge, 1);
	assert_int_not_equal(look(few, 5, OUTCOME_TIMEOUT, SIGKILL, true).name, look(few, 3, OUTCOME_TIMEOUT, SIGKILL, true).name);
	assert_int_equal(look(few, 0, OUTCOME_TIMEOUT, SIGKILL, true).edge, TD_NO_SITE);
}

static void test_ends(void **state)
{
	struct td_event few[] = { branch(3, 0), branch(1, 1) };
	(void)state;
	look(few, 2, OUTCOME_EXIT, 0, false);
	struct finding f = look(few, 2, OUTCOME_SIGNAL, SIGABRT, true);
	assert_int_equal(f.kind, FINDING_CRASH);
	assert_int_equal(f.signal, SIGABRT);
	assert_int_equal(f.edge, 3);
	assert_int_not_equal(f.name, look(few, 1, OUTCOME_SIGNAL, SIGABRT, true).name);
	assert_int_not_equal(f.name, look(few, 2, OUTCOME_SIGNAL, SIGSEGV, true).name);
	few[1].node = 0; /* one that does not depend on the input */
	assert_int_equal(look(few, 2, OUTCOME_SIGNAL, SIGABRT, true).edge, 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_hangs), cmocka_unit_test(test_ends) };
	return cmocka_run_group_tests(tests, make_facts, NULL);
}
