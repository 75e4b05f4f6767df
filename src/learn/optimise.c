/* See optimise.h.
 *
 *   R_i = [-1, 1]; repeat
 *     Find:   n vectors from R_1 x R_2 x ..., one trial each, all with the same seed; the K best
 *     Check:  of each of these the mean of several trials; the two best, of this round or an earlier one
 *     Refine: where both are positive, R_i = [the lesser, 1]; where both are negative, [-1, the greater]
 *   until two rounds in a row have brought nothing better
 *
 * In the paper the two best are those of the round alone, and the first round that is no better ends it. But Check is noisy, and a good vector of the first round is seldom matched by those that are sampled around it and
 * another: then it was over at once, with what was found by chance. So the best stay, and from the second round on half of the vectors are *crosses* of the two: each weight is that of one or the other, and a few are new.
 * Vectors to begin with are the first samples, since in forty dimensions few others are as good as what anybody would write down, and no part of the race: expat, 2000 runs, weights_guess covers 2477 sides, more than any of 120 samples, 79 of which had covered more in the
 * first 31 runs. If somebody has named such vectors for this program (--begin), half of the first round are crosses of them. Not for a guess alone: where that is far from the best, as for tree, half of the samples would be too.
 *
 * Find and Check are races (successive halving), unless whole trials are asked for. What a vector covers early tells much of what it will cover, and most are far from the best: so all n have the
 * beginning of a trial, the best sixth of them four times as much, and so on; the best K have a whole one. Likewise the K have a fifth of their trials, the better half two fifths, the two best all.
 * Of n = 1000 and K = 10 that is a fifteenth of the runs, by count, if all have a 64th at first. bench/learning.sh --whole tells what is lost by it.
 *
 * A vector depends on the seed, the round, its number and what came of the rounds before, so whoever goes on after an interruption samples the same ones, and who keeps results of trials does none twice. */
#include "learn/optimise.h"

#include "base/mem.h"
#include "base/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIND_SEED 1 /* of all trials of Find; those of Check have 1, 2, ... */
#define FEWER 6     /* of so many samples one stays in the race, */
#define LONGER 4    /* for so many times the runs */
#define STAGES_MAX 8
#define PARENTS 2
#define CROSSED 2   /* of so many vectors one is a cross, */
#define CHANGED 10  /* and of so many of its weights one is new */
#define PATIENCE 2  /* rounds */
#define SLOW_VALUES 2
#define SLOW_TRIALS 4 /* fewer than these do not tell whether another value is better, and cost a tenth of a small training */
#define FAR 0.75    /* between two values of the slow weight that are worth trying both */

struct candidate {
	double *theta;
	double found;            /* by one trial */
	double average, spread;  /* by several */
	size_t number;
	bool given;              /* it was known to do well, and is looked at closely whatever it covers at first */
};

struct search {
	const struct optimise_options *o;
	struct optimise_range *ranges;
	struct candidate *all;
	struct optimise_trial *trials;
	double *results;
	double *weights;         /* of all candidates */
	struct candidate parents[OPTIMISE_BEGINS]; /* the best of all rounds, PARENTS at most; at first those that were given */
	double *parents_weights;
	size_t parents_count;
	double *slow_weights;    /* of the best vector of a round with other values of the slow weight */
};

static double from_range(struct rng *rng, struct optimise_range r)
{
	double unit = (double)(rng_next(rng) >> 11) / (double)(1ull << 53);
	return r.least + unit * (r.most - r.least);
}

static struct optimise_range whole_range(const struct search *s, size_t feature)
{
	return s->o->left_out && s->o->left_out[feature] ? (struct optimise_range){ 0, 0 } : (struct optimise_range){ -1, 1 };
}

static double weight_of(const struct search *s, struct rng *rng, size_t feature, bool crossed)
{
	if (!crossed)
		return from_range(rng, s->ranges[feature]);
	return rng_below(rng, CHANGED) ? s->parents[rng_below(rng, s->parents_count)].theta[feature] : from_range(rng, whole_range(s, feature));
}

