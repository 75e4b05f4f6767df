/* The loop: choose, solve, run, learn. Who chooses is a strategy of src/search, with turns in between for what takes no branch (aside.c). What is known
 * stands in the tree, so nothing runs or is solved twice: a pick that was answered before, by whatever run, is answered from there, and an input that
 * came out before is its old walk. All randomness comes from the seed, so two explorations are the same as long as no time limit strikes.
 *
 * Memory is bounded. Traces go first (stock.c): one that is wanted again is made by running its input again, which is not counted among
 * the runs. Then steps and choices of old walks, and inputs. What was dropped is told in the statistics. */
#include "engine/core.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/rng.h"
#include "engine/replay.h"
#include "solve/solver.h"

#include <stdlib.h>
#include <string.h>

#define NODES_MAX (1u << 22)
#define EVENTS_MAX (1u << 20)         /* of one run; an endless loop over its input would fill any number */
#define KEPT_MAX ((size_t)1280 << 20) /* bytes; of these */
#define TRACES_SHARE 2 / 5
#define INPUTS_SHARE 1 / 5
#define TICK 0.25                     /* seconds */
#define STALE 16                      /* steps without new coverage: then another shape is tried, */
#define VARIANT_SHARE 8               /* every so many steps */
#define LEFT_EVERY 30.0
#define LEFT_MAX 1024                 /* inputs to go on from that are kept for another session */
#define BEGIN_SHARE 2                 /* one part in so many of the time is for first inputs, if these are all that is looked at, or a function is tested */
#define USUAL 8                       /* first inputs tell what is usual */
#define SLOW 50                       /* times as long as the slowest input to start from */
#define SLOW_LEAST 500                /* ms */
#define DRY_MAX 64                    /* restarts in a row from which nothing was learnt */

static bool out_of_budget(const struct engine *e)
{
	return (e->o->execs && e->stats->runs >= e->o->execs) || (e->o->seconds > 0 && clock_seconds() - e->start >= e->o->seconds);
}

bool core_is_over(const struct engine *e)
{
	return e->told_off || (e->stats->bugs && !e->o->go_on) || out_of_budget(e) || (e->o->stop && *e->o->stop);
}

size_t core_kept_max(const struct engine *e)
{
	return e->o->kept_max ? e->o->kept_max : KEPT_MAX;
}

/* What earlier sessions covered. */
void core_remember_edges(struct engine *e, const struct past *p)
{
	edges_remember(&e->facts, p, &e->world.counted, &e->world.ever);
	e->stats->edges_seen = e->world.ever.covered;
}

void core_meet(struct engine *e, uint32_t walk)
{
	aside_meet(e->aside, walk);
	if (e->search->meet)
		e->search->meet(e->self, walk);
}

/* --- how it is going --- */

static void last_counts(struct engine *e)
{
	if (!e->tree)
		return;
	e->stats->traces_dropped = stock_counts(e->stock).traces_dropped;
	e->stats->inputs_dropped = stock_counts(e->stock).inputs_dropped;
	e->stats->choices_dropped = e->survey.left_out + tree_counts(e->tree).refused;
	e->stats->open = tree_counts(e->tree).open;
	e->stats->risky_places = risks_places(e->risks);
	e->stats->distance = e->world.distance;
	struct chain_count chained = edges_chained(&e->facts, &e->world.counted, &e->world.ever);
	e->stats->chained_seen = chained.taken;
	e->stats->chained = chained.sides;
	e->stats->solver = solver_stats(e->solver);
	e->stats->seconds = clock_seconds() - e->start - e->rested;
}

/* Conditions that nobody came to ask. */
static uint64_t conditions_left(const struct engine *e)
{
	uint64_t n = 0;
	for (size_t i = 0; i < e->world.walks.count; i++)
		for (uint32_t k = 0; k < e->world.walks.at[i].choices_count; k++) {
			const struct walk_choice *c = &e->world.walks.at[i].choices[k];
			n += c->kind == CHOICE_SAFETY && c->is_new && tree_state(e->tree, c->id) == CHOICE_OPEN;
		}
	return n;
}

static bool has_open_choice(const struct engine *e, const struct walk *w)
{
	for (uint32_t i = 0; i < w->choices_count; i++)
		if (tree_state(e->tree, w->choices[i].id) == CHOICE_OPEN)
			return true;
	return false;
}

