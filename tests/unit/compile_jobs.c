/* What clang says it would do: quoting, escapes, several jobs, and programs that fail or are not there. */
#include "compile/jobs.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct jobs parse(const char *text)
{
	struct jobs jobs = {0};
	jobs_parse(&jobs, text);
	return jobs;
}

static void test_several(void **state)
{
	(void)state;
	struct jobs j = parse("clang version 19.1.4\nTarget: x86_64\nInstalledDir: /usr/bin\n"
	                      " \"/usr/bin/clang\" \"-cc1\" \"-o\" \"/tmp/a.o\" \"a.c\"\n"
	                      " \"/usr/bin/ld\" \"-o\" \"a\" \"/tmp/a.o\"\n");
	assert_int_equal(j.list.count, 2);
	assert_int_equal(j.list.at[0].argc, 5);
	assert_string_equal(j.list.at[0].argv[0], "/usr/bin/clang");
	assert_string_equal(j.list.at[0].argv[4], "a.c");
	assert_null(j.list.at[0].argv[5]);
	assert_int_equal(j.list.at[1].argc, 4);
	assert_string_equal(j.list.at[1].argv[3], "/tmp/a.o");
}

static void test_quotes(void **state)
{
	(void)state;
	struct jobs j = parse(" \"cc\" \"-DX=\\\"a b\\\"\" \"back\\\\slash\" \"\" \"dollar\\$\" \" spaces  inside \" \"tab\t\"\n");
	assert_int_equal(j.list.at[0].argc, 7);
	assert_string_equal(j.list.at[0].argv[1], "-DX=\"a b\"");
	assert_string_equal(j.list.at[0].argv[2], "back\\slash");
	assert_string_equal(j.list.at[0].argv[3], "");
	assert_string_equal(j.list.at[0].argv[4], "dollar$");
	assert_string_equal(j.list.at[0].argv[5], " spaces  inside ");
	assert_string_equal(j.list.at[0].argv[6], "tab\t");
}

/* Lines that are no jobs, and text that ends too early. */
static void test_odd(void **state)
{
	(void)state;
	struct jobs none = {0};
	assert_false(jobs_parse(&none, ""));
	assert_false(jobs_parse(&none, "clang: error: no such file: 'x.c'\n"));
	assert_false(jobs_parse(&none, "\"not\" \"indented\"\n (in-process)\n"));
	assert_int_equal(none.list.count, 0);
	struct jobs j = parse(" (in-process)\n \"cc\" \"x.c\"");
	assert_int_equal(j.list.count, 1);
	assert_int_equal(j.list.at[0].argc, 2);
	j = parse(" \"cc\" \"open");
	assert_string_equal(j.list.at[0].argv[1], "open");
	j = parse(" \"cc\" \"x\\");
	assert_string_equal(j.list.at[0].argv[1], "x\\");
	j = parse(" \"cc\" bare \"x\"\n \"ld\"\n");
	assert_int_equal(j.list.count, 2);
	assert_int_equal(j.list.at[0].argc, 1);
}

static void test_plan(void **state)
{
	(void)state;
	struct jobs j = {0};
	struct err err = {0};
	char *good[] = { "sh", "-c", "echo noise; echo ' \"cc\" \"a b\"' >&2", NULL };
	assert_true(jobs_plan(&j, good, &err));
	assert_true(!j.failed && j.list.count == 1);
	assert_string_equal(j.list.at[0].argv[1], "a b");
	char *refuses[] = { "sh", "-c", "echo ' \"cc\"' >&2; exit 1", NULL }, *silent[] = { "true", NULL };
	assert_true(jobs_plan(&(struct jobs){0}, good, &err));
	j = (struct jobs){0};
	assert_true(jobs_plan(&j, refuses, &err) && j.failed);
	j = (struct jobs){0};
	assert_true(jobs_plan(&j, silent, &err) && j.failed);
	assert_string_equal(err.text, "");
	char *missing[] = { "/nonexistent/clang", NULL };
	assert_false(jobs_plan(&j, missing, &err));
	assert_string_equal(err.text, "cannot run /nonexistent/clang: No such file or directory");
}

/* More than a pipe holds. */
static void test_long_plan(void **state)
{
	(void)state;
	struct jobs j = {0};
	char *command[] = { "sh", "-c", "{ printf ' \"cc\"'; i=0; while [ $i -lt 20000 ]; do printf ' \"-DMACRO_%d\"' $i; i=$((i + 1)); done; } >&2", NULL };
	assert_true(jobs_plan(&j, command, &(struct err){0}));
	assert_int_equal(j.list.at[0].argc, 20001);
	assert_string_equal(j.list.at[0].argv[20000], "-DMACRO_19999");
}

static void test_run(void **state)
{
	(void)state;
	struct err err = {0};
	assert_int_equal(jobs_run((char *[]){ "true", NULL }, &err), 0);
	assert_int_equal(jobs_run((char *[]){ "sh", "-c", "exit 7", NULL }, &err), 7);
	assert_int_equal(jobs_run((char *[]){ "sh", "-c", "kill -TERM $$", NULL }, &err), 128 + SIGTERM);
	assert_string_equal(err.text, "");
	assert_int_equal(jobs_run((char *[]){ "/nonexistent/ld", NULL }, &err), -1);
	assert_string_equal(err.text, "cannot run /nonexistent/ld: No such file or directory");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_several), cmocka_unit_test(test_quotes), cmocka_unit_test(test_odd), cmocka_unit_test(test_plan),
		cmocka_unit_test(test_long_plan), cmocka_unit_test(test_run),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
