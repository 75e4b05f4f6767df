/* The thinnest loop. Every run is kept with its trace; every flip of its path that no run offered before becomes a
 * candidate. One is chosen at random among the best: those that lead to a side of a branch never taken, then those whose
 * branch was tried least. It is tried once: solved, refuted or given up. What comes out runs next, and its prefix is compared with what was predicted.
 *
 * Nothing runs twice (a set of input hashes), nothing is solved twice (a set of flip keys). All randomness
 * comes from the seed, so two explorations are the same as long as no time limit strikes.
 *
 * The searches proper will replace `choose`; the tree will replace the two sets. */
#include "engine/engine.h"

#include "base/mem.h"
#include "base/rng.h"
#include "base/vec.h"
#include "engine/flip.h"
#include "engine/runner.h"
#include "solve/solver.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define NODES_MAX (1u << 22)
#define EVENTS_MAX (1u << 20)        /* of one run; an endless loop over its input would fill any number */
#define KEPT_MAX ((size_t)512 << 20) /* bytes of kept traces; past that the oldest runs are forgotten */

/* --- sets of hashes --- */

struct set {
	uint64_t *at;  /* 0: free */
	size_t count, room;
};

static bool set_put(struct set *s, uint64_t key)
{
	size_t i = key & (s->room - 1);
	while (s->at[i] && s->at[i] != key)
		i = (i + 1) & (s->room - 1);
	bool is_new = s->at[i] != key;
	s->at[i] = key;
	s->count += is_new;
	return is_new;
}

/* True if it was not there. */
static bool set_add(struct set *s, uint64_t key)
{
	if (2 * (s->count + 1) > s->room) {
		struct set bigger = { .room = s->room ? 2 * s->room : 1024 };
		bigger.at = mem_alloc(bigger.room * sizeof *bigger.at);
		for (size_t i = 0; i < s->room; i++)
			if (s->at[i])
				set_put(&bigger, s->at[i]);
		free(s->at);
		*s = bigger;
	}
	return set_put(s, key ? key : 1);
}

/* --- the state --- */

struct run {
	struct testcase feed;    /* in the engine's arena */
	struct trace trace;
	void *block;         /* NULL: forgotten */
	struct demands *demands; /* made when the first flip is asked for */
	size_t size;
};

struct candidate {
	uint32_t run;
	struct flip flip;
};

struct engine {
	const struct engine_options *o;
	struct engine_stats *stats;
	struct runner *runner;
	struct solver *solver;
	struct facts facts;
	struct arena *arena, *scratch;
	struct rng rng;
	VEC(struct run) runs;
	VEC(struct candidate) candidates;
	struct set inputs, flips;
	bool *seen;          /* by edge */
	uint32_t *tries;     /* by edge */
	uint32_t edges_room; /* of the two: they grow when libraries turn up */
	uint32_t placeless;  /* tries of all flips that have no edge */
	size_t kept, oldest; /* bytes; the first run not yet forgotten */
	double start;
	bool bug;
};

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static bool out_of_budget(const struct engine *e)
{
	return (e->o->execs && e->stats->runs >= e->o->execs) || (e->o->seconds > 0 && now() - e->start >= e->o->seconds);
}

/* --- after a run --- */

/* Sides of branches inside models are of interest to the search, but nobody wants to see them counted. */
static bool is_counted(const struct engine *e, uint32_t edge)
{
	const struct facts_place *p = facts_find(&e->facts, edge);
	return p && !(p->block->head->flags & TD_FACTS_HIDDEN);
}

static void see_edges(struct engine *e, const struct trace *t)
{
	for (uint32_t i = 0; i < t->events_count; i++) {
		const struct td_event *ev = &t->events[i];
		bool branches = ev->kind == TD_EV_BRANCH || ev->kind == TD_EV_SWITCH;
		uint32_t edge = branches ? flip_edge(&e->facts, t, ev) : TD_NO_SITE;
		if (edge < e->edges_room && !e->seen[edge]) {
			e->seen[edge] = true;
			e->stats->edges_seen += is_counted(e, edge);
		}
	}
}

static void forget_run(struct run *r)
{
	flip_demands_free(r->demands);
	free(r->block);
	r->demands = NULL;
	r->block = NULL;
}

