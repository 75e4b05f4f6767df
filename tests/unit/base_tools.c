/* The small tools under everything: arena, vec, str, fs, rng. */
#include "base/arena.h"
#include "base/fs.h"
#include "base/rng.h"
#include "base/str.h"
#include "base/vec.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void test_arena(void **state)
{
	(void)state;
	struct arena *a = arena_new();
	for (int round = 0; round < 3; round++) {
		char *kept = arena_printf(a, "%d-%s", round, "x");
		for (size_t i = 1; i < 3000; i += 7) {
			unsigned char *p = arena_alloc(a, i);
			assert_int_equal((uintptr_t)p % 16, 0);
			assert_true(p[0] == 0 && p[i - 1] == 0);
			memset(p, 0xff, i);
		}
		memset(arena_alloc(a, 1 << 20), 0xff, 1 << 20);
		assert_int_equal(kept[0], '0' + round);
		assert_string_equal(arena_strdup(a, kept) + 1, "-x");
		arena_reset(a);
	}
	arena_free(a);
	arena_free(NULL);
}

static void test_vec_and_str(void **state)
{
	(void)state;
	VEC(int) v = {0};
	for (int i = 0; i < 1000; i++)
		vec_push(&v, i);
	assert_int_equal(v.count, 1000);
	assert_int_equal(v.at[999], 999);
	vec_free(&v);
	struct str s = {0};
	assert_string_equal(str_text(&s), "");
	for (int i = 0; i < 100; i++)
		str_printf(&s, "%d,", i);
	str_add(&s, "end");
	str_add_char(&s, '.');
	assert_int_equal(s.length, 10 * 2 + 90 * 3 + 4);
	assert_string_equal(s.text + s.length - 7, "99,end.");
	str_clear(&s);
	assert_string_equal(str_text(&s), "");
	str_free(&s);
}

static void test_files(void **state)
{
	(void)state;
	char folder[] = "/tmp/tandem-test-XXXXXX", path[64];
	struct err err = {0};
	size_t size;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/file", folder);
	assert_true(fs_write(path, "one", 3, &err));
	assert_true(fs_write(path, "a\0b", 3, &err));
	char *bytes = fs_read(path, &size, &err);
	assert_int_equal(size, 3);
	assert_memory_equal(bytes, "a\0b", 4);
	free(bytes);
	unlink(path);
	assert_null(fs_read(path, &size, &err));
	assert_non_null(strstr(err.text, "file: No such file or directory"));
	err = (struct err){0};
	assert_int_equal(rmdir(folder), 0); /* no temporary file is left */
	assert_false(fs_write(path, "x", 1, &err));
	assert_non_null(strstr(err.text, "cannot write /tmp/tandem-test-"));
	err = (struct err){0};
	assert_null(fs_read("/tmp", NULL, &err));
	assert_string_equal(err.text, "cannot read /tmp: Is a directory");
	FILE *full = fopen("/dev/full", "w");
	assert_false(fs_write_fd(fileno(full), "x", 1));
	fclose(full);
}

/* A file size limit stands in for a full disk: the write breaks off in the middle. */
static void test_a_write_that_breaks_off_keeps_the_old_file(void **state)
{
	(void)state;
	static const char big[100000];
	char folder[] = "/tmp/tandem-test-XXXXXX", path[64];
	struct err err = {0};
	struct rlimit old, small;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/file", folder);
	assert_true(fs_write(path, "old", 3, &err));
	getrlimit(RLIMIT_FSIZE, &old);
	small = (struct rlimit){ 50000, old.rlim_max };
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &small);
	bool written = fs_write(path, big, sizeof big, &err);
	setrlimit(RLIMIT_FSIZE, &old);
	assert_false(written);
	assert_non_null(strstr(err.text, "/file: File too large"));
	char *bytes = fs_read(path, NULL, NULL);
	assert_string_equal(bytes, "old");
	free(bytes);
	unlink(path);
	assert_int_equal(rmdir(folder), 0);
}

/* To try is to leave everything as it is, and to wait for nobody. */
static void test_can_write(void **state)
{
	(void)state;
	char folder[] = "/tmp/tandem-test-XXXXXX", path[64];
	struct err err = {0};
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/file", folder);
	assert_true(fs_can_write(path, &err));
	assert_int_equal(access(path, F_OK), -1);
	assert_true(fs_write(path, "old", 3, &err) && fs_can_write(path, &err));
	char *bytes = fs_read(path, NULL, NULL);
	assert_string_equal(bytes, "old");
	free(bytes);
	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_true(fs_can_write(path, &err) && fs_can_write("/dev/null", &err));
	unlink(path);
	assert_int_equal(rmdir(folder), 0);
	assert_false(fs_can_write(path, &err));
	assert_non_null(strstr(err.text, "/file: No such file or directory"));
	err = (struct err){0};
	assert_false(fs_can_write("/tmp", &err));
	assert_string_equal(err.text, "cannot write /tmp: Is a directory");
}

static void test_rng(void **state)
{
	(void)state;
	struct rng a, b;
	rng_seed(&a, 0);
	rng_seed(&b, 0);
	unsigned seen[6] = {0};
	for (int i = 0; i < 6000; i++) {
		assert_true(rng_next(&a) == rng_next(&b));
		seen[rng_below(&a, 6)]++;
		rng_below(&b, 6);
	}
	for (int i = 0; i < 6; i++)
		assert_in_range(seen[i], 850, 1150);
	rng_seed(&a, 0);
	assert_true(a.state[0] == 0xe220a8397b1dcdafu && a.state[1] == 0x6e789e6aa1b965f4u); /* splitmix64's own numbers */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_arena), cmocka_unit_test(test_vec_and_str), cmocka_unit_test(test_files),
		cmocka_unit_test(test_a_write_that_breaks_off_keeps_the_old_file), cmocka_unit_test(test_can_write), cmocka_unit_test(test_rng),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
