/* The search by weights: scores, ties, what fails, where it starts over; and the files that weights are in. */
#include "search_common.h"

#include "base/fs.h"
#include "search/feature.h"
#include "search/weights.h"

#include <math.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define WALK(s, id, ...) scene_walk(s, id, (const uint32_t[]){ __VA_ARGS__, WALK_NO_EDGE })

static double weights[WEIGHTS];

static void weigh(const char *name, double weight)
{
	for (unsigned i = 0; i < FEATURES; i++)
		if (strcmp(feature_table[i].name, name) == 0) {
			weights[i] = weight;
			return;
		}
	fail_msg("no feature is called %s", name);
}

static void open_weighed(struct scene *s)
{
	scene_open(s, "theta");
	s->w.weights = weights;
}

static int forget(void **state)
{
	(void)state;
	weights_clear(weights);
	return 0;
}

/* The step it chooses; or WALK_NONE: it starts over. */
static uint32_t next(struct scene *s, struct pick *p)
{
	enum search_move move = s->search->choose(s->self, p);
	assert_int_not_equal(move, SEARCH_NOTHING);
	return move == SEARCH_TRY ? p->choice.step : WALK_NONE;
}

/* --- the search --- */

/* Without weights all are equal: the deepest first. */
static void ties(void **state)
{
	struct scene s;
	struct pick p;
	(void)state;
	open_weighed(&s);
	scene_begin(&s, WALK(&s, 0, 0, 2, 4, 6));
	for (uint32_t step = 4; step-- > 0;) {
		assert_int_equal(next(&s, &p), step);
		scene_refute(&s, &p);
	}
	assert_int_equal(next(&s, &p), WALK_NONE);
	scene_close(&s);
}

/* 3: first, and its opposite is uncovered; 2: so is that of the second; 0.5: and that of what is there twice; 0: of 6 and 7 both sides are covered. */
static void scores(void **state)
{
	static const uint32_t steps[] = { 0, 1, 3, 2, 5, 4, WALK_NONE };
	struct scene s;
	struct pick p;
	(void)state;
	weigh("opposite-uncovered", 2);
	weigh("first-tenth", 1);
	weigh("most-frequent", -1.5);
	open_weighed(&s);
	scene_begin(&s, WALK(&s, 0, 0, 2, 4, 4, 6, 7));
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		assert_int_equal(next(&s, &p), steps[i]);
		if (steps[i] != WALK_NONE)
			scene_refute(&s, &p);
	}
	scene_close(&s);
}

/* The path is where the last pick led, whether that is where it should or not; nothing is asked twice, in whatever path. */
static void moves(void **state)
{
	struct scene s;
	struct pick p;
	(void)state;
	open_weighed(&s);
	scene_begin(&s, WALK(&s, 0, 0, 2));
	assert_int_equal(next(&s, &p), 1);
	uint32_t second = WALK(&s, 10, 0, 3, 4);
	s.w.walks.at[second].choices[0].id = 0; /* the same question as in the first */
	scene_lead(&s, &p, second, true);
	assert_int_equal(next(&s, &p), 2);
	assert_int_equal(p.walk, second);
	scene_refute(&s, &p);
	assert_int_equal(next(&s, &p), 1);
	assert_int_equal(p.choice.id, 11);
	uint32_t third = WALK(&s, 20, 8);
	scene_lead(&s, &p, third, false);
	assert_int_equal(next(&s, &p), 0);
	assert_int_equal(p.walk, third);
	scene_lead(&s, &p, 0, false); /* back to the first */
	assert_int_equal(next(&s, &p), 0);
	assert_int_equal(p.walk, 0);
	scene_refute(&s, &p);
	assert_int_equal(next(&s, &p), WALK_NONE);
	scene_begin(&s, second); /* all of it was asked, also its first */
	assert_int_equal(next(&s, &p), WALK_NONE);
	scene_close(&s);
}

