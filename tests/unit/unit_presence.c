/* How pointers of programs/presence.c are expected to be, by what calls of others have told. */
#include "unit_common.h"

#include "unit/presence.h"
#include "unit/recipe.h"

static struct arena *arena;
static struct presence *presence;

static int begin(void **state)
{
	(void)state;
	arena = arena_new();
	if (program_open("presence") != 0)
		return -1;
	presence = presence_new(&program);
	return 0;
}

static int end(void **state)
{
	presence_free(presence);
	arena_free(arena);
	return program_close(state);
}

static struct plan plan_of(const char *name)
{
	struct recipe r = { .program = &program, .function = function(name), .options = PLAN_DEFAULT };
	bool *really = arena_alloc(arena, program.count + 1u);
	struct plan plan;
	struct err err = {0};
	really[r.function] = true;
	r.members = really;
	if (!recipe_plan(&r, arena, &plan, &err))
		fail_msg("%s", err.text);
	return plan;
}

static uint32_t object(const struct plan *p, const char *name)
{
	for (uint32_t i = 0; i < p->given; i++)
		if (strcmp(p->objects[i].name, name) == 0)
			return i;
	fail_msg("there is no %s", name);
	return 0;
}

/* A call of it has told this of the pointer there, and of others nothing. */
static void note(const char *name, const char *in, uint64_t offset, uint8_t seen)
{
	struct plan p = plan_of(name);
	uint8_t *all = arena_alloc(arena, p.slots_count + 1);
	const struct td_unit_slot *s = plan_slot(&p, object(&p, in), offset);
	assert_non_null(s);
	all[s - p.slots] = seen;
	presence_note(presence, function(name), &p, all);
}

enum { ANYHOW = 0, THERE = 1, OWN = 2 /* where no other leads */ };

static int expected(const char *name, const char *in, uint64_t offset, const uint8_t *seen)
{
	struct plan p = plan_of(name);
	const struct formula_pointer *all;
	size_t count = presence_expect(presence, function(name), &p, seen, arena, &all);
	for (size_t i = 0; i < count; i++)
		if (all[i].object == object(&p, in) && all[i].offset == offset)
			return (all[i].there ? THERE : ANYHOW) | (all[i].most < all[i].targets ? OWN : ANYHOW);
	return ANYHOW;
}

enum { NAME = 0, NEXT = 16, HOME = 24 };

static void arguments(void **state)
{
	(void)state;
	assert_int_equal(expected("unused", "unused", 0, NULL), THERE);
	assert_int_equal(expected("unused", "title", 0, NULL), ANYHOW);
	assert_int_equal(expected("unused", "*i", NEXT, NULL), ANYHOW);
}

/* What another function has found in a variable. */
static void variables(void **state)
{
	(void)state;
	note("in_use", "title", 0, CARVE_THERE);
	assert_int_equal(expected("unused", "title", 0, NULL) & THERE, THERE);
	note("in_use", "chosen", 0, CARVE_THERE);
	assert_int_equal(expected("unused", "chosen", 0, NULL) & THERE, 0); /* main says NULL to it */
	note("in_use", "title", 0, CARVE_NULL);
	assert_int_equal(expected("unused", "title", 0, NULL) & THERE, 0);
}

/* A caller knows better than somebody who was called before the variable was set. */
static void callers(void **state)
{
	(void)state;
	note("early", "title", 0, CARVE_NULL | CARVE_THERE);
	note("in_use", "title", 0, CARVE_THERE);
	assert_int_equal(expected("unused", "title", 0, NULL) & THERE, 0);
	note("below", "title", 0, CARVE_THERE);
	assert_int_equal(expected("unused", "title", 0, NULL) & THERE, THERE);
	struct plan p = plan_of("unused");
	uint8_t *own = arena_alloc(arena, p.slots_count + 1);
	own[plan_slot(&p, object(&p, "title"), 0) - p.slots] = CARVE_NULL | CARVE_THERE;
	assert_int_equal(expected("unused", "title", 0, own) & THERE, 0);
}

/* Members are the same in all objects. */
static void members(void **state)
{
	(void)state;
	note("in_use", "*i", NEXT, CARVE_THERE);
	assert_int_equal(expected("unused", "*i", NEXT, NULL) & THERE, THERE);
	assert_int_equal(expected("unused", "*i->next", NEXT, NULL) & THERE, THERE);
	assert_int_equal(expected("by_name", "*a[0]", NEXT, NULL) & THERE, THERE);
	assert_int_equal(expected("unused", "*i", HOME, NULL), OWN); /* tests have seen some, and this one not to lead where another does */
	note("in_use", "*i", HOME, CARVE_THERE | CARVE_OTHER);
	assert_int_equal(expected("unused", "*i", HOME, NULL), THERE);
}

/* Whoever is called by a pointer is called as others are by that. */
static void by_pointer(void **state)
{
	(void)state;
	assert_int_equal(expected("by_weight", "*a", 0, NULL), ANYHOW);
	note("by_name", "*a", 0, CARVE_THERE);
	assert_int_equal(expected("by_weight", "*a", 0, NULL) & THERE, THERE);
	assert_int_equal(expected("by_weight", "*b", 0, NULL) & THERE, 0);
	note("by_name", "*a", 0, CARVE_NULL);
	assert_int_equal(expected("by_weight", "*a", 0, NULL) & THERE, 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = { TEST(arguments), TEST(variables), TEST(callers), TEST(members), TEST(by_pointer) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