/* Where another session would go on: the newest inputs with something left to be tried. */
static void tell_left(struct engine *e)
{
	if (!e->o->leave || !e->stock)
		return;
	e->o->leave(e->o->context, NULL);
	for (size_t i = e->world.walks.count, left = 0; i-- > 0 && left < LEFT_MAX;) {
		const struct testcase *input = stock_input(e->stock, (uint32_t)i);
		if (!input || !has_open_choice(e, &e->world.walks.at[i]))
			continue;
		e->o->leave(e->o->context, input);
		left++;
	}
}

static void rest(struct engine *e)
{
	double start = clock_seconds();
	if (e->o->rest)
		e->o->rest(e->o->context);
	e->rested += clock_seconds() - start;
}

static void tick(struct engine *e)
{
	double t = clock_seconds();
	if (t >= e->next_left) {
		tell_left(e);
		e->next_left = t + LEFT_EVERY;
	}
	if (!e->o->tick || t < e->next_tick)
		return;
	last_counts(e);
	e->o->tick(e->o->context, e->stats);
	rest(e);
	e->next_tick = clock_seconds() + TICK;
}

/* --- the loop --- */

/* Whose pick it is. */
enum turn { TURN_STRATEGY, TURN_ASIDE, TURN_INSTEAD /* of a restart */ };

static enum search_move choose(struct engine *e, struct pick *p, enum turn *turn)
{
	*turn = TURN_ASIDE;
	if (!e->search->whole && aside_choose(e->aside, p))
		return SEARCH_TRY;
	*turn = TURN_STRATEGY;
	enum search_move move = e->search->choose(e->self, p);
	if (move == SEARCH_TRY || e->search->whole || !aside_instead(e->aside, move == SEARCH_NOTHING || e->dry, p))
		return move;
	*turn = TURN_INSTEAD;
	return SEARCH_TRY;
}

static size_t length_of(const struct engine *e, uint32_t walk)
{
	const struct testcase *t = stock_input(e->stock, walk);
	return t ? testcase_size(t) : 0;
}

/* What came of it is the strategy's if it was its pick; and a longer input is as good a beginning as a random one. A shorter one seldom leads anywhere. */
static void tell_strategy(struct engine *e, enum turn turn, const struct pick *p, const struct result *r)
{
	if (turn == TURN_STRATEGY)
		e->search->learn(e->self, p, r);
	if (p->choice.kind != CHOICE_LENGTH || r->kind != RESULT_WALK)
		return;
	size_t length = length_of(e, r->walk);
	if (r->fresh && length > length_of(e, e->shape))
		e->shape = r->walk;
	if (length > length_of(e, p->walk) && (turn == TURN_INSTEAD || r->fresh))
		e->search->begin(e->self, r->walk, r->fresh);
}

static bool try_pick(struct engine *e, const struct pick *p, enum turn turn, struct err *err)
{
	struct result r = { .walk = WALK_NONE };
	bool known = tree_state(e->tree, p->choice.id) != CHOICE_OPEN;
	if (known)
		answer_known(e, p, &r);
	else if (!answer_pick(e, p, &r, err))
		return false;
	e->stats->known += known;
	e->dry = known ? e->dry : 0;
	aside_learn(e->aside, &r);
	e->stale = r.fresh ? 0 : e->stale + 1;
	if (r.is_new)
		core_meet(e, r.walk);
	tell_strategy(e, turn, p, &r);
	if (r.is_new)
		attempt_drop_walks(e, r.walk);
	return known || r.kind == RESULT_WALK || answer_leap(e, p, err);
}

/* What all of a team have run offers every one of them the same branches: each is left to one. */
static void share_choices(struct engine *e, uint32_t walk)
{
	const struct walk *w = &e->world.walks.at[walk];
	for (uint32_t i = 0; i < w->choices_count && e->o->members > 1; i++) {
		uint32_t id = w->choices[i].id;
		if (tree_state(e->tree, id) == CHOICE_OPEN && rng_mix(tree_key(e->tree, id)) % e->o->members != e->o->member)
			tree_close(e->tree, id, CHOICE_GAVE_UP, WALK_NONE);
	}
}

/* An input that is not made for a flip; shared: the others of a team run it too. */
static bool run_plain(struct engine *e, const struct testcase *feed, bool shared, uint32_t *walk, uint32_t *fresh, struct err *err)
{
	*walk = tree_input(e->tree, testcase_hash(feed));
	*fresh = 0;
	bool is_new = *walk == WALK_NONE;
	if (is_new && !attempt_run(e, &(struct attempt){ .feed = *feed }, walk, fresh, err))
		return false;
	e->stats->repeats += !is_new;
	if (is_new && shared)
		share_choices(e, *walk);
	if (is_new)
		core_meet(e, *walk);
	return true;
}

