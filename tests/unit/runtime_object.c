/* The map of objects: who has which address, before, behind and between; what becomes of those that are gone; counting of terms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "owner.h"

void malloc_serve(void)
{
}

#define AT 0x300000000000ull /* nothing is there: the map does not touch what it describes */

static bool is_open(uint64_t address, uint64_t bytes)
{
	uint32_t number = __td_space.owners[(address & __td_space.mask) >> TD_GRANULE_BITS];
	const struct td_object *o = (const void *)((const char *)__td_space.objects + (uint64_t)number * TD_NUMBER_BYTES);
	return address - o->start < o->open && o->open - (address - o->start) >= bytes;
}

static void test_bounds(void **state)
{
	(void)state;
	uint64_t at = AT + 8;
	uint32_t a = object_add(TD_OBJECT_GLOBAL, at, 20, "a");
	assert_int_not_equal(a, 0);
	assert_int_equal(object_at(at - 1), 0);
	assert_int_equal(object_at(at), a);
	assert_int_equal(object_at(at + 19), a);
	assert_int_equal(object_at(at + 20), a); /* one past */
	assert_int_equal(object_at(at + 21), 0);
	assert_true(is_open(at, 20));
	assert_false(is_open(at, 21));
	assert_false(is_open(at - 1, 1));
	assert_string_equal(object_get(a)->name, "a");
	assert_null(object_get(0));
	assert_null(object_get(1u << 29));
}

static void test_one_past(void **state)
{
	(void)state;
	uint64_t at = AT + 0x1000;
	uint32_t a = object_add(TD_OBJECT_STACK, at, 32, NULL);
	assert_int_equal(object_at(at + 32), a);
	uint32_t b = object_add(TD_OBJECT_STACK, at + 32, 16, NULL);
	assert_int_equal(object_at(at + 32), b);
	assert_int_equal(object_at(at + 31), a);
	uint32_t c = object_add(TD_OBJECT_STACK, at - 16, 16, NULL);
	assert_int_equal(object_at(at), a); /* it lives: the one before does not get it */
	assert_int_equal(object_at(at - 1), c);
	uint32_t empty = object_add(TD_OBJECT_STACK, at + 0x100, 0, NULL);
	assert_int_equal(object_at(at + 0x100), empty);
	assert_false(is_open(at + 0x100, 1));
}

static void test_gone(void **state)
{
	(void)state;
	uint64_t at = AT + 0x2000;
	uint32_t a = object_add(TD_OBJECT_STACK, at, 100, NULL), b = object_add(TD_OBJECT_STACK, at + 0x100, 100, NULL);
	object_retire(a);
	assert_int_equal(object_at(at + 50), a);
	assert_int_equal(object_get(a)->state, TD_OBJECT_GONE);
	assert_false(is_open(at, 1));
	uint32_t over = object_add(TD_OBJECT_STACK, at - 64, 1000, NULL);
	assert_int_equal(object_at(at), over);
	assert_int_equal(object_at(at + 0x100), over);
	assert_int_equal(object_get(b)->state, TD_OBJECT_LIVE); /* until it is retired */
	object_retire(b);
	uint32_t c = object_add(TD_OBJECT_STACK, at + 0x800, 8, NULL), d = object_add(TD_OBJECT_STACK, at + 0x900, 8, NULL);
	assert_true((c == a && d == b) || (c == b && d == a)); /* their numbers are free again */
}

static void test_numbers_do_not_run_out(void **state)
{
	(void)state;
	uint64_t at = AT + 0x10000;
	uint32_t largest = 0;
	for (uint64_t i = 0; i < 200000; i++) {
		uint32_t n = object_add(TD_OBJECT_STACK, at + i % 37 * 24, 24 + i % 5 * 8, NULL);
		assert_int_not_equal(n, 0);
		object_retire(n);
		largest = n > largest ? n : largest;
	}
	assert_true(largest < 1000);
}

