/* The loop: choose, solve, run, learn. Who chooses is a strategy of src/search, with turns in between for what takes no branch (aside.c). What is known
 * stands in the tree, so nothing runs or is solved twice: a pick that was answered before, by whatever run, is answered from there, and an input that
 * came out before is its old walk. All randomness comes from the seed, so two explorations are the same as long as no time limit strikes.
 *
 * Memory is bounded. Traces go first (stock.c): one that is wanted again is made by running its input again, which is not counted among
 * the runs. Then steps and choices of old walks, and inputs. What was dropped is told in the statistics. */
#include "engine/engine.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/vec.h"
#include "engine/bugs.h"
#include "engine/edges.h"
#include "engine/flip.h"
#include "engine/judge.h"
#include "engine/replay.h"
#include "engine/risks.h"
#include "engine/refusals.h"
#include "engine/restart.h"
#include "engine/runner.h"
#include "engine/stock.h"
#include "engine/survey.h"
#include "engine/variants.h"
#include "search/aside.h"
#include "search/map.h"
#include "search/search.h"
#include "solve/solver.h"

#include <stdio.h>
#include <string.h>

#define NODES_MAX (1u << 22)
#define EVENTS_MAX (1u << 20)         /* of one run; an endless loop over its input would fill any number */
#define KEPT_MAX ((size_t)1280 << 20) /* bytes; of these */
#define TRACES_SHARE 2 / 5
#define INPUTS_SHARE 1 / 5
#define WALKS_SHARE 2 / 5
#define TICK 0.25                     /* seconds */
#define STALE 16                      /* steps without new coverage: then another shape is tried, */
#define VARIANT_SHARE 8               /* every so many steps */
#define LEFT_EVERY 30.0
#define LEFT_MAX 1024                 /* inputs to go on from that are kept for another session */
#define BEGIN_SHARE 2                 /* one part in so many of the time is for first inputs, if these are all that is looked at */
#define USUAL 8                       /* first inputs tell what is usual */
#define SLOW 50                       /* times as long as the slowest input to start from */
#define SLOW_LEAST 500                /* ms */
#define CUT 2                         /* times the events of the longest run that ended */
#define CUT_LEAST 1024                /* events */
#define EFFORT 1000                   /* gates, of a question that costs as much as a short run */
#define EFFORT_MAX 64                 /* one hard path says little about the others */
#define DRY_MAX 64                    /* restarts in a row from which nothing was learnt */

/* Where a search may begin. */
struct beginning {
	uint32_t walk, fresh;
};

struct engine {
	const struct engine_options *o;
	struct engine_stats *stats;
	struct runner *runner;
	struct solver *solver;
	struct facts facts;
	struct tree *tree;
	struct stock *stock;
	struct survey survey;
	struct world world;
	struct aside *aside;
	const struct strategy *search;
	void *self;                 /* the strategy's */
	struct bugs *bugs;
	struct suspects *suspects;
	struct judge judge;
	struct restart_marks marks;
	struct variants *variants;
	struct refusals refusals;   /* of edges while they were uncovered */
	uint64_t stale;             /* steps since something new was covered */
	VEC(struct beginning) beginnings; /* of the inputs that were given */
	size_t begun;               /* how many of them the search has begun with */
	struct arena *scratch;      /* of a step */
	struct edge_list fresh;     /* of the last run */
	double next_tick, next_left;
	size_t walks_size;          /* bytes of steps and choices */
	uint32_t oldest_walk;       /* that still has them */
	uint32_t shape;             /* the walk whose input tells restarts how long things are */
	bool was_empty;             /* an empty input was tried */
	unsigned dry;
	uint64_t next_exchange;     /* at this number of runs */
	bool told_off;              /* by the others */
	bool repeating;             /* what ran in an earlier session */
	bool ended;                 /* a run did, by itself */
	uint64_t slowest_us;        /* of the runs so far that did */
	uint32_t longest;           /* events, of them */
	struct risks *risks;        /* NULL: nobody wants any */
	struct map checked;         /* places of conditions that were asked */
	bool lossy;                 /* something was lost, so what was tried may not be all */
	double start, rested;       /* seconds */
};