static void forget_old(struct engine *e)
{
	for (; e->kept > KEPT_MAX && e->oldest + 1 < e->runs.count; e->oldest++) {
		struct run *r = &e->runs.at[e->oldest];
		e->kept -= r->size;
		forget_run(r);
	}
}

static void add_candidate(void *context, const struct flip *f)
{
	struct engine *e = context;
	const struct td_input *inputs = e->runs.at[e->runs.count - 1].trace.inputs;
	bool too_long = f->kind == FLIP_LONGER && f->value > feed_length(&e->o->feed, &inputs[f->object]) + e->o->grow_max;
	if (!too_long && set_add(&e->flips, f->key))
		vec_push(&e->candidates, (struct candidate){ (uint32_t)e->runs.count - 1, *f });
}

static void keep_run(struct engine *e, const struct testcase *f, const struct trace *t)
{
	struct run r = { .feed = testcase_copy(f, e->arena) };
	r.block = runner_keep(t, &r.trace, &r.size);
	vec_push(&e->runs, r);
	e->kept += r.size;
	flip_each(&r.trace, &e->facts, add_candidate, e);
	forget_old(e);
}

static void count_edges(struct engine *e)
{
	e->stats->edges = 0;
	for (size_t i = 0; i < e->facts.modules_count; i++)
		for (size_t k = 0; k < e->facts.modules[i].blocks_count; k++) {
			const struct td_facts *h = e->facts.modules[i].blocks[k].head;
			e->stats->edges += h->flags & TD_FACTS_HIDDEN ? 0 : h->edges;
		}
}

/* Libraries that were not met before. */
static void learn_modules(struct engine *e, const struct trace *t)
{
	facts_learn(&e->facts, t, e->o->note, e->o->context);
	uint32_t edges = e->facts.edges;
	if (edges > e->edges_room) {
		e->seen = mem_resize_array(e->seen, edges, sizeof *e->seen);
		e->tries = mem_resize_array(e->tries, edges, sizeof *e->tries);
		memset(e->seen + e->edges_room, 0, (edges - e->edges_room) * sizeof *e->seen);
		memset(e->tries + e->edges_room, 0, (edges - e->edges_room) * sizeof *e->tries);
		e->edges_room = edges;
	}
	count_edges(e);
}

/* An input, and what it was made for. */
struct attempt {
	struct testcase feed;
	const struct flip *flip; /* NULL: the first input */
	uint32_t run;            /* whose flip it is */
	bool sure;               /* all that the run of the flip demands was kept, nothing that it had lost was dropped */
};

/* What must hold was asked not to, and nothing else: then that has to be reported, there. */
static bool is_met(const struct trace *t, const struct td_event *condition)
{
	const struct td_report *r = t->reports_count ? t->reports : NULL;
	uint32_t place = r ? r->stacks[TD_WHERE_HAPPENED].place : 0;
	return r && r->violation == condition->sub && (!place || !condition->aux || place == condition->aux);
}

static void check_violation(struct engine *e, const struct attempt *a, const struct trace *t)
{
	if (!a->flip || a->flip->kind != FLIP_OUTSIDE || !a->sure)
		return;
	const struct td_event *condition = &e->runs.at[a->run].trace.events[a->flip->event];
	if (condition->kind != TD_EV_SAFETY || condition->sub == TD_NO_VIOLATION)
		return;
	e->stats->violations++;
	e->stats->unmet += !is_met(t, condition);
}

static void learn(struct engine *e, const struct attempt *a, const struct trace *t)
{
	learn_modules(e, t);
	e->stats->divergences += a->flip && a->flip->decisions && !flip_came_true(t, &e->facts, a->flip);
	check_violation(e, a, t);
	see_edges(e, t);
	keep_run(e, &a->feed, t);
}

static struct finding finding_of(const struct engine *e, const struct attempt *a, int signal, const struct td_report *report)
{
	return (struct finding){ .feed = a->feed, .signal = signal, .report = report, .facts = &e->facts, .runs = e->stats->runs,
	                         .flip = a->flip, .parent = a->run + 1u,
	                         .parent_hash = a->flip ? testcase_hash(&e->runs.at[a->run].feed) : 0 };
}

