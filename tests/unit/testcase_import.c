/* KLEE's files, files made for a run and files collected from one. */
#include "base/rng.h"
#include "base/str.h"
#include "testcase/ktest.h"
#include "testcase/realise.h"
#include "testcase/script.h"
#include "testcase/snapshot.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- .ktest --- */

static void put_number(struct str *s, uint32_t n)
{
	uint8_t b[4] = { (uint8_t)(n >> 24), (uint8_t)(n >> 16), (uint8_t)(n >> 8), (uint8_t)n };
	str_add_bytes(s, b, 4);
}

static void put_bytes(struct str *s, const void *bytes, size_t size)
{
	put_number(s, (uint32_t)size);
	str_add_bytes(s, bytes, size);
}

static void put_object(struct str *s, const char *name, const void *bytes, size_t size)
{
	put_bytes(s, name, strlen(name));
	put_bytes(s, bytes, size);
}

static void put_head(struct str *s, const char *magic, uint32_t version, const char *const *args, uint32_t objects)
{
	uint32_t n = 0;
	while (args[n])
		n++;
	str_add(s, magic);
	put_number(s, version);
	put_number(s, n);
	for (uint32_t i = 0; i < n; i++)
		put_bytes(s, args[i], strlen(args[i]));
	if (version >= 2) {
		put_number(s, 0);
		put_number(s, 0);
	}
	put_number(s, objects);
}

/* All that KLEE's model of the system can have. */
static void put_posix(struct str *s)
{
	static const char *const args[] = { "p.bc", "--sym-args", "0", "3", "2", "--sym-arg", "4", "B", "--sym-files", "2", "3", "--sym-stdin", "3", "--max-fail", "1", NULL };
	struct stat st = { .st_mode = S_IFREG | 0600, .st_mtime = 12345 };
	put_head(s, "KTEST", 3, args, 12);
	put_object(s, "n_args", "\2\0\0\0", 4);
	put_object(s, "arg00", "x\0\0", 3);
	put_object(s, "arg01", "\0\0\0", 3);
	put_object(s, "arg02", "long\0", 5);
	put_object(s, "A-data", "a\0b", 3);
	put_object(s, "A-data-stat", &st, sizeof st);
	put_object(s, "B-data", "xyz", 3);
	put_object(s, "B-data-stat", "odd", 3);
	put_object(s, "stdin", "i\nn", 3);
	put_object(s, "stdin-stat", &st, sizeof st);
	put_object(s, "read_fail", "\0\0\0\0", 4);
	put_object(s, "model_version", "\1\0\0\0", 4);
}

static void test_klee_model(void **state)
{
	(void)state;
	struct arena *a = arena_new();
	struct str s = {0};
	struct testcase t;
	struct err err = {0};
	const char *left;
	put_posix(&s);
	assert_true(ktest_parse(&t, s.text, s.length, a, &left, &err));
	assert_int_equal(t.args_count, 5);
	assert_string_equal(t.args[0], "p.bc");
	assert_string_equal(t.args[1], "x");
	assert_string_equal(t.args[2], "");
	assert_string_equal(t.args[3], "long");
	assert_string_equal(t.args[4], "B");
	assert_int_equal(t.input, TESTCASE_FILE);
	assert_int_equal(t.size, 3);
	assert_memory_equal(t.bytes, "i\nn", 3);
	assert_int_equal(t.files_count, 2);
	assert_string_equal(t.files[0].path, "A");
	assert_memory_equal(t.files[0].bytes, "a\0b", 3);
	assert_int_equal(t.files[0].mode, 0600);
	assert_int_equal(t.files[0].mtime, 12345);
	assert_int_equal(t.files[1].mode, TESTCASE_MODE);
	assert_int_equal(t.marks_count, 0);
	assert_string_equal(left, "read_fail");
	str_free(&s);
	arena_free(a);
}