/* What earlier sessions knew. All that ran then and does not run now is one walk, of which nothing is known. */
static void remember(struct engine *e, const struct past *p)
{
	uint32_t number = (uint32_t)e->world.walks.count;
	vec_push(&e->world.walks, (struct walk){ .dropped = true });
	stock_add(e->stock, &e->o->feeds[0], &(struct trace){0});
	for (size_t i = 0; i < p->inputs_count; i++)
		tree_add_input(e->tree, p->inputs[i], number);
	for (size_t i = 0; i < p->flips_count; i++) {
		bool is_new;
		uint32_t node = tree_node(e->tree, p->flips[i].key, &is_new);
		if (node != WALK_NONE && tree_state(e->tree, node) == CHOICE_OPEN)
			tree_close(e->tree, node, (enum choice_state)p->flips[i].state, number);
	}
	e->world.states = tree_states(e->tree);
	e->lossy = true; /* what those walks left to be tried is not known any more */
}

/* From here on a run that takes very much longer than those before is stopped: in its time thousands of others run. */
static void hurry(struct engine *e)
{
	uint64_t ms = e->slowest_us * SLOW / 1000;
	ms = ms > SLOW_LEAST ? ms : SLOW_LEAST;
	if (e->o->hurried && e->ended && ms < (uint64_t)e->o->wall_ms)
		runner_patience(e->runner, (int)ms);
}

/* A search that asks what inputs take for granted needs time for that, and the test of a function has little. */
static bool has_begun_long_enough(const struct engine *e)
{
	return (e->search->whole || e->o->unit_size) && e->o->seconds > 0 && clock_seconds() - e->start >= e->o->seconds / BEGIN_SHARE;
}

static size_t size_of(const struct testcase *t)
{
	size_t size = testcase_size(t);
	for (size_t i = 0; i < t->args_count; i++)
		size += strlen(t->args[i]);
	return size;
}

static int by_size(const void *a, const void *b)
{
	const struct testcase *x = *(const struct testcase *const *)a, *y = *(const struct testcase *const *)b;
	size_t m = size_of(x), n = size_of(y);
	return m != n ? (m > n) - (m < n) : (x > y) - (x < y);
}

/* In which order they run: if all are asked about, or there may be no time for all of them, small ones first, of which a thousand questions take as long as one of a large one. */
static const struct testcase **order_feeds(const struct engine *e)
{
	const struct testcase **feeds = mem_alloc((e->o->feeds_count + 1) * sizeof *feeds);
	for (size_t i = 0; i < e->o->feeds_count; i++)
		feeds[i] = &e->o->feeds[i];
	if ((e->search->whole || e->o->unit_size) && e->o->feeds_count)
		qsort(feeds, e->o->feeds_count, sizeof *feeds, by_size);
	return feeds;
}

static bool begin_with(struct engine *e, const struct testcase *feed, struct err *err)
{
	struct beginning b = { .feed = feed };
	if (!run_plain(e, feed, true, &b.walk, &b.fresh, err))
		return false;
	vec_push(&e->beginnings, b);
	attempt_drop_walks(e, b.walk);
	if (e->search->whole && e->beginnings.count >= USUAL) /* a test may have been one that its reader ended */
		hurry(e);
	tick(e);
	return true;
}

/* What there is to start from runs first, so that all of its coverage is known. The search begins with the first; the others take the place of random inputs. */
static bool begin(struct engine *e, struct err *err)
{
	const struct testcase **feeds = order_feeds(e);
	bool ok = true;
	e->repeating = e->o->past;
	for (size_t i = 0; ok && i < e->o->feeds_count && (!i || !(core_is_over(e) || has_begun_long_enough(e))); i++)
		ok = begin_with(e, feeds[i], err);
	free(feeds);
	if (!ok)
		return false;
	e->repeating = false;
	e->stats->unbegun = e->o->feeds_count - e->beginnings.count;
	if (e->search->whole) /* it leaves no path but these: they are not what there is too much of */
		e->oldest_walk = (uint32_t)e->world.walks.count;
	hurry(e);
	if (e->o->past)
		remember(e, e->o->past);
	e->search->begin(e->self, e->beginnings.at[0].walk, e->beginnings.at[0].fresh);
	e->begun = 1;
	return true;
}

/* Lengths are those of an input that did well, or of any that was given. */
static const struct testcase *shape_of(struct engine *e)
{
	size_t n = e->beginnings.count;
	uint32_t walk = n > 1 ? e->beginnings.at[rng_below(&e->world.rng, n)].walk : e->shape;
	const struct testcase *t = stock_input(e->stock, walk);
	return t ? t : &e->o->feeds[0];
}

