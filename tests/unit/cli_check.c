/* What tandem check does with what it recorded, as far as no program has to run for it: chances of a sample, what is kept of an environment, which runs are the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/fs.h"
#include "cli/checking.h"
#include "cli/environment.h"
#include "cli/recordings.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- a sample --- */

/* How many of N tests have to be drawn so that one that exposes the bug is among them in nine of ten cases. */
static size_t sample_for(size_t all, size_t exposing)
{
	size_t n = 0;
	while (checking_chance(all, exposing, n) < 0.9)
		assert_true(++n <= all);
	return n;
}

static void chances(void **state)
{
	(void)state;
	assert_int_equal(sample_for(100, 6), 32);
	assert_int_equal(sample_for(100, 10), 20);
	assert_int_equal(sample_for(100, 30), 7);
}

static void chances_at_the_ends(void **state)
{
	(void)state;
	assert_true(checking_chance(100, 0, 50) == 0);
	assert_true(checking_chance(100, 10, 0) == 0);
	assert_true(checking_chance(100, 100, 1) == 1);
	assert_true(checking_chance(100, 10, 91) == 1);
	assert_true(checking_chance(100, 10, 100) == 1);
	assert_true(checking_chance(0, 0, 0) == 0);
	assert_true(checking_chance(2, 1, 1) == 0.5);
	double chance = checking_chance(1000000, 1, 500000);
	assert_true(chance > 0.499 && chance < 0.501);
}

/* --- the environment --- */

/* What is kept, with a space behind each. */
static const char *kept(const char *const *env, struct environment_rule rule)
{
	static char text[1000];
	struct arena *a = arena_new();
	struct testcase t = {0};
	size_t n = 0;
	while (env[n])
		n++;
	environment_keep(env, n, &rule, &t, a);
	text[0] = '\0';
	for (size_t i = 0; i < t.env_count; i++) {
		strcat(text, t.env[i]);
		strcat(text, " ");
	}
	arena_free(a);
	return text;
}

#define ENV(...) (const char *const[]){ __VA_ARGS__, NULL }

static void usual_names(void **state)
{
	const struct environment_rule rule = {0};
	(void)state;
	assert_string_equal(kept(ENV("TZ=UTC", "HOME=/root", "LC_ALL=C", "LC_TIME=de", "LANG=en", "LANGUAGE=en", "POSIXLY_CORRECT=", "COLUMNS=80", "LINES=24", "PATH=/bin"), rule),
	                    "COLUMNS=80 LANG=en LANGUAGE=en LC_ALL=C LC_TIME=de LINES=24 POSIXLY_CORRECT= TZ=UTC ");
	assert_string_equal(kept(ENV("TZ=1", "LC_ALL=1", "LANGUAGES=1", "LAN=1", "LC=1", "TZX=1", "T=1", "MY_LC_ALL=1", "nothing"), rule), "LC_ALL=1 TZ=1 ");
}

/* What a replay sets by itself is told not to be set; but not because it is only not kept. */
static void not_set(void **state)
{
	const struct environment_rule rule = {0};
	(void)state;
	assert_string_equal(kept(ENV("HOME=/"), rule), "LC_ALL TZ ");
	assert_string_equal(kept(ENV("LC_ALL=", "TZQ=1"), rule), "LC_ALL= TZ ");
	assert_string_equal(kept(ENV("LC_ALL", "TZ"), rule), "LC_ALL TZ "); /* no variables at all */
}

static void given_names(void **state)
{
	const char *const names[] = { "MODE", "_", "TANDEM" };
	(void)state;
	assert_string_equal(kept(ENV("MODE=1", "MODES=1", "MOD=1", "LC_ALL=", "TZ="), (struct environment_rule){ .names = names, .names_count = 1 }), "LC_ALL= MODE=1 TZ= ");
	assert_string_equal(kept(ENV("_=/bin/x", "TANDEM=5", "LC_ALL=", "TZ="), (struct environment_rule){ .names = names, .names_count = 3 }), "LC_ALL= TZ= ");
}

static void all_names(void **state)
{
	const struct environment_rule rule = { .all = true };
	(void)state;
	assert_string_equal(kept(ENV("Z=1", "_=/bin/x", "TANDEM=5", "TANDEMS=6", "=odd", "A=2", "LC_ALL=", "TZ="), rule), "A=2 LC_ALL= TANDEMS=6 TZ= Z=1 ");
	assert_string_equal(kept(ENV("A=2", "B=1", "A=1", "LC_ALL=C", "TZ=", "LC_ALL=B"), rule), "A=2 B=1 LC_ALL=C TZ= "); /* twice: what getenv gives */
}