/* Without the model an argument that looks like its options is one. */
static void test_klee_marks(void **state)
{
	(void)state;
	static const char *const args[] = { "p.bc", "--sym-arg", "x", NULL };
	struct arena *a = arena_new();
	struct testcase t;
	for (uint32_t version = 1; version <= 3; version++) {
		struct str s = {0};
		put_head(&s, version == 1 ? "BOUT\n" : "KTEST", version, args, 3);
		put_object(&s, "x", "\1\2", 2);
		put_object(&s, "empty", "", 0);
		put_object(&s, "x", "\3", 1);
		assert_true(ktest_parse(&t, s.text, s.length, a, NULL, NULL));
		assert_int_equal(t.args_count, 3);
		assert_string_equal(t.args[1], "--sym-arg");
		assert_int_equal(t.input, TESTCASE_NULL);
		assert_int_equal(t.marks_count, 3);
		assert_string_equal(t.marks[2].name, "x");
		assert_int_equal(t.marks[2].bytes[0], 3);
		assert_int_equal(t.marks[1].size, 0);
		str_free(&s);
	}
	arena_free(a);
}

static bool parse_exact(const char *bytes, size_t size, struct arena *a, struct err *err)
{
	struct testcase t;
	char *exact = memcpy(malloc(size + !size), bytes, size);
	*err = (struct err){0};
	bool ok = ktest_parse(&t, exact, size, a, NULL, err);
	free(exact);
	assert_int_equal(ok, !err->text[0]);
	return ok;
}

static void test_klee_garbled(void **state)
{
	(void)state;
	struct arena *a = arena_new();
	struct str s = {0};
	struct rng r;
	struct err err;
	put_posix(&s);
	assert_true(parse_exact(s.text, s.length, a, &err));
	for (size_t n = 0; n < s.length; n++)
		assert_false(parse_exact(s.text, n, a, &err));
	str_add_char(&s, 'x');
	assert_false(parse_exact(s.text, s.length--, a, &err));
	assert_non_null(strstr(err.text, "1 bytes are left over"));
	rng_seed(&r, 1);
	for (int i = 0; i < 10000; i++) {
		char *copy = memcpy(malloc(s.length), s.text, s.length);
		for (uint64_t k = 1 + rng_below(&r, 4); k; k--)
			copy[rng_below(&r, s.length)] = (char)(rng_below(&r, 2) ? rng_next(&r) : rng_below(&r, 8));
		parse_exact(copy, s.length, a, &err);
		free(copy);
		arena_reset(a);
	}
	s.text[8] = 4;
	assert_false(parse_exact(s.text, s.length, a, &err));
	assert_non_null(strstr(err.text, "version 4"));
	assert_false(parse_exact("text", 4, a, &err));
	assert_non_null(strstr(err.text, "no .ktest"));
	str_free(&s);
	arena_free(a);
}

/* --- files made --- */

static char folder[64];

static int enter_folder(void **state)
{
	(void)state;
	strcpy(folder, "/tmp/tandem-test-XXXXXX");
	return !mkdtemp(folder) || chdir(folder);
}

static int leave_folder(void **state)
{
	(void)state;
	struct str command = {0};
	str_printf(&command, "rm -rf '%s'", folder);
	int status = chdir("/") || system(str_text(&command));
	str_free(&command);
	return status;
}

static struct testcase_file regular(const char *path, const char *text)
{
	return (struct testcase_file){ .path = path, .bytes = (const uint8_t *)text, .size = strlen(text), .mode = 0640, .mtime = 1000 };
}

static struct testcase_file linked(const char *path, const char *target)
{
	return (struct testcase_file){ .path = path, .bytes = (const uint8_t *)target, .size = strlen(target), .type = TESTCASE_LINK };
}

static bool make(const struct testcase_file *files, size_t count, struct err *err)
{
	struct testcase t = { .files = files, .files_count = count };
	mkdir("in", 0700);
	int fd = open("in", O_RDONLY | O_DIRECTORY);
	bool ok = realise_files(fd, &t, err);
	close(fd);
	return ok;
}

