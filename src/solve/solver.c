/* The pipeline as it stands: slice, ask Z3, evaluate the model against the *whole* query, and if what the run lost is
 * in the way, ask again without it. Nothing is remembered between queries, so an answer depends on the query alone.
 *
 * A model that does not satisfy its query means that Z3's translation and our evaluator disagree, or that the slice was
 * wrong: a bug of ours, reported as an error. The exception is an incomplete query, where floating point was held
 * at its recorded value and the model may well have changed it: there a refuted model is just no answer. */
#include "solve/solver.h"

#include "solve/slice.h"

#include <inttypes.h>

struct solver_limits solver_limits_default(void)
{
	return (struct solver_limits){ .z3 = { .rlimit = 20000000, .timeout_ms = 10000 } };
}

static struct query without_losses(const struct query *q, struct arena *arena)
{
	struct conjunct *kept = arena_alloc(arena, q->count * sizeof *kept);
	struct query out = *q;
	out.parts = kept;
	out.count = 0;
	for (size_t i = 0; i < q->count; i++)
		if (q->parts[i].kind != CONJUNCT_LOSS)
			kept[out.count++] = q->parts[i];
	return out;
}

/* The first conjunct that the model does not satisfy, or NULL. */
static const struct conjunct *refuted(const struct query *q, const struct assignment *model, struct arena *arena)
{
	struct terms t = q->terms;
	t.count = slice_reach(q, arena).count;
	u128 *values = arena_alloc(arena, t.count * sizeof *values);
	terms_eval_all(&t, model, values);
	for (size_t i = 0; i < q->count; i++)
		if (!conjunct_holds(&q->parts[i], values))
			return &q->parts[i];
	return NULL;
}

static bool ask(const struct query *q, const struct solver_limits *limits, struct arena *arena, struct answer *out,
                struct err *err)
{
	struct query slice = slice_query(q, arena);
	struct z3_answer z3;
	out->asked++;
	if (!z3_ask(&slice, &limits->z3, arena, &z3, err))
		return false;
	out->verdict = z3.verdict;
	out->incomplete = z3.incomplete;
	out->model = z3.model;
	if (z3.verdict != VERDICT_SAT)
		return true;
	const struct conjunct *bad = refuted(&slice, &out->model, arena);
	if (bad && z3.incomplete)
		out->verdict = VERDICT_UNKNOWN;
	else if (bad)
		return err_set(err, "internal: a model does not satisfy its query (term %" PRIu32 ")", bad->node);
	else if ((bad = refuted(q, &out->model, arena)))
		return err_set(err, "internal: an input does not satisfy its own path (term %" PRIu32 ")", bad->node);
	return true;
}

bool solver_check(const struct query *q, const struct solver_limits *limits, struct arena *arena, struct answer *out,
                  struct err *err)
{
	*out = (struct answer){0};
	if (!ask(q, limits, arena, out, err))
		return false;
	struct query rest = without_losses(q, arena);
	if (out->verdict != VERDICT_UNSAT || rest.count == q->count)
		return true;
	out->optimistic = true;
	return ask(&rest, limits, arena, out, err);
}
