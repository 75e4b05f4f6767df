/* theta: the branch of the last path with the highest score, the sum of the weights of its features (feature.h); of equals the deepest. The last path is where the last pick that could be solved led,
 * or a restart. What is refuted or given up leaves the next best of the same path. A branch that failed PATIENCE times is left alone for good. Nothing is asked twice, so the search always
 * gets to the end of a path, and starts over there. Weights come from a file (weights.h), which is made by hand or learnt.
 * Unlike the searches of the literature it leaps (engine/answer.c): sed, 1000 runs, weights learnt by 232 trials with leaps cover 706 sides and by 348 trials without 632, where cfds has 661 and auto, which leaps too, 668 (5 seeds).
 * And it goes back: with the last path alone it circles for ever where nothing is new, as a path is never exhausted in practice. After some runs without anything new it goes on from one of the walks that brought something.
 * By weights learnt without that, grep, 4000 runs, 6 seeds: 1507 sides without going back, 1545, 1586, 1627, 1651, 1667, 1701 after 300, 100, 30, 20, 10, 5 runs (auto: 1591, cfds: 1605); sed: 824 without, 823 to 843 with it.
 * But what takes several steps needs some patience: the small program of tests/e2e/theta.sh has 185 of 192 sides in 60 runs with 16 or more (8 seeds, the uncovered first), and 176 with 8. So how many runs is learnt like a weight
 * (WEIGHT_PATIENCE). A parser has none to spare, as most of what leaves a good path is soon a wrong input: by the same weights, learnt with 16 runs, expat, 4000 runs, 2 or 3 seeds, has 1852, 2467, 2522 sides after 16, 4, 1 (auto: 2649), and gawk, 2000 runs,
 * 3 seeds, by these weights of expat, 1546, 1577, 2135. Which walk it goes back to is left to chance: with 1 run, the newest first had 1731 on gawk instead of 2135 when that was done every other time, the older of two 1813, that with the best branch of three 1766,
 * one in four of all walks, good or not, 1930; on expat the newer of two 2339 instead of 2522, the longest of four 2019. Staying with such a walk until a branch of it brings something had 2196 on expat after 4 runs instead of 2467.
 *
 * Choices without an edge have no features: they come last. */
#include "search/feature.h"
#include "search/search.h"
#include "search/weights.h"

#include "base/mem.h"
#include "base/vec.h"

#include <math.h>
#include <stdlib.h>

enum { PATIENCE = 70, SUMS = 1024 /* a power of two */ };

#define STALE_BITS 4.0 /* the least patient goes back after 1 run, the most patient after 2 to the power of so many */

struct scored {
	double score;
	uint32_t choice;
};

/* Branches of a path have few sets of features among them. */
struct sum {
	uint64_t features;
	double score;
};

struct theta {
	struct world *world;
	struct features *features;
	uint32_t walk;
	uint32_t stale;          /* runs since something new was covered */
	VEC(uint32_t) good;      /* walks that covered something new */
	VEC(struct scored) left; /* of its choices */
	VEC(uint8_t) asked;      /* by the id of a choice */
	struct sum sums[SUMS];   /* by hash; an empty set sums up to 0 */
};

static void *theta_open(struct world *w, const struct strategy *self)
{
	struct theta *t = mem_alloc(sizeof *t);
	(void)self;
	t->world = w;
	t->features = features_new(w);
	t->walk = WALK_NONE;
	return t;
}

/* --- scores --- */

static double sum_of(const double *weights, uint64_t features)
{
	double sum = 0;
	for (; weights && features; features &= features - 1)
		sum += weights[__builtin_ctzll(features)];
	return sum;
}

static double score_of(struct theta *t, uint64_t features)
{
	struct sum *s = &t->sums[rng_mix(features) % SUMS];
	if (s->features != features)
		*s = (struct sum){ features, sum_of(t->world->weights, features) };
	return s->score;
}

static bool was_asked(const struct theta *t, uint32_t id)
{
	return id < t->asked.count && t->asked.at[id];
}

static bool is_wanted(const struct theta *t, const struct walk_choice *c)
{
	return !was_asked(t, c->id) && features_failures(t->features, c->edge) < PATIENCE;
}

static bool has_edge(const struct theta *t, const struct walk_choice *c)
{
	return c->edge < t->world->edges;
}

