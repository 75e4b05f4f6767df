/* The pipeline. A question is sliced; then each stage is asked in turn until one knows. Stages are a table, and each can be left out.
 *
 * A model is evaluated against the original terms of its slice before anybody sees it. One that does not satisfy them means that a
 * stage and our evaluator disagree: a bug of ours, reported as an error. The exception is floating point, which some
 * stages hold at the value it had and which the model may well have changed: there a refuted model is just no answer.
 *
 * The rest of the prefix reads no byte that the slice reads, so a model cannot change it (path.c), and is not evaluated: that would cost
 * the whole trace per query. Two exceptions: the self-check of the tests, and models that change the length of an object, since that may
 * take away, or add, bytes that the slice does not read. They are rare. */
#include "solve/solver.h"

#include "base/mem.h"
#include "solve/model.h"
#include "solve/problem.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

struct solver {
	struct solver_options o;
	struct solver_stats stats;
	struct problem_space space;
	struct gates gates;
};

/* One query on its way through the stages. */
struct task {
	const struct slice *slice;
	struct problem problem;     /* made when the first stage wants it */
	bool has_problem;
	struct arena *arena;
	uint64_t *model;            /* by variable; room for all of them */
	bool held;                  /* the verdict is about floating point that was held */
	struct err *err;            /* set: something is wrong with us */
	bool failed;
};

static const struct problem *problem_of(struct solver *s, struct task *t)
{
	if (!t->has_problem)
		t->problem = problem_new(t->slice, &s->space, t->arena);
	t->has_problem = true;
	return &t->problem;
}

/* --- the stages --- */

static enum verdict ask_bits(struct solver *s, struct task *t)
{
	const struct problem *p = problem_of(s, t);
	struct blast_answer a = blast_ask(p, &s->o.bits, s->o.seed, &s->gates, t->arena, t->model);
	t->held = p->held;
	return a.verdict;
}

static enum verdict ask_z3(struct solver *s, struct task *t)
{
	enum verdict v = VERDICT_UNKNOWN;
	const struct problem *p = problem_of(s, t);
	t->held = p->held;
	t->failed = !smt_ask(p, &s->o.z3, t->arena, &v, t->model, t->err);
	return v;
}

/* UNKNOWN: the next one, please. */
static enum verdict (*const askers[SOLVER_STAGES])(struct solver *s, struct task *t) = {
	[STAGE_BITS] = ask_bits, [STAGE_Z3] = ask_z3,
};

static const char *const words[SOLVER_STAGES] = {
#define STAGE(name, word, text) word,
	SOLVER_STAGE_TABLE(STAGE)
#undef STAGE
};

const char *solver_stage_name(enum solver_stage s)
{
	return s < SOLVER_STAGES ? words[s] : "none";
}

static bool find_stage(const char *word, size_t length, unsigned *stage)
{
	for (*stage = 0; *stage < SOLVER_STAGES; ++*stage)
		if (strlen(words[*stage]) == length && strncmp(words[*stage], word, length) == 0)
			return true;
	return false;
}

bool solver_parse_stages(const char *text, uint32_t *stages, struct err *err)
{
	while (*text) {
		size_t length = strcspn(text, ",");
		bool no = strncmp(text, "no-", 3) == 0, only = strncmp(text, "only-", 5) == 0;
		size_t skip = no ? 3 : only ? 5 : 0;
		unsigned stage;
		if (length < skip || !find_stage(text + skip, length - skip, &stage))
			return err_set(err, "unknown stage of the solver '%.*s'", (int)length, text);
		*stages = no ? *stages & ~(1u << stage) : only ? 1u << stage : *stages | 1u << stage;
		text += length + (text[length] == ',');
	}
	return true;
}

/* --- one query --- */

static double cpu_seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static enum verdict ask_stage(struct solver *s, unsigned stage, struct task *t)
{
	struct stage_stats *stats = &s->stats.stages[stage];
	double start = s->o.timed ? cpu_seconds() : 0;
	enum verdict v = askers[stage](s, t);
	if (s->o.timed)
		stats->seconds += cpu_seconds() - start;
	stats->asked++;
	stats->sat += v == VERDICT_SAT;
	stats->unsat += v == VERDICT_UNSAT;
	return v;
}

