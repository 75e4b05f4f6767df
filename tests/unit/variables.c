/* Which objects the runtime makes of a module's variables, and that they go with it. The rest of the runtime is played here. */
#include "../../runtime/module.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct state td_state;

static struct td_object added[8];
static uint32_t made;

bool state_enter(void) { return true; }
void state_leave(void) {}
void *state_map(uint64_t bytes) { return calloc(1, bytes); }
void pages_unmap(void *start, uint64_t bytes) { (void)start, (void)bytes; }
long pages_call(long number, long a, long b, long c, long d) { return number | a | b | c | d; }
void start_attach(char **environment) { (void)environment; }

uint32_t object_add(enum td_object_kind kind, uint64_t start, uint64_t size, const char *name)
{
	if (made == 7)
		return 0;
	added[++made] = (struct td_object){.kind = (uint8_t)kind, .start = start, .size = size, .name = name};
	return made;
}

struct td_object *object_get(uint32_t number)
{
	return &added[number];
}

void object_forget(uint64_t start, uint64_t size)
{
	for (uint32_t i = 1; i <= made; i++)
		if (added[i].start == start && added[i].size == size)
			added[i].kind = TD_OBJECT_NONE;
}

/* ---- a library ---- */

enum { ROWS = 4 };
static int first = 1, copied, original;
static const int fixed[3];
static struct { struct td_global rows[ROWS]; char name[8]; int elsewhere; } memory;
static uint32_t tracing;
static const char facts[8];

static int32_t distance(const void *from, const void *to)
{
	return (int32_t)((const char *)to - (const char *)from);
}

static struct td_module library(void)
{
	struct td_global *r = memory.rows;
	memcpy(memory.name, "name", 5);
	r[0] = (struct td_global){.address = &first, .size = sizeof first, .flags = TD_GLOBAL_OBJECT | TD_GLOBAL_INITIALISED};
	r[1] = (struct td_global){.address = (void *)(uintptr_t)fixed, .size = sizeof fixed, .flags = TD_GLOBAL_OBJECT | TD_GLOBAL_CONSTANT};
	r[2] = (struct td_global){.address = &copied, .size = sizeof copied, .flags = TD_GLOBAL_OBJECT};
	r[3] = (struct td_global){.address = &original, .size = sizeof original, .flags = TD_GLOBAL_INITIALISED};
	for (unsigned i = 0; i < ROWS; i++)
		r[i].name_link = distance(&r[i].name_link, memory.name);
	r[1].own_link = distance(&r[1].own_link, fixed);
	r[2].own_link = distance(&r[2].own_link, &memory.elsewhere);
	return (struct td_module){.tracing = &tracing, .globals = r, .globals_end = r + ROWS, .facts = facts, .facts_end = facts};
}

static void *visited[ROWS];
static unsigned visits;

static void visit(void *address, uint64_t size)
{
	(void)size;
	visited[visits++] = address;
}

static void test_traced(void **state)
{
	(void)state;
	static _Alignas(8) char trace[sizeof(struct td_header) + TD_MAX_MODULES * sizeof(struct td_loaded)];
	struct td_module m = library();
	td_state.header = (void *)trace;
	td_state.header->modules_off = sizeof(struct td_header);
	td_state.live = true;
	__td_register(&m, NULL);
	assert_int_equal(tracing, 1);
	assert_int_equal(made, 2); /* neither the one that lives elsewhere nor the one without bounds */
	assert_true(added[1].start == (uint64_t)&first && added[1].size == sizeof first && added[1].kind == TD_OBJECT_GLOBAL && added[1].flags == 0);
	assert_true(added[2].start == (uint64_t)fixed && added[2].size == sizeof fixed && added[2].flags == TD_OBJECT_CONSTANT);
	assert_string_equal(added[1].name, "name");
	module_each_initialised(visit);
	assert_true(visits == 2 && visited[0] == &first && visited[1] == &original);
	__td_register(&m, NULL); /* another object of the library */
	assert_int_equal(made, 2);
	__td_unregister(&m);
	assert_true(added[1].kind == TD_OBJECT_NONE && added[2].kind == TD_OBJECT_NONE);
}

static void test_native(void **state)
{
	(void)state;
	struct td_module m = library();
	made = 0;
	td_state.live = false;
	__td_register(&m, NULL);
	__td_unregister(&m);
	assert_true(made == 0 && tracing == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_traced), cmocka_unit_test(test_native)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