static void test_again(void **state)
{
	(void)state;
	uint64_t at = AT + 0x40000;
	uint32_t a = object_add(TD_OBJECT_STACK, at, 16, "a"), b = object_add(TD_OBJECT_STACK, at + 16, 40, "b");
	assert_false(object_again(TD_OBJECT_STACK, at, 16, "a")); /* it lives */
	object_retire(a);
	object_retire(b);
	shadow_set_byte(at + 3, 16);
	assert_false(object_again(TD_OBJECT_STACK, at, 15, "a"));
	assert_false(object_again(TD_OBJECT_GLOBAL, at, 16, "a"));
	assert_true(object_again(TD_OBJECT_STACK, at, 16, "c"));
	assert_true(object_again(TD_OBJECT_STACK, at + 16, 40, "b"));
	assert_true(is_open(at, 16) && is_open(at + 16, 40));
	assert_string_equal(object_get(a)->name, "c");
	object_retire(b);
	object_add(TD_OBJECT_STACK, at + 48, 8, "d");
	assert_false(object_again(TD_OBJECT_STACK, at + 16, 40, "b")); /* not all of it is free */
	assert_int_equal(object_at(at + 20), b);
	object_forget(at, 0x100);
}

static void test_forget(void **state)
{
	(void)state;
	uint64_t at = AT + 0x20000;
	uint32_t a = object_add(TD_OBJECT_STACK, at, 8, NULL), b = object_add(TD_OBJECT_STACK, at + 8, 8, NULL), c = object_add(TD_OBJECT_STACK, at + 16, 64, NULL);
	(void)a;
	object_forget(at + 16, 64);
	assert_int_equal(object_at(at + 8), b);
	assert_int_equal(object_at(at + 16), 0);
	assert_int_equal(object_at(at + 80), 0);
	assert_int_equal(object_add(TD_OBJECT_STACK, at + 0x1000, 8, NULL), c);
	object_forget(at, 1u << 20);
	assert_int_equal(object_at(at + 8), 0);
}

static void test_large(void **state)
{
	(void)state;
	uint64_t at = AT + (1ull << 32), size = 1ull << 36;
	uint32_t a = object_add(TD_OBJECT_MAPPING, at, size, NULL), small = object_add(TD_OBJECT_GLOBAL, at + 0x5004, 4, NULL);
	assert_int_equal(owner_get(at + 0x400000), 0);
	assert_int_equal(object_at(at + 0x400008), a);
	assert_true(is_open(at + 0x400000, 8)); /* now without asking */
	assert_int_equal(object_at(at + 0x5006), small);
	assert_int_equal(object_at(at + 0x5003), a); /* shares its granule */
	assert_int_equal(object_at(at + 0x5020), a);
	assert_int_equal(object_at(at + size - 1), a);
	assert_int_equal(object_at(at + size), a);
	assert_int_equal(object_at(at + size + 1), 0);
	object_forget(at + 0x400000, 0x100000);
	assert_int_equal(object_at(at + 0x3fffff), a);
	assert_int_equal(object_at(at + 0x400000), 0);
	assert_int_equal(object_at(at + 0x500000), a);
	uint32_t b = object_add(TD_OBJECT_MAPPING, at + 0x800000, 0x100000, NULL);
	assert_int_equal(object_at(at + 0x7fffff), a);
	assert_int_equal(object_at(at + 0x800000), b);
	assert_int_equal(object_at(at + 0x900000), a);
	object_retire(b);
	assert_int_equal(object_at(at + 0x800000), b);
	object_forget(at, size);
	assert_int_equal(object_at(at + 0x800000), 0);
	assert_int_equal(object_at(at + size), 0);
}

/* A large variable that is gone and has lost something, where the map has no entry of it: it cannot just live again. */
static void test_large_torn(void **state)
{
	(void)state;
	uint64_t at = AT + (1ull << 40), size = 1ull << 20;
	uint32_t a = object_add(TD_OBJECT_STACK, at, size, NULL);
	object_at(at);
	object_retire(a);
	assert_int_equal(owner_get(at), a);
	assert_int_equal(owner_get(at + size / 2), 0);
	assert_int_equal(object_get(a)->flags & TD_OBJECT_TORN, 0);
	object_forget(at + size / 2, 64);
	assert_int_equal(object_at(at), a);
	assert_int_not_equal(object_get(a)->flags & TD_OBJECT_TORN, 0);
	object_forget(at, size);
	assert_int_equal(object_at(at), 0);
}

