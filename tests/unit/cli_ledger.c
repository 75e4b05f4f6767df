/* What was added is found, now and later, by whoever holds it; what is torn or damaged counts for nothing, and is in nobody's way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/fs.h"
#include "cli/ledger.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char directory[] = "/tmp/tandem-ledger-XXXXXX";
static char path[64];

static int make_directory(void **state)
{
	(void)state;
	strcpy(directory, "/tmp/tandem-ledger-XXXXXX");
	assert_non_null(mkdtemp(directory));
	snprintf(path, sizeof path, "%s/trials", directory);
	return 0;
}

static int remove_directory(void **state)
{
	(void)state;
	unlink(path);
	return rmdir(directory);
}

static struct ledger *open_it(uint64_t id)
{
	struct err err = {0};
	struct ledger *l = ledger_open(directory, id, &err);
	if (!l)
		fail_msg("%s", err.text);
	return l;
}

static void refuse(uint64_t id, const char *why)
{
	struct err err = {0};
	assert_null(ledger_open(directory, id, &err));
	assert_non_null(strstr(err.text, why));
}

static void add(const struct ledger *l, uint64_t key)
{
	struct err err = {0};
	struct ledger_step steps[] = { { 1, 10 }, { 7, 10 + (uint32_t)key } };
	struct ledger_entry e = { .key = key, .covered = 10 + (double)key, .chained = 99, .runs = 60, .seconds = 1.5, .made = 40, .inputs = UINT64_MAX - key, .steps = steps, .steps_count = key % 3 };
	assert_true(ledger_add(l, &e, &err));
}

static void look(struct ledger *l)
{
	struct err err = {0};
	assert_true(ledger_look(l, &err));
}

static void expect(struct ledger *l, uint64_t key)
{
	const struct ledger_entry *e = ledger_find(l, key);
	assert_non_null(e);
	assert_true(e->covered == 10 + (double)key && e->chained == 99 && e->runs == 60 && e->seconds == 1.5 && e->made == 40 && e->inputs == UINT64_MAX - key);
	assert_int_equal(e->steps_count, key % 3);
	if (e->steps_count == 2)
		assert_int_equal(e->steps[1].covered, 10 + key);
}

static void is_found(void **state)
{
	struct ledger *l = open_it(1);
	(void)state;
	assert_null(ledger_find(l, 3));
	for (uint64_t key = 1; key <= 200; key++)
		add(l, key);
	add(l, 7); /* of two, the first */
	assert_int_equal(ledger_count(l), 0);
	look(l);
	assert_int_equal(ledger_count(l), 200);
	ledger_close(l);
	l = open_it(1);
	assert_int_equal(ledger_count(l), 200);
	for (uint64_t key = 1; key <= 200; key++)
		expect(l, key);
	assert_null(ledger_find(l, 201));
	ledger_close(l);
}

static void many_write(void **state)
{
	struct ledger *l = open_it(1);
	(void)state;
	for (uint64_t k = 0; k < 4; k++)
		if (fork() == 0) {
			for (uint64_t i = 1; i <= 100; i++)
				add(l, 1000 * k + i);
			_exit(0);
		}
	while (wait(NULL) > 0)
		look(l);
	look(l);
	assert_int_equal(ledger_count(l), 400);
	for (uint64_t k = 0; k < 4; k++)
		expect(l, 1000 * k + 50);
	ledger_close(l);
}

static void put(const char *text)
{
	FILE *f = fopen(path, "a");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

/* A line without an end is cut off when it is opened; while others write, what is behind it is lost with it, and no more. */
static void torn(void **state)
{
	struct ledger *l = open_it(1);
	struct stat st;
	(void)state;
	add(l, 1);
	put("0123abcd 00000000");
	ledger_close(l);
	l = open_it(1);
	assert_int_equal(ledger_count(l), 1);
	add(l, 2);
	put("0123abcd 00000000000000");
	add(l, 3);
	add(l, 4);
	look(l);
	assert_int_equal(ledger_count(l), 3);
	expect(l, 2);
	expect(l, 4);
	assert_null(ledger_find(l, 3));
	ledger_close(l);
	l = open_it(1);
	assert_int_equal(ledger_count(l), 3);
	assert_int_equal(stat(path, &st), 0);
	ledger_close(l);
}

/* Any byte of a line that is another. */
static void damaged(void **state)
{
	struct ledger *l = open_it(1);
	struct err err = {0};
	size_t size, from;
	(void)state;
	add(l, 5);
	ledger_close(l);
	char *bytes = fs_read(path, &size, &err);
	assert_non_null(bytes);
	from = (size_t)(strchr(bytes, '\n') + 1 - bytes);
	for (size_t i = from; i < size - 1; i++)
		for (int with = 0; with < 2; with++) {
			char was = bytes[i];
			bytes[i] = with ? '\0' : (char)(was ^ 1);
			assert_true(fs_write(path, bytes, size, &err));
			l = open_it(1);
			assert_int_equal(ledger_count(l), 0);
			ledger_close(l);
			bytes[i] = was;
		}
	free(bytes);
}

static void refuses(void **state)
{
	struct ledger *l = open_it(1);
	(void)state;
	refuse(1, "somebody is at work");
	ledger_close(l);
	refuse(2, "of another program");
	assert_int_equal(truncate(path, 0), 0);
	put("tandem trials 2 0000000000000001\n");
	refuse(1, "not a file of trials");
	ledger_close(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(is_found, make_directory, remove_directory), cmocka_unit_test_setup_teardown(many_write, make_directory, remove_directory),
		cmocka_unit_test_setup_teardown(torn, make_directory, remove_directory), cmocka_unit_test_setup_teardown(damaged, make_directory, remove_directory),
		cmocka_unit_test_setup_teardown(refuses, make_directory, remove_directory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
