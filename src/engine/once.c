/* See once.h. The inputs are not run: who wants them knows better what on. */
#include "engine/once.h"

#include "base/clock.h"
#include "base/vec.h"
#include "engine/runner.h"

#include <stdlib.h>
#include <string.h>

struct asker {
	const struct once_options *o;
	struct once_sums *sums;
	struct facts facts;
	struct runner *runner;
	struct solver *solver;
	struct demands *demands;
	struct trace trace;
	void *block;             /* of that */
	struct arena *scratch;   /* of one flip */
	VEC(struct flip) flips;
	VEC(uint64_t) given;     /* hashes of inputs */
	double start;
};

static bool is_over(const struct asker *a)
{
	return (a->o->seconds > 0 && clock_seconds() - a->start >= a->o->seconds) || (a->o->stop && *a->o->stop);
}

static void collect(void *context, const struct flip *f)
{
	struct asker *a = context;
	const struct td_input *in = f->kind == FLIP_LONGER ? &a->trace.inputs[f->object] : NULL;
	if (!in || f->value <= feed_length(a->o->feed, in) + a->o->grow_max)
		vec_push(&a->flips, *f);
}

/* The same input may take several flips, each alone or all at once. */
static bool is_given(struct asker *a, const struct testcase *feed)
{
	uint64_t hash = testcase_hash(feed);
	for (size_t i = 0; i < a->given.count; i++)
		if (a->given.at[i] == hash)
			return true;
	vec_push(&a->given, hash);
	return false;
}

static void give(struct asker *a, const struct testcase *feed, const struct flip *f, bool optimistic)
{
	a->sums->solved++;
	a->sums->optimistic += optimistic;
	if (is_given(a, feed))
		a->sums->same++;
	else
		a->o->found(a->o->context, feed, f, &a->facts, optimistic);
}

static bool ask(struct asker *a, const struct flip *f, struct err *err)
{
	struct answer answer;
	struct testcase feed;
	arena_reset(a->scratch);
	if (f->kind == FLIP_LONGER || f->kind == FLIP_SHORTER) {
		feed = feed_resized(a->o->feed, &a->trace.inputs[f->object], f->value, a->scratch);
		give(a, &feed, f, false);
		return true;
	}
	struct question q = flip_question(a->demands, f, a->scratch);
	if (!solver_check(a->solver, &q, a->scratch, &answer, err))
		return false;
	a->sums->refuted += answer.verdict == VERDICT_UNSAT;
	a->sums->given_up += answer.verdict == VERDICT_UNKNOWN;
	if (answer.verdict == VERDICT_SAT) {
		feed = feed_from(a->o->feed, &a->trace, &answer.model, a->scratch);
		give(a, &feed, f, answer.optimistic);
	}
	return true;
}

static bool run(struct asker *a, struct err *err)
{
	struct outcome out;
	struct trace t;
	size_t size;
	if (!runner_run(a->runner, a->o->feed, &out, &t, err))
		return false;
	outcome_free(&out);
	if (!t.header)
		return false;
	facts_learn(&a->facts, &t, a->o->note, a->o->context);
	a->block = runner_keep(&t, &a->trace, &size);
	a->demands = flip_demands(&a->trace, &a->facts, a->o->feed);
	vec_push(&a->given, testcase_hash(a->o->feed));
	flip_each(&a->trace, &a->facts, collect, a);
	return true;
}

static bool ask_all(struct asker *a, struct err *err)
{
	a->sums->flips = a->flips.count;
	for (size_t i = 0; i < a->flips.count; i++) {
		if (is_over(a)) {
			a->sums->left = a->flips.count - i;
			break;
		}
		if (!ask(a, &a->flips.at[i], err))
			return false;
	}
	return true;
}

bool once(const struct once_options *o, struct once_sums *sums, struct err *err)
{
	struct asker a = { .o = o, .sums = sums, .scratch = arena_new(), .solver = solver_new(&o->solver), .start = clock_seconds() };
	struct runner_options r = {
		.program = o->program, .flags = TD_SYM_STDIN | TD_SYM_ARGV | TD_SYM_GIVEN | o->flags, .sandbox = o->sandbox, .wall_ms = o->wall_ms, .window = o->window,
	};
	*sums = (struct once_sums){0};
	bool ok = facts_open(&a.facts, o->program, err) && (a.runner = runner_open(&r, err)) && run(&a, err) && ask_all(&a, err);
	runner_close(a.runner);
	flip_demands_free(a.demands);
	solver_free(a.solver);
	facts_close(&a.facts);
	arena_free(a.scratch);
	free(a.block);
	vec_free(&a.flips);
	vec_free(&a.given);
	return ok;
}