static void test_made(void **state)
{
	(void)state;
	struct err err = {0};
	struct stat st;
	const struct testcase_file files[] = {
		{ .path = "closed", .mode = 0500, .mtime = 2000, .type = TESTCASE_DIRECTORY }, regular("closed/a/b.txt", "text"), linked("closed/link", "a/b.txt"),
		regular("top", ""),
	};
	assert_true(make(files, 4, &err));
	assert_int_equal(stat("in/closed/link", &st), 0);
	assert_int_equal(st.st_size, 4);
	assert_int_equal(st.st_mode & 07777, 0640);
	assert_int_equal(st.st_mtime, 1000);
	assert_int_equal(stat("in/closed", &st), 0);
	assert_int_equal(st.st_mode & 07777, 0500);
	assert_int_equal(st.st_mtime, 2000);
}

/* Whatever a test case says, nothing is made outside. */
static void test_not_made_outside(void **state)
{
	(void)state;
	static const char *const names[] = { "..", "../x", "a/../../x", "", ".", "a//b", "a/", "./a", "a/./b" };
	struct err err;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const struct testcase_file f = regular(names[i], "x");
		err = (struct err){0};
		assert_false(make(&f, 1, &err));
		assert_non_null(strstr(err.text, "is not the name of a file"));
	}
	mkdir("outside", 0700);
	symlink("../outside", "in/way"); /* as an earlier link would be */
	const struct testcase_file through = regular("way/x", "x"), over = regular("way", "x");
	assert_false(make(&through, 1, &err));
	assert_false(make(&over, 1, &err));
	assert_int_equal(access("outside/x", F_OK), -1);
	const struct testcase_file suid = { .path = "suid", .mode = 06755 };
	struct stat st;
	assert_true(make(&suid, 1, &err));
	assert_int_equal(stat("in/suid", &st), 0);
	assert_int_equal(st.st_mode & 07777, 0755);
}

static void test_absolute(void **state)
{
	(void)state;
	char path[128], there[128];
	bool made[2] = {0};
	struct err err = {0};
	snprintf(path, sizeof path, "%s/absolute", folder);
	snprintf(there, sizeof there, "%s/there", folder);
	struct testcase_file files[] = { regular(path, "new"), regular(there, "old") };
	struct testcase t = { .files = files, .files_count = 2 };
	int fd = open(there, O_WRONLY | O_CREAT, 0600);
	assert_int_equal(write(fd, "old", 3), 3);
	close(fd);
	assert_ptr_equal(realise_missing(&t, NULL), &files[0]);
	assert_true(realise_absolute(&t, made, &err));
	assert_true(made[0] && !made[1]);
	assert_null(realise_missing(&t, NULL));
	realise_remove(&t, made);
	assert_int_equal(access(path, F_OK), -1);
	assert_int_equal(access(there, F_OK), 0);
	files[1].bytes = (const uint8_t *)"odd";
	made[0] = made[1] = false;
	assert_false(realise_absolute(&t, made, &err));
	assert_non_null(strstr(err.text, "not as the test case wants it"));
	realise_remove(&t, made);
}

/* --- files collected --- */

static const struct testcase_file *find(const struct testcase_file *files, size_t count, const char *path)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(files[i].path, path) == 0)
			return &files[i];
	return NULL;
}

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0640);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static void take(struct snapshot *s, const char *name, enum snapshot_depth depth)
{
	char path[256];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	snapshot_take(s, path, depth);
}

static void test_snapshot(void **state)
{
	(void)state;
	size_t count;
	const char *left_out;
	mkdir("d", 0750);
	put("d/one", "1");
	put("d/two", "22");
	put("plain", "before");
	symlink("d", "way");
	symlink("loop", "loop");
	struct snapshot *s = snapshot_new(folder, (struct snapshot_limits){ 100, 1000 });
	take(s, "way/../plain", SNAPSHOT_ITSELF); /* by the letter */
	take(s, "late", SNAPSHOT_ITSELF);
	take(s, "way/one", SNAPSHOT_ITSELF);
	take(s, "loop/x", SNAPSHOT_ITSELF);
	put("late", "made later");
	put("plain", "after");
	take(s, "late", SNAPSHOT_ITSELF);
	take(s, "./plain", SNAPSHOT_ITSELF);
	snapshot_take(s, "/etc/passwd", SNAPSHOT_ITSELF);
	snapshot_take(s, "/", SNAPSHOT_ENTRIES);
	const struct testcase_file *files = snapshot_files(s, &count, &left_out);
	assert_null(left_out);
	assert_null(find(files, count, "late"));
	assert_null(find(files, count, "d/two"));
	assert_null(find(files, count, "/etc/passwd"));
	assert_memory_equal(find(files, count, "plain")->bytes, "before", 6);
	assert_int_equal(find(files, count, "way")->type, TESTCASE_LINK);
	assert_memory_equal(find(files, count, "d/one")->bytes, "1", 1);
	assert_int_equal(find(files, count, "d/one")->mode, 0640);
	assert_int_equal(count, 4); /* and the loop */
	take(s, "way", SNAPSHOT_ENTRIES);
	files = snapshot_files(s, &count, &left_out);
	assert_non_null(find(files, count, "d/two"));
	assert_int_equal(find(files, count, "d")->type, TESTCASE_DIRECTORY);
	snapshot_free(s);
}

