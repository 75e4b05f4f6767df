/* All tests run first: which edges each takes, and at which sites it has a condition over the input. What is left of a side that no test took is decided by what is known of its site:
 * no test gets there: the static graph names the reached branches from which one would;
 * tests get there, but never with a condition: what those runs had lost before is told, in the order of a run that records every branch;
 * else the solver is asked for it, on the paths of the tests that get there, until an input takes it or there were enough. */
#include "engine/inquiry.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/vec.h"
#include "engine/blame.h"
#include "engine/flip.h"
#include "engine/runner.h"
#include "expr/print.h"
#include "search/icfg.h"
#include "trace/coverage.h"
#include "trace/dump.h"
#include "trace/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	EVENTS_EACH = 6,  /* times that one path passes a branch and is asked about */
	BLAME_MAX = 3,    /* refuted paths of a side of which the conditions are looked for */
	NODES_MAX = 1 << 22, EVENTS_MAX = 1 << 20,
	FLAGS = TD_SYM_STDIN | TD_SYM_ARGV | TD_SYM_GIVEN,
	Z3_MS = 5000
};

/* Of one test. */
struct record {
	uint64_t *edges;  /* bit sets: taken; */
	uint64_t *asked;  /* first edges of sites that had a condition over the input */
	uint32_t words;
};

struct inquiry {
	struct inquiry_options o;
	struct facts facts;
	struct runner *runner;
	struct solver *solver;
	struct icfg *graph;
	struct arena *arena;   /* of all */
	struct arena *scratch; /* of a question */
	struct record *records;
	double start;
};

static bool is_late(const struct inquiry *q)
{
	return q->o.seconds > 0 && clock_seconds() - q->start >= q->o.seconds;
}

const char *inquiry_word(enum inquiry_verdict v)
{
	static const char *const words[] = {
#define VERDICT(name, word) [INQUIRY_##name] = word,
		INQUIRY_VERDICT_TABLE(VERDICT)
#undef VERDICT
	};
	return words[v];
}

/* --- all tests --- */

static bool has(const uint64_t *bits, uint32_t words, uint32_t bit)
{
	return bit / 64 < words && (bits[bit / 64] >> bit % 64 & 1);
}

static bool takes(const struct inquiry *q, size_t test, uint32_t edge)
{
	return has(q->records[test].edges, q->records[test].words, edge);
}

static bool depends(const struct inquiry *q, size_t test, const struct facts_place *p)
{
	return has(q->records[test].asked, q->records[test].words, p->first_edge);
}

static bool reaches(const struct inquiry *q, size_t test, const struct facts_place *p)
{
	for (uint32_t side = 0; side < p->site->edges; side++)
		if (takes(q, test, p->first_edge + side))
			return true;
	return false;
}

static bool is_asked(const struct td_event *e)
{
	return (e->kind == TD_EV_BRANCH || e->kind == TD_EV_SWITCH) && e->node && e->site != TD_NO_SITE;
}

static void remember(struct inquiry *q, struct record *r, const struct trace *t)
{
	r->words = q->facts.edges / 64 + 1;
	r->edges = arena_alloc(q->arena, r->words * sizeof *r->edges);
	r->asked = arena_alloc(q->arena, r->words * sizeof *r->asked);
	uint8_t *taken = coverage_taken(t, &q->facts);
	for (uint32_t i = 0; i < t->edges_count && i / 64 < r->words; i++)
		if (taken[i])
			r->edges[i / 64] |= 1ull << i % 64;
	free(taken);
	for (uint32_t i = 0; i < t->events_count; i++)
		if (is_asked(&t->events[i]) && t->events[i].site / 64 < r->words)
			r->asked[t->events[i].site / 64] |= 1ull << t->events[i].site % 64;
}

static bool took(const struct inquiry *q, const struct trace *t, uint32_t edge)
{
	uint8_t *taken = coverage_taken(t, &q->facts);
	bool is = edge < t->edges_count && taken[edge];
	free(taken);
	return is;
}

/* False: it cannot be run, or wrote nonsense into its trace. */
static bool run(struct inquiry *q, const struct testcase *input, struct trace *t, struct outcome *out, struct err *err)
{
	if (!runner_run(q->runner, input, out, t, err))
		return false;
	outcome_free(out);
	if (!t->header)
		return false;
	facts_learn(&q->facts, t, q->o.note, q->o.context);
	return true;
}

