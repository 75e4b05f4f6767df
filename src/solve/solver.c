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
#include "base/rng.h"
#include "solve/cache.h"
#include "solve/child.h"
#include "solve/cores.h"
#include "solve/lanes.h"
#include "solve/lengths.h"
#include "solve/model.h"
#include "solve/narrow.h"
#include "solve/problem.h"
#include "solve/smtlib.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#define HASTE 64        /* of the conflicts that a question is worth, the share of one in haste, */
#define HASTE_GATES 256 /* and of the gates */
#define TRIED_MAX (1u << 26) /* terms that are computed to try all values of a byte: two seconds */

struct solver {
	struct solver_options o;
	struct solver_stats stats;
	struct problem_space space;
	struct cache cache;
	struct cores cores;
	struct memo ranges;  /* of demands on one byte: the values with which they hold */
	struct lanes lanes;
	struct gates gates;
	struct child child;  /* Z3's process */
	uint64_t dumped;     /* queries */
	bool hasty;          /* now: what it does not find out is not known for that */
};

/* One query on its way through the stages. */
struct task {
	const struct slice *slice;
	struct problem problem;     /* made when the first stage wants it */
	bool has_problem;
	struct narrow narrow;       /* likewise */
	bool has_narrow;
	struct arena *arena;
	enum verdict verdict;
	uint64_t *model;            /* by variable; room for all of them */
	bool held;                  /* the verdict is about floating point that was held */
	bool remembered;            /* the answer was */
	bool lost;                  /* Z3's process did not answer: next time it may */
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

/* --- the stages: true if that is the answer, false for the next one, please --- */

static bool ask_cache(struct solver *s, struct task *t)
{
	return cache_find(&s->cache, t->slice, s->o.seed, &t->verdict, &t->held, t->model);
}

static bool ask_cores(struct solver *s, struct task *t)
{
	t->verdict = VERDICT_UNSAT;
	return cores_refute(&s->cores, t->slice);
}

static uint64_t dice(const struct solver *s, const struct task *t)
{
	return s->o.seed ? rng_mix(s->o.seed ^ t->slice->key.b) | 1 : 0;
}

/* --- one byte at a time --- */

/* The values of its byte with which a demand holds; false: nobody knows. */
static bool range_of(struct solver *s, struct task *t, size_t part, struct lane_set *out)
{
	struct digest name = t->slice->names[part];
	const struct lane_set *known = memo_find(&s->ranges, name);
	unsigned steps = s->o.range_steps;
	if (!known) {
		struct problem p = problem_of_part(t->slice, part, &s->space, t->arena);
		narrow_problem(&p, &name, &s->ranges, &s->lanes, &steps, 0, t->arena);
		known = memo_find(&s->ranges, name);
	}
	if (known)
		*out = *known;
	return known;
}

static bool all_parts_hold(const struct problem *p, uint64_t value, u128 *values)
{
	problem_eval(p, &value, values);
	for (size_t i = p->count; i-- > 0;)
		if (!conjunct_holds(&p->parts[i], values))
			return false;
	return true;
}

/* Each value that is left is tried: a loop that adds up has terms too deep for lanes and too many for a circuit, about which everybody else would be asked for seconds. */
static bool try_values(struct solver *s, struct task *t, struct lane_set *left)
{
	const struct problem *p = problem_of(s, t);
	if ((uint64_t)lanes_count(left) * p->terms.count > (s->hasty ? TRIED_MAX / HASTE_GATES : TRIED_MAX))
		return false;
	u128 *values = arena_alloc(t->arena, p->terms.count * sizeof *values);
	for (unsigned v = 0; v < LANES; v++)
		if (lanes_has(left, v) && !all_parts_hold(p, v, values))
			left->words[v >> 6] &= ~(1ull << (v & 63));
	return true;
}

/* All there is, is one byte: each demand is looked up by itself. */
static bool ask_one_byte(struct solver *s, struct task *t)
{
	struct lane_set all, here;
	size_t i = 0;
	memset(&all, 0xff, sizeof all);
	for (; i < t->slice->count && range_of(s, t, i, &here); i++)
		lanes_intersect(&all, &here);
	if (i < t->slice->count && !lanes_is_empty(&all) && !try_values(s, t, &all))
		return false;
	t->verdict = lanes_is_empty(&all) ? VERDICT_UNSAT : VERDICT_SAT;
	if (t->verdict == VERDICT_SAT)
		t->model[0] = lanes_choose(&all, (unsigned)t->slice->variables[0].seed, dice(s, t));
	return true;
}

/* All there is, is one length: it has no more values than that what the question costs is bounded, so each is tried, those close to the seed's first. */
static bool ask_one_length(struct solver *s, struct task *t)
{
	const struct variable *v = t->slice->variables;
	const struct problem *p = problem_of(s, t);
	if (v->limit >= (uint64_t)s->o.lane_steps * LANES / p->terms.count)
		return false;
	struct lengths l = lengths_try(p, t->arena);
	t->held = p->held;
	t->verdict = l.verdict;
	t->model[0] = l.length;
	if (l.verdict == VERDICT_UNSAT && !p->held && s->o.stages >> STAGE_CORES & 1)
		cores_put(&s->cores, t->slice, l.core);
	return true;
}

static bool all_hold(const struct narrow *n)
{
	for (size_t i = 0; i < n->p->count; i++)
		if (n->open[i] && !conjunct_holds(&n->p->parts[i], n->base))
			return false;
	return true;
}

/* Is it enough to change one byte that the goals read? If not, that says nothing. */
static bool try_each_byte(struct solver *s, struct task *t, unsigned *steps)
{
	const struct narrow *n = &t->narrow;
	const bool *read = problem_goal_variables(n->p, t->arena);
	uint32_t count = n->p->variables_count, first = s->o.seed ? (uint32_t)(dice(s, t) % count) : 0;
	for (uint32_t i = 0; i < count && *steps; i++) {
		uint32_t at = (first + i) % count;
		const struct variable *v = &n->p->variables[at];
		struct lane_set set;
		if (!read[at] || v->is_length || v->is_behind || n->fixed[at] ||
		    !lanes_solve(n->p, at, n->base, n->open, &s->lanes, steps, t->arena, &set))
			continue;
		lanes_intersect(&set, &n->sets[at]);
		if (lanes_is_empty(&set))
			continue;
		t->model[at] = lanes_choose(&set, (unsigned)v->seed, dice(s, t));
		return true;
	}
	return false;
}

static bool ask_several_bytes(struct solver *s, struct task *t)
{
	const struct problem *p = problem_of(s, t);
	unsigned steps = s->o.lane_steps, range_steps = s->o.range_steps;
	t->narrow = narrow_problem(p, t->slice->names, &s->ranges, &s->lanes, &range_steps, dice(s, t), t->arena);
	t->has_narrow = true;
	t->verdict = VERDICT_UNSAT;
	if (t->narrow.refuted && s->o.stages >> STAGE_CORES & 1)
		cores_put(&s->cores, t->slice, t->narrow.core);
	if (t->narrow.refuted)
		return true;
	t->verdict = VERDICT_SAT;
	memcpy(t->model, t->narrow.value, p->variables_count * sizeof *t->model);
	return !t->narrow.open_count || all_hold(&t->narrow) || try_each_byte(s, t, &steps);
}

static bool ask_lanes(struct solver *s, struct task *t)
{
	const struct variable *v = t->slice->variables;
	if (!t->slice->variables_count)
		return false;
	if (t->slice->variables_count == 1 && !v->is_length && !v->is_fixed)
		return ask_one_byte(s, t);
	if (t->slice->variables_count == 1 && v->is_length && ask_one_length(s, t))
		return true;
	return ask_several_bytes(s, t);
}

/* --- all bits at once --- */

static bool ask_bits(struct solver *s, struct task *t)
{
	const struct problem *p = problem_of(s, t);
	if (!t->has_narrow)
		t->narrow = narrow_nothing(p, t->arena);
	t->has_narrow = true;
	struct blast_answer a = blast_ask(&t->narrow, &s->o.bits, s->o.seed, &s->gates, t->arena, t->model);
	t->held = p->held;
	t->verdict = a.verdict;
	if (a.verdict == VERDICT_UNSAT && !p->held && s->o.stages >> STAGE_CORES & 1)
		cores_put(&s->cores, t->slice, a.core);
	return a.verdict != VERDICT_UNKNOWN;
}

static bool ask_z3(struct solver *s, struct task *t)
{
	const struct problem *p = problem_of(s, t);
	t->held = p->held;
	if (s->o.z3_inside)
		t->failed = !smt_ask(p, &s->o.z3, t->arena, &t->verdict, t->model, t->err);
	else
		t->lost = !child_ask(&s->child, p, &s->o.z3, t->arena, &t->verdict, t->model);
	s->stats.lost += t->lost;
	return t->verdict != VERDICT_UNKNOWN;
}

static bool (*const askers[SOLVER_STAGES])(struct solver *s, struct task *t) = {
	[STAGE_CACHE] = ask_cache, [STAGE_CORES] = ask_cores, [STAGE_LANES] = ask_lanes, [STAGE_BITS] = ask_bits, [STAGE_Z3] = ask_z3,
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

static bool ask_stage(struct solver *s, unsigned stage, struct task *t)
{
	struct stage_stats *stats = &s->stats.stages[stage];
	double start = s->o.timed ? cpu_seconds() : 0;
	t->held = false;
	bool knows = askers[stage](s, t);
	if (s->o.timed)
		stats->seconds += cpu_seconds() - start;
	stats->asked++;
	stats->sat += knows && t->verdict == VERDICT_SAT;
	stats->unsat += knows && t->verdict == VERDICT_UNSAT;
	return knows && !t->failed;
}

/* Does the model satisfy the slice? A cached one was evaluated when it was made. */
static bool is_right(struct solver *s, struct task *t, unsigned stage)
{
	if (t->verdict != VERDICT_SAT || (stage == STAGE_CACHE && !s->o.self_check))
		return true;
	if (!problem_refuted(problem_of(s, t), t->model, t->arena))
		return true;
	s->stats.refuted++;
	if (!t->held)
		t->failed = !err_set(t->err, "internal: a model of %s does not satisfy its query", words[stage]);
	return false;
}

/* Asks the stages, and remembers what they said. */
static enum solver_stage ask_stages(struct solver *s, struct task *t)
{
	unsigned i = 0;
	for (; i < SOLVER_STAGES && !t->failed; i++)
		if (s->o.stages >> i & 1 && ask_stage(s, i, t) && is_right(s, t, i))
			break;
	if (i == SOLVER_STAGES)
		t->verdict = VERDICT_UNKNOWN;
	t->remembered = i == STAGE_CACHE;
	bool tells = !t->lost && !(s->hasty && t->verdict == VERDICT_UNKNOWN);
	if (!t->remembered && !t->failed && tells && s->o.stages >> STAGE_CACHE & 1)
		cache_put(&s->cache, t->slice, s->o.seed, t->verdict, t->held, t->model);
	return t->verdict == VERDICT_UNKNOWN ? SOLVER_STAGES : (enum solver_stage)i;
}

/* Does the input do what the whole prefix asks for? Only where the slice does not say so by itself. */
static bool fits_path(struct solver *s, const struct question *q, struct task *t, const struct answer *a)
{
	bool resizes = model_resizes(t->slice, t->model);
	if (a->goal_alone || (!resizes && !s->o.self_check))
		return true;
	const struct conjunct *bad = path_refuted(q, !a->optimistic, &a->model, t->arena);
	if (bad && !resizes && !t->held)
		t->failed = !err_set(t->err, "internal: an input does not satisfy its own path (term %" PRIu32 ")", bad->node);
	s->stats.refuted += bad != NULL;
	return !bad;
}

static bool ask(struct solver *s, const struct question *q, const struct slice *slice, struct arena *arena, struct answer *out,
                struct err *err)
{
	struct task t = { .slice = slice, .arena = arena, .err = err };
	t.model = arena_alloc(arena, (slice->variables_count + 1) * sizeof *t.model);
	out->asked++;
	s->stats.queries++;
	out->stage = ask_stages(s, &t);
	if (t.failed)
		return false;
	out->incomplete = t.held;
	if (t.verdict == VERDICT_SAT) {
		out->model = model_apply(slice, t.model, arena);
		if (!fits_path(s, q, &t, out))
			t.verdict = VERDICT_UNKNOWN;
	}
	out->verdict = t.verdict;
	if (s->o.observe && !t.failed)
		s->o.observe(s->o.context, problem_of(s, &t), t.verdict);
	if (s->o.dump && !t.failed && !t.remembered)
		t.failed = !smtlib_write(s->o.dump, ++s->dumped, problem_of(s, &t), t.verdict, arena, err);
	return !t.failed;
}

/* --- one question --- */

static bool ask_without_losses(struct solver *s, const struct question *q, struct arena *arena, struct answer *out, struct err *err)
{
	struct slice rest = path_slice(q, false, arena);
	out->optimistic = true;
	return ask(s, q, &rest, arena, out, err);
}

/* What the path says makes a question easier; without it, a product of numbers that nobody bounds takes seconds. As it is a shot in the dark, it gets little time. */
bool solver_check_goals(struct solver *s, const struct question *q, struct arena *arena, struct answer *out, struct err *err)
{
	struct slice goals = path_slice_goals(q, arena);
	struct solver_options patient = s->o;
	*out = (struct answer){ .goal_alone = true, .optimistic = true };
	s->o.stages &= ~(1u << STAGE_Z3);
	s->o.bits.conflicts = patient.bits.conflicts / HASTE;
	s->o.bits.gates = patient.bits.gates / HASTE_GATES;
	s->hasty = true;
	bool ok = ask(s, q, &goals, arena, out, err);
	s->hasty = false;
	s->o = patient;
	return ok;
}

bool solver_check(struct solver *s, const struct question *q, struct arena *arena, struct answer *out, struct err *err)
{
	struct slice slice = path_slice(q, true, arena);
	*out = (struct answer){0};
	if (!ask(s, q, &slice, arena, out, err))
		return false;
	return out->verdict != VERDICT_UNSAT || !slice.losses || ask_without_losses(s, q, arena, out, err);
}

/* --- the solver --- */

struct solver_options solver_options_default(void)
{
	return (struct solver_options){
		.stages = (1u << SOLVER_STAGES) - 1, .memory = (size_t)256 << 20, .lane_steps = 4096, .range_steps = 1u << 16, .bits = { .gates = 1u << 20, .conflicts = 20000 },
		.z3 = { .rlimit = 600000, .timeout_ms = 4000 },
	};
}

struct solver *solver_new(const struct solver_options *o)
{
	struct solver *s = mem_alloc(sizeof *s);
	s->o = *o;
	gates_open(&s->gates, o->bits.gates);
	cache_open(&s->cache, o->memory / 4 * 2);
	cores_open(&s->cores, o->memory / 4);
	memo_open(&s->ranges, sizeof(struct lane_set), (uint32_t)(o->memory / 8 / (sizeof(struct lane_set) + sizeof(struct digest)) + 1));
	return s;
}

void solver_free(struct solver *s)
{
	if (!s)
		return;
	problem_space_free(&s->space);
	gates_close(&s->gates);
	child_stop(&s->child);
	cache_close(&s->cache);
	cores_close(&s->cores);
	memo_close(&s->ranges);
	lanes_free(&s->lanes);
	free(s);
}

struct solver_stats solver_stats(const struct solver *s)
{
	struct solver_stats out = s->stats;
	out.gates = s->gates.made + s->gates.at.count;
	out.dropped = s->cache.memo.dropped + s->cores.goals.dropped + s->ranges.dropped;
	return out;
}
