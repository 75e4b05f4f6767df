/* Foretelling. Run A is recorded with all its branches; then B runs on other inputs and predict_compare says whether
 * A's terms knew where B would go. B's inputs are of three makes:
 *   RANDOM  one to three bytes of A's input changed;
 *   SOLVER  a decision in the last quarter of A's path flipped by the solver, so that the whole prefix is put to the test;
 *   LATE    one or two bytes changed, of A's input or of one that the solver made, such that by A's own terms it is a
 *           decision in the last quarter that flips first. Cheap: nothing is run and nothing is solved to find out.
 * No input is run twice. Lengths of arguments and variables stay as they are, as A's input objects would otherwise not be B's. */
#include "engine/foretell.h"

#include "base/mem.h"
#include "base/rng.h"
#include "base/vec.h"
#include "engine/flip.h"
#include "engine/runner.h"
#include "expr/op.h"
#include "solve/slice.h"
#include "solve/solver.h"
#include "trace/predict.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { LATE_TRIES = 200, SOLVER_TRIES = 4, RANDOM_TRIES = 20, PATIENCE = 4 /* hard queries without an input: digits of long numbers */ };

struct teller {
	const struct foretell_options *o;
	struct foretell_report *report;
	struct runner *runner;
	struct facts facts;
	struct rng rng;
	struct arena *scratch;
	struct trace a;
	struct demands *demands; /* of A */
	struct solver *solver;
	void *block;
	VEC(struct flip) flips;  /* of the last quarter, not yet tried */
	VEC(uint32_t) late;      /* nodes of decisions there */
	uint32_t quarter;        /* first event of the last quarter */
	VEC(struct testcase) solved; /* inputs that the solver made */
	VEC(uint64_t) hashes;    /* of the inputs run */
	struct arena *arena;     /* for them */
	unsigned hard;
};

__attribute__((format(printf, 2, 3)))
static void complain(struct teller *w, const char *format, ...)
{
	struct foretell_report *r = w->report;
	va_list ap;
	if (r->messages_count == FORETELL_MESSAGES)
		return;
	va_start(ap, format);
	vsnprintf(r->messages[r->messages_count++], sizeof r->messages[0], format, ap);
	va_end(ap);
}

static void note(void *context, const char *text)
{
	complain(context, "note: %s", text);
}

/* --- inputs --- */

static uint8_t random_byte(struct teller *w)
{
	return (uint8_t)(rng_below(&w->rng, 2) ? ' ' + rng_below(&w->rng, 95) : rng_below(&w->rng, 256));
}

/* Can a test case say what is there? */
static bool is_given(const struct teller *w, uint32_t object, uint64_t offset)
{
	uint32_t kind = w->a.inputs[object].kind;
	return kind != TD_IN_GLOBAL && kind != TD_IN_UNSET && (kind != TD_IN_FILE || !w->o->window || offset < w->o->window);
}

/* Changes one byte of an object; the NUL of an argument or variable stays, and no other byte becomes one. */
static bool change(struct teller *w, const struct assignment *in, uint32_t object, uint64_t offset)
{
	const struct content *c = &in->objects[object];
	bool is_text = w->a.inputs[object].kind == TD_IN_ARG || w->a.inputs[object].kind == TD_IN_ENV;
	uint8_t byte = random_byte(w), *at = (uint8_t *)c->bytes + offset;
	if (!is_given(w, object, offset) || offset >= c->length || (is_text && (!*at || !byte)) || *at == byte)
		return false;
	*at = byte;
	return true;
}

/* In memory that may be changed. */
static struct assignment input_of(struct teller *w, const struct testcase *f)
{
	struct assignment in = feed_assignment(f, &w->a, w->scratch);
	for (uint32_t i = 0; i < in.count; i++) {
		struct content *c = (struct content *)&in.objects[i];
		c->bytes = arena_copy(w->scratch, c->length ? (const void *)c->bytes : "", c->length ? c->length : 1);
	}
	return in;
}

static bool is_known(const struct teller *w, const struct testcase *f)
{
	uint64_t hash = testcase_hash(f);
	for (size_t i = 0; i < w->hashes.count; i++)
		if (w->hashes.at[i] == hash)
			return true;
	return false;
}

static struct testcase make_random(struct teller *w)
{
	struct assignment in = input_of(w, &w->o->feed);
	uint64_t total = 0, changes = 1 + rng_below(&w->rng, 3);
	for (uint32_t i = 0; i < in.count; i++)
		total += in.objects[i].length;
	for (unsigned tries = 0; total && changes && tries < 100; tries++) {
		uint64_t at = rng_below(&w->rng, total);
		uint32_t object = 0;
		while (at >= in.objects[object].length)
			at -= in.objects[object++].length;
		changes -= change(w, &in, object, at);
	}
	return feed_from(&w->o->feed, &w->a, &in, w->scratch);
}