static void run_tests(struct inquiry *q)
{
	q->records = arena_alloc(q->arena, (q->o.tests_count + 1) * sizeof *q->records);
	for (size_t i = 0; i < q->o.tests_count; i++) {
		struct trace t;
		struct outcome out;
		struct err why = {0};
		if (is_late(q))
			err_set(&why, "there is no time left");
		if (!why.text[0] && run(q, &q->o.tests[i], &t, &out, &why))
			remember(q, &q->records[i], &t);
		else
			q->o.left_out(q->o.context, i, why.text);
	}
}

struct inquiry *inquiry_open(const struct inquiry_options *o, struct err *err)
{
	struct inquiry *q = mem_alloc(sizeof *q);
	struct runner_options r = { .program = o->program, .flags = FLAGS, .sandbox = o->sandbox, .wall_ms = o->wall_ms, .nodes_max = NODES_MAX, .events_max = EVENTS_MAX };
	struct solver_options s = solver_options_default();
	s.z3.timeout_ms = Z3_MS;
	q->o = *o;
	q->arena = arena_new();
	q->scratch = arena_new();
	q->start = clock_seconds();
	q->solver = solver_new(&s);
	if (!facts_open(&q->facts, o->program, err) || !(q->runner = runner_open(&r, err))) {
		inquiry_close(q);
		return NULL;
	}
	run_tests(q);
	return q;
}

void inquiry_close(struct inquiry *q)
{
	if (!q)
		return;
	runner_close(q->runner);
	solver_free(q->solver);
	if (q->graph)
		icfg_free(q->graph);
	facts_close(&q->facts);
	arena_free(q->scratch);
	arena_free(q->arena);
	free(q);
}

const struct facts *inquiry_facts(const struct inquiry *q)
{
	return &q->facts;
}

/* --- never reached --- */

static bool was_reached(const struct inquiry *q, const struct facts_place *p)
{
	for (size_t i = 0; i < q->o.tests_count; i++)
		if (reaches(q, i, p))
			return true;
	return false;
}

static bool was_taken(const struct inquiry *q, uint32_t edge)
{
	for (size_t i = 0; i < q->o.tests_count; i++)
		if (takes(q, i, edge))
			return true;
	return false;
}

static void close_site(struct tally *closed, const struct facts_place *p)
{
	for (uint32_t edge = p->first_edge; edge < p->first_edge + p->site->edges; edge++)
		closed->words[edge / 64] |= 1ull << edge % 64;
}

/* How many branches each edge is away from the site, by ways that pass no branch that was reached: else any of them would lead anywhere behind it. */
static uint32_t *distances_to(struct inquiry *q, const struct facts_place *p)
{
	uint32_t words = q->facts.edges / 64 + 1, *distance = arena_alloc(q->scratch, (q->facts.edges + 1u) * sizeof *distance);
	struct tally others = { .words = arena_alloc(q->scratch, words * sizeof *others.words), .count = words }, reached = others;
	reached.words = arena_alloc(q->scratch, words * sizeof *reached.words);
	for (size_t m = 0; m < q->facts.modules_count; m++)
		for (size_t i = 0; i < q->facts.modules[m].places_count; i++)
			if (was_reached(q, &q->facts.modules[m].places[i]))
				close_site(&reached, &q->facts.modules[m].places[i]);
	memset(others.words, 0xff, words * sizeof *others.words);
	for (uint32_t side = 0; side < p->site->edges; side++)
		others.words[(p->first_edge + side) / 64] &= ~(1ull << (p->first_edge + side) % 64);
	if (!q->graph)
		q->graph = icfg_of(&q->facts);
	icfg_measure_around(q->graph, &others, &reached, distance, q->facts.edges);
	return distance;
}

static void add_gate(struct inquiry_site *s, const struct inquiry_gate *g)
{
	size_t max = sizeof s->gates / sizeof *s->gates, i = s->gates_count < max ? s->gates_count++ : max;
	if (i == max && s->gates[--i].distance <= g->distance)
		return;
	for (; i && s->gates[i - 1].distance > g->distance; i--)
		s->gates[i] = s->gates[i - 1];
	s->gates[i] = *g;
}

static void add_gates_of(struct inquiry *q, struct inquiry_site *s, const struct facts_place *p, const uint32_t *distance, bool taken)
{
	if ((p->block->head->flags & TD_FACTS_HIDDEN) || p->site->kind == TD_SITE_SELECT || !was_reached(q, p))
		return;
	for (uint32_t side = 0; side < p->site->edges; side++) {
		uint32_t d = distance[p->first_edge + side];
		if (d && d != ICFG_FAR && was_taken(q, p->first_edge + side) == taken)
			add_gate(s, &(struct inquiry_gate){ p, side, d - 1, taken });
	}
}