static bool out_of_budget(const struct engine *e)
{
	return (e->o->execs && e->stats->runs >= e->o->execs) || (e->o->seconds > 0 && clock_seconds() - e->start >= e->o->seconds);
}

static bool is_over(const struct engine *e)
{
	return e->told_off || (e->stats->bugs && !e->o->go_on) || out_of_budget(e) || (e->o->stop && *e->o->stop);
}

/* --- after a run --- */

/* What earlier sessions covered. */
static void remember_edges(struct engine *e, const struct past *p)
{
	edges_remember(&e->facts, p, &e->world.counted, &e->world.ever);
	e->stats->edges_seen = e->world.ever.covered;
}

/* Libraries that were not met before. */
static void learn_modules(struct engine *e, const struct trace *t)
{
	facts_learn(&e->facts, t, e->o->note, e->o->context);
	if (e->facts.edges == e->world.edges && e->world.counted.words)
		return;
	e->stats->edges = edges_counted(&e->facts, &e->world.counted);
	e->world.edges = e->facts.edges;
	if (e->o->past)
		remember_edges(e, e->o->past);
}

static void learn_losses(struct engine *e, const struct trace *t)
{
	bool lost = t->header->incomplete;
	for (unsigned i = 0; i < TD_LOST_KINDS; i++)
		lost |= t->header->lost[i] != 0;
	e->lossy |= lost;
}

static size_t kept_max(const struct engine *e)
{
	return e->o->kept_max ? e->o->kept_max : KEPT_MAX;
}

static void drop_walks(struct engine *e, uint32_t newest)
{
	for (; e->walks_size > kept_max(e) * WALKS_SHARE && e->oldest_walk < newest; e->oldest_walk++) {
		struct walk *w = &e->world.walks.at[e->oldest_walk];
		e->walks_size -= survey_size(w);
		free(w->steps);
		free(w->choices);
		w->steps = NULL;
		w->choices = NULL;
		w->steps_count = w->choices_count = 0;
		w->dropped = true;
		e->stats->walks_dropped++;
	}
}

/* An input, and what it was made for. */
struct attempt {
	struct testcase feed;
	const struct pick *pick;   /* NULL: the first input, or a random one */
	struct flip flip;
	struct td_event condition; /* that should not hold; kind 0: none */
	bool sure;                 /* all that the run of the flip demands was kept, nothing that it had lost was dropped, and no argument or variable is longer or shorter: how
	                            * a model compares them depends on that (models/compare.c) */
};

/* How many events of a run count. How far one came that had to be stopped is chance, and a seed must decide all: so it counts only as far as others led to expect, which it passed long before. */
static uint32_t events_that_count(struct engine *e, const struct trace *t, bool stopped)
{
	uint32_t most = e->longest > UINT32_MAX / CUT ? UINT32_MAX : CUT * e->longest;
	most = most > CUT_LEAST ? most : CUT_LEAST;
	if (!stopped && t->events_count > e->longest)
		e->longest = t->events_count;
	return stopped && t->events_count > most ? most : t->events_count;
}

/* Conditions of a walk that others had too, on the same path. */
static uint64_t known_conditions(const struct walk *w)
{
	uint64_t n = 0;
	for (uint32_t i = 0; i < w->choices_count; i++)
		n += w->choices[i].kind == CHOICE_SAFETY && !w->choices[i].is_new;
	return n;
}

/* The walk of a run, which is entered everywhere. A trace that cannot be read is a walk without steps. */
static uint32_t add_walk(struct engine *e, const struct attempt *a, const struct outcome *out, const struct trace *t, uint32_t *fresh)
{
	uint32_t number = (uint32_t)e->world.walks.count;
	const struct walk *parent = a->pick ? &e->world.walks.at[a->pick->walk] : NULL;
	struct walk w = {0};
	bool stopped = out->kind == OUTCOME_TIMEOUT && e->ended;
	if (t->header) {
		struct trace counted = *t;
		counted.events_count = events_that_count(e, t, stopped);
		learn_modules(e, t);
		learn_losses(e, t);
		restart_learn(&e->marks, t);
		w = survey_walk(&e->survey, &counted, number, parent);
		edges_take(&w, t, &e->facts);
		if (e->risks && !a->pick && !stopped)
			risks_find(e->risks, &a->feed, &w);
	}
	w.stopped = stopped;
	e->stats->checks_same += known_conditions(&w);
	vec_push(&e->world.walks, w);
	stock_add(e->stock, &a->feed, t);
	tree_add_input(e->tree, testcase_hash(&a->feed), number);
	e->world.states = tree_states(e->tree);
	e->walks_size += survey_size(&w);
	vec_clear(&e->fresh);
	edges_fresh(&e->world.ever, &e->world.counted, &w, &e->fresh);
	*fresh = tally_add(&e->world.ever, &w, &e->world.counted);
	e->stats->edges_seen = e->world.ever.covered;
	return number;
}