/* Decisions before and behind the one that was negated are told apart, if it was. */
static void just_negated(void **state)
{
	struct scene s;
	struct pick p;
	(void)state;
	weigh("after-negated", 1);
	open_weighed(&s);
	scene_begin(&s, WALK(&s, 0, 0, 2, 4));
	assert_int_equal(next(&s, &p), 2);
	scene_refute(&s, &p);
	assert_int_equal(next(&s, &p), 1);
	scene_lead(&s, &p, WALK(&s, 10, 0, 3, 4, 6, 8), true);
	assert_int_equal(next(&s, &p), 2);
	scene_lead(&s, &p, WALK(&s, 20, 0, 3, 5, 6, 8), false);
	assert_int_equal(next(&s, &p), 4);
	scene_close(&s);
}

/* After the eleventh time a branch is one that failed; after the seventieth it is none any more. */
static void failures(void **state)
{
	uint32_t edges[102], asked = 0;
	struct scene s;
	struct pick p;
	(void)state;
	for (uint32_t i = 0; i < 101; i++)
		edges[i] = i < 100 ? 2 : 4;
	edges[101] = WALK_NO_EDGE;
	weigh("most-frequent", 0.5);
	weigh("failed", -1);
	open_weighed(&s);
	scene_begin(&s, scene_walk(&s, 0, edges));
	for (; asked < 11; asked++) {
		assert_int_equal(next(&s, &p), 99 - asked);
		scene_refute(&s, &p);
	}
	assert_int_equal(next(&s, &p), 100);
	scene_refute(&s, &p);
	for (; asked < 70; asked++) {
		assert_int_equal(next(&s, &p), 99 - asked);
		scene_refute(&s, &p);
	}
	assert_int_equal(next(&s, &p), WALK_NONE);
	scene_begin(&s, WALK(&s, 200, 2, 6, 2)); /* also elsewhere */
	assert_int_equal(next(&s, &p), 1);
	scene_refute(&s, &p);
	assert_int_equal(next(&s, &p), WALK_NONE);
	scene_close(&s);
}

/* What is given up counts like what is refuted. */
static void given_up(void **state)
{
	uint32_t edges[102];
	struct scene s;
	struct pick p;
	(void)state;
	for (uint32_t i = 0; i < 101; i++)
		edges[i] = 2;
	edges[101] = WALK_NO_EDGE;
	open_weighed(&s);
	scene_begin(&s, scene_walk(&s, 0, edges));
	for (uint32_t i = 0; i < 70; i++) {
		assert_int_equal(next(&s, &p), 100 - i);
		s.search->learn(s.self, &p, &(struct result){ .kind = RESULT_GAVE_UP, .walk = WALK_NONE });
	}
	assert_int_equal(next(&s, &p), WALK_NONE);
	scene_close(&s);
}

/* What others cover meanwhile changes the scores. */
static void coverage_of_others(void **state)
{
	struct scene s;
	struct pick p;
	(void)state;
	weigh("opposite-uncovered", 1);
	open_weighed(&s);
	scene_begin(&s, WALK(&s, 0, 0, 2, 4, 6));
	assert_int_equal(next(&s, &p), 3);
	scene_refute(&s, &p);
	uint32_t other = WALK(&s, 10, 5);
	tally_add(&s.w.ever, &s.w.walks.at[other], &s.w.counted);
	s.search->meet(s.self, other);
	assert_int_equal(next(&s, &p), 1);
	scene_close(&s);
}

/* A path that is gone is started over from; a pick that leads to one leaves the path as it is. */
static void dropped(void **state)
{
	struct scene s;
	struct pick p;
	(void)state;
	open_weighed(&s);
	uint32_t walk = WALK(&s, 0, 0, 2, 4), gone = WALK(&s, 10, 6);
	scene_begin(&s, walk);
	assert_int_equal(next(&s, &p), 2);
	s.w.walks.at[gone].dropped = true;
	scene_lead(&s, &p, gone, true);
	assert_int_equal(next(&s, &p), 1);
	assert_int_equal(p.walk, walk);
	s.w.walks.at[walk].dropped = true;
	scene_refute(&s, &p);
	assert_int_equal(next(&s, &p), WALK_NONE);
	scene_close(&s);
}