/* Sides that were not taken; if none of them leads there, those that were. */
static void find_gates(struct inquiry *q, struct inquiry_site *s)
{
	uint32_t *distance = distances_to(q, s->place);
	for (int taken = 0; taken < 2 && !s->gates_count; taken++)
		for (size_t m = 0; m < q->facts.modules_count; m++)
			for (size_t i = 0; i < q->facts.modules[m].places_count; i++)
				add_gates_of(q, s, &q->facts.modules[m].places[i], distance, taken);
}

/* --- without a condition --- */

static const char *const lost_texts[TD_LOST_KINDS] = {
#define LOST(name, text) [TD_LOST_##name] = text,
	TD_LOST_TABLE(LOST)
#undef LOST
};

/* How many events come before it gets there first; all, if it does not say. */
static uint32_t events_before(const struct trace *t, const struct facts *facts, const struct facts_place *p)
{
	for (uint32_t i = 0; i < t->events_count; i++) {
		const struct td_event *e = &t->events[i];
		const struct facts_place *at = (e->kind == TD_EV_BRANCH || e->kind == TD_EV_SWITCH) && e->site != TD_NO_SITE ? facts_find(facts, e->site) : NULL;
		if (at && at->site->key == p->site->key)
			return i;
	}
	return t->events_count;
}

/* Of the whole run: when each was called is not told. */
static const char *foreign_line(const struct trace *t, struct arena *arena)
{
	struct str names = {0};
	for (uint32_t i = 0; i < t->foreign_count; i++)
		str_printf(&names, "%s%s", i ? ", " : "", t->foreign[i].name);
	const char *line = arena_printf(arena, "neither instrumented nor modelled, and given data of the input in this run: %s", str_text(&names));
	str_free(&names);
	return line;
}

static void tell_losses(const struct trace *t, uint32_t before, struct arena *arena, struct inquiry_side *out)
{
	uint64_t counts[TD_LOST_KINDS] = {0};
	for (uint32_t i = 0; i < before; i++)
		if (t->events[i].kind == TD_EV_CONCRETISE && t->events[i].sub < TD_LOST_KINDS)
			counts[t->events[i].sub]++;
	const char **lines = arena_alloc(arena, (TD_LOST_KINDS + 1) * sizeof *lines);
	size_t n = 0;
	for (unsigned k = 0; k < TD_LOST_KINDS; k++)
		if (counts[k])
			lines[n++] = arena_printf(arena, "%s (%s)", lost_texts[k], counts[k] == 1 ? "once" : arena_printf(arena, "%" PRIu64 " times", counts[k]));
	if ((counts[TD_LOST_EXTERNAL] || counts[TD_LOST_MEMORY]) && t->foreign_count)
		lines[n++] = foreign_line(t, arena);
	out->causes = lines;
	out->causes_count = n;
}

/* One run that gets there, with every branch recorded. It is another process, and its numbers are its own. */
static bool find_losses(struct inquiry *q, const struct facts_place *p, size_t test, struct arena *arena, struct inquiry_side *out, struct err *err)
{
	struct runner_options r = { .program = q->o.program, .flags = FLAGS | TD_ALL_BRANCHES, .sandbox = q->o.sandbox, .wall_ms = q->o.wall_ms };
	struct runner *runner = runner_open(&r, err);
	struct facts facts = {0};
	struct outcome o;
	struct trace t;
	bool ok = runner && facts_open(&facts, q->o.program, err) && runner_run(runner, &q->o.tests[test], &o, &t, err);
	if (ok)
		outcome_free(&o);
	if (ok && t.header) {
		facts_learn(&facts, &t, q->o.note, q->o.context);
		tell_losses(&t, events_before(&t, &facts, p), arena, out);
	}
	facts_close(&facts);
	runner_close(runner);
	return ok;
}

static bool ask_concrete(struct inquiry *q, struct inquiry_site *s, struct arena *arena, struct err *err)
{
	struct inquiry_side found = { .verdict = INQUIRY_CONCRETE };
	while (found.test < q->o.tests_count && !reaches(q, found.test, s->place))
		found.test++;
	if (!find_losses(q, s->place, found.test, arena, &found, err))
		return false;
	for (uint32_t side = 0; side < s->place->site->edges; side++)
		if (s->sides[side].verdict != INQUIRY_TAKEN)
			s->sides[side] = found;
	return true;
}

/* --- with one --- */

/* A path that gets there. */
struct way {
	size_t test;
	struct trace trace;
	void *block;
	struct demands *demands;
	uint32_t events[EVENTS_EACH];
	size_t count;
};