/* The first one is empty: that lengths shrink to nothing one by one would take as many runs. Then they are random. */
static struct testcase next_restart(struct engine *e)
{
	struct testcase empty = restart_empty(&e->o->feeds[0], e->scratch);
	bool is_due = !e->was_empty && tree_input(e->tree, testcase_hash(&empty)) == WALK_NONE;
	e->was_empty = true;
	return is_due ? empty : attempt_own(e, restart_input(shape_of(e), &e->marks, &e->world.rng, e->scratch));
}

static bool restart(struct engine *e, struct err *err)
{
	struct beginning b;
	uint64_t nodes = tree_counts(e->tree).nodes;
	e->stats->restarts++;
	if (e->begun < e->beginnings.count) {
		b = e->beginnings.at[e->begun++];
	} else {
		struct testcase feed = next_restart(e);
		if (!run_plain(e, &feed, false, &b.walk, &b.fresh, err))
			return false;
		e->dry = tree_counts(e->tree).nodes > nodes ? 0 : e->dry + 1;
	}
	e->search->begin(e->self, b.walk, b.fresh);
	return true;
}

/* Is there anything left that a restart could bring? */
static bool is_exhausted(const struct engine *e)
{
	return e->dry > DRY_MAX || (!e->lossy && !tree_counts(e->tree).open && !tree_counts(e->tree).refused && !e->survey.left_out);
}

/* One with another number of arguments; false in *found: there is none to be tried. A search goes on from it if it is good for something. */
static bool try_variant(struct engine *e, bool begins, bool *found, struct err *err)
{
	struct beginning b;
	unsigned kind;
	*found = variants_next(e->variants, &b.walk, &kind);
	const struct testcase *from = *found ? stock_input(e->stock, b.walk) : NULL;
	if (!from)
		return true;
	struct testcase feed = attempt_own(e, variants_make(from, kind, e->scratch));
	if (!run_plain(e, &feed, false, &b.walk, &b.fresh, err))
		return false;
	e->stale = b.fresh ? 0 : e->stale + 1;
	if (begins || b.fresh)
		e->search->begin(e->self, b.walk, b.fresh);
	attempt_drop_walks(e, b.walk);
	return true;
}

static bool step(struct engine *e, bool *done, struct err *err)
{
	struct pick p;
	enum turn turn;
	bool found;
	arena_reset(e->scratch);
	if (!e->search->whole && e->stale >= STALE && e->stale++ % VARIANT_SHARE == 0) {
		if (!try_variant(e, false, &found, err))
			return false;
		if (found)
			return true;
	}
	enum search_move move = choose(e, &p, &turn);
	if (move == SEARCH_TRY)
		return try_pick(e, &p, turn, err);
	if (e->search->whole)
		return *done = true;
	if (e->begun == e->beginnings.count) {
		if (!try_variant(e, true, &found, err))
			return false;
		if (found)
			return true;
		*done = move == SEARCH_NOTHING || is_exhausted(e);
	}
	return *done || restart(e, err);
}

/* Others' tests are run here too, which brings their paths; what they cover is known before, so that they are no news. */
static bool exchange(struct engine *e, bool *done, struct err *err)
{
	struct news n = {0};
	last_counts(e);
	if (!e->o->exchange(e->o->context, e->stats, &n, err))
		return false;
	e->told_off = n.stop;
	e->next_exchange = e->stats->runs + e->o->epoch;
	core_remember_edges(e, &n.past);
	for (size_t i = 0; i < n.feeds_count && !core_is_over(e); i++) {
		struct beginning b = { .feed = NULL };
		if (!run_plain(e, &n.feeds[i], true, &b.walk, &b.fresh, err))
			return false;
		vec_push(&e->beginnings, b);
		*done = false;
	}
	if (n.past.inputs_count || n.past.flips_count)
		remember(e, &n.past);
	return true;
}

static bool loop(struct engine *e, enum engine_end *end, struct err *err)
{
	bool done = false;
	e->next_exchange = e->o->epoch;
	if (!begin(e, err))
		return false;
	while (!done && !core_is_over(e)) {
		if (!step(e, &done, err) || !judge_suspects(&e->judge, false, err))
			return false;
		tick(e);
		if (e->o->exchange && (done || e->stats->runs >= e->next_exchange) && !core_is_over(e) && !exchange(e, &done, err))
			return false;
	}
	if (!e->told_off && !(e->o->stop && *e->o->stop) && !judge_suspects(&e->judge, true, err))
		return false;
	e->stats->exhausted = done && !e->lossy && !tree_counts(e->tree).refused && !e->survey.left_out;
	*end = e->stats->bugs ? ENGINE_BUG : done && !tree_counts(e->tree).open ? ENGINE_EXHAUSTED : ENGINE_BUDGET;
	return true;
}