/* When nothing new comes it does not stay with the last path, but goes on from one that brought something; a run that covers something lets it stay. */
static void goes_back(void **state)
{
	struct scene s;
	struct pick p;
	(void)state;
	open_weighed(&s);
	uint32_t good = WALK(&s, 0, 0, 2, 4, 6), last = good;
	scene_begin(&s, good);
	for (uint32_t run = 1; run <= 40; run++) {
		next(&s, &p);
		assert_int_equal(p.walk, run % 16 == 4 && run > 4 ? good : last); /* the third run was the last that covered something */
		last = run == 3 ? WALK(&s, 10 * run, 0, 2, 8) : WALK(&s, 10 * run, 0, 2);
		scene_lead(&s, &p, last, true);
		if (run == 3)
			s.w.walks.at[good].dropped = true;
		good = run == 3 ? last : good;
	}
	scene_close(&s);
}

/* The least patient goes back after every run that covers nothing new. */
static void has_no_patience(void **state)
{
	struct scene s;
	struct pick p;
	(void)state;
	weights[WEIGHT_PATIENCE] = -1;
	open_weighed(&s);
	uint32_t good = WALK(&s, 0, 0, 2, 4, 6, 8, 10);
	scene_begin(&s, good);
	for (uint32_t run = 1; run <= 5; run++) {
		next(&s, &p);
		assert_int_equal(p.walk, good);
		uint32_t to = run == 2 ? WALK(&s, 10 * run, 0, 3, 12, 14, 16, 18) : WALK(&s, 10 * run, 0, 2);
		scene_lead(&s, &p, to, true);
		s.w.walks.at[good].dropped = run == 2;
		good = run == 2 ? to : good;
	}
	scene_close(&s);
}

/* Whatever the weights, no question is asked twice, and the search starts over only when its path has none left. */
static void asks_once(void **state)
{
	(void)state;
	for (unsigned round = 0; round < 50; round++) {
		bool asked[64] = { false };
		struct scene s;
		struct pick p;
		struct rng rng;
		uint32_t value = 0;
		rng_seed(&rng, round);
		for (unsigned i = 0; i < WEIGHTS; i++)
			weights[i] = (double)rng_below(&rng, 2001) / 1000 - 1;
		open_weighed(&s);
		s.bits = 5;
		scene_begin(&s, bits_walk(&s, 0));
		while (next(&s, &p) != WALK_NONE) {
			assert_false(asked[p.choice.id]);
			asked[p.choice.id] = true;
			value = bits_value(&s, p.walk) ^ 1u << p.choice.step;
			scene_lead(&s, &p, bits_walk(&s, value), true);
		}
		for (uint32_t i = 0; i < 5; i++)
			assert_true(asked[bits_id(value ^ 1u << i, i)]);
		scene_close(&s);
	}
}

/* --- speed --- */

static double processor_seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

enum { BRANCHES = 10000, PLACES = 200, PATHS = 50 };

/* From a step on it has other decisions than the one before: for the most part a loop's. */
static void change_tail(struct walk_choice *c, uint32_t from, struct rng *rng)
{
	static uint32_t id;
	for (uint32_t i = from; i < BRANCHES; i++) {
		uint32_t place = rng_below(rng, 8) ? i % 16 : (uint32_t)rng_below(rng, PLACES);
		c[i] = (struct walk_choice){ .id = id++, .edge = 2 * place + 1, .step = i, .kind = CHOICE_BRANCH };
	}
}

static uint32_t add_path(struct scene *s, const struct walk_choice *c)
{
	struct { struct walk *at; size_t count, room; } *walks = (void *)&s->w.walks;
	struct walk w = { .steps = calloc(BRANCHES, sizeof *w.steps), .choices = malloc(BRANCHES * sizeof *c), .steps_count = BRANCHES, .choices_count = BRANCHES, .covered = calloc(8, 8), .words = 8 };
	memcpy(w.choices, c, BRANCHES * sizeof *c);
	for (uint32_t i = 0; i < BRANCHES; i++)
		w.steps[i] = (struct walk_step){ c[i].edge ^ 1, i };
	vec_push(walks, w);
	return (uint32_t)walks->count - 1;
}