/* A byte that the node reads, at random; false: it reads none. */
static bool pick_byte(struct teller *w, uint32_t node, uint32_t *object, uint64_t *offset)
{
	struct conjunct c = { .node = node };
	struct query q = { w->a.terms, &c, 1, { NULL, 0 } };
	struct reach r = slice_reach(&q, w->scratch);
	uint64_t seen = 0;
	for (uint32_t id = 1; id < r.count; id++) {
		const struct td_node *n = &w->a.terms.nodes[id];
		if (!r.needed[id] || n->op != TD_INPUT || rng_below(&w->rng, ++seen))
			continue;
		*object = n->a;
		*offset = n->b;
	}
	return seen > 0;
}

static bool flips_late(struct teller *w, const struct assignment *in)
{
	uint32_t at = predict_first_flip(&w->a, in);
	return at >= w->quarter && at < w->a.events_count && (w->a.events[at].kind == TD_EV_BRANCH || w->a.events[at].kind == TD_EV_SWITCH);
}

static bool make_late(struct teller *w, struct testcase *out)
{
	for (unsigned tries = 0; w->late.count && tries < LATE_TRIES; tries++) {
		bool from_a = !w->solved.count || rng_below(&w->rng, 2);
		const struct testcase *from = from_a ? &w->o->feed : &w->solved.at[rng_below(&w->rng, w->solved.count)];
		struct assignment in = input_of(w, from);
		uint32_t object;
		uint64_t offset;
		for (uint64_t changes = 1 + rng_below(&w->rng, 2); changes--;)
			if (pick_byte(w, w->late.at[rng_below(&w->rng, w->late.count)], &object, &offset))
				change(w, &in, object, offset);
		*out = feed_from(&w->o->feed, &w->a, &in, w->scratch);
		if (flips_late(w, &in) && !is_known(w, out))
			return true;
	}
	return false;
}

static bool keeps_arguments(const struct teller *w, const struct testcase *f)
{
	for (size_t i = 0; i < f->args_count; i++)
		if (strlen(f->args[i]) != strlen(w->o->feed.args[i]))
			return false;
	for (size_t i = 0; i < f->env_count; i++)
		if (strlen(f->env[i]) != strlen(w->o->feed.env[i]))
			return false;
	return true;
}

static bool solve(struct teller *w, const struct flip *f, struct testcase *out)
{
	struct answer answer;
	struct err trouble = {0};
	if (f->kind == FLIP_LONGER || f->kind == FLIP_SHORTER) {
		*out = feed_resized(&w->o->feed, &w->a.inputs[f->object], f->value, w->scratch);
		return true;
	}
	if (!w->demands)
		w->demands = flip_demands(&w->a, &w->facts, &w->o->feed);
	struct question q = flip_question(w->demands, f, w->scratch);
	clock_t began = clock();
	w->report->solver_calls++;
	if (!solver_check(w->solver, &q, w->scratch, &answer, &trouble)) {
		w->report->bad_traces++;
		complain(w, "flip of event %" PRIu32 ": %s", f->event, trouble.text);
		return false;
	}
	w->hard += answer.verdict != VERDICT_SAT && clock() - began > CLOCKS_PER_SEC / 2;
	if (answer.verdict != VERDICT_SAT || answer.optimistic) /* an optimistic one flips where something was lost */
		return false;
	*out = feed_from(&w->o->feed, &w->a, &answer.model, w->scratch);
	return keeps_arguments(w, out);
}

/* Takes flips at random, a few, until the solver has an answer to one. */
static bool make_by_solver(struct teller *w, struct testcase *out)
{
	for (unsigned tries = 0; w->flips.count && tries < SOLVER_TRIES && w->hard < PATIENCE; tries++) {
		size_t i = (size_t)rng_below(&w->rng, w->flips.count);
		struct flip f = w->flips.at[i];
		w->flips.at[i] = w->flips.at[--w->flips.count];
		if (!solve(w, &f, out) || is_known(w, out))
			continue;
		vec_push(&w->solved, testcase_copy(out, w->arena));
		return true;
	}
	return false;
}

static bool make_fresh(struct teller *w, struct testcase *out)
{
	for (unsigned tries = 0; tries < RANDOM_TRIES; tries++) {
		*out = make_random(w);
		if (!is_known(w, out))
			return true;
	}
	return false;
}

