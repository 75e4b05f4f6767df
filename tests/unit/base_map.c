/* Numbers by hash: what was put in is found again, however large it grows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "base/map.h"

static void grows(void **state)
{
	enum { COUNT = 20000 };
	struct map m = {0};
	(void)state;
	for (uint32_t i = 1; i <= COUNT; i++) {
		uint32_t *value = map_at(&m, rng_mix(i));
		assert_int_equal(*value, 0);
		*value = i;
	}
	assert_int_equal(m.count, COUNT);
	assert_true(m.room >= 2 * COUNT);
	assert_int_equal(m.room & (m.room - 1), 0);
	for (uint32_t i = 1; i <= COUNT; i++)
		assert_int_equal(*map_at(&m, rng_mix(i)), i);
	assert_int_equal(m.count, COUNT);
	map_free(&m);
	assert_int_equal(*map_at(&m, rng_mix(1)), 0); /* it can be used again */
	assert_int_equal(m.count, 1);
	map_free(&m);
}

/* Keys that all want one place, which are not hashes; and it is full to the half. */
static void crowded(void **state)
{
	enum { COUNT = 33 };
	struct map m = {0};
	(void)state;
	for (uint32_t i = 0; i < COUNT; i++)
		*map_at(&m, (uint64_t)i << 32 | 63) = i + 1;
	for (uint32_t i = 0; i < COUNT; i++)
		assert_int_equal(*map_at(&m, (uint64_t)i << 32 | 63), i + 1);
	assert_int_equal(m.count, COUNT);
	map_free(&m);
}

/* 0 says that a place is free, so it is another's name. */
static void key_zero(void **state)
{
	struct map m = {0};
	(void)state;
	*map_at(&m, 0) = 7;
	assert_int_equal(*map_at(&m, 0), 7);
	assert_int_equal(*map_at(&m, 1), 7);
	assert_int_equal(m.count, 1);
	for (uint64_t i = 2; i < 1000; i++)
		*map_at(&m, i) = 1;
	assert_int_equal(*map_at(&m, 0), 7);
	map_free(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(grows), cmocka_unit_test(crowded), cmocka_unit_test(key_zero) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