/* How long it takes to move to a path of ten thousand branches and to choose one, if so many of a hundred are as in the path before. Told, not judged: others may be using the machine. */
static void tell_speed(uint32_t shared)
{
	struct walk_choice *c = calloc(BRANCHES, sizeof *c);
	struct scene s;
	struct pick p;
	struct rng rng;
	double took = 0;
	rng_seed(&rng, 3);
	for (unsigned i = 0; i < FEATURES; i++)
		weights[i] = (double)rng_below(&rng, 2001) / 1000 - 1;
	open_weighed(&s);
	s.w.edges = 2 * PLACES;
	for (uint32_t k = 0; k < PATHS; k++) {
		change_tail(c, k ? BRANCHES / 100 * shared : 0, &rng);
		uint32_t walk = add_path(&s, c);
		s.search->meet(s.self, walk);
		double start = processor_seconds();
		if (k)
			s.search->learn(s.self, &p, &(struct result){ .kind = RESULT_WALK, .walk = walk, .predicted = true, .is_new = true });
		else
			s.search->begin(s.self, walk, 0);
		assert_int_not_equal(next(&s, &p), WALK_NONE);
		took += processor_seconds() - start;
	}
	print_message("a path of %d branches, %u %% of them known, is scored in %.0f us\n", BRANCHES, shared, took / (double)PATHS * 1e6);
	free(c);
	scene_close(&s);
}

static void speed(void **state)
{
	(void)state;
	tell_speed(0);
	tell_speed(90);
}

/* --- files --- */

static char path[64];

static void write_text(const char *text, size_t size)
{
	struct err err = {0};
	assert_true(fs_write(path, text, size, &err));
}

static int open_file(void **state)
{
	(void)state;
	snprintf(path, sizeof path, "/tmp/tandem-theta-%d.theta", (int)getpid());
	return 0;
}

static int close_file(void **state)
{
	(void)state;
	unlink(path);
	return forget(state);
}

static void round_trip(void **state)
{
	double back[WEIGHTS];
	struct err err = {0};
	struct rng rng;
	(void)state;
	rng_seed(&rng, 9);
	for (unsigned i = 0; i < WEIGHTS; i++)
		weights[i] = (double)(int64_t)rng_next(&rng) / 9.3e18;
	weights[1] = -0.0;
	weights[2] = 1e6;
	weights[3] = -1e6;
	weights[4] = 0x1p-1074;
	weights[5] = 0.1;
	assert_true(weights_write(path, weights, "of two\nlines", &err));
	assert_true(weights_read(path, back, &err));
	assert_memory_equal(back, weights, sizeof back);
	char *text = fs_read(path, NULL, &err);
	assert_non_null(strstr(text, "tandem theta 1\n# of two\n# lines\n 1 in-main"));
	assert_non_null(strstr(text, "\n 6 integer"));
	free(text);
}

/* Any order, blanks, comments, another notation, no newline at the end. */
static void by_hand(void **state)
{
	double back[WEIGHTS];
	struct err err = {0};
	struct str text = {0};
	(void)state;
	str_add(&text, "tandem theta 1 \r\n\n# mine\n");
	for (unsigned i = FEATURES; i-- > 0;)
		str_printf(&text, "\t%u  %s %s # %u%s", i + 1, feature_table[i].name, i ? "0x1p-1" : "-1e3", i, i ? "\r\n" : "");
	write_text(text.text, text.length);
	assert_true(weights_read(path, back, &err));
	assert_true(back[0] == -1000 && back[FEATURES - 1] == 0.5);
	assert_true(back[WEIGHT_PATIENCE] == 1); /* files of before there were settings */
	str_free(&text);
}

/* A good file but for the line of one feature; `line` NULL: it is left out. */
static void write_with(unsigned feature, const char *line)
{
	struct str text = {0};
	str_add(&text, "tandem theta 1\n");
	for (unsigned i = 0; i < FEATURES; i++)
		if (i != feature)
			str_printf(&text, "%u %s 0\n", i + 1, feature_table[i].name);
		else if (line)
			str_printf(&text, "%s\n", line);
	write_text(text.text, text.length);
	str_free(&text);
}

static void refused(const char *why)
{
	double back[WEIGHTS];
	struct err err = {0};
	assert_false(weights_read(path, back, &err));
	if (!strstr(err.text, why) || !strstr(err.text, path))
		fail_msg("'%s' and not '%s'", err.text, why);
}