static void tell_all(struct engine *e, uint32_t walk)
{
	aside_meet(e->aside, walk);
	if (e->search->meet)
		e->search->meet(e->self, walk);
}

/* What must hold was asked not to, and nothing else: then that has to be reported, there. */
static bool is_met(const struct trace *t, const struct td_event *condition)
{
	const struct td_report *r = t->reports_count ? &t->reports[t->reports_count - 1] : NULL; /* before it may be word of memory that was refused */
	uint32_t place = r ? r->stacks[TD_WHERE_HAPPENED].place : 0;
	return r && r->violation == condition->sub && (!place || !condition->aux || place == condition->aux);
}

static void check_violation(struct engine *e, const struct attempt *a, const struct trace *t)
{
	if (a->condition.kind != TD_EV_SAFETY || a->condition.sub == TD_NO_VIOLATION || !a->condition.value || !a->sure || !t->header)
		return; /* one that did not hold, in the run of a bug, was asked to hold */
	bool met = is_met(t, &a->condition);
	e->stats->violations++;
	e->stats->unmet += !met;
}

/* Of the input it was made from; 0: there is none, or it was dropped. */
static uint64_t parent_hash(const struct engine *e, const struct attempt *a)
{
	const struct testcase *parent = a->pick ? stock_input(e->stock, a->pick->walk) : NULL;
	return parent ? testcase_hash(parent) : 0;
}

static uint64_t runs_of_all(const struct engine *e)
{
	return (e->o->past ? e->o->past->runs : 0) + e->stats->runs;
}

/* NULL: it is none. */
static const struct testcase *feed_of(const struct engine *e, uint32_t walk)
{
	for (size_t i = 0; i < e->beginnings.count && i < e->o->feeds_count; i++)
		if (e->beginnings.at[i].walk == walk)
			return &e->o->feeds[i];
	return NULL;
}

static struct finding finding_of(struct engine *e, const struct attempt *a)
{
	struct lineage l = a->pick && e->search->lineage ? e->search->lineage(e->self, a->pick) : (struct lineage){ .test = WALK_NONE };
	return (struct finding){
		.test = feed_of(e, l.test), .distance = l.distance, .depth = l.depth,
		.feed = a->feed, .facts = &e->facts, .runs = runs_of_all(e), .flip = a->pick ? &a->flip : NULL, .parent = a->pick ? a->pick->walk + 1u : 0,
		.parent_feed = a->pick ? stock_input(e->stock, a->pick->walk) : NULL, .parent_hash = parent_hash(e, a),
	};
}

/* How it ends without us, for whoever replays it some day. Not asked if it broke a rule, since anything may come of that, or did not end. */
static bool end_untraced(struct engine *e, const struct attempt *a, const struct outcome *out, bool asked, struct outcome *end)
{
	struct err ignored = {0};
	if (!asked || !runner_untraced(e->runner, &a->feed, end, &ignored))
		return false;
	e->stats->untraced++;
	outcome_free(end); /* what it wrote */
	return end->kind == out->kind && (end->kind == OUTCOME_EXIT ? end->code == out->code : end->signal == out->signal);
}

static void tell_covered(struct engine *e, const struct attempt *a, const struct outcome *out, const struct finding *f, bool bug)
{
	struct outcome end;
	bool same = end_untraced(e, a, out, !bug && !f->report && (out->kind == OUTCOME_EXIT || out->kind == OUTCOME_SIGNAL), &end);
	e->o->covered(e->o->context, &(struct novelty){
		.feed = &a->feed, .facts = &e->facts, .runs = runs_of_all(e), .sides = (uint32_t)e->fresh.count, .edges = e->fresh.at, .parent_hash = parent_hash(e, a),
		.bug = bug ? f : NULL, .end = same ? &end : NULL });
}