static void literal_names(void **state)
{
	static const char file[] = "FIRST\0a\0HOME\0XPATH\0USERS\0SHELL=\0_\0TANDEM\0\0LAST";
	char path[] = "/tmp/tandem-literals-XXXXXX";
	int fd = mkstemp(path);
	(void)state;
	assert_true(fd >= 0 && fs_write_fd(fd, file, sizeof file - 1));
	close(fd);
	struct environment_rule rule = { .literals = literals_open(path) };
	unlink(path);
	for (int round = 0; round < 2; round++) /* what was asked for before is remembered */
		assert_string_equal(kept(ENV("HOME=1", "PATH=1", "USER=1", "SHELL=1", "FIRST=1", "LAST=1", "a=1", "_=1", "TANDEM=1", "HOM=1", "=1", "LC_ALL=", "TZ="), rule), "HOME=1 LC_ALL= TZ= a=1 ");
	literals_close(rule.literals);
	rule.literals = literals_open("/nowhere/at/all");
	assert_string_equal(kept(ENV("HOME=1"), rule), "LC_ALL TZ ");
	literals_close(rule.literals);
	literals_close(NULL);
}

/* --- recordings --- */

static size_t files_in(const char *directory)
{
	DIR *d = opendir(directory);
	size_t n = 0;
	assert_non_null(d);
	for (struct dirent *e; (e = readdir(d));)
		n += e->d_name[0] != '.';
	closedir(d);
	return n;
}

static void remove_all(const char *directory)
{
	DIR *d = opendir(directory);
	char path[512];
	for (struct dirent *e; d && (e = readdir(d));) {
		snprintf(path, sizeof path, "%s/%s", directory, e->d_name);
		unlink(path);
	}
	closedir(d);
	rmdir(directory);
}

/* The same is one file, whoever recorded it; what has trouble is none, and does not stand for one that has none. */
static void the_same_once(void **state)
{
	static const char *const args[] = { "p", "x" };
	char top[] = "/tmp/tandem-recordings-XXXXXX";
	struct testcase_file file = { .path = "f", .mtime = 1 };
	struct recording one = { .program = "/nowhere/p", .input = { .args = args, .args_count = 2, .directory = "/tmp", .files = &file, .files_count = 1 } };
	struct err err = {0};
	(void)state;
	assert_non_null(mkdtemp(top));
	struct recordings r = {0}, other = {0};
	assert_true(recordings_open(&r, top, &err));
	one.trouble = "it could not be seen";
	recordings_add(&r, &one);
	assert_int_equal(files_in(top), 0);
	one.trouble = NULL;
	recordings_add(&r, &one);
	assert_int_equal(files_in(top), 1);
	file.mtime = 2;
	recordings_add(&r, &one);
	assert_int_equal(files_in(top), 1);
	file.mode = 0600;
	recordings_add(&r, &one);
	assert_int_equal(files_in(top), 2);
	assert_int_equal(r.runs, 4);
	assert_int_equal(r.kept, 2);
	assert_int_equal(r.merged, 1);
	assert_int_equal(r.troubled, 1);
	assert_string_equal(r.troubles.at[0].why, "it could not be seen");
	recordings_close(&r);
	assert_true(recordings_open(&other, top, &err));
	recordings_add(&other, &one);
	assert_int_equal(other.kept, 0);
	assert_int_equal(other.merged, 1);
	recordings_close(&other);
	remove_all(top);
}

/* Whose program is another by now is of a build that nobody knows. */
static void programs_that_change(void **state)
{
	static const char *const args[] = { "p" };
	char top[] = "/tmp/tandem-recordings-XXXXXX", program[64];
	struct recordings r = {0};
	struct err err = {0};
	(void)state;
	assert_non_null(mkdtemp(top));
	snprintf(program, sizeof program, "%s.program", top);
	struct recording one = { .program = program, .input = { .args = args, .args_count = 1, .directory = "/tmp" } };
	assert_true(recordings_open(&r, top, &err));
	assert_true(fs_write(program, "first", 5, &err));
	one.stamp = recording_stamp(program);
	assert_true(fs_write(program, "another", 7, &err));
	assert_true(recording_stamp(program) != one.stamp);
	recordings_add(&r, &one);
	assert_int_equal(r.kept, 0);
	assert_string_equal(r.troubles.at[0].why, "its program's file was removed, or there is another");
	one.stamp = recording_stamp(program);
	recordings_add(&r, &one);
	assert_int_equal(r.kept, 1);
	unlink(program);
	assert_true(recording_stamp(program) == 0);
	recordings_add(&r, &one); /* what it was is known from before */
	assert_int_equal(r.merged, 1);
	assert_int_equal(r.troubled, 1);
	assert_int_equal(r.programs.count, 1);
	recordings_close(&r);
	remove_all(top);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chances), cmocka_unit_test(chances_at_the_ends), cmocka_unit_test(usual_names), cmocka_unit_test(not_set), cmocka_unit_test(given_names), cmocka_unit_test(all_names),
		cmocka_unit_test(literal_names), cmocka_unit_test(the_same_once), cmocka_unit_test(programs_that_change),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
