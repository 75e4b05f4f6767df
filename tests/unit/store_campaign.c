/* Campaigns: what was added comes back, in order and whole, also if the process ended without a word; what is none is refused. */
#include "base/fs.h"
#include "base/str.h"
#include "store/campaign.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char directory[64];

static int make_directory(void **state)
{
	(void)state;
	snprintf(directory, sizeof directory, "/tmp/tandem-campaign-XXXXXX");
	return mkdtemp(directory) ? 0 : -1;
}

static int drop_directory(void **state)
{
	char command[128];
	(void)state;
	snprintf(command, sizeof command, "rm -rf %s", directory);
	return system(command);
}

struct seen {
	struct str text;
	unsigned count;
};

static bool see_test(void *context, const struct campaign_test *t)
{
	struct seen *s = context;
	str_printf(&s->text, "%llx %llx %llu %u %s;", (unsigned long long)t->hash, (unsigned long long)t->parent, (unsigned long long)t->run, t->sides, t->file);
	s->count++;
	return true;
}

static bool see_bug(void *context, const struct campaign_bug *b)
{
	struct seen *s = context;
	str_printf(&s->text, "%llx %s at %s in %s;", (unsigned long long)b->name, b->class, b->place, b->file);
	return true;
}

static bool see_number(void *context, uint64_t hash)
{
	struct seen *s = context;
	str_printf(&s->text, "%llx;", (unsigned long long)hash);
	return ++s->count < 3;
}

static bool see_flip(void *context, const struct campaign_flip *f)
{
	str_printf(&((struct seen *)context)->text, "%llx=%u;", (unsigned long long)f->key, f->state);
	return true;
}

static bool see_edge(void *context, const struct campaign_edge *e)
{
	str_printf(&((struct seen *)context)->text, "%llx:%u;", (unsigned long long)e->build, e->edge);
	return true;
}

static bool see_left(void *context, const void *input, size_t size)
{
	str_printf(&((struct seen *)context)->text, "%.*s;", (int)size, (const char *)input);
	return true;
}

static bool see_sighting(void *context, const struct campaign_sighting *g)
{
	str_printf(&((struct seen *)context)->text, "%llu %s %u %u;", (unsigned long long)g->bug, g->test, g->distance, g->depth);
	return true;
}

static const char *all_tests(struct campaign *c)
{
	static struct seen s;
	str_clear(&s.text);
	assert_true(campaign_tests(c, see_test, &s, NULL));
	return str_text(&s.text);
}

