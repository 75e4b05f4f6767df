/* Find, Check and Refine on landscapes that are known; the rank test on examples with known answers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "learn/optimise.h"
#include "learn/ranks.h"

#include <math.h>
#include <string.h>

#define FEATURES 6

struct land {
	double heights[6];       /* of rounds; 0: what the vector is worth */
	unsigned rounds;         /* told so far */
	size_t trials, batches;
	double runs;             /* of all trials, in whole ones */
	double parts[16];        /* of each batch, */
	size_t counts[16];       /* and how many trials it has */
	size_t stop_after;       /* batches; 0: never */
	double first[FEATURES];  /* of the first vector */
	struct optimise_range ranges[FEATURES];
	unsigned looked;         /* the round whose vectors are looked at; 0: none */
	double tried[100][FEATURES]; /* vectors of the round before; */
	unsigned inherited[2];   /* weights of even and odd vectors that were there in one of these */
	double averages[32];
	bool last, alike;
	bool slow;               /* what is good begins badly */
	bool patient;            /* the fourth weight does harm at first, and is worth more than all in the end */
};

/* Good is what is positive in the first two, negative in the third; the rest does not matter. The seed is a little noise. */
static double worth(const double *t, uint64_t seed)
{
	return t[0] + t[1] - t[2] + 0.01 * (double)(rng_mix(seed) % 10);
}

static bool was_tried(const struct land *l, size_t feature, double weight)
{
	for (size_t i = 0; i < 100; i++)
		if (l->tried[i][feature] == weight)
			return true;
	return false;
}

static void look(struct land *l, const struct optimise_trial *trials, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < FEATURES; k++) {
			if (l->rounds + 1 == l->looked)
				l->inherited[i % 2] += was_tried(l, k, trials[i].theta[k]);
			else if (l->rounds + 2 == l->looked)
				l->tried[i][k] = trials[i].theta[k];
		}
}

static bool run(void *context, const struct optimise_trial *trials, size_t count, double *results)
{
	struct land *l = context;
	if (!l->trials)
		memcpy(l->first, trials[0].theta, sizeof l->first);
	if (l->stop_after && l->batches == l->stop_after)
		return false;
	if (l->looked && count == 100 && trials[0].seed == trials[count - 1].seed)
		look(l, trials, count);
	l->parts[l->batches % 16] = trials[0].part;
	l->counts[l->batches++ % 16] = count;
	l->trials += count;
	for (size_t i = 0; i < count; i++)
		l->runs += trials[i].part;
	for (size_t i = 0; i < count; i++)
		results[i] = l->heights[0] > 0 ? l->heights[l->rounds] : worth(trials[i].theta, trials[i].seed) * (l->slow && trials[i].part < 1 ? -1 : 1) + (l->patient ? trials[i].theta[3] * (trials[i].part < 1 ? -9 : 9) : 0);
	return true;
}

static void told(void *context, const struct optimise_round *r)
{
	struct land *l = context;
	assert_int_equal(r->number, l->rounds + 1);
	l->averages[l->rounds++] = r->average;
	l->last = r->is_last;
	l->alike = r->alike;
	memcpy(l->ranges, r->ranges, sizeof l->ranges);
}

static struct optimise_options options(struct land *l)
{
	return (struct optimise_options){ .features = FEATURES, .samples = 100, .best = 10, .trials = 10, .rounds = 20, .seed = 5, .run = run, .told = told, .context = l };
}

static void climbs(void **state)
{
	struct land l = {0};
	struct optimise_options o = options(&l);
	double theta[FEATURES], best;
	(void)state;
	assert_true(optimise(&o, theta, &best));
	assert_true(theta[0] > 0.7 && theta[1] > 0.7 && theta[2] < -0.7);
	assert_true(l.rounds >= 2 && l.last && !l.alike);
	assert_true(l.ranges[0].least > 0 && l.ranges[0].most == 1);
	assert_true(l.ranges[2].most < 0 && l.ranges[2].least == -1);
	for (unsigned i = 0; i < l.rounds; i++)
		assert_true(best >= l.averages[i]);
	assert_int_equal(l.trials, l.rounds * (100 + 10 * 10));
}