static void wrong_lines(void **state)
{
	static const struct { const char *line, *why; } rows[] = {
		{ "3 loop-end 0", ":4: no feature is called 'loop-end'" }, { "2 loop-ends 0", ":4: feature 'loop-ends' has the number 3, not '2'" },
		{ "+3 loop-ends 0", "not '+3'" }, { "3x loop-ends 0", "not '3x'" }, { "3 loop-ends", ":4: a line is" }, { "3", ":4: a line is" }, { "3 loop-ends 1 2", ":4: a line is" },
		{ "3 loop-ends one", ":4: 'one' is no number" }, { "3 loop-ends 1,5", "'1,5' is no number" }, { "3 loop-ends nan", ":4: a weight is a finite number" }, { "3 loop-ends -inf", ":4: a weight is a finite number" },
		{ "3 loop-ends 1e999", ":4: a weight is a finite number" }, { "3 loop-ends 1000001", ":4: 1000001 is not between -1000000 and 1000000" }, { "3 loop-ends -1e7", ":4: -1e7 is not between" },
		{ "2 loop-goes-on 0", ":4: feature 'loop-goes-on' is there twice" }, { "3 loop-ends 0\n41 patience 1.5", ":5: 1.5 is not between -1 and 1" }, { "3 loop-ends 0\n41 patience -1e6", "not between -1 and 1" }, { "3 loop-ends 0\n40 patience 0", "has the number 41" },
		{ NULL, ":40: 39 of 40 features have a weight, 'loop-ends' has none" }, { "# 3 loop-ends 0", ":41: 39 of 40" },
	};
	(void)state;
	write_with(2, "3 loop-ends 0");
	assert_true(weights_read(path, weights, NULL));
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		write_with(2, rows[i].line);
		refused(rows[i].why);
	}
}

static void wrong_files(void **state)
{
	static const struct { const char *text, *why; } rows[] = {
		{ "", ":1: not a file of weights" }, { "\n", ":1: not a file of weights" }, { "tandem theta\n", "not a file" }, { "tandem theta one\n", "not a file" }, { "tandem theta 1x\n", "not a file" },
		{ "tandem theta -1\n", "not a file" }, { "# tandem theta 1\n", "not a file" }, { "tandem theta 2\n", ":1: a file of weights of version 2, only version 1" }, { "tandem theta 10\n", "version 10" },
		{ "tandem theta 99999999999999999999999\n", "only version 1" }, { "tandem theta 1", ":1: 0 of 40 features have a weight, 'in-main' has none" },
	};
	double back[WEIGHTS];
	struct err err = {0};
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		write_text(rows[i].text, strlen(rows[i].text));
		refused(rows[i].why);
	}
	write_text("tandem theta 1\n\0 in-main 0\n", 27);
	refused("it is no text");
	unlink(path);
	refused("No such file");
	assert_false(weights_read("/", back, &err));
	err.text[0] = '\0';
	assert_false(weights_write("/nonesuch/x.theta", weights, NULL, &err));
	assert_non_null(strstr(err.text, "/nonesuch/x.theta"));
}

/* What is a name and what is a file. */
static void files_or_names(void **state)
{
	(void)state;
	assert_true(search_is_file("x.theta"));
	assert_true(search_is_file(".theta"));
	assert_true(search_is_file("./weights"));
	assert_true(search_is_file("/tmp/x"));
	assert_false(search_is_file("theta"));
	assert_false(search_is_file("cfds"));
	assert_false(search_is_file("x.theta.old"));
	assert_false(search_is_file(""));
	assert_true(search_find("theta")->weighed);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, forget, forget)
#define FILE_TEST(f) cmocka_unit_test_setup_teardown(f, open_file, close_file)
	const struct CMUnitTest tests[] = {
		TEST(ties), TEST(scores), TEST(moves), TEST(just_negated), TEST(failures), TEST(given_up), TEST(coverage_of_others), TEST(dropped), TEST(goes_back), TEST(has_no_patience), TEST(asks_once), TEST(speed),
		FILE_TEST(round_trip), FILE_TEST(by_hand), FILE_TEST(wrong_lines), FILE_TEST(wrong_files), TEST(files_or_names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