/* One more input: one that differs late if that is wanted and possible. False: there is no new one. */
static bool make_input(struct teller *w, bool late, struct testcase *out, enum foretell_how *how)
{
	bool solver_first = late && rng_below(&w->rng, 2);
	*how = FORETELL_SOLVER;
	if (solver_first && make_by_solver(w, out))
		return true;
	*how = FORETELL_LATE;
	if (late && make_late(w, out))
		return true;
	*how = FORETELL_SOLVER;
	if (late && !solver_first && make_by_solver(w, out))
		return true;
	*how = FORETELL_RANDOM;
	return make_fresh(w, out);
}

/* --- the check of one trace, and of a pair --- */

static void check_trace(struct teller *w, const struct trace *t, const char *which)
{
	uint32_t bad = 0, wrong = terms_verify(&t->terms, &bad);
	struct prediction self = predict_self(t);
	uint64_t mismatches = t->header->counters[TD_COUNT_MISMATCH];
	if (!wrong && !mismatches && self.result == PREDICT_SAME)
		return;
	w->report->bad_traces++;
	if (wrong)
		complain(w, "%s: %" PRIu32 " terms have a wrong value, node %" PRIu32 " first", which, wrong, bad);
	else if (mismatches)
		complain(w, "%s: %" PRIu64 " terms were dropped because their value disagreed", which, mismatches);
	else
		complain(w, "%s: %s", which, self.text);
}

static void count_flip(struct teller *w, const struct prediction *p)
{
	for (unsigned k = 1; k < TD_EV_KINDS; k++)
		if (strncmp(p->text, trace_kind_names[k], strlen(trace_kind_names[k])) == 0)
			w->report->flips[k]++;
	w->report->late += p->a >= w->quarter;
}

static const char *place_text(struct teller *w, const struct prediction *p)
{
	const struct td_event *e = p->a < w->a.events_count ? &w->a.events[p->a] : NULL;
	const struct facts_place *at = e && e->site != TD_NO_SITE ? facts_find(&w->facts, e->site) : NULL;
	return at ? arena_printf(w->scratch, "%s:%" PRIu32, facts_file(at), at->site->line) : "no site";
}

static const char *input_text(struct teller *w, const struct testcase *f)
{
	size_t n = 0;
	while (n < f->size && n < w->o->feed.size && f->bytes[n] == w->o->feed.bytes[n])
		n++;
	for (size_t i = 0; i < f->files_count; i++)
		if (f->files[i].size != w->o->feed.files[i].size || (f->files[i].size && memcmp(f->files[i].bytes, w->o->feed.files[i].bytes, f->files[i].size) != 0))
			return arena_printf(w->scratch, "another %s", f->files[i].path);
	if (n == f->size && n == w->o->feed.size)
		return "same stdin";
	return arena_printf(w->scratch, "stdin[%zu] = %d first", n, n < f->size ? f->bytes[n] : -1);
}

static void compare(struct teller *w, const struct trace *b, const struct testcase *f, const char *how)
{
	struct assignment in = feed_assignment(f, &w->a, w->scratch);
	struct prediction p = predict_compare(&w->a, b, &in);
	check_trace(w, b, "run B");
	w->report->cut += p.cut;
	w->report->promised += p.promised;
	for (uint32_t i = 0; i < b->events_count; i++)
		w->report->branches += b->events[i].kind == TD_EV_BRANCH || b->events[i].kind == TD_EV_SWITCH;
	if (p.result == PREDICT_SAME)
		w->report->same++;
	else if (p.result == PREDICT_FLIP)
		count_flip(w, &p);
	else {
		w->report->wrong++;
		complain(w, "event %" PRIu32 " of %" PRIu32 " at %s, %s input (%s): %s", p.a, w->a.events_count, place_text(w, &p), how,
		         input_text(w, f), p.text);
	}
}

static void note_garbled(struct teller *w, struct err *err)
{
	w->report->bad_traces++;
	complain(w, "run B: %s", err->text);
	*err = (struct err){0};
}

/* Its last words say why, if it has any. */
static void note_end(struct teller *w, const struct outcome *out, const char *which, const char *input)
{
	if (out->kind != OUTCOME_SIGNAL)
		return;
	size_t size = out->err.size < 160 ? out->err.size : 160;
	w->report->crashed++;
	complain(w, "%s ended by signal %d (%s): %.*s", which, out->signal, input, (int)size, size ? (const char *)out->err.bytes : "");
}