static bool has_crosses(const struct search *s)
{
	return s->parents_count && !s->o->no_refine && !s->o->no_crosses;
}

/* What is given to begin with are parents of which nothing is known. */
static void take_begins(struct search *s)
{
	size_t features = s->o->features, count = s->o->no_refine || s->o->no_crosses ? 0 : s->o->begins_count < OPTIMISE_BEGINS ? s->o->begins_count : OPTIMISE_BEGINS;
	s->parents_weights = mem_alloc((count + 1) * features * sizeof *s->parents_weights);
	for (size_t i = 0; i < count; i++) {
		s->parents[i] = (struct candidate){ .theta = s->parents_weights + i * features, .average = -INFINITY };
		for (size_t k = 0; k < features; k++) {
			struct optimise_range r = whole_range(s, k);
			s->parents[i].theta[k] = fmax(r.least, fmin(r.most, s->o->begins[i * features + k]));
		}
	}
	s->parents_count = count;
}

static void sample(struct search *s, unsigned round)
{
	for (size_t i = 0; i < s->o->samples; i++) {
		struct rng rng;
		struct candidate *c = &s->all[i];
		bool crossed = has_crosses(s) && i % CROSSED && (round > 1 || s->o->crosses_first), given = round == 1 && i < s->parents_count;
		rng_seed(&rng, rng_mix(s->o->seed ^ rng_mix((uint64_t)round << 32 | i)));
		*c = (struct candidate){ .theta = s->weights + i * s->o->features, .number = i, .given = given && s->parents_count < s->o->best };
		for (size_t k = 0; k < s->o->features; k++)
			c->theta[k] = given ? s->parents[i].theta[k] : weight_of(s, &rng, k, crossed);
	}
}

static int by_found(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;
	if (x->given != y->given)
		return y->given - x->given;
	return x->found != y->found ? (x->found < y->found) - (x->found > y->found) : (x->number > y->number) - (x->number < y->number);
}

static int by_average(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;
	return x->average != y->average ? (x->average < y->average) - (x->average > y->average) : by_found(a, b);
}

/* One trial of the first so many, or part of one; then the best come first. */
static bool try_first(struct search *s, size_t count, double part)
{
	for (size_t i = 0; i < count; i++)
		s->trials[i] = (struct optimise_trial){ s->all[i].theta, FIND_SEED, part };
	if (!s->o->run(s->o->context, s->trials, count, s->results))
		return false;
	for (size_t i = 0; i < count; i++)
		s->all[i].found = s->results[i];
	qsort(s->all, count, sizeof *s->all, by_found);
	return true;
}

static void found_range(const struct search *s, size_t count, double *least, double *most)
{
	*least = *most = s->all[0].found;
	for (size_t i = 1; i < count; i++) {
		*least = fmin(*least, s->all[i].found);
		*most = fmax(*most, s->all[i].found);
	}
}

static double mean_found(const struct search *s)
{
	double mean = 0;
	for (size_t i = 0; i < s->o->samples; i++)
		mean += s->all[i].found / (double)s->o->samples;
	return mean;
}

static bool is_race(const struct search *s)
{
	return s->o->shortest > 0 && s->o->shortest < 1;
}

/* *part: what all of them were given; *mean: what they covered in that; *most: in a whole trial; *alike: all the same, there and of those that were left. */
static bool find(struct search *s, double *part, double *mean, double *most, bool *alike)
{
	double p = 1, least;
	for (unsigned i = 0; i < STAGES_MAX && is_race(s) && p / LONGER >= s->o->shortest; i++)
		p /= LONGER;
	*part = p;
	for (size_t count = s->o->samples; p <= 1; p *= LONGER) {
		if (!try_first(s, count, p))
			return false;
		if (p == *part)
			*mean = mean_found(s);
		found_range(s, count, &least, most);
		*alike &= least == *most;
		size_t fewer = p * LONGER < 1 ? (count + FEWER - 1) / FEWER : s->o->best; /* whole trials are those that cost */
		count = fewer > s->o->best ? fewer : s->o->best;
	}
	return true;
}