/* Does the model do what was asked? Sets the error if that is our fault. */
static bool is_right(struct solver *s, const struct question *q, struct task *t, const struct answer *a)
{
	const struct conjunct *bad = problem_refuted(problem_of(s, t), t->model, t->arena);
	if (bad && !t->held) {
		t->failed = !err_set(t->err, "internal: a model of %s does not satisfy its query", solver_stage_name(a->stage));
		return false;
	}
	if (bad || a->goal_alone)
		return !bad;
	bool resizes = model_resizes(t->slice, t->model);
	if (!resizes && !s->o.self_check)
		return true;
	struct assignment in = model_apply(t->slice, t->model, t->arena);
	bad = path_refuted(q, !a->optimistic, &in, t->arena);
	if (bad && !resizes && !t->held)
		t->failed = !err_set(t->err, "internal: an input does not satisfy its own path (term %" PRIu32 ")", bad->node);
	return !bad;
}

static bool ask(struct solver *s, const struct question *q, const struct slice *slice, struct arena *arena, struct answer *out,
                struct err *err)
{
	struct task t = { .slice = slice, .arena = arena, .err = err };
	t.model = arena_alloc(arena, (slice->variables_count + 1) * sizeof *t.model);
	out->asked++;
	s->stats.queries++;
	out->verdict = VERDICT_UNKNOWN;
	out->stage = SOLVER_STAGES;
	for (unsigned i = 0; i < SOLVER_STAGES && out->verdict == VERDICT_UNKNOWN && !t.failed; i++) {
		if (!(s->o.stages >> i & 1))
			continue;
		out->stage = (enum solver_stage)i;
		t.held = false;
		out->verdict = ask_stage(s, i, &t);
		if (out->verdict == VERDICT_SAT && !t.failed && !is_right(s, q, &t, out)) {
			out->verdict = VERDICT_UNKNOWN;
			s->stats.refuted++;
		}
	}
	if (out->verdict == VERDICT_UNKNOWN)
		out->stage = SOLVER_STAGES;
	out->incomplete = t.held;
	if (out->verdict == VERDICT_SAT)
		out->model = model_apply(slice, t.model, arena);
	if (s->o.observe && !t.failed)
		s->o.observe(s->o.context, problem_of(s, &t), out->verdict);
	return !t.failed;
}

/* --- one question --- */

static bool ask_without_losses(struct solver *s, const struct question *q, struct arena *arena, struct answer *out, struct err *err)
{
	struct slice rest = path_slice(q, false, arena);
	out->optimistic = true;
	return ask(s, q, &rest, arena, out, err);
}

/* What is known of the path stays, unless there is a model. */
static bool ask_goal_alone(struct solver *s, const struct question *q, struct arena *arena, struct answer *out, struct err *err)
{
	struct slice goals = path_slice_goals(q, arena);
	struct answer alone = { .goal_alone = true, .optimistic = true, .asked = out->asked };
	if (!ask(s, q, &goals, arena, &alone, err))
		return false;
	out->asked = alone.asked;
	if (alone.verdict == VERDICT_SAT)
		*out = alone;
	return true;
}

bool solver_check(struct solver *s, const struct question *q, struct arena *arena, struct answer *out, struct err *err)
{
	struct slice slice = path_slice(q, true, arena);
	*out = (struct answer){0};
	if (!ask(s, q, &slice, arena, out, err))
		return false;
	if (out->verdict == VERDICT_UNSAT && slice.losses && !ask_without_losses(s, q, arena, out, err))
		return false;
	if (out->verdict != VERDICT_SAT && s->o.goal_alone && slice.count > slice.goals)
		return ask_goal_alone(s, q, arena, out, err);
	return true;
}

/* --- the solver --- */

struct solver_options solver_options_default(void)
{
	return (struct solver_options){
		.stages = (1u << SOLVER_STAGES) - 1, .bits = { .gates = 1u << 20, .conflicts = 20000 }, .z3 = { .rlimit = 20000000, .timeout_ms = 10000 },
	};
}

struct solver *solver_new(const struct solver_options *o)
{
	struct solver *s = mem_alloc(sizeof *s);
	s->o = *o;
	gates_open(&s->gates, o->bits.gates);
	return s;
}

void solver_free(struct solver *s)
{
	if (!s)
		return;
	problem_space_free(&s->space);
	gates_close(&s->gates);
	free(s);
}

const struct solver_stats *solver_stats(const struct solver *s)
{
	return &s->stats;
}
