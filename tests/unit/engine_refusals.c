/* Leaps become seldom, edge by edge. */
#include "engine/refusals.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void test_ever_fewer(void **state)
{
	(void)state;
	static const uint32_t first[] = { 1, 2, 3, 4, 6, 8, 11 };
	struct refusals r = { 0 };
	uint32_t due = 0;
	for (uint32_t n = 1; n <= 1000; n++)
		if (refusals_add(&r, 7)) {
			if (due < 7)
				assert_int_equal(n, first[due]);
			due++;
		}
	assert_in_range(due, 20, 30);
	assert_true(refusals_add(&r, 3)); /* another edge has a count of its own */
	assert_true(refusals_add(&r, 8));
	refusals_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_ever_fewer) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