static void average(struct candidate *c, const double *results, size_t count)
{
	double sum = 0, squares = 0;
	for (size_t i = 0; i < count; i++)
		sum += results[i];
	c->average = sum / (double)count;
	for (size_t i = 0; i < count; i++)
		squares += (results[i] - c->average) * (results[i] - c->average);
	c->spread = count > 1 ? sqrt(squares / (double)(count - 1)) : 0;
}

/* So many trials of the first so many; then the best come first. */
static bool average_first(struct search *s, size_t count, size_t each)
{
	for (size_t i = 0; i < count * each; i++)
		s->trials[i] = (struct optimise_trial){ s->all[i / each].theta, FIND_SEED + i % each, 1 };
	if (!s->o->run(s->o->context, s->trials, count * each, s->results))
		return false;
	for (size_t i = 0; i < count; i++)
		average(&s->all[i], s->results + i * each, each);
	qsort(s->all, count, sizeof *s->all, by_average);
	return true;
}

static bool check(struct search *s)
{
	size_t best = s->o->best, fifth = (s->o->trials + 4) / 5, half = (best + 1) / 2;
	if (!is_race(s) || best <= 2)
		return average_first(s, best, s->o->trials);
	if (half < 2)
		half = 2;
	if (fifth < 2 && s->o->trials > 1) /* one is what Find has seen */
		fifth = 2;
	return average_first(s, best, fifth) && average_first(s, half, 2 * fifth < s->o->trials ? 2 * fifth : s->o->trials) && average_first(s, 2, s->o->trials);
}

/* Trials of the first so many by other seeds than Find's, by which the best was chosen and is partly lucky. The best comes first; of equals the earlier. */
static bool try_apart(struct search *s, struct candidate *first, size_t count, size_t each)
{
	for (size_t i = 0; i < count * each; i++)
		s->trials[i] = (struct optimise_trial){ first[i / each].theta, FIND_SEED + 1 + i % each, 1 };
	if (!s->o->run(s->o->context, s->trials, count * each, s->results))
		return false;
	for (size_t i = 0; i < count; i++)
		average(&first[i], s->results + i * each, each);
	for (size_t i = 1; i < count; i++)
		if (first[i].average > first[0].average) {
			struct candidate better = first[i];
			first[i] = first[0];
			first[0] = better;
		}
	return true;
}

/* The ends of the range of the slow weight that are far from the best vector's value, by few trials; the best of these, if it is better, by as many as the best vector had. What short trials prefer may be wrong for whole ones: those that go back at once have
 * more at first. tree, weights that were learnt by 1000 runs each: 663 sides in 4000 runs after 2 runs without news, 748 after 4, 795 after 16 (2 seeds). In 1000 runs nothing of that is to be seen, so this helps only if trials are as
 * long as what the weights are for. */
static bool try_slow(struct search *s)
{
	static const double values[SLOW_VALUES] = { -1, 1 };
	size_t slow = s->o->slow, features = s->o->features, each = (s->o->trials + 4) / 5, count = 1;
	struct candidate tried[1 + SLOW_VALUES] = { s->all[0] };
	if (!is_race(s) || !s->o->has_slow || (s->o->left_out && s->o->left_out[slow]) || s->o->trials < SLOW_TRIALS)
		return true;
	for (size_t i = 0; i < SLOW_VALUES; i++) {
		if (fabs(values[i] - tried[0].theta[slow]) < FAR)
			continue;
		tried[count] = (struct candidate){ .theta = s->slow_weights + count * features, .number = s->o->samples };
		memcpy(tried[count].theta, tried[0].theta, features * sizeof *s->slow_weights);
		tried[count++].theta[slow] = values[i];
	}
	if (!try_apart(s, tried, count, each))
		return false;
	if (tried[0].theta == s->all[0].theta)
		return true;
	struct candidate before = s->all[0];
	s->all[0] = tried[0];
	if (!average_first(s, 1, s->o->trials))
		return false;
	if (s->all[0].average < before.average)
		s->all[0] = before;
	return true;
}

