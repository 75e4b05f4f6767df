/* Scratch directories: copied faithfully, changes noticed, emptied whatever a program left in them. */
#include "run_common.h"

#include "testcase/realise.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#define DEEP 600 /* beyond PATH_MAX */

static void touch(int dir, const char *name, const char *text, mode_t mode)
{
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text) && fchmod(fd, mode) == 0);
	close(fd);
}

static void dig(int at)
{
	int fd = dup(at);
	for (int i = 0; i < DEEP; i++) {
		assert_int_equal(mkdirat(fd, "deeper", 0700), 0);
		touch(fd, "file", "x", 0400);
		int next = openat(fd, "deeper", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		close(fd);
		assert_true((fd = next) >= 0);
	}
	close(fd);
}

static void make_mess(const struct scratch *s, const struct scratch *other)
{
	static const char *const names[] = {"-rf", "new\nline", " ", "\xff\xfe", ".tandem-0", ".hidden", "*"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		assert_int_equal(mkdirat(s->fd, names[i], 0700), 0);
	dig(s->fd);
	assert_int_equal(mkdirat(s->fd, "a", 0700) | mkdirat(s->fd, "a/locked", 0700), 0);
	touch(s->fd, "a/locked/file", "x", 0);
	assert_int_equal(fchmodat(s->fd, "a/locked", 0, 0) | fchmodat(s->fd, "a", 0, 0), 0);
	assert_int_equal(symlinkat(other->path, s->fd, "away"), 0);
	assert_int_equal(symlinkat(other->path, s->fd, " /away"), 0);
	assert_int_equal(symlinkat("/no/where", s->fd, "dangling") | mkfifoat(s->fd, "queue", 0600), 0);
	assert_int_equal(fchmod(s->fd, 0), 0);
}

static int entries(int fd)
{
	DIR *dir = fdopendir(openat(fd, ".", O_RDONLY | O_DIRECTORY));
	int n = -2;
	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

static void test_mess_is_cleared(void **state)
{
	struct scratch s, other;
	struct err err = {0};
	(void)state;
	common_ok(scratch_open(&s, NULL, &err) && scratch_open(&other, NULL, &err), &err);
	touch(other.fd, "precious", "x", 0600);
	assert_false(scratch_dirty(&s));
	for (int i = 0; i < 2; i++) {
		make_mess(&s, &other);
		assert_true(scratch_dirty(&s));
		if (i)
			break; /* the second mess is for scratch_close */
		common_ok(scratch_reset(&s, &err), &err);
		assert_false(scratch_dirty(&s));
		assert_int_equal(entries(s.fd), 0);
	}
	common_ok(scratch_close(&s, &err), &err);
	assert_int_equal(access(s.path, F_OK), -1);
	assert_int_equal(faccessat(other.fd, "precious", F_OK, 0), 0); /* links were not followed */
	common_ok(scratch_close(&other, &err), &err);
}

static void check_copy(const struct scratch *s)
{
	struct stat st;
	char text[16] = "";
	assert_int_equal(entries(s->fd), 4);
	assert_int_equal(fstatat(s->fd, "tool", &st, 0), 0);
	assert_int_equal(st.st_mode & 07777, 0755);
	assert_int_equal(st.st_size, 5);
	assert_int_equal(fstatat(s->fd, "sub", &st, 0), 0);
	assert_int_equal(st.st_mode & 07777, 0555);
	assert_int_equal(fstatat(s->fd, "sub/file", &st, 0), 0);
	assert_int_equal(st.st_mtim.tv_sec, 1000000);
	assert_int_equal(readlinkat(s->fd, "link", text, sizeof text), 4);
	assert_string_equal(text, "tool");
	assert_int_equal(fstatat(s->fd, "fifo", &st, 0), 0);
	assert_true(S_ISFIFO(st.st_mode));
}

static void make_model(const struct scratch *model)
{
	struct timespec old[2] = {{.tv_sec = 1000000}, {.tv_sec = 1000000}};
	touch(model->fd, "tool", "hello", 0755);
	assert_int_equal(mkdirat(model->fd, "sub", 0700), 0);
	touch(model->fd, "sub/file", "x", 0600);
	assert_int_equal(utimensat(model->fd, "sub/file", old, 0), 0);
	assert_int_equal(fchmodat(model->fd, "sub", 0555, 0), 0);
	assert_int_equal(symlinkat("tool", model->fd, "link") | mkfifoat(model->fd, "fifo", 0600), 0);
}

static void test_copy_and_changes(void **state)
{
	struct scratch model, s;
	struct err err = {0};
	(void)state;
	common_ok(scratch_open(&model, NULL, &err), &err);
	make_model(&model);
	common_ok(scratch_open(&s, model.path, &err), &err);
	check_copy(&s);
	for (int change = 0; change < 5; change++) {
		assert_false(scratch_dirty(&s));
		switch (change) {
		case 0: touch(s.fd, "sub/file", "y", 0600); break; /* same size */
		case 1: assert_int_equal(fchmodat(s.fd, "tool", 0700, 0), 0); break;
		case 2: assert_int_equal(unlinkat(s.fd, "link", 0), 0); break;
		case 3: assert_int_equal(renameat(s.fd, "tool", s.fd, "tool2"), 0); break;
		default: make_mess(&s, &model);
		}
		assert_true(scratch_dirty(&s));
		common_ok(scratch_reset(&s, &err), &err);
		check_copy(&s);
	}
	common_ok(scratch_close(&s, &err) && scratch_close(&model, &err), &err);
}

static void test_errors(void **state)
{
	struct scratch s;
	struct err err = {0};
	(void)state;
	assert_false(scratch_open(&s, "/no/such/model", &err));
	assert_non_null(strstr(err.text, "/no/such/model"));
	setenv("TMPDIR", "/no/such/place", 1);
	err.text[0] = '\0';
	assert_false(scratch_open(&s, NULL, &err));
	assert_non_null(strstr(err.text, "/no/such/place"));
	unsetenv("TMPDIR");
}

/* Files of a test case: below directories that are made for them, with mode and time; names that lead elsewhere are refused, links
 * not followed. */
static void test_files(void **state)
{
	static const char *const bad[] = {"", "/a", "..", "a/..", "a/../b", "./a", "a//b", "a/"};
	const struct testcase_file files[] = {
		{.path = "one", .bytes = (const uint8_t *)"abc", .size = 3, .mode = 0604, .mtime = 7},
		{.path = "d/e/two", .mode = 0400, .mtime = 4000000000},
		{.path = "d/three", .bytes = (const uint8_t *)"x", .size = 1, .mode = 01711},
	};
	struct scratch s;
	struct stat st;
	struct err err = {0};
	(void)state;
	common_ok(scratch_open(&s, NULL, &err), &err);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_false(realise_takes(bad[i]));
	for (int round = 0; round < 2; round++) {
		common_ok(scratch_put(&s, files, 3, &err), &err);
		for (size_t i = 0; i < 3; i++) {
			assert_int_equal(fstatat(s.fd, files[i].path, &st, AT_SYMLINK_NOFOLLOW), 0);
			assert_true(st.st_size == (off_t)files[i].size && (st.st_mode & 07777) == files[i].mode);
			assert_int_equal(st.st_mtim.tv_sec, files[i].mtime);
		}
		common_ok(scratch_reset(&s, &err), &err);
		assert_int_equal(entries(s.fd), 0);
	}
	assert_int_equal(symlinkat("/", s.fd, "d"), 0);
	assert_false(scratch_put(&s, files, 3, &err));
	assert_non_null(strstr(err.text, "d/three"));
	common_ok(scratch_put(&s, files, 1, &err), &err);
	assert_false(scratch_put(&s, files, 1, &err)); /* it is there already */
	common_ok(scratch_close(&s, &err), &err);
}

int main(void)
{
	common_init();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mess_is_cleared), cmocka_unit_test(test_copy_and_changes), cmocka_unit_test(test_errors), cmocka_unit_test(test_files),
		cmocka_unit_test(common_again_as_user),
	};
	return cmocka_run_group_tests_name("run_scratch", tests, NULL, NULL);
}