/* Who runs his tests sees that one of them crashes; or it does so only here, where less is allowed. A rule that it breaks he does not see. */
static bool is_no_news(const struct engine *e, const struct attempt *a, const struct finding *f)
{
	return (e->search->whole && !a->pick && f->kind == FINDING_CRASH) || (e->o->endless_is_fine && (f->kind == FINDING_HANG || f->kind == FINDING_MEMORY));
}

/* Runs an input that did not run before. */
static bool run(struct engine *e, const struct attempt *a, uint32_t *walk, uint32_t *fresh, struct err *err)
{
	struct outcome out;
	struct trace t;
	if (!runner_run(e->runner, &a->feed, &out, &t, err))
		return false;
	e->stats->runs += !e->repeating;
	e->stats->reruns += e->repeating;
	e->stats->reused += out.reused;
	e->stats->timeouts += out.kind == OUTCOME_TIMEOUT;
	e->ended |= out.kind != OUTCOME_TIMEOUT;
	if (out.kind != OUTCOME_TIMEOUT && out.wall_us > e->slowest_us)
		e->slowest_us = out.wall_us;
	e->stats->garbled += !t.header;
	*walk = add_walk(e, a, &out, &t, fresh);
	check_violation(e, a, &t);
	if (*fresh)
		variants_add(e->variants, *walk, &a->feed);
	struct finding f = finding_of(e, a);
	bool failed = bugs_look(e->bugs, &out, &t, &f) && !is_no_news(e, a, &f);
	e->world.walks.at[*walk].failed = failed;
	bool bug = false, ok = !failed || judge_finding(&e->judge, &f, e->ended, &bug, err);
	if (*fresh && e->o->covered)
		tell_covered(e, a, &out, &f, bug);
	if (e->o->ran && !e->repeating) /* after what it found was told: what is known to have run does not run again */
		e->o->ran(e->o->context, testcase_hash(&a->feed));
	outcome_free(&out);
	return ok;
}

/* --- solving --- */

static void note_answer(struct engine *e, const struct answer *a)
{
	e->stats->solver_calls += a->asked;
	e->stats->sat += a->verdict == VERDICT_SAT;
	e->stats->unsat += a->verdict == VERDICT_UNSAT;
	e->stats->unknown += a->verdict == VERDICT_UNKNOWN;
	e->stats->optimistic += a->verdict == VERDICT_SAT && a->optimistic;
}

/* The trace of a walk, made again if it is gone. *t NULL: there is none to be had. */
static bool find_trace(struct engine *e, uint32_t walk, const struct trace **t, struct err *err)
{
	const struct testcase *input = stock_input(e->stock, walk);
	struct outcome out;
	struct trace again;
	*t = stock_trace(e->stock, walk);
	if (*t || !input)
		return true;
	if (!runner_run(e->runner, input, &out, &again, err))
		return false;
	outcome_free(&out);
	e->stats->reruns++;
	stock_renew(e->stock, walk, &again);
	*t = stock_trace(e->stock, walk);
	return true;
}

/* What is made of an input and its trace shares memory with them, and may have to outlive them: a new run makes room for itself. */
static struct testcase own(struct engine *e, struct testcase t)
{
	return testcase_copy(&t, e->scratch);
}