/* Of many the first and the last, and some between. */
static void find_events(struct way *w, const struct facts_place *p)
{
	uint32_t met = 0, n = 0;
	for (uint32_t i = 0; i < w->trace.events_count; i++)
		met += is_asked(&w->trace.events[i]) && w->trace.events[i].site == p->first_edge;
	for (uint32_t i = 0; i < w->trace.events_count; i++) {
		if (!is_asked(&w->trace.events[i]) || w->trace.events[i].site != p->first_edge)
			continue;
		if (met <= EVENTS_EACH || n * (uint64_t)(EVENTS_EACH - 1) / (met - 1) == w->count)
			w->events[w->count++] = i;
		if (w->count == EVENTS_EACH)
			break;
		n++;
	}
}

static bool way_open(struct inquiry *q, size_t test, const struct facts_place *p, struct way *w, struct err *err)
{
	struct trace t;
	struct outcome out;
	size_t size;
	*w = (struct way){ .test = test };
	if (!run(q, &q->o.tests[test], &t, &out, err))
		return false;
	w->block = runner_keep(&t, &w->trace, &size);
	w->demands = flip_demands(&w->trace, &q->facts, &q->o.tests[test]);
	find_events(w, p);
	return true;
}

static void way_close(struct way *w)
{
	flip_demands_free(w->demands);
	free(w->block);
}

static struct flip flip_of(const struct inquiry *q, const struct way *w, uint32_t event, const struct facts_place *p, uint32_t side)
{
	struct flip f = {0};
	enum flip_kind kind = p->site->kind != TD_SITE_SWITCH ? FLIP_BRANCH : side ? FLIP_CASE : FLIP_DEFAULT;
	flip_at(&w->trace, &q->facts, event, kind, p->first_edge + side, &f);
	return f;
}

/* What would have to be so. */
static const char *wanted(const struct way *w, uint32_t event, const struct facts_place *p, uint32_t side, struct arena *arena)
{
	struct print print = { w->trace.terms, w->trace.inputs, w->trace.inputs_count, 0 };
	uint32_t node = w->trace.events[event].node;
	unsigned bits = w->trace.terms.nodes[node].bits;
	struct str text = {0};
	if (p->site->kind != TD_SITE_SWITCH) {
		print_condition(&print, node, side, &text);
	} else {
		struct str term = {0};
		print_term(&print, node, &term);
		bool is_one = !strchr(str_text(&term), ' ');
		str_printf(&text, "%s%s%s%s", is_one ? "" : "(", str_text(&term), is_one ? "" : ")", side ? " == " : " is none of the cases");
		str_free(&term);
		if (side)
			print_constant(value_trim(p->block->cases[p->site->first_case + side - 1], bits), bits, &text);
	}
	const char *copy = arena_strdup(arena, str_text(&text));
	str_free(&text);
	return copy;
}

/* The shortest list of all that were found is the easiest to understand. */
static bool tell_blame(struct inquiry *q, const struct way *w, const struct flip *f, bool with_losses, struct arena *arena, struct inquiry_side *out, struct err *err)
{
	struct blame b;
	if (out->refuted > BLAME_MAX || is_late(q))
		return true;
	if (!blame_find(q->solver, w->demands, f, with_losses, q->scratch, &b, err))
		return false;
	if (out->causes && b.count >= out->causes_count)
		return true;
	const char **lines = arena_alloc(arena, (b.count + 1) * sizeof *lines);
	for (size_t i = 0; i < b.count; i++) {
		struct str line = {0};
		dump_event(&w->trace, &q->facts, &w->trace.events[b.events[i]], &line);
		lines[i] = arena_strdup(arena, str_text(&line));
		str_free(&line);
	}
	out->causes = lines;
	out->causes_count = b.count;
	out->least = b.least;
	out->test = w->test;
	return true;
}

/* Runs what the solver found. */
static bool try_input(struct inquiry *q, const struct way *w, const struct answer *a, uint32_t edge, struct arena *arena, struct inquiry_side *out, struct err *err)
{
	struct testcase input = feed_from(&q->o.tests[w->test], &w->trace, &a->model, q->scratch);
	struct trace t;
	struct outcome o;
	if (!run(q, &input, &t, &o, err))
		return false;
	if (!took(q, &t, edge)) {
		out->astray++;
		return true;
	}
	out->verdict = INQUIRY_POSSIBLE;
	out->test = w->test;
	out->input = testcase_copy(&input, arena);
	struct str ending = {0};
	if (t.reports_count)
		report_class(t.reports, &ending);
	else if (o.kind == OUTCOME_SIGNAL)
		str_printf(&ending, "signal %d", o.signal);
	out->ending = ending.length ? arena_strdup(arena, str_text(&ending)) : NULL;
	str_free(&ending);
	return true;
}

