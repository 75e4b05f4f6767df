/* What is put in is found by all, now and later, however many write and whoever is killed; what was damaged is not found rather than wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "store/hoard.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define LIMIT ((uint64_t)1 << 30)

static char directory[64];

static int make_directory(void **state)
{
	(void)state;
	strcpy(directory, "/tmp/tandem-hoard-XXXXXX");
	return mkdtemp(directory) ? 0 : -1;
}

static const char *file(const char *name)
{
	static char path[128];
	snprintf(path, sizeof path, "%s/%s", directory, name);
	return path;
}

static int remove_directory(void **state)
{
	(void)state;
	unlink(file("known.index"));
	unlink(file("known.data"));
	return rmdir(directory);
}

static struct hoard *open_it(uint64_t id, uint64_t limit)
{
	struct err err = {0};
	struct hoard *h = hoard_open(directory, id, limit, &err);
	assert_string_equal(err.text, "");
	assert_non_null(h);
	return h;
}

/* What belongs to a number. */
static size_t content(uint64_t n, uint8_t *out)
{
	size_t size = rng_mix(n) % 40;
	for (size_t i = 0; i < size; i++)
		out[i] = (uint8_t)(rng_mix(n) >> i % 8 * 8);
	return size;
}

static void put(struct hoard *h, uint64_t n)
{
	uint8_t bytes[64];
	size_t size = content(n, bytes);
	hoard_put(h, rng_mix(n + 1), bytes, size);
}

static bool has(struct hoard *h, uint64_t n)
{
	uint8_t bytes[64];
	size_t size = content(n, bytes), found;
	const uint8_t *there = hoard_get(h, rng_mix(n + 1), &found);
	assert_true(!there || (found == size && memcmp(there, bytes, size) == 0));
	return there;
}

/* More than the first table holds; then all of it again, from the files. */
static void keeps(void **state)
{
	enum { MANY = 200000 };
	struct hoard *h = open_it(5, LIMIT);
	(void)state;
	assert_false(has(h, 1));
	for (uint64_t i = 0; i < MANY; i++)
		put(h, i);
	hoard_put(h, rng_mix(1), "something else", 14); /* the first stays */
	for (int again = 0; again < 2; again++) {
		for (uint64_t i = 0; i < MANY; i++)
			assert_true(has(h, i));
		assert_false(has(h, MANY));
		hoard_close(h);
		h = open_it(5, LIMIT);
	}
	hoard_put(h, 0, "zero", 4); /* is a key like others */
	size_t size;
	assert_memory_equal(hoard_get(h, 0, &size), "zero", 4);
	hoard_close(h);
	h = open_it(6, LIMIT);
	assert_false(has(h, 1));
	assert_int_equal(hoard_counts(h).bytes, 0);
	hoard_close(h);
}

static void many_write(void **state)
{
	enum { EACH = 30000, WRITERS = 4 };
	struct hoard *h = open_it(1, LIMIT);
	(void)state;
	for (unsigned w = 0; w < WRITERS; w++)
		if (fork() == 0) {
			for (uint64_t i = 0; i < EACH; i++) {
				put(h, i * (w % 2 ? 1 : 3)); /* two and two the same */
				has(h, i);
			}
			_exit(0);
		}
	for (int status; wait(&status) > 0;)
		assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	for (uint64_t i = 0; i < EACH; i++)
		assert_true(has(h, i) && has(h, 3 * i));
	hoard_close(h);
}

/* Killed at any moment: what others and itself have put there is sound, and what is missing can be put there. */
static void killed(void **state)
{
	struct hoard *h = open_it(1, LIMIT);
	(void)state;
	for (unsigned round = 0; round < 30; round++) {
		pid_t pid = fork();
		if (pid == 0)
			for (uint64_t i = 0;; i++)
				put(h, 1000000 * (uint64_t)round + i % 100000);
		usleep(1000 + 300 * round);
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		for (uint64_t i = 0; i < 2000; i++) {
			uint64_t n = 1000000 * (uint64_t)round + i;
			has(h, n);
			put(h, n);
			assert_true(has(h, n));
		}
	}
	hoard_close(h);
}

static void damaged(void **state)
{
	struct hoard *h = open_it(1, LIMIT);
	unsigned lost = 0;
	(void)state;
	for (uint64_t i = 0; i < 1000; i++)
		put(h, i);
	hoard_close(h);
	int fd = open(file("known.data"), O_RDWR);
	struct stat st;
	assert_int_equal(fstat(fd, &st), 0);
	for (off_t at = 3; at < st.st_size; at += 97)
		assert_int_equal(pwrite(fd, "\x55", 1, at), 1);
	assert_int_equal(ftruncate(fd, st.st_size * 9 / 10), 0);
	close(fd);
	h = open_it(1, LIMIT);
	for (uint64_t i = 0; i < 1000; i++)
		lost += !has(h, i);
	assert_in_range(lost, 200, 1000);
	hoard_close(h);
	/* An index that is no index, or half of one, is begun anew. */
	for (int cut = 0; cut < 2; cut++) {
		fd = open(file("known.index"), O_RDWR);
		assert_int_equal(cut ? ftruncate(fd, 5000) : (int)pwrite(fd, "rubbish!", 8, 0) - 8, 0);
		close(fd);
		h = open_it(1, LIMIT);
		assert_false(has(h, 1));
		put(h, 1);
		assert_true(has(h, 1));
		hoard_close(h);
	}
}

static void full(void **state)
{
	struct hoard *h = open_it(1, 4000);
	(void)state;
	for (uint64_t i = 0; i < 1000; i++)
		put(h, i);
	assert_true(hoard_counts(h).full && hoard_counts(h).bytes <= 4000);
	assert_true(has(h, 0) && !has(h, 999));
	struct stat st;
	assert_true(stat(file("known.data"), &st) == 0 && st.st_size <= 4000);
	hoard_close(h);
}

static void nowhere(void **state)
{
	struct err err = {0};
	(void)state;
	assert_null(hoard_open("/nowhere", 1, LIMIT, &err));
	assert_non_null(strstr(err.text, "/nowhere/known.index"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(keeps, make_directory, remove_directory), cmocka_unit_test_setup_teardown(many_write, make_directory, remove_directory),
		cmocka_unit_test_setup_teardown(killed, make_directory, remove_directory), cmocka_unit_test_setup_teardown(damaged, make_directory, remove_directory),
		cmocka_unit_test_setup_teardown(full, make_directory, remove_directory), cmocka_unit_test(nowhere),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