static void score_path(struct theta *t)
{
	const struct walk *w = &t->world->walks.at[t->walk];
	vec_clear(&t->left);
	for (uint32_t i = 0; i < w->choices_count; i++) {
		const struct walk_choice *c = &w->choices[i];
		if (choice_is_branch(c) && is_wanted(t, c))
			vec_push(&t->left, (struct scored){ has_edge(t, c) ? score_of(t, features_of(t->features, i)) : -INFINITY, i });
	}
}

static bool is_better(const struct scored *a, const struct scored *b)
{
	return a->score != b->score ? a->score > b->score : a->choice > b->choice;
}

/* Which of its choices comes next. */
static uint32_t take_best(struct theta *t)
{
	size_t best = 0;
	for (size_t i = 1; i < t->left.count; i++)
		if (is_better(&t->left.at[i], &t->left.at[best]))
			best = i;
	uint32_t choice = t->left.at[best].choice;
	t->left.at[best] = t->left.at[--t->left.count];
	return choice;
}

/* --- the search --- */

static void move_to(struct theta *t, uint32_t walk, uint32_t negated, bool is_news)
{
	t->walk = walk;
	features_move(t->features, walk, negated, is_news);
}

static void theta_begin(void *s, uint32_t walk, uint32_t fresh)
{
	struct theta *t = s;
	features_execute(t->features);
	t->stale = 0;
	if (fresh)
		vec_push(&t->good, walk);
	move_to(t, walk, WALK_NONE, fresh);
}

static void ask(struct theta *t, uint32_t id)
{
	while (t->asked.count <= id)
		vec_push(&t->asked, 0);
	t->asked.at[id] = 1;
}

/* The next of the path; false: nothing is left of it. */
static bool take_next(struct theta *t, struct pick *out)
{
	const struct walk *w = &t->world->walks.at[t->walk];
	if (w->dropped)
		return false;
	if (features_update(t->features))
		score_path(t);
	while (t->left.count) {
		const struct walk_choice *c = &w->choices[take_best(t)];
		if (!is_wanted(t, c)) /* it has failed again since it was scored */
			continue;
		*out = (struct pick){ t->walk, *c };
		ask(t, c->id);
		return true;
	}
	return false;
}

/* To any of the walks that covered something new and have something left; false: none has, and all is as it was. */
static bool go_back(struct theta *t, struct pick *out)
{
	uint32_t last = t->walk;
	while (t->good.count) {
		size_t i = (size_t)rng_below(&t->world->rng, t->good.count);
		move_to(t, t->good.at[i], WALK_NONE, false);
		if (take_next(t, out))
			return true;
		t->good.at[i] = t->good.at[--t->good.count];
	}
	move_to(t, last, WALK_NONE, false);
	return false;
}

/* Has nothing new come for too long? */
static bool is_stale(const struct theta *t)
{
	double patience = t->world->weights ? t->world->weights[WEIGHT_PATIENCE] : 1;
	return t->stale >= (uint32_t)exp2((fmax(-1, fmin(1, patience)) + 1) / 2 * STALE_BITS);
}

static enum search_move theta_choose(void *s, struct pick *out)
{
	struct theta *t = s;
	if (is_stale(t)) {
		t->stale = 0;
		if (go_back(t, out))
			return SEARCH_TRY;
	}
	return take_next(t, out) ? SEARCH_TRY : SEARCH_RESTART;
}

static void theta_learn(void *s, const struct pick *p, const struct result *r)
{
	struct theta *t = s;
	if (r->kind != RESULT_WALK) {
		features_failed(t->features, p->choice.edge);
		return;
	}
	if (r->is_new) {
		features_execute(t->features);
		t->stale = r->fresh ? 0 : t->stale + 1;
		if (r->fresh)
			vec_push(&t->good, r->walk);
	}
	features_negated(t->features, p->walk, &p->choice);
	if (!t->world->walks.at[r->walk].dropped)
		move_to(t, r->walk, r->predicted ? p->choice.step : WALK_NONE, r->fresh);
}

static void theta_meet(void *s, uint32_t walk)
{
	struct theta *t = s;
	features_meet(t->features, walk);
}

static void theta_close(void *s)
{
	struct theta *t = s;
	features_free(t->features);
	vec_free(&t->good);
	vec_free(&t->left);
	vec_free(&t->asked);
	free(t);
}

const struct strategy search_theta = {
	.name = "theta", .text = "the branch of the last path with the highest score, by the weights in FILE.theta", .weighed = true, .steady = true, .leaps = true,
	.open = theta_open, .begin = theta_begin, .choose = theta_choose, .learn = theta_learn, .meet = theta_meet, .close = theta_close,
};