static void test_many_large(void **state)
{
	(void)state;
	uint64_t at = AT + (1ull << 41), stride = 1ull << 20;
	uint32_t numbers[1000];
	for (uint64_t i = 0; i < 1000; i++)
		numbers[i * 7 % 1000] = object_add(TD_OBJECT_MAPPING, at + i * 7 % 1000 * stride, stride - 4096, NULL);
	for (uint64_t i = 0; i < 1000; i++) {
		assert_int_equal(object_at(at + i * stride + 12345), numbers[i]);
		assert_int_equal(object_at(at + (i + 1) * stride - 100), 0);
	}
	object_forget(at + 100 * stride, 800 * stride);
	assert_int_equal(object_at(at + 99 * stride), numbers[99]);
	assert_int_equal(object_at(at + 100 * stride), 0);
	assert_int_equal(object_at(at + 900 * stride), numbers[900]);
}

static void test_terms(void **state)
{
	(void)state;
	uint64_t at = AT + 0x30000;
	uint32_t a = object_add(TD_OBJECT_GLOBAL, at, 40, NULL), b = object_add(TD_OBJECT_GLOBAL, at + 64, 100000, NULL);
	shadow_set_byte(at + 39, 16);
	shadow_set_byte(at + 39, 32);
	shadow_set_byte(at + 5, 16);
	shadow_set_byte(at + 48, 16); /* nobody's */
	assert_int_equal(object_get(a)->symbolic, 2);
	assert_false(is_open(at, 1));
	shadow_copy(at + 64 + 50000, at, 40);
	assert_int_equal(object_get(b)->symbolic, 2);
	shadow_clear(at, 39);
	assert_int_equal(object_get(a)->symbolic, 1);
	shadow_set_byte(at + 39, 0);
	assert_true(is_open(at, 40));
	shadow_copy(at + 64 + 50000, at + 64, 40);
	assert_int_equal(object_get(b)->symbolic, 0);
	assert_true(is_open(at + 64 + 50000, 40));
	shadow_set_byte(at + 7, 16);
	uint32_t c = object_add(TD_OBJECT_GLOBAL, at, 40, NULL);
	assert_int_equal(shadow_byte(at + 7), 0);
	assert_int_equal(object_get(c)->symbolic, 0);
	object_retire(c);
	shadow_set_byte(at + 7, 16);
	shadow_set_byte(at + 7, 0);
	assert_false(is_open(at, 1));
}

static void test_stacks(void **state)
{
	(void)state;
	uint32_t numbers[2];
	uint64_t frames[32];
	volatile int two = 2; /* one place in the code */
	for (int i = 0; i < two; i++)
		numbers[i] = stack_here();
	assert_int_equal(numbers[0], numbers[1]);
	assert_int_not_equal(stack_here(), numbers[0]);
	assert_true(stack_get(numbers[0], frames, 32) >= 1);
	uint64_t distance = frames[0] - (uint64_t)(uintptr_t)test_stacks;
	assert_true(distance < 4096);
	assert_int_equal(stack_get(0, frames, 32), 0);
	assert_int_equal(stack_get(1000000, frames, 32), 0);
	const uint64_t odd[2] = {1, 0};
	assert_int_equal(stack_from(odd), 0);
	assert_int_equal(stack_from((const void *)8), 0);
}

static int begin(void **state)
{
	(void)state;
	return object_init() ? 0 : -1;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bounds), cmocka_unit_test(test_one_past), cmocka_unit_test(test_gone), cmocka_unit_test(test_numbers_do_not_run_out),
		cmocka_unit_test(test_again), cmocka_unit_test(test_forget), cmocka_unit_test(test_large), cmocka_unit_test(test_large_torn), cmocka_unit_test(test_many_large), cmocka_unit_test(test_terms),
		cmocka_unit_test(test_stacks),
	};
	return cmocka_run_group_tests(tests, begin, NULL);
}