/* One question. */
static bool ask_for(struct inquiry *q, const struct way *w, uint32_t event, const struct facts_place *p, uint32_t side, struct arena *arena, struct inquiry_side *out, struct err *err)
{
	struct flip f = flip_of(q, w, event, p, side);
	struct question question = flip_question(w->demands, &f, q->scratch);
	struct answer a;
	if (!solver_check(q->solver, &question, q->scratch, &a, err))
		return false;
	out->asked++;
	if (a.verdict == VERDICT_SAT) {
		out->wanted = wanted(w, event, p, side, arena);
		return try_input(q, w, &a, p->first_edge + side, arena, out, err);
	}
	if (a.verdict != VERDICT_UNSAT || a.incomplete) {
		out->given_up++;
		return true;
	}
	const char *const *before = out->causes;
	out->refuted++;
	bool ok = tell_blame(q, w, &f, !a.optimistic, arena, out, err);
	if (out->causes != before || !out->wanted)
		out->wanted = wanted(w, event, p, side, arena);
	return ok;
}

/* All sides that nobody took, on one path. */
static bool ask_on(struct inquiry *q, const struct way *w, struct inquiry_site *s, struct arena *arena, struct err *err)
{
	for (uint32_t side = 0; side < s->place->site->edges; side++) {
		struct inquiry_side *out = &s->sides[side];
		for (size_t i = 0; i < w->count && out->verdict != INQUIRY_TAKEN && out->verdict != INQUIRY_POSSIBLE && !is_late(q); i++) {
			arena_reset(q->scratch);
			if (!ask_for(q, w, w->events[i], s->place, side, arena, out, err))
				return false;
		}
	}
	return true;
}

static bool is_settled(const struct inquiry_site *s)
{
	for (uint32_t side = 0; side < s->place->site->edges; side++)
		if (s->sides[side].verdict != INQUIRY_TAKEN && s->sides[side].verdict != INQUIRY_POSSIBLE)
			return false;
	return true;
}

static bool ask_solver(struct inquiry *q, struct inquiry_site *s, struct arena *arena, struct err *err)
{
	unsigned paths = 0;
	for (size_t i = 0; i < q->o.tests_count && paths < q->o.paths && !is_settled(s) && !is_late(q); i++) {
		struct way w;
		if (!depends(q, i, s->place))
			continue;
		if (!way_open(q, i, s->place, &w, err))
			return false;
		bool ok = ask_on(q, &w, s, arena, err);
		way_close(&w);
		if (!ok)
			return false;
		paths++;
	}
	for (uint32_t side = 0; side < s->place->site->edges; side++) {
		struct inquiry_side *out = &s->sides[side];
		if (out->verdict == INQUIRY_GAVE_UP)
			out->verdict = out->astray ? INQUIRY_ASTRAY : out->refuted ? INQUIRY_REFUTED : INQUIRY_GAVE_UP;
	}
	return true;
}

/* --- all together --- */

static void count_tests(const struct inquiry *q, struct inquiry_site *s)
{
	for (size_t i = q->o.tests_count; i-- > 0;) {
		s->reached += reaches(q, i, s->place);
		s->symbolic += depends(q, i, s->place);
		for (uint32_t side = 0; side < s->place->site->edges; side++)
			if (takes(q, i, s->place->first_edge + side)) {
				s->sides[side].verdict = INQUIRY_TAKEN;
				s->sides[side].tests++;
				s->sides[side].test = i;
			}
	}
}

bool inquiry_ask(struct inquiry *q, const struct facts_place *place, struct arena *arena, struct inquiry_site *out, struct err *err)
{
	*out = (struct inquiry_site){ .place = place, .sides = arena_alloc(arena, place->site->edges * sizeof *out->sides) };
	arena_reset(q->scratch);
	for (uint32_t side = 0; side < place->site->edges; side++)
		out->sides[side].verdict = INQUIRY_GAVE_UP;
	count_tests(q, out);
	enum inquiry_verdict all = !out->reached ? INQUIRY_UNREACHED : place->site->kind == TD_SITE_SELECT ? INQUIRY_SELECT : INQUIRY_GAVE_UP;
	for (uint32_t side = 0; side < place->site->edges; side++)
		if (out->sides[side].verdict != INQUIRY_TAKEN)
			out->sides[side].verdict = all;
	if (all == INQUIRY_UNREACHED)
		find_gates(q, out);
	if (all != INQUIRY_GAVE_UP || is_settled(out))
		return true;
	return out->symbolic ? ask_solver(q, out, arena, err) : ask_concrete(q, out, arena, err);
}