/* The input that takes the flip. */
static enum result_kind solve(struct engine *e, const struct trace *t, struct attempt *a)
{
	const struct testcase *input = stock_input(e->stock, a->pick->walk);
	struct answer answer;
	struct err trouble = {0};
	if (!t || !survey_flip(t, &e->facts, &a->pick->choice, &a->flip))
		return RESULT_GAVE_UP;
	if (a->flip.kind == FLIP_LONGER || a->flip.kind == FLIP_SHORTER) {
		a->feed = own(e, feed_resized(input, &t->inputs[a->flip.object], a->flip.value, e->scratch));
		return RESULT_WALK;
	}
	struct question q = flip_question(stock_demands(e->stock, a->pick->walk), &a->flip, e->scratch);
	bool ok = solver_check(e->solver, &q, e->scratch, &answer, &trouble);
	if (!ok && !e->stats->solver_errors++)
		snprintf(e->stats->trouble, sizeof e->stats->trouble, "%.199s", trouble.text);
	if (ok)
		note_answer(e, &answer);
	if (!ok || answer.verdict != VERDICT_SAT)
		return ok && answer.verdict == VERDICT_UNSAT ? RESULT_REFUTED : RESULT_GAVE_UP;
	a->sure = !answer.optimistic && !answer.incomplete;
	if (a->flip.kind == FLIP_OUTSIDE)
		a->condition = t->events[a->flip.event];
	a->feed = own(e, feed_from(input, t, &answer.model, e->scratch));
	a->sure = a->sure && feed_keeps_lengths(input, &a->feed);
	return RESULT_WALK;
}

static void result_of(struct engine *e, const struct pick *p, struct result *r)
{
	static const uint8_t kinds[CHOICE_STATES] = {
		[CHOICE_OPEN] = RESULT_GAVE_UP, [CHOICE_REFUTED] = RESULT_REFUTED, [CHOICE_GAVE_UP] = RESULT_GAVE_UP, [CHOICE_TAKEN] = RESULT_WALK,
	};
	r->kind = (enum result_kind)kinds[tree_state(e->tree, p->choice.id)];
	r->walk = tree_walk(e->tree, p->choice.id);
	r->predicted = r->kind == RESULT_WALK && survey_came_true(&e->world.walks.at[r->walk], &p->choice);
}

/* What must hold at this place was asked not to; walk: what came of it, if anything. */
static void note_check(struct engine *e, uint32_t place, const struct walk_choice *c, enum result_kind kind, uint32_t walk)
{
	bool failed = kind == RESULT_WALK && e->world.walks.at[walk].failed;
	if (c->kind != CHOICE_SAFETY)
		return;
	e->stats->checks++;
	e->stats->checks_proved += kind == RESULT_REFUTED;
	e->stats->checks_unknown += kind == RESULT_GAVE_UP;
	e->stats->checks_broken += failed;
	e->stats->checks_unmet += kind == RESULT_WALK && !failed;
	*map_at(&e->checked, rng_mix(place)) = 1;
	e->stats->checked_places = e->checked.count;
}

/* Solves it, and runs what comes out unless that ran before. */
static bool answer_pick(struct engine *e, const struct pick *p, struct result *r, struct err *err)
{
	static const uint8_t states[] = { [RESULT_REFUTED] = CHOICE_REFUTED, [RESULT_GAVE_UP] = CHOICE_GAVE_UP, [RESULT_WALK] = CHOICE_TAKEN };
	struct attempt a = { .pick = p };
	const struct trace *t;
	if (!find_trace(e, p->walk, &t, err))
		return false;
	uint32_t place = t && !choice_is_branch(&p->choice) ? risks_place(&t->events[p->choice.event]) : 0;
	uint64_t gates = solver_stats(e->solver).gates;
	enum result_kind kind = solve(e, t, &a);
	uint64_t effort = (solver_stats(e->solver).gates - gates) / EFFORT;
	r->effort = effort < EFFORT_MAX ? (uint32_t)effort : EFFORT_MAX;
	uint32_t walk = kind == RESULT_WALK ? tree_input(e->tree, testcase_hash(&a.feed)) : WALK_NONE;
	e->stats->repeats += walk != WALK_NONE;
	r->is_new = kind == RESULT_WALK && walk == WALK_NONE;
	if (r->is_new && !run(e, &a, &walk, &r->fresh, err))
		return false;
	note_check(e, place, &p->choice, kind, walk);
	tree_close(e->tree, p->choice.id, (enum choice_state)states[kind], walk);
	if (e->o->answered)
		e->o->answered(e->o->context, tree_key(e->tree, p->choice.id), states[kind]);
	result_of(e, p, r);
	bool lost = r->is_new && !r->predicted;
	bool diverged = lost && e->world.walks.at[r->walk].words; /* where a run went that garbled its trace nobody knows */
	e->stats->divergences += diverged;
	e->stats->strays += diverged && !a.sure;
	e->lossy |= lost || kind == RESULT_GAVE_UP;
	return true;
}