/* The best of this round and of those before. */
static void choose_parents(struct search *s)
{
	size_t features = s->o->features, finalists = s->o->best > 1 ? 2 : 1, count = 0;
	struct candidate all[OPTIMISE_BEGINS + PARENTS];
	double *weights = mem_alloc(PARENTS * features * sizeof *weights);
	for (size_t i = 0; i < s->parents_count; i++)
		all[count++] = s->parents[i];
	for (size_t i = 0; i < finalists; i++)
		all[count++] = s->all[i];
	qsort(all, count, sizeof *all, by_average);
	s->parents_count = count < PARENTS ? count : PARENTS;
	for (size_t i = 0; i < s->parents_count; i++) {
		memcpy(weights + i * features, all[i].theta, features * sizeof *weights);
		s->parents[i] = all[i];
		s->parents[i].theta = weights + i * features;
	}
	free(s->parents_weights);
	s->parents_weights = weights;
}

static void refine(struct search *s)
{
	const double *a = s->parents[0].theta, *b = s->parents[s->parents_count - 1].theta;
	for (size_t i = 0; i < s->o->features && !s->o->no_refine; i++) {
		if (a[i] > 0 && b[i] > 0)
			s->ranges[i] = (struct optimise_range){ a[i] < b[i] ? a[i] : b[i], 1 };
		else if (a[i] < 0 && b[i] < 0)
			s->ranges[i] = (struct optimise_range){ -1, a[i] > b[i] ? a[i] : b[i] };
	}
}

static void tell(const struct search *s, unsigned number, double part, double mean, double best, bool alike, bool is_last)
{
	s->o->told(s->o->context, &(struct optimise_round){
		.number = number, .part = part, .found_mean = mean, .found_best = best, .average = s->all[0].average, .spread = s->all[0].spread, .second = s->all[s->o->best > 1].average,
		.alike = alike, .theta = s->all[0].theta, .ranges = s->ranges, .is_last = is_last });
}

static bool loop(struct search *s)
{
	for (unsigned round = 1, idle = 0; round <= s->o->rounds; round++) {
		double part, mean = 0, found = 0, before = s->parents_count ? s->parents[0].average : -INFINITY;
		bool alike = true;
		sample(s, round);
		if (!find(s, &part, &mean, &found, &alike) || !check(s) || !try_slow(s))
			break;
		choose_parents(s);
		refine(s);
		idle = s->parents[0].average > before ? 0 : idle + 1;
		bool is_last = (idle == PATIENCE && !s->o->no_refine) || round == s->o->rounds;
		tell(s, round, part, mean, found, alike, is_last);
		if (is_last)
			break;
	}
	return s->parents_count && s->parents[0].average > -INFINITY;
}

bool optimise(const struct optimise_options *given, double *theta, double *average_of_best)
{
	struct optimise_options o = *given;
	o.best = o.best < o.samples ? o.best : o.samples;
	size_t most = o.samples > (o.best + SLOW_VALUES) * o.trials ? o.samples : (o.best + SLOW_VALUES) * o.trials;
	struct search s = {
		.o = &o, .ranges = mem_alloc(o.features * sizeof *s.ranges), .all = mem_alloc(o.samples * sizeof *s.all), .trials = mem_alloc(most * sizeof *s.trials),
		.results = mem_alloc(most * sizeof *s.results), .weights = mem_alloc(o.samples * o.features * sizeof *s.weights),
		.slow_weights = mem_alloc((1 + SLOW_VALUES) * o.features * sizeof *s.slow_weights),
	};
	for (size_t i = 0; i < o.features; i++)
		s.ranges[i] = whole_range(&s, i);
	take_begins(&s);
	bool ok = o.samples && o.trials && loop(&s);
	if (ok) {
		memcpy(theta, s.parents[0].theta, o.features * sizeof *theta);
		*average_of_best = s.parents[0].average;
	}
	free(s.ranges);
	free(s.all);
	free(s.trials);
	free(s.results);
	free(s.weights);
	free(s.parents_weights);
	free(s.slow_weights);
	return ok;
}
