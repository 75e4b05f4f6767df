/* Numbers, bytes and differences go in and come out; whatever else is read is bad, and nothing worse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/pack.h"
#include "base/rng.h"

#include <string.h>

static void numbers(void **state)
{
	static const uint64_t all[] = { 0, 1, 127, 128, 300, UINT32_MAX, (uint64_t)1 << 63, UINT64_MAX };
	struct pack p = {0};
	(void)state;
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		pack_number(&p, all[i]);
	pack_text(&p, "text");
	struct unpack u = { p.at, p.at + p.count, false };
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		assert_true(unpack_number(&u) == all[i]);
	size_t size;
	const uint8_t *text = unpack_block(&u, &size);
	assert_true(size == 4 && memcmp(text, "text", 4) == 0 && !u.bad && u.at == u.end);
	assert_true(unpack_number(&u) == 0 && u.bad);
	pack_free(&p);
}

static void too_short(void **state)
{
	static const uint8_t endless[] = { 0xff, 0xff, 0xff }, long_block[] = { 200, 1, 7 };
	size_t size;
	(void)state;
	struct unpack u = { endless, endless + sizeof endless, false }, v = { long_block, long_block + sizeof long_block, false };
	assert_true(unpack_number(&u) == 0 && u.bad);
	assert_null(unpack_block(&v, &size));
	assert_true(v.bad && !size);
}

/* A row with a few bytes changed, put in or cut out. */
static void change(struct rng *r, const struct pack *from, struct pack *to)
{
	pack_clear(to);
	for (size_t i = 0; i < from->count; i++) {
		uint64_t what = rng_below(r, 12);
		uint8_t byte = what == 1 ? (uint8_t)rng_below(r, 256) : from->at[i];
		if (what != 2)
			pack_bytes(to, &byte, 1);
		if (what == 3)
			pack_bytes(to, "x", 1);
	}
}

static void differences(void **state)
{
	struct rng r;
	struct pack from = {0}, to = {0}, delta = {0}, back = {0};
	(void)state;
	rng_seed(&r, 7);
	for (unsigned i = 0; i < 2000; i++) {
		pack_clear(&from);
		pack_clear(&delta);
		for (uint64_t n = rng_below(&r, 60); n-- > 0;)
			pack_number(&from, rng_below(&r, 4));
		if (i % 3)
			change(&r, &from, &to);
		else { /* of the same length */
			pack_clear(&to);
			pack_bytes(&to, from.at, from.count);
			for (size_t k = 0; k < to.count; k++)
				to.at[k] = (uint8_t)(to.at[k] + !rng_below(&r, 5));
		}
		pack_difference(&delta, &from, &to);
		struct unpack u = { delta.at, delta.at + delta.count, false };
		assert_true(unpack_difference(&u, &from, &back) && u.at == u.end);
		assert_int_equal(back.count, to.count);
		if (to.count)
			assert_memory_equal(back.at, to.at, to.count);
		for (size_t cut = 0; cut < delta.count; cut++) { /* nothing else is read, whatever comes of it */
			struct unpack v = { delta.at, delta.at + cut, false };
			unpack_difference(&v, &from, &back);
		}
		for (size_t k = 0; k < delta.count; k++)
			delta.at[k] = (uint8_t)rng_next(&r);
		struct unpack w = { delta.at, delta.at + delta.count, false };
		unpack_difference(&w, &from, &back);
	}
	pack_free(&from);
	pack_free(&to);
	pack_free(&delta);
	pack_free(&back);
}

static void one_byte_is_short(void **state)
{
	struct pack from = {0}, to = {0}, delta = {0};
	(void)state;
	for (unsigned i = 0; i < 5000; i++)
		pack_number(&from, i % 100);
	pack_bytes(&to, from.at, from.count);
	to.at[10] ^= 1;
	to.at[4000] ^= 1;
	pack_difference(&delta, &from, &to);
	assert_true(delta.count < 16);
	pack_free(&from);
	pack_free(&to);
	pack_free(&delta);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(numbers), cmocka_unit_test(too_short), cmocka_unit_test(differences), cmocka_unit_test(one_byte_is_short) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