static struct runner_options runner_options_of(const struct engine_options *o)
{
	return (struct runner_options){
		.program = o->program, .flags = TD_SYM_STDIN | (o->unit_size ? 0 : TD_SYM_ARGV | TD_SYM_GIVEN) | (o->memory ? TD_QUOTA : 0) | o->flags, .fresh = o->fresh, .sandbox = o->sandbox,
		.memory = REPLAY_HARD * o->memory, .wall_ms = o->wall_ms, .nodes_max = NODES_MAX, .events_max = EVENTS_MAX, .window = o->window,
		.outside = o->outside, .outside_count = o->outside_count, .directory = o->directory, .unit = o->unit, .unit_size = o->unit_size,
	};
}

struct runner *engine_runner(const struct engine_options *o, struct err *err)
{
	struct runner_options r = runner_options_of(o);
	return runner_open(&r, err);
}

static bool open_all(struct engine *e, struct err *err)
{
	struct runner_options o = runner_options_of(e->o);
	if (!facts_open(&e->facts, e->o->program, err))
		return false;
	e->tree = tree_new(TREE_NODES);
	e->stock = stock_new(&e->facts, &(struct stock_limits){ core_kept_max(e) * TRACES_SHARE, core_kept_max(e) * INPUTS_SHARE });
	e->survey = (struct survey){ .tree = e->tree, .facts = &e->facts, .feeds = e->o->feeds, .feeds_count = e->o->feeds_count, .grow_max = e->o->grow_max };
	e->world.facts = &e->facts;
	e->world.distance_max = e->o->distance_max;
	e->world.weights = e->o->weights;
	e->search = e->o->search ? e->o->search : search_table[0];
	e->world.own = e->o->own;
	e->world.own_edges = e->o->own_edges;
	e->self = e->search->open(&e->world, e->search);
	e->aside = aside_new(&e->world, e->o->conditions_first);
	e->variants = variants_new(e->o->feeds, e->o->feeds_count);
	e->bugs = bugs_new(&(struct bugs_options){
		.facts = &e->facts, .known = e->o->past ? e->o->past->bugs : NULL, .known_count = e->o->past ? e->o->past->bugs_count : 0, .wall_ms = e->o->wall_ms, .memory = e->o->memory, .seconds = e->o->seconds });
	e->known = e->o->hoard && e->search->steady ? known_new(e->o->hoard, e->o->solver.seed) : NULL;
	e->solver = solver_new(&e->o->solver);
	e->runner = e->o->runner ? e->o->runner : runner_open(&o, err);
	if (e->o->runner)
		runner_patience(e->runner, e->o->wall_ms);
	e->risks = e->runner && e->search->whole ? risks_open(&o, err) : NULL;
	e->suspects = suspects_new();
	e->judge = (struct judge){ .o = e->o, .stats = e->stats, .bugs = e->bugs, .runner = e->runner, .suspects = e->suspects, .scratch = e->scratch };
	return e->runner && (e->risks || !e->search->whole);
}

static void close_all(struct engine *e)
{
	if (e->self)
		e->search->close(e->self);
	if (e->runner != e->o->runner)
		runner_close(e->runner);
	risks_close(e->risks);
	map_free(&e->checked);
	aside_free(e->aside);
	stock_free(e->stock);
	known_free(e->known);
	world_free(&e->world);
	tree_free(e->tree);
	bugs_free(e->bugs);
	suspects_free(e->suspects);
	restart_free(&e->marks);
	variants_free(e->variants);
	vec_free(&e->beginnings);
	vec_free(&e->own_ends);
	vec_free(&e->fresh);
	refusals_free(&e->refusals);
	facts_close(&e->facts);
	solver_free(e->solver);
	arena_free(e->scratch);
}

bool engine_explore(const struct engine_options *o, enum engine_end *end, struct engine_stats *stats, struct err *err)
{
	struct engine e = { .o = o, .stats = stats, .scratch = arena_new(), .start = clock_seconds() };
	*stats = (struct engine_stats){0};
	rng_seed(&e.world.rng, o->seed);
	e.next_left = e.start + LEFT_EVERY;
	bool ok = open_all(&e, err) && loop(&e, end, err);
	tell_left(&e);
	last_counts(&e);
	stats->checks_left = conditions_left(&e);
	close_all(&e);
	return ok;
}
