/* The runtime's allocator, against a plain list of what it should hold: blocks are apart, aligned, keep their bytes, have a byte
 * behind them that is theirs, and stay known when they are gone. Also with little address space. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "heap.h"
#include "owner.h"

#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

void malloc_serve(void)
{
}

enum { BLOCKS = 1000, ROUNDS = 200000 };

struct block {
	uint32_t number, serial;
	uint64_t start, size;
	unsigned char byte;
};

static uint64_t random_state = 1;

static uint64_t random_below(uint64_t limit)
{
	random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
	return (random_state >> 33) % limit;
}

static uint64_t random_size(void)
{
	switch (random_below(100)) {
	case 0: return random_below(2000000);
	case 1: case 2: case 3: return random_below(70000);
	default: return random_below(1 << random_below(12));
	}
}

static bool is_sound(const struct block *b)
{
	const struct td_object *o = object_get(b->number);
	const unsigned char *bytes = (const unsigned char *)b->start;
	if (o->start != b->start || o->size != b->size || o->open != b->size || o->state != TD_OBJECT_LIVE || o->serial != b->serial)
		return false;
	if (object_at(b->start) != b->number || object_at(b->start + b->size) != b->number)
		return false;
	return !b->size || (bytes[0] == b->byte && bytes[b->size / 2] == b->byte && bytes[b->size - 1] == b->byte && object_at(b->start + b->size / 2) == b->number);
}

static struct block take(uint64_t size, uint64_t alignment, bool zero)
{
	struct block b = {.number = heap_take(size, alignment, zero, 0), .size = size, .byte = (unsigned char)random_below(256)};
	assert_int_not_equal(b.number, 0);
	b.start = object_get(b.number)->start;
	b.serial = object_get(b.number)->serial;
	assert_int_equal(b.start % alignment, 0);
	assert_true(heap_has(b.start));
	for (uint64_t i = 0; zero && i < size; i += i > 5000 ? 997 : 1)
		assert_int_equal(((const char *)b.start)[i], 0);
	memset((void *)b.start, b.byte, size);
	return b;
}

static void churn(uint64_t rounds)
{
	static struct block blocks[BLOCKS];
	for (uint64_t i = 0; i < rounds; i++) {
		struct block *b = &blocks[random_below(BLOCKS)];
		if (b->number) {
			assert_true(is_sound(b));
			heap_drop(b->number, 0);
			assert_int_equal(object_get(b->number)->state, TD_OBJECT_GONE);
			assert_int_equal(object_get(b->number)->open, 0);
			assert_int_equal(object_at(b->start), b->number);
		}
		uint64_t alignment = random_below(20) ? 16 : 16ull << random_below(12);
		*b = take(random_size(), alignment, random_below(4) == 0);
	}
	for (uint64_t i = 0; i < BLOCKS; i++)
		if (blocks[i].number)
			assert_true(is_sound(&blocks[i]));
	for (uint64_t i = 0; i < BLOCKS; i++)
		if (blocks[i].number)
			heap_drop(blocks[i].number, 0);
	memset(blocks, 0, sizeof blocks);
}

static void test_churn(void **state)
{
	(void)state;
	churn(ROUNDS);
}

/* All sizes up to where slots end, and around. */
static void test_sizes(void **state)
{
	(void)state;
	uint64_t before = 0;
	for (uint64_t size = 0; size < 40000; size += size < 2200 ? 1 : 61) {
		struct block b = take(size, 16, false), c = take(size, 16, false);
		assert_true(is_sound(&b) && is_sound(&c));
		assert_true(b.start + size < c.start || c.start + size < b.start);
		if (size)
			before = object_at(b.start - 1);
		assert_int_not_equal(before, b.number);
		heap_drop(b.number, 0);
		heap_drop(c.number, 0);
	}
}

static void test_quarantine(void **state)
{
	(void)state;
	struct block b = take(40, 16, false);
	heap_drop(b.number, 0);
	uint64_t others = 0;
	for (;; others++) {
		struct block c = take(40, 16, false);
		heap_drop(c.number, 0);
		if (c.start == b.start)
			break;
		assert_true(others < 1000000);
	}
	assert_true(others > 10000);
	assert_int_equal(object_at(b.start), b.number); /* the slot has its number for life */
}