static void judge(struct engine *e, bool bug, const struct finding *f)
{
	e->bug = bug;
	e->stats->unconfirmed += !bug;
	if (bug)
		e->o->found(e->o->context, f);
}

/* A crash is a bug if a fresh, untraced process crashes in the same way. report: what is known of it, or NULL. */
static bool confirm_crash(struct engine *e, const struct attempt *a, int signal, const struct td_report *report, struct err *err)
{
	struct outcome again;
	struct td_report *first = report ? memcpy(mem_resize(NULL, sizeof *first), report, sizeof *first) : NULL;
	bool ok = runner_replay(e->runner, &a->feed, &again, err);
	if (ok) {
		struct finding finding = finding_of(e, a, signal, first);
		judge(e, again.kind == OUTCOME_SIGNAL && again.signal == signal, &finding);
		outcome_free(&again);
	}
	free(first);
	return ok;
}

/* A violation, of which an untraced process knows nothing, if it happens again at the same place. */
static bool confirm_report(struct engine *e, const struct attempt *a, int signal, const struct td_report *report, struct err *err)
{
	struct td_report *first = memcpy(mem_resize(NULL, sizeof *first), report, sizeof *first);
	const struct td_report_stack *here = &first->stacks[TD_WHERE_HAPPENED];
	struct outcome again;
	struct trace t;
	bool ok = runner_run(e->runner, &a->feed, &again, &t, err);
	if (ok) {
		const struct td_report_stack *there = t.reports_count ? &t.reports->stacks[TD_WHERE_HAPPENED] : NULL;
		struct finding finding = finding_of(e, a, signal, first);
		judge(e, there && t.reports->violation == first->violation && there->count == here->count &&
		         memcmp(there->frames, here->frames, here->count * sizeof *here->frames) == 0, &finding);
		outcome_free(&again);
	}
	free(first);
	return ok;
}

static bool run(struct engine *e, const struct attempt *a, struct err *err)
{
	struct outcome out;
	struct trace t;
	if (!set_add(&e->inputs, testcase_hash(&a->feed))) {
		e->stats->repeats++;
		return true;
	}
	if (!runner_run(e->runner, &a->feed, &out, &t, err))
		return false;
	e->stats->runs++;
	e->stats->timeouts += out.kind == OUTCOME_TIMEOUT;
	e->stats->garbled += !t.header;
	if (t.header)
		learn(e, a, &t);
	outcome_free(&out);
	const struct td_report *report = t.reports_count ? t.reports : NULL;
	if (out.kind != OUTCOME_SIGNAL && !report) /* of a leak is told when all is over */
		return true;
	if (report && report->violation != TD_VIOLATION_STACK) /* traced code needs more of it */
		return confirm_report(e, a, out.signal, report, err);
	return confirm_crash(e, a, out.signal, report, err);
}

/* --- choosing and solving --- */

/* Lower is better: a side never taken before all others, then what was tried least. All lengths count as one place,
 * and so do branches that have none. */
static uint64_t score(const struct engine *e, const struct flip *f)
{
	if (e->o->conditions_first && f->kind == FLIP_OUTSIDE)
		return 0;
	bool placed = f->edge < e->edges_room;
	uint32_t tries = placed ? e->tries[f->edge] : e->placeless;
	return 1 + (placed && !e->seen[f->edge] ? tries : tries + (1ull << 32));
}

/* One of the best, every second time of the newest run, which may be half-way through a comparison; it is taken out. */
static bool choose(struct engine *e, struct candidate *out)
{
	uint64_t best = UINT64_MAX, ties = 0;
	size_t at = 0;
	bool newest = rng_below(&e->rng, 2);
	for (size_t i = 0; i < e->candidates.count; i++) {
		const struct candidate *c = &e->candidates.at[i];
		uint64_t s = score(e, &c->flip);
		if (s > best || (s == best && newest && c->run < e->candidates.at[at].run))
			continue;
		bool better = s < best || (newest && c->run > e->candidates.at[at].run);
		ties = better ? 1 : ties + 1;
		best = s;
		if (rng_below(&e->rng, ties) == 0)
			at = i;
	}
	if (!e->candidates.count)
		return false;
	*out = e->candidates.at[at];
	e->candidates.at[at] = e->candidates.at[--e->candidates.count];
	++*(out->flip.edge < e->edges_room ? &e->tries[out->flip.edge] : &e->placeless);
	return true;
}