static void is_decided_by_its_seed(void **state)
{
	struct land a = {0}, b = {0}, c = {0};
	double x[FEATURES], y[FEATURES], z[FEATURES], best;
	struct optimise_options o = options(&a), p = options(&b), q = options(&c);
	(void)state;
	q.seed = 6;
	assert_true(optimise(&o, x, &best) && optimise(&p, y, &best) && optimise(&q, z, &best));
	assert_memory_equal(x, y, sizeof x);
	assert_memory_not_equal(x, z, sizeof x);
}

/* It ends when two rounds in a row have brought nothing better than the best of all, or when there were so many. */
static void ends(void **state)
{
	static const struct { double heights[6]; unsigned limit, rounds; double best; } cases[] = {
		{ { 1, 2, 3, 2, 3 }, 20, 5, 3 }, { { 1, 2, 2, 5, 4, 5 }, 20, 6, 5 }, { { 5, 4, 4, 9 }, 20, 3, 5 }, { { 1, 2, 3, 4 }, 3, 3, 3 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct land l = {0};
		struct optimise_options o = options(&l);
		double theta[FEATURES], best;
		memcpy(l.heights, cases[i].heights, sizeof l.heights);
		o.rounds = cases[i].limit;
		assert_true(optimise(&o, theta, &best));
		assert_int_equal(l.rounds, cases[i].rounds);
		assert_true(l.last);
		assert_true(best == cases[i].best && l.alike);
	}
}

/* The best of an early round is not lost in a worse one: what is sampled later is still about it. */
static void remembers(void **state)
{
	struct land l = { .heights = { 5, 4, 4, 9 } };
	struct optimise_options o = options(&l), once;
	double theta[FEATURES], first[FEATURES], best;
	struct optimise_range ranges[FEATURES];
	(void)state;
	assert_true(optimise(&o, theta, &best) && l.rounds == 3);
	memcpy(ranges, l.ranges, sizeof ranges);
	l = (struct land){ .heights = { 5 } };
	once = options(&l);
	once.rounds = 1;
	assert_true(optimise(&once, first, &best));
	assert_memory_equal(theta, first, sizeof theta);
	assert_memory_equal(ranges, l.ranges, sizeof ranges);
}

/* From the second round on every other vector has most of its weights from the two best; the others none. */
static void crosses(void **state)
{
	struct land with = { .looked = 2 }, without = { .looked = 2 };
	struct optimise_options o = options(&with), n = options(&without);
	double theta[FEATURES], best;
	(void)state;
	n.no_crosses = true;
	o.rounds = n.rounds = 2;
	assert_true(optimise(&o, theta, &best) && optimise(&n, theta, &best));
	assert_in_range(with.inherited[1], 100 / 2 * FEATURES * 8 / 10, 100 / 2 * FEATURES);
	assert_int_equal(with.inherited[0] + without.inherited[0] + without.inherited[1], 0);
}

/* The first samples are the vectors to begin with, and others have most of their weights from these, if that is wanted; but not if there are to be no crosses. */
static void begins(void **state)
{
	static const double given[2 * FEATURES] = { 0.5, 0.25, -0.125, 0.5, 0.5, 7, 0.75, 0.5, -0.5, 0.5, 0.25, -7 };
	struct land with = { .looked = 1 }, without = {0}, apart = { .looked = 1 };
	struct optimise_options o = options(&with), n = options(&without), a = options(&apart);
	double theta[FEATURES], best;
	(void)state;
	o.begins = n.begins = a.begins = given;
	o.begins_count = n.begins_count = a.begins_count = 2;
	o.rounds = n.rounds = a.rounds = 1;
	o.crosses_first = true;
	memcpy(apart.tried[0], given, sizeof given);
	assert_true(optimise(&a, theta, &best));
	assert_memory_equal(apart.first, given, 5 * sizeof *given);
	assert_in_range(apart.inherited[1], 0, 2 * FEATURES);
	n.no_crosses = true;
	memcpy(with.tried[0], given, sizeof given);
	assert_true(optimise(&o, theta, &best) && optimise(&n, theta, &best));
	assert_memory_equal(with.first, given, 5 * sizeof *given);
	assert_true(with.first[5] == 1); /* no weight is beyond */
	assert_in_range(with.inherited[1], 100 / 2 * (FEATURES - 1) * 7 / 10, 100 / 2 * FEATURES);
	assert_true(without.first[0] != given[0]);
	struct land none = { .stop_after = 1 };
	struct optimise_options p = options(&none);
	p.begins = given;
	p.begins_count = 2;
	assert_false(optimise(&p, theta, &best)); /* nothing is known of these */
}

/* Of the best vector of a race all values of a weight that beginnings tell nothing of are tried. */
static void tries_what_is_slow(void **state)
{
	struct land l = { .patient = true }, without = { .patient = true };
	struct optimise_options o = options(&l), n = options(&without);
	double theta[FEATURES], best, other;
	(void)state;
	o.rounds = n.rounds = 1;
	o.shortest = n.shortest = 1.0 / 64;
	o.has_slow = true;
	o.slow = 3;
	assert_true(optimise(&n, theta, &other) && theta[3] < 0);
	assert_true(optimise(&o, theta, &best) && theta[3] == 1);
	assert_true(best > other + 9);
	struct land few = { .patient = true };
	struct optimise_options f = options(&few);
	f.rounds = 1;
	f.shortest = 1.0 / 64;
	f.has_slow = true;
	f.slow = 3;
	f.trials = 3; /* do not tell */
	assert_true(optimise(&f, theta, &other) && theta[3] < 0);
}

/* Given vectors are looked at closely whatever they come to at first. */
static void given_are_no_part_of_the_race(void **state)
{
	static const double given[FEATURES] = { 1, 1, -1, 0, 0, 0 };
	struct land l = { .slow = true }, without = { .slow = true };
	struct optimise_options o = options(&l), n = options(&without);
	double theta[FEATURES], best;
	(void)state;
	o.rounds = n.rounds = 1;
	o.shortest = n.shortest = 1.0 / 64;
	assert_true(optimise(&n, theta, &best));
	assert_true(best < 2);
	o.begins = given;
	o.begins_count = 1;
	assert_true(optimise(&o, theta, &best));
	assert_memory_equal(theta, given, sizeof given);
	assert_true(best >= 3);
}

static void can_be_stopped(void **state)
{
	struct land early = { .stop_after = 1 }, late = { .stop_after = 3 };
	struct optimise_options o = options(&early), p = options(&late);
	double theta[FEATURES], best;
	(void)state;
	assert_false(optimise(&o, theta, &best));
	assert_true(optimise(&p, theta, &best)); /* one round is enough to have a best */
	assert_int_equal(late.rounds, 1);
}

static void few_samples(void **state)
{
	struct land l = {0};
	struct optimise_options o = options(&l);
	double theta[FEATURES], best;
	(void)state;
	o.samples = 1;
	assert_true(optimise(&o, theta, &best));
	assert_true(theta[0] >= -1 && theta[0] <= 1);
}

/* All have a little, ever fewer have more; who is best is found all the same, for a part of the runs. */
static void races(void **state)
{
	static const double parts[] = { 1.0 / 64, 1.0 / 16, 1.0 / 4, 1, 1, 1, 1 };
	static const size_t counts[] = { 1000, 167, 28, 10, 10 * 2, 5 * 4, 2 * 10 };
	struct land l = {0}, whole = {0};
	struct optimise_options o = options(&l), w = options(&whole);
	double theta[FEATURES], plain[FEATURES], best, average;
	(void)state;
	o.samples = w.samples = 1000;
	o.rounds = w.rounds = 1;
	o.shortest = 0.004;
	assert_true(optimise(&o, theta, &best) && optimise(&w, plain, &average));
	assert_int_equal(l.batches, 7);
	for (size_t i = 0; i < l.batches; i++) {
		assert_true(l.parts[i] == parts[i]);
		assert_int_equal(l.counts[i], counts[i]);
	}
	assert_memory_equal(theta, plain, sizeof theta);
	assert_true(best == average && l.runs < whole.runs / 8);
}

static void ablations(void **state)
{
	static const bool left_out[FEATURES] = { true };
	struct land l = {0}, naive = {0};
	struct optimise_options o = options(&l), n = options(&naive);
	double theta[FEATURES], best;
	(void)state;
	o.left_out = left_out;
	assert_true(optimise(&o, theta, &best));
	assert_true(theta[0] == 0 && theta[1] > 0.7 && l.ranges[0].least == 0 && l.ranges[0].most == 0);
	n.no_refine = true;
	n.rounds = 5;
	assert_true(optimise(&n, theta, &best));
	assert_int_equal(naive.rounds, 5);
	assert_true(naive.ranges[1].least == -1 && naive.ranges[1].most == 1);
}

/* --- ranks --- */

static void near(double a, double b, double off)
{
	assert_true(fabs(a - b) <= off);
}

/* Five against five, all above: 2 / C(10, 5). */
static void ranks_exact(void **state)
{
	const double a[] = { 6, 7, 8, 9, 10 }, b[] = { 1, 2, 3, 4, 5 }, c[] = { 1, 4, 6, 7.5, 9 }, d[] = { 2, 3, 5, 7, 8 };
	(void)state;
	struct ranks r = ranks_compare(a, 5, b, 5), s = ranks_compare(b, 5, a, 5), t = ranks_compare(c, 5, d, 5);
	near(r.p, 2.0 / 252, 1e-12);
	near(s.p, r.p, 1e-12);
	assert_true(r.u == 25 && s.u == 0 && r.share == 1);
	near(t.p, 212.0 / 252, 1e-12);
	assert_true(t.u == 14);
	near(ranks_compare(a, 1, b, 1).p, 1, 1e-12);
	/* Ten against ten: 23 is the largest U that is significant at 0.05, two-sided. */
	double x[10], y[10];
	for (int i = 0; i < 10; i++) {
		x[i] = i;
		y[i] = 9.5 + i;
	}
	y[0] = -0.5, y[1] = 0.5, y[2] = 5.5; /* the others are above all: U of x is 10 + 9 + 4 */
	struct ranks v = ranks_compare(x, 10, y, 10);
	assert_true(v.u == 23);
	assert_true(v.p < 0.05 && v.p > 0.04);
}

static void ranks_with_ties(void **state)
{
	const double a[] = { 5, 5, 5 }, b[] = { 5, 5, 5, 5 }, c[] = { 1, 2, 2, 3, 3, 3, 4, 4, 5, 5 }, d[] = { 3, 4, 4, 5, 5, 6, 6, 6, 7, 8 };
	(void)state;
	struct ranks same = ranks_compare(a, 3, b, 4), other = ranks_compare(c, 10, d, 10);
	near(same.p, 1, 1e-12);
	near(same.share, 0.5, 1e-12);
	near(other.p, 906.0 / 184756, 1e-12); /* of all choices of ten of the twenty, those that are as far from the middle */
	assert_true(other.share < 0.2);
}

/* A few that are alike prove no more than a few that are not: 2 / C(6, 3). Of different numbers too. */
static void ranks_of_few_with_ties(void **state)
{
	const double a[] = { 5, 5, 5 }, b[] = { 1, 1, 1 }, c[] = { 1, 2, 2, 3 }, d[] = { 2, 3, 3, 4, 4 };
	(void)state;
	near(ranks_compare(a, 3, b, 3).p, 0.1, 1e-12);
	near(ranks_compare(b, 3, a, 3).p, 0.1, 1e-12);
	near(ranks_compare(c, 4, d, 5).p, 13.0 / 126, 1e-12);
	near(ranks_compare(d, 5, c, 4).p, 13.0 / 126, 1e-12);
	near(ranks_compare(a, 1, b, 1).p, 1, 1e-12);
}

/* Of many the normal distribution says nearly the same as counting. */
static void ranks_of_many(void **state)
{
	double a[21], b[21];
	(void)state;
	for (int i = 0; i < 21; i++) {
		a[i] = i % 7;
		b[i] = i % 7 + (i % 2 ? 2 : 1);
	}
	near(ranks_compare(a, 21, b, 21).p, ranks_compare(a, 20, b, 20).p, 0.02);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(climbs), cmocka_unit_test(is_decided_by_its_seed), cmocka_unit_test(ends), cmocka_unit_test(remembers), cmocka_unit_test(crosses), cmocka_unit_test(begins), cmocka_unit_test(tries_what_is_slow), cmocka_unit_test(given_are_no_part_of_the_race), cmocka_unit_test(can_be_stopped), cmocka_unit_test(few_samples), cmocka_unit_test(races),
		cmocka_unit_test(ablations),
		cmocka_unit_test(ranks_exact), cmocka_unit_test(ranks_with_ties), cmocka_unit_test(ranks_of_few_with_ties), cmocka_unit_test(ranks_of_many),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
