/* What is the same bug: call stacks and places that are and are not. */
#include "engine/title.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define FRAME(f, l) { .function = f, .file = "a.c", .line = l, .column = 3, .module = "/p", .offset = 0x1000 + (l) * 16, .address = 1 }
#define LIBRARY(f) { .function = f, .module = "/p", .offset = 0x9000 }

static uint64_t title(const char *class, struct symbols_frame *frames, size_t count)
{
	return title_of_stack(class, &(struct symbols_frames){ frames, count }, NULL);
}

#define TITLE(class, ...) title(class, (struct symbols_frame[]){ __VA_ARGS__ }, sizeof((struct symbols_frame[]){ __VA_ARGS__ }) / sizeof(struct symbols_frame))

static void test_stacks(void **state)
{
	uint64_t name = TITLE("overflow", FRAME("get", 4), FRAME("parse", 10), FRAME("read", 20), FRAME("main", 30));
	(void)state;
	assert_int_equal(name, TITLE("overflow", FRAME("get", 4), FRAME("parse", 10), FRAME("read", 20), FRAME("main", 30)));
	assert_int_not_equal(name, TITLE("underflow", FRAME("get", 4), FRAME("parse", 10), FRAME("read", 20), FRAME("main", 30)));
	assert_int_not_equal(name, TITLE("overflow", FRAME("get", 5), FRAME("parse", 10), FRAME("read", 20), FRAME("main", 30)));
	/* A careless caller is a bug of its own, a caller far away is not. */
	assert_int_not_equal(name, TITLE("overflow", FRAME("get", 4), FRAME("other", 11), FRAME("read", 20), FRAME("main", 30)));
	assert_int_not_equal(name, TITLE("overflow", FRAME("get", 4), FRAME("parse", 10), FRAME("read", 21), FRAME("main", 30)));
	assert_int_equal(name, TITLE("overflow", FRAME("get", 4), FRAME("parse", 10), FRAME("read", 20), FRAME("batch", 40), FRAME("main", 31)));
	/* Where the code lies does not count if there are lines. */
	struct symbols_frame elsewhere[] = { FRAME("get", 4), FRAME("parse", 10), FRAME("read", 20), FRAME("main", 30) };
	for (size_t i = 0; i < 4; i++) {
		elsewhere[i].offset += 0x555;
		elsewhere[i].address += 0x7000;
	}
	assert_int_equal(name, title("overflow", elsewhere, 4));
}

static void test_recursion(void **state)
{
	uint64_t name = TITLE("overflow", FRAME("leaf", 4), FRAME("walk", 10), FRAME("main", 30));
	(void)state;
	assert_int_equal(name, TITLE("overflow", FRAME("leaf", 4), FRAME("walk", 10), FRAME("walk", 10), FRAME("walk", 10), FRAME("main", 30)));
	/* Whichever way it went, and nobody but the innermost says where. */
	assert_int_equal(TITLE("overflow", FRAME("match", 4), FRAME("filter", 10), FRAME("main", 30)),
		TITLE("overflow", FRAME("match", 4), FRAME("match", 7), FRAME("match", 9), FRAME("filter", 10), FRAME("main", 30)));
	assert_int_not_equal(TITLE("overflow", FRAME("match", 4), FRAME("filter", 10), FRAME("main", 30)),
		TITLE("overflow", FRAME("match", 7), FRAME("match", 4), FRAME("filter", 10), FRAME("main", 30)));
	name = TITLE("overflow", FRAME("a", 4), FRAME("b", 10), FRAME("main", 30));
	assert_int_equal(name, TITLE("overflow", FRAME("a", 4), FRAME("b", 10), FRAME("a", 4), FRAME("b", 10), FRAME("main", 30)));
}

static void test_libraries(void **state)
{
	uint64_t name = TITLE("overflow", LIBRARY("strcpy"), FRAME("f", 4), FRAME("g", 10), FRAME("h", 20), FRAME("main", 30));
	(void)state;
	assert_int_not_equal(name, TITLE("overflow", LIBRARY("memcpy"), FRAME("f", 4), FRAME("g", 10), FRAME("h", 20), FRAME("main", 30)));
	assert_int_not_equal(name, TITLE("overflow", LIBRARY("strcpy"), FRAME("f", 4), FRAME("g", 10), FRAME("i", 20), FRAME("main", 30)));
	assert_int_equal(name, TITLE("overflow", LIBRARY("strcpy"), FRAME("f", 4), FRAME("g", 10), FRAME("h", 20), FRAME("main", 31)));
}

/* Without debug information: functions, and of the innermost the place. */
static void test_nameless(void **state)
{
	struct symbols_frame x[] = { LIBRARY("f"), LIBRARY("g"), LIBRARY("main") }, y[] = { LIBRARY("f"), LIBRARY("g"), LIBRARY("main") };
	(void)state;
	y[1].offset++;
	assert_int_equal(title("wild", x, 3), title("wild", y, 3));
	y[0].offset++;
	assert_int_not_equal(title("wild", x, 3), title("wild", y, 3));
	x[1].function = y[1].function = NULL;
	y[0].offset--;
	assert_int_not_equal(title("wild", x, 3), title("wild", y, 3));
	y[1].offset--;
	assert_int_equal(title("wild", x, 3), title("wild", y, 3));
	assert_int_equal(title("wild", x, 0), title("wild", NULL, 0));
}

static void test_edges(void **state)
{
	struct facts_module modules[] = { { .build = 7, .first_edge = 0, .edges = 10 }, { .build = 8, .first_edge = 10, .edges = 5 } };
	struct facts f = { modules, 2, 15 };
	struct facts_module other[] = { { .build = 7, .first_edge = 0, .edges = 10 }, { .build = 9, .first_edge = 10, .edges = 5 }, { .build = 8, .first_edge = 15, .edges = 5 } };
	struct facts g = { other, 3, 20 };
	(void)state;
	assert_int_equal(title_of_signal(&f, 6, 3), title_of_signal(&f, 6, 3));
	assert_int_not_equal(title_of_signal(&f, 6, 3), title_of_signal(&f, 6, 4));
	assert_int_not_equal(title_of_signal(&f, 6, 3), title_of_signal(&f, 11, 3));
	assert_int_not_equal(title_of_signal(&f, 6, 3), title_of_signal(&f, 6, TD_NO_SITE));
	assert_int_equal(title_of_signal(&f, 6, 12), title_of_signal(&g, 6, 17)); /* libraries in another order */
	assert_int_not_equal(title_of_signal(&f, 6, 12), title_of_signal(&g, 6, 12));
	assert_int_equal(title_of_signal(&f, 6, 99), title_of_signal(&f, 6, TD_NO_SITE));
	assert_int_not_equal(title_of_hang(&f, TD_NO_SITE), title_of_signal(&f, 0, TD_NO_SITE));
	assert_int_not_equal(title_of_hang(&f, 3), title_of_hang(&f, 12));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stacks), cmocka_unit_test(test_recursion), cmocka_unit_test(test_libraries), cmocka_unit_test(test_nameless), cmocka_unit_test(test_edges),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