static void note_answer(struct engine *e, const struct answer *a)
{
	e->stats->solver_calls += a->asked;
	e->stats->sat += a->verdict == VERDICT_SAT;
	e->stats->unsat += a->verdict == VERDICT_UNSAT;
	e->stats->unknown += a->verdict == VERDICT_UNKNOWN;
	e->stats->optimistic += a->verdict == VERDICT_SAT && a->optimistic;
}

/* The input that takes the flip; false: there is none, or nobody knows. */
static bool solve(struct engine *e, struct run *r, struct attempt *a)
{
	const struct flip *f = a->flip;
	struct answer answer;
	struct err trouble = {0};
	if (f->kind == FLIP_LONGER || f->kind == FLIP_SHORTER) {
		a->feed = feed_resized(&r->feed, &r->trace.inputs[f->object], f->value, e->scratch);
		return true;
	}
	if (!r->demands) {
		r->demands = flip_demands(&r->trace, &e->facts, &r->feed);
		size_t size = flip_demands_size(r->demands);
		r->size += size;
		e->kept += size;
	}
	struct question q = flip_question(r->demands, f, e->scratch);
	bool ok = solver_check(e->solver, &q, e->scratch, &answer, &trouble);
	if (!ok && !e->stats->solver_errors++)
		snprintf(e->stats->trouble, sizeof e->stats->trouble, "%.199s", trouble.text);
	if (ok)
		note_answer(e, &answer);
	if (!ok || answer.verdict != VERDICT_SAT)
		return false;
	a->sure = !answer.optimistic && !answer.incomplete;
	a->feed = feed_from(&r->feed, &r->trace, &answer.model, e->scratch);
	return true;
}

static bool try_candidate(struct engine *e, const struct candidate *c, struct err *err)
{
	struct run *r = &e->runs.at[c->run];
	struct attempt a = { .flip = &c->flip, .run = c->run };
	arena_reset(e->scratch);
	if (!r->block || !solve(e, r, &a))
		return true;
	return run(e, &a, err);
}

static bool loop(struct engine *e, enum engine_end *end, struct err *err)
{
	struct candidate c;
	if (!run(e, &(struct attempt){ .feed = e->o->feed }, err))
		return false;
	while (!e->bug && !out_of_budget(e) && choose(e, &c))
		if (!try_candidate(e, &c, err))
			return false;
	*end = e->bug ? ENGINE_BUG : e->candidates.count || out_of_budget(e) ? ENGINE_BUDGET : ENGINE_EXHAUSTED;
	return true;
}

static bool open_all(struct engine *e, struct err *err)
{
	struct runner_options o = {
		.program = e->o->program, .flags = TD_SYM_STDIN | TD_SYM_ARGV | TD_SYM_GIVEN | e->o->flags, .sandbox = e->o->sandbox,
		.wall_ms = e->o->wall_ms, .nodes_max = NODES_MAX, .events_max = EVENTS_MAX, .window = e->o->window,
	};
	if (!facts_open(&e->facts, e->o->program, err))
		return false;
	e->solver = solver_new(&e->o->solver);
	e->runner = runner_open(&o, err);
	return e->runner != NULL;
}

static void close_all(struct engine *e)
{
	runner_close(e->runner);
	facts_close(&e->facts);
	for (size_t i = 0; i < e->runs.count; i++)
		forget_run(&e->runs.at[i]);
	solver_free(e->solver);
	vec_free(&e->runs);
	vec_free(&e->candidates);
	free(e->inputs.at);
	free(e->flips.at);
	free(e->seen);
	free(e->tries);
	arena_free(e->arena);
	arena_free(e->scratch);
}

bool engine_explore(const struct engine_options *o, enum engine_end *end, struct engine_stats *stats, struct err *err)
{
	struct engine e = { .o = o, .stats = stats, .arena = arena_new(), .scratch = arena_new(), .start = now() };
	*stats = (struct engine_stats){0};
	rng_seed(&e.rng, o->seed);
	bool ok = open_all(&e, err) && loop(&e, end, err);
	stats->seconds = now() - e.start;
	close_all(&e);
	return ok;
}