static bool run_pair(struct teller *w, const struct testcase *f, const char *how, struct err *err)
{
	struct outcome out;
	struct trace b;
	if (!runner_run(w->runner, f, &out, &b, err))
		return false;
	bool late = out.kind == OUTCOME_TIMEOUT;
	note_end(w, &out, "run B", input_text(w, f));
	outcome_free(&out);
	if (b.header)
		facts_learn(&w->facts, &b, note, w);
	if (late)
		w->report->skipped++;
	else if (b.header)
		compare(w, &b, f, how);
	else
		note_garbled(w, err);
	return true;
}

/* --- run A --- */

static void collect_flip(void *context, const struct flip *f)
{
	struct teller *w = context;
	if (f->event >= w->quarter)
		vec_push(&w->flips, *f);
}

static void collect_late(struct teller *w)
{
	for (uint32_t i = w->quarter; i < w->a.events_count; i++)
		if (w->a.events[i].node)
			vec_push(&w->late, w->a.events[i].node);
}

static void look_at_a(struct teller *w)
{
	const struct trace *a = &w->a;
	w->quarter = (uint32_t)((uint64_t)a->events_count * 3 / 4);
	w->report->nodes = a->terms.count - 1;
	w->report->decisions = a->events_count;
	for (uint32_t i = 0; i < a->events_count; i++)
		w->report->symbolic += a->events[i].node != 0;
	for (unsigned k = 0; k < TD_LOST_KINDS; k++)
		w->report->lost += a->header->lost[k];
	flip_each(a, &w->facts, collect_flip, w);
	collect_late(w);
}

static bool run_a(struct teller *w, struct err *err)
{
	struct outcome out;
	struct trace t;
	size_t size;
	if (!runner_run(w->runner, &w->o->feed, &out, &t, err))
		return false;
	bool late = out.kind == OUTCOME_TIMEOUT;
	note_end(w, &out, "run A", "the given input");
	outcome_free(&out);
	if (late)
		return err_set(err, "%s does not end in time on the given input", w->o->program);
	if (!t.header)
		return false;
	facts_learn(&w->facts, &t, note, w);
	w->block = runner_keep(&t, &w->a, &size);
	check_trace(w, &w->a, "run A");
	look_at_a(w);
	return true;
}

static bool run_pairs(struct teller *w, struct err *err)
{
	static const char *const names[] = { "random", "solver-made", "late" };
	vec_push(&w->hashes, testcase_hash(&w->o->feed));
	for (unsigned i = 0; i < w->o->pairs; i++) {
		const unsigned *made = w->report->made;
		struct testcase f;
		enum foretell_how how;
		arena_reset(w->scratch);
		bool late = (made[FORETELL_SOLVER] + made[FORETELL_LATE]) * 100ull < (i + 1ull) * w->o->late_share;
		if (!make_input(w, late, &f, &how))
			break;
		w->report->made[how]++;
		vec_push(&w->hashes, testcase_hash(&f));
		if (!run_pair(w, &f, names[how], err))
			return false;
	}
	return true;
}

static bool open_all(struct teller *w, struct err *err)
{
	struct runner_options o = {
		.program = w->o->program, .flags = TD_SYM_STDIN | TD_SYM_ARGV | TD_SYM_GIVEN | TD_ALL_BRANCHES, .sandbox = w->o->sandbox,
		.wall_ms = w->o->wall_ms, .window = w->o->window, .output_max = 4096,
	};
	return facts_open(&w->facts, w->o->program, err) && (w->runner = runner_open(&o, err));
}

static struct solver *hasty_solver(void)
{
	struct solver_options o = solver_options_default();
	o.z3 = (struct smt_limits){ .rlimit = 3000000, .timeout_ms = 3000 };
	return solver_new(&o);
}

bool foretell(const struct foretell_options *o, struct foretell_report *report, struct err *err)
{
	struct teller w = { .o = o, .report = report, .scratch = arena_new(), .arena = arena_new() };
	*report = (struct foretell_report){0};
	rng_seed(&w.rng, o->seed);
	w.solver = hasty_solver();
	bool ok = open_all(&w, err) && run_a(&w, err) && run_pairs(&w, err);
	runner_close(w.runner);
	flip_demands_free(w.demands);
	solver_free(w.solver);
	facts_close(&w.facts);
	arena_free(w.scratch);
	arena_free(w.arena);
	vec_free(&w.solved);
	vec_free(&w.hashes);
	free(w.block);
	vec_free(&w.flips);
	vec_free(&w.late);
	return ok;
}