/* Files that were only listed are empty, but for those that were named before or later. */
static void test_snapshot_of_names(void **state)
{
	(void)state;
	size_t count;
	const char *left_out;
	mkdir("n", 0750);
	put("n/large", "0123456789");
	put("n/before", "1");
	put("n/after", "22");
	struct snapshot *s = snapshot_new(folder, (struct snapshot_limits){ 100, 5 });
	take(s, "n/before", SNAPSHOT_ITSELF);
	take(s, "n/made", SNAPSHOT_ITSELF);
	put("n/made", "by the program");
	take(s, "n", SNAPSHOT_NAMES);
	take(s, "n/after", SNAPSHOT_ITSELF);
	snapshot_take(s, "/var", SNAPSHOT_NAMES);
	const struct testcase_file *files = snapshot_files(s, &count, &left_out);
	assert_null(left_out);
	assert_int_equal(count, 4); /* and the directory */
	assert_int_equal(find(files, count, "n/large")->size, 0);
	assert_int_equal(find(files, count, "n/before")->size, 1);
	assert_int_equal(find(files, count, "n/after")->size, 2);
	snapshot_free(s);
}

static void test_snapshot_is_limited(void **state)
{
	(void)state;
	size_t count;
	const char *left_out;
	put("big", "0123456789");
	put("small", "0");
	struct snapshot *s = snapshot_new(folder, (struct snapshot_limits){ 1, 5 });
	take(s, "big", SNAPSHOT_ITSELF);
	take(s, "small", SNAPSHOT_ITSELF);
	snapshot_files(s, &count, &left_out);
	assert_int_equal(count, 1);
	assert_non_null(strstr(left_out, "/big"));
	snapshot_free(s);
}

/* --- scripts --- */

static void test_script_refuses(void **state)
{
	(void)state;
	const char *const args[] = { "p" };
	const struct testcase_file files[] = { regular("/etc/x", "") };
	const struct testcase_mark mark = { .name = "m" };
	struct casefile c = { .input = { .args = args, .args_count = 1, .files = files, .files_count = 1 } };
	struct str out = {0};
	struct err err = {0};
	assert_false(script_print(&c, &out, &err));
	assert_non_null(strstr(err.text, "/etc/x"));
	c.input.files_count = 0;
	err = (struct err){0};
	c.input.marks = &mark;
	c.input.marks_count = 1;
	assert_false(script_print(&c, &out, &err));
	assert_non_null(strstr(err.text, "mark 'm'"));
	str_free(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_klee_model), cmocka_unit_test(test_klee_marks), cmocka_unit_test(test_klee_garbled),
		cmocka_unit_test_setup_teardown(test_made, enter_folder, leave_folder),
		cmocka_unit_test_setup_teardown(test_not_made_outside, enter_folder, leave_folder),
		cmocka_unit_test_setup_teardown(test_absolute, enter_folder, leave_folder),
		cmocka_unit_test_setup_teardown(test_snapshot, enter_folder, leave_folder), cmocka_unit_test_setup_teardown(test_snapshot_of_names, enter_folder, leave_folder),
		cmocka_unit_test_setup_teardown(test_snapshot_is_limited, enter_folder, leave_folder), cmocka_unit_test(test_script_refuses),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
