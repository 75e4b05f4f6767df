/* An input is run, and what came of it is entered everywhere: the walk, coverage, what may be a bug. */
#include "engine/core.h"

#include "base/rng.h"
#include "contract/report.h"
#include "engine/replay.h"

#include <stdlib.h>

#define WALKS_SHARE 2 / 5             /* of what is kept */
#define CUT 2                         /* times the events of the longest run that ended */
#define CUT_LEAST 1024                /* events */

/* Libraries that were not met before. */
static void learn_modules(struct engine *e, const struct trace *t)
{
	facts_learn(&e->facts, t, e->o->note, e->o->context);
	if (e->facts.edges == e->world.edges && e->world.counted.words)
		return;
	e->stats->edges = edges_counted(&e->facts, &e->world.counted);
	e->world.edges = e->facts.edges;
	if (e->o->past)
		core_remember_edges(e, e->o->past);
}

static void learn_losses(struct engine *e, const struct trace *t)
{
	bool lost = t->header->incomplete;
	for (unsigned i = 0; i < TD_LOST_KINDS; i++)
		lost |= t->header->lost[i] != 0;
	e->lossy |= lost;
}

void attempt_drop_walks(struct engine *e, uint32_t newest)
{
	for (; e->walks_size > core_kept_max(e) * WALKS_SHARE && e->oldest_walk < newest; e->oldest_walk++) {
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

/* The walk of a run, which is entered everywhere. A trace that cannot be read is a walk without steps. One that was not made now has no terms: it is made when it is wanted. */
static uint32_t add_walk(struct engine *e, const struct attempt *a, const struct outcome *out, const struct trace *t, bool made, uint32_t *fresh)
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
	stock_add(e->stock, &a->feed, made ? t : &(struct trace){0});
	tree_add_input(e->tree, testcase_hash(&a->feed), number);
	e->world.states = tree_states(e->tree);
	e->walks_size += survey_size(&w);
	vec_clear(&e->fresh);
	edges_fresh(&e->world.ever, &e->world.counted, &w, &e->fresh);
	*fresh = tally_add(&e->world.ever, &w, &e->world.counted);
	e->stats->edges_seen = e->world.ever.covered;
	return number;
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
	for (size_t i = 0; i < e->beginnings.count; i++)
		if (e->beginnings.at[i].walk == walk)
			return e->beginnings.at[i].feed;
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

/* Of a search that runs nothing else than what it chose and what was given: the one that was given. */
static const struct testcase *own_test(const struct engine *e, const struct attempt *a)
{
	for (size_t i = 0; e->search->whole && !a->pick && i < e->o->feeds_count; i++)
		if (testcase_hash(&e->o->feeds[i]) == testcase_hash(&a->feed))
			return &e->o->feeds[i];
	return NULL;
}

/* How it ends without us, for whoever replays it some day. Not asked if it broke a rule, since anything may come of that, or did not end. */
static bool end_untraced(struct engine *e, const struct attempt *a, const struct outcome *out, bool asked, struct outcome *end)
{
	struct err ignored = {0};
	if (!asked || e->o->unit_size || !runner_untraced(e->runner, &a->feed, end, &ignored))
		return false;
	e->stats->untraced++;
	outcome_free(end); /* what it wrote */
	return end->kind == out->kind && (end->kind == OUTCOME_EXIT ? end->code == out->code : end->signal == out->signal);
}

static void tell_covered(struct engine *e, const struct attempt *a, const struct outcome *out, const struct finding *f, bool bug)
{
	struct outcome end;
	bool wanted = !e->o->wants || e->o->wants(e->o->context, e->fresh.at, (uint32_t)e->fresh.count);
	bool same = end_untraced(e, a, out, wanted && !bug && !f->report && (out->kind == OUTCOME_EXIT || out->kind == OUTCOME_SIGNAL), &end);
	e->o->covered(e->o->context, &(struct novelty){
		.feed = &a->feed, .facts = &e->facts, .runs = runs_of_all(e), .sides = (uint32_t)e->fresh.count, .edges = e->fresh.at, .parent_hash = parent_hash(e, a),
		.bug = bug ? f : NULL, .end = same ? &end : NULL });
}

/* So that nobody needs us to see it: the process is killed, or kills itself. */
static bool is_plain_to_see(const struct finding *f)
{
	uint32_t rule = f->report ? f->report->violation : TD_VIOLATIONS;
	return f->kind == FINDING_CRASH || rule == TD_VIOLATION_NULL || rule == TD_VIOLATION_ASSERT || rule == TD_VIOLATION_DIVISION || rule == TD_VIOLATION_ILLEGAL;
}

static bool is_own_end(const struct engine *e, uint64_t name)
{
	for (size_t i = 0; i < e->own_ends.count; i++)
		if (e->own_ends.at[i] == name)
			return true;
	return false;
}

/* Who runs his tests sees that one of them crashes; or it does so only here, where less is allowed, and then inputs like it do too. A rule that is broken in silence he does not see. */
static bool is_no_news(struct engine *e, const struct attempt *a, const struct finding *f)
{
	if (e->search->whole && !a->pick && is_plain_to_see(f) && !is_own_end(e, f->name))
		vec_push(&e->own_ends, f->name);
	return is_own_end(e, f->name) || (e->o->endless_is_fine && (f->kind == FINDING_HANG || f->kind == FINDING_MEMORY));
}

/* *made: it was really run. */
static bool run(struct engine *e, const struct testcase *feed, struct outcome *out, struct trace *t, bool *made, struct err *err)
{
	*made = !e->known || !known_run(e->known, feed, out, t);
	e->stats->known_runs += !*made;
	if (*made && !runner_run(e->runner, feed, out, t, err))
		return false;
	if (*made && e->known)
		known_add_run(e->known, feed, out, t);
	return true;
}

bool attempt_run(struct engine *e, const struct attempt *a, uint32_t *walk, uint32_t *fresh, struct err *err)
{
	struct outcome out;
	struct trace t;
	bool made;
	if (!run(e, &a->feed, &out, &t, &made, err))
		return false;
	e->stats->runs += !e->repeating;
	e->stats->reruns += e->repeating;
	e->stats->reused += out.reused;
	e->stats->timeouts += out.kind == OUTCOME_TIMEOUT;
	e->ended |= out.kind != OUTCOME_TIMEOUT;
	if (out.kind != OUTCOME_TIMEOUT && out.wall_us > e->slowest_us)
		e->slowest_us = out.wall_us;
	e->stats->garbled += !t.header;
	*walk = add_walk(e, a, &out, &t, made, fresh);
	check_violation(e, a, &t);
	if (*fresh)
		variants_add(e->variants, *walk, &a->feed);
	struct finding f = finding_of(e, a);
	bool failed = bugs_look(e->bugs, &out, &t, &f) && !is_no_news(e, a, &f);
	e->world.walks.at[*walk].failed = failed;
	if (failed && !f.test)
		f.test = own_test(e, a);
	if (e->o->traced && t.header)
		e->o->traced(e->o->context, &a->feed, &t, &e->facts, failed ? &f : NULL);
	bool bug = false, ok = !failed || judge_finding(&e->judge, &f, e->ended, &bug, err);
	if (*fresh && e->o->covered)
		tell_covered(e, a, &out, &f, bug);
	if (e->o->ran && !e->repeating) /* after what it found was told: what is known to have run does not run again */
		e->o->ran(e->o->context, testcase_hash(&a->feed));
	outcome_free(&out);
	return ok;
}

const struct testcase *attempt_input(const struct engine *e, uint32_t walk)
{
	const struct testcase *t = stock_input(e->stock, walk);
	return t ? t : feed_of(e, walk);
}

struct testcase attempt_own(struct engine *e, struct testcase t)
{
	return testcase_copy(&t, e->scratch);
}