static void test_all_comes_back(void **state)
{
	(void)state;
	struct err err = {0};
	struct campaign *c = campaign_create(directory, "/bin/it's", UINT64_MAX - 1, &err);
	assert_non_null(c);
	assert_true(campaign_add_run(c, UINT64_MAX, &err) && campaign_add_run(c, 2, &err) && campaign_add_run(c, 3, &err) && campaign_add_run(c, 4, &err));
	assert_true(campaign_add_flip(c, &(struct campaign_flip){ 0xfedcba9876543210, 1 }, &err));
	struct campaign_edge edges[] = { { 1, 7 }, { UINT64_MAX, UINT32_MAX } };
	assert_true(campaign_add_test(c, &(struct campaign_test){ 0xffffffffffffffff, 5, 12, 2, "tests/'a'" }, edges, 2, &err));
	assert_true(campaign_add_test(c, &(struct campaign_test){ 2, 0, 13, 1, "tests/b" }, NULL, 0, &err));
	assert_true(campaign_add_bug(c, &(struct campaign_bug){ 9, 2, 0, 13, "SIGSEGV", "f at a.c:1", "crashes/x" }, &err));
	assert_true(campaign_add_sighting(c, &(struct campaign_sighting){ 9, "t-1", 3, 70 }, &err));
	assert_true(campaign_leave(c, "old", 3, &err) && campaign_leave(c, NULL, 0, &err) && campaign_leave(c, "one", 3, &err) && campaign_leave(c, "two", 3, &err));
	assert_true(campaign_set_session(c, 13, 1.5, "{}", &err));
	campaign_close(c);

	assert_non_null(c = campaign_open(directory, &err));
	struct seen s = {0};
	struct campaign_past p;
	assert_string_equal(campaign_program(c), "/bin/it's");
	assert_true(campaign_build(c) == UINT64_MAX - 1);
	assert_string_equal(all_tests(c), "ffffffffffffffff 5 12 2 tests/'a';2 0 13 1 tests/b;");
	assert_true(campaign_bugs(c, see_bug, &s, &err) && campaign_flips(c, see_flip, &s, &err) && campaign_edges(c, see_edge, &s, &err) && campaign_left(c, see_left, &s, &err) &&
	            campaign_sightings(c, see_sighting, &s, &err));
	assert_string_equal(str_text(&s.text), "9 SIGSEGV at f at a.c:1 in crashes/x;fedcba9876543210=1;1:7;ffffffffffffffff:4294967295;two;one;9 t-1 3 70;");
	str_clear(&s.text);
	assert_true(campaign_runs(c, see_number, &s, &err)); /* ended by the visitor */
	assert_string_equal(str_text(&s.text), "ffffffffffffffff;2;3;");
	assert_true(campaign_past(c, &p, &err));
	assert_true(p.sessions == 1 && p.runs == 13 && p.tests == 2 && p.bugs == 1 && p.edges == 2 && p.seconds > 1.4 && p.seconds < 1.6);
	str_free(&s.text);
	campaign_close(c);
}

/* Tests and bugs are there when adding them returns. */
static void test_killed(void **state)
{
	(void)state;
	struct err err = {0};
	pid_t pid = fork();
	if (pid == 0) {
		struct campaign *c = campaign_create(directory, "p", 1, NULL);
		campaign_add_test(c, &(struct campaign_test){ 1, 0, 1, 1, "tests/a" }, &(struct campaign_edge){ 1, 1 }, 1, NULL);
		campaign_add_run(c, 7, NULL);
		raise(SIGKILL);
	}
	waitpid(pid, NULL, 0);
	struct campaign *c = campaign_open(directory, &err);
	assert_non_null(c);
	assert_string_equal(all_tests(c), "1 0 1 1 tests/a;");
	campaign_close(c);
}

static void test_what_is_none(void **state)
{
	(void)state;
	struct err err = {0};
	char path[128];
	assert_null(campaign_open(directory, &err));
	assert_non_null(strstr(err.text, "no exploration"));
	err.text[0] = 0;
	struct campaign *c = campaign_create(directory, "p", 1, &err);
	assert_non_null(c);
	err.text[0] = 0;
	assert_null(campaign_open(directory, &err));
	assert_non_null(strstr(err.text, "at work"));
	campaign_close(c);
	err.text[0] = 0;
	assert_null(campaign_create(directory, "p", 1, &err));
	assert_non_null(strstr(err.text, "--resume"));
	snprintf(path, sizeof path, "%s/" CAMPAIGN_FILE, directory);
	err.text[0] = 0;
	assert_true(fs_write(path, "nothing of the kind", 19, &err));
	assert_null(campaign_open(directory, &err));
	assert_non_null(strstr(err.text, "not a database"));
	assert_true(campaign_is(directory));
	/* Somebody was killed when he had just made the file: there is nothing to go on with, and nothing in the way. */
	assert_true(fs_write(path, "", 0, &err));
	assert_null(campaign_open(directory, &err));
	assert_false(campaign_is(directory));
	err.text[0] = 0;
	assert_non_null(c = campaign_create(directory, "p", 1, &err));
	assert_true(campaign_is(directory));
	campaign_close(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_all_comes_back, make_directory, drop_directory),
		cmocka_unit_test_setup_teardown(test_killed, make_directory, drop_directory),
		cmocka_unit_test_setup_teardown(test_what_is_none, make_directory, drop_directory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