/* --- leaps --- */

static bool is_leap_due(struct engine *e, const struct walk_choice *c)
{
	return e->search->leaps && choice_is_branch(c) && c->edge < e->world.edges && !tally_has(&e->world.ever, c->edge) && refusals_add(&e->refusals, c->edge);
}

static bool land(struct engine *e, const struct attempt *a, uint32_t *fresh, struct err *err)
{
	uint32_t walk;
	*fresh = 0;
	if (tree_input(e->tree, testcase_hash(&a->feed)) != WALK_NONE)
		return true;
	if (!run(e, a, &walk, fresh, err))
		return false;
	e->stats->leaps++;
	e->stats->leaps_fresh += *fresh != 0;
	tell_all(e, walk);
	if (*fresh)
		e->search->begin(e->self, walk, *fresh);
	drop_walks(e, walk);
	return true;
}

/* The flip alone, without the path to it: the input leaves that somewhere, and may still come to the branch. That is how a switch in front is told to take another case since a comparison behind it
 * wants that letter. If nothing comes of it, the letter may be wanted in addition, as a sign in front of a number is. */
static bool leap(struct engine *e, const struct pick *p, struct err *err)
{
	struct attempt a = { .pick = p };
	struct answer answer;
	struct testcase longer;
	const struct trace *t;
	uint32_t fresh;
	if (!is_leap_due(e, &p->choice))
		return true;
	if (!find_trace(e, p->walk, &t, err))
		return false;
	if (!t || !survey_flip(t, &e->facts, &p->choice, &a.flip))
		return true;
	struct question q = flip_question(stock_demands(e->stock, p->walk), &a.flip, e->scratch);
	if (!solver_check_goals(e->solver, &q, e->scratch, &answer, NULL) || answer.verdict != VERDICT_SAT)
		return true;
	const struct testcase *from = stock_input(e->stock, p->walk);
	a.feed = own(e, feed_from(from, t, &answer.model, e->scratch));
	bool is_longer = feed_inserted(from, &a.feed, e->scratch, &longer);
	longer = own(e, longer);
	if (!land(e, &a, &fresh, err))
		return false;
	if (fresh || !is_longer || !survey_has_room(&e->survey, longer.size) || is_over(e))
		return true;
	a.feed = longer;
	return land(e, &a, &fresh, err);
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
		result_of(e, p, &r);
	else if (!answer_pick(e, p, &r, err))
		return false;
	e->stats->known += known;
	e->dry = known ? e->dry : 0;
	aside_learn(e->aside, &r);
	e->stale = r.fresh ? 0 : e->stale + 1;
	if (r.is_new)
		tell_all(e, r.walk);
	tell_strategy(e, turn, p, &r);
	if (r.is_new)
		drop_walks(e, r.walk);
	return known || r.kind == RESULT_WALK || leap(e, p, err);
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
	if (is_new && !run(e, &(struct attempt){ .feed = *feed }, walk, fresh, err))
		return false;
	e->stats->repeats += !is_new;
	if (is_new && shared)
		share_choices(e, *walk);
	if (is_new)
		tell_all(e, *walk);
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

/* A search that asks what inputs take for granted needs time for that. */
static bool has_begun_long_enough(const struct engine *e)
{
	return e->search->whole && e->o->seconds > 0 && clock_seconds() - e->start >= e->o->seconds / BEGIN_SHARE;
}

/* What there is to start from runs first, so that all of its coverage is known. The search begins with the first; the others take the place of random inputs. */
static bool begin(struct engine *e, struct err *err)
{
	e->repeating = e->o->past;
	for (size_t i = 0; i < e->o->feeds_count && (!i || !(is_over(e) || has_begun_long_enough(e))); i++) {
		struct beginning b;
		if (!run_plain(e, &e->o->feeds[i], true, &b.walk, &b.fresh, err))
			return false;
		vec_push(&e->beginnings, b);
		drop_walks(e, b.walk);
		if (e->search->whole && e->beginnings.count >= USUAL) /* a test may have been one that its reader ended */
			hurry(e);
		tick(e);
	}
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
	return is_due ? empty : own(e, restart_input(shape_of(e), &e->marks, &e->world.rng, e->scratch));
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
	struct testcase feed = own(e, variants_make(from, kind, e->scratch));
	if (!run_plain(e, &feed, false, &b.walk, &b.fresh, err))
		return false;
	e->stale = b.fresh ? 0 : e->stale + 1;
	if (begins || b.fresh)
		e->search->begin(e->self, b.walk, b.fresh);
	drop_walks(e, b.walk);
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
	remember_edges(e, &n.past);
	for (size_t i = 0; i < n.feeds_count && !is_over(e); i++) {
		struct beginning b;
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
	while (!done && !is_over(e)) {
		if (!step(e, &done, err) || !judge_suspects(&e->judge, false, err))
			return false;
		tick(e);
		if (e->o->exchange && (done || e->stats->runs >= e->next_exchange) && !is_over(e) && !exchange(e, &done, err))
			return false;
	}
	if (!e->told_off && !(e->o->stop && *e->o->stop) && !judge_suspects(&e->judge, true, err))
		return false;
	e->stats->exhausted = done;
	*end = e->stats->bugs ? ENGINE_BUG : done && !tree_counts(e->tree).open ? ENGINE_EXHAUSTED : ENGINE_BUDGET;
	return true;
}

static bool open_all(struct engine *e, struct err *err)
{
	struct runner_options o = {
		.program = e->o->program, .flags = TD_SYM_STDIN | TD_SYM_ARGV | TD_SYM_GIVEN | (e->o->memory ? TD_QUOTA : 0) | e->o->flags, .fresh = e->o->fresh, .sandbox = e->o->sandbox,
		.memory = REPLAY_HARD * e->o->memory, .wall_ms = e->o->wall_ms, .nodes_max = NODES_MAX, .events_max = EVENTS_MAX, .window = e->o->window,
		.outside = e->o->outside, .outside_count = e->o->outside_count, .directory = e->o->directory,
	};
	if (!facts_open(&e->facts, e->o->program, err))
		return false;
	e->tree = tree_new(TREE_NODES);
	e->stock = stock_new(&e->facts, &(struct stock_limits){ kept_max(e) * TRACES_SHARE, kept_max(e) * INPUTS_SHARE });
	e->survey = (struct survey){ .tree = e->tree, .facts = &e->facts, .feeds = e->o->feeds, .feeds_count = e->o->feeds_count, .grow_max = e->o->grow_max };
	e->world.facts = &e->facts;
	e->world.distance_max = e->o->distance_max;
	e->search = e->o->search ? e->o->search : search_table[0];
	e->self = e->search->open(&e->world, e->search);
	e->aside = aside_new(&e->world, e->o->conditions_first);
	e->variants = variants_new(e->o->feeds, e->o->feeds_count);
	e->bugs = bugs_new(&(struct bugs_options){
		.facts = &e->facts, .known = e->o->past ? e->o->past->bugs : NULL, .known_count = e->o->past ? e->o->past->bugs_count : 0, .wall_ms = e->o->wall_ms, .memory = e->o->memory, .seconds = e->o->seconds });
	e->solver = solver_new(&e->o->solver);
	e->runner = runner_open(&o, err);
	e->risks = e->runner && e->search->whole ? risks_open(&o, err) : NULL;
	e->suspects = suspects_new();
	e->judge = (struct judge){ .o = e->o, .stats = e->stats, .bugs = e->bugs, .runner = e->runner, .suspects = e->suspects, .scratch = e->scratch };
	return e->runner && (e->risks || !e->search->whole);
}

static void close_all(struct engine *e)
{
	if (e->self)
		e->search->close(e->self);
	runner_close(e->runner);
	risks_close(e->risks);
	map_free(&e->checked);
	aside_free(e->aside);
	stock_free(e->stock);
	world_free(&e->world);
	tree_free(e->tree);
	bugs_free(e->bugs);
	suspects_free(e->suspects);
	restart_free(&e->marks);
	variants_free(e->variants);
	vec_free(&e->beginnings);
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