static void test_large_is_reused(void **state)
{
	(void)state;
	uint64_t highest = 0;
	for (int i = 0; i < 5000; i++) {
		struct block b = {.number = heap_take(1 << 20, 16, false, 0)};
		b.start = object_get(b.number)->start;
		((char *)b.start)[500000] = 1;
		assert_int_equal(object_at(b.start + 500000), b.number);
		heap_drop(b.number, 0);
		assert_int_equal(object_at(b.start + 500000), b.number);
		highest = b.start > highest ? b.start : highest;
	}
	struct block c = take(100, 16, false), huge = {.number = heap_take(1ull << 32, 1ull << 30, true, 0)};
	assert_true(highest - c.start < 1ull << 30 || c.start - highest < 1ull << 30);
	assert_int_equal(object_get(huge.number)->start % (1ull << 30), 0);
	assert_int_equal(object_at(object_get(huge.number)->start + (1ull << 32)), huge.number);
	heap_drop(huge.number, 0);
	assert_int_equal(heap_take(1ull << 50, 16, false, 0), 0);
}

static void test_resize(void **state)
{
	(void)state;
	struct block b = take(100000, 16, false);
	assert_true(heap_resize(b.number, 100001, 0));
	b.size = 100001;
	b.serial = object_get(b.number)->serial;
	((unsigned char *)b.start)[100000] = b.byte;
	assert_true(is_sound(&b));
	assert_false(heap_resize(b.number, 1000000, 0));
	assert_false(heap_resize(b.number, 10, 0));
	struct block small = take(100, 16, false);
	assert_false(heap_resize(small.number, 101, 0));
	shadow_set_byte(b.start + 99999, 16);
	assert_int_equal(object_get(b.number)->symbolic, 1);
	assert_int_equal(object_get(b.number)->open, 0);
	assert_true(heap_resize(b.number, 99999, 0));
	assert_int_equal(object_get(b.number)->open, 99999);
}

static void test_terms_do_not_survive(void **state)
{
	(void)state;
	struct block b = take(64, 16, false);
	shadow_set_byte(b.start + 3, 16);
	assert_int_equal(object_get(b.number)->open, 0);
	heap_drop(b.number, 0);
	for (int i = 0; i < 100000; i++) {
		uint32_t n = heap_take(64, 16, false, 0);
		if (n == b.number)
			break;
		heap_drop(n, 0);
	}
	assert_int_equal(object_get(b.number)->state, TD_OBJECT_LIVE);
	assert_int_equal(object_get(b.number)->open, 64);
	assert_int_equal(shadow_byte(b.start + 3), 0);
}

/* In a process of its own: the map is made once. */
static void in_child(void (*body)(void))
{
	int status = 0;
	pid_t child = fork();
	if (child == 0) {
		body();
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

static void with_little_space(void)
{
	struct rlimit limit = {2ull << 30, 2ull << 30};
	if (setrlimit(RLIMIT_AS, &limit) || !heap_init() || owner_is_whole())
		_exit(1);
	if (object_add(TD_OBJECT_GLOBAL, 0x300000000000ull, 100, NULL))
		_exit(2);
	churn(20000);
	for (uint64_t n = 0; heap_take(10 << 20, 16, false, 0); n++)
		if (n > 100)
			_exit(3);
	if (object_at((uint64_t)&limit) || object_at(0x300000000000ull) || object_at(0))
		_exit(4);
}

static void with_little_data(void)
{
	struct rlimit limit = {200ull << 20, 200ull << 20};
	if (setrlimit(RLIMIT_DATA, &limit) || !heap_init() || !owner_is_whole())
		_exit(1);
	uint64_t n = 0;
	while (heap_take(1000, 16, false, 0))
		if (++n > 1 << 20)
			_exit(2);
	if (n < 100000)
		_exit(3);
}

static void test_little_space(void **state)
{
	(void)state;
	in_child(with_little_space);
}

static void test_little_data(void **state)
{
	(void)state;
	in_child(with_little_data);
}

static void test_begin(void **state)
{
	(void)state;
	assert_true(heap_init());
	assert_true(owner_is_whole());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_little_space), cmocka_unit_test(test_little_data), cmocka_unit_test(test_begin), cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_churn), cmocka_unit_test(test_quarantine), cmocka_unit_test(test_large_is_reused), cmocka_unit_test(test_resize),
		cmocka_unit_test(test_terms_do_not_survive),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
