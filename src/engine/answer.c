/* A pick is answered: the solver is asked for an input that takes it, and that is run. */
#include "engine/core.h"

#include "base/rng.h"

#include <stdio.h>

#define EFFORT 1000                   /* gates, of a question that costs as much as a short run */
#define EFFORT_MAX 64                 /* one hard path says little about the others */

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
	const struct testcase *input = attempt_input(e, walk);
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

/* The input that takes the flip. */
static enum result_kind solve(struct engine *e, const struct trace *t, struct attempt *a)
{
	const struct testcase *input = attempt_input(e, a->pick->walk);
	struct answer answer;
	struct err trouble = {0};
	if (!t || !survey_flip(t, &e->facts, &a->pick->choice, &a->flip))
		return RESULT_GAVE_UP;
	if (a->flip.kind == FLIP_LONGER || a->flip.kind == FLIP_SHORTER) {
		a->feed = attempt_own(e, feed_resized(input, &t->inputs[a->flip.object], a->flip.value, e->scratch));
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
	a->feed = attempt_own(e, feed_from(input, t, &answer.model, e->scratch));
	a->sure = a->sure && feed_keeps_lengths(input, &a->feed);
	return RESULT_WALK;
}

void answer_known(struct engine *e, const struct pick *p, struct result *r)
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

bool answer_pick(struct engine *e, const struct pick *p, struct result *r, struct err *err)
{
	static const uint8_t states[] = { [RESULT_REFUTED] = CHOICE_REFUTED, [RESULT_GAVE_UP] = CHOICE_GAVE_UP, [RESULT_WALK] = CHOICE_TAKEN };
	struct attempt a = { .pick = p };
	const struct trace *t;
	if (!find_trace(e, p->walk, &t, err))
		return false;
	uint32_t place = t && !choice_is_branch(&p->choice) ? risks_place(&t->events[p->choice.event]) : 0;
	uint64_t gates = solver_stats(e->solver).gates;
	enum result_kind kind = solve(e, t, &a);
	uint64_t effort = e->search->steady ? 0 : (solver_stats(e->solver).gates - gates) / EFFORT;
	r->effort = effort < EFFORT_MAX ? (uint32_t)effort : EFFORT_MAX;
	uint32_t walk = kind == RESULT_WALK ? tree_input(e->tree, testcase_hash(&a.feed)) : WALK_NONE;
	e->stats->repeats += walk != WALK_NONE;
	r->is_new = kind == RESULT_WALK && walk == WALK_NONE;
	if (r->is_new && !attempt_run(e, &a, &walk, &r->fresh, err))
		return false;
	note_check(e, place, &p->choice, kind, walk);
	tree_close(e->tree, p->choice.id, (enum choice_state)states[kind], walk);
	if (e->o->answered)
		e->o->answered(e->o->context, tree_key(e->tree, p->choice.id), states[kind]);
	answer_known(e, p, r);
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
	if (!attempt_run(e, a, &walk, fresh, err))
		return false;
	e->stats->leaps++;
	e->stats->leaps_fresh += *fresh != 0;
	core_meet(e, walk);
	if (*fresh)
		e->search->begin(e->self, walk, *fresh);
	attempt_drop_walks(e, walk);
	return true;
}

/* The flip alone, without the path to it: the input leaves that somewhere, and may still come to the branch. That is how a switch in front is told to take another case since a comparison behind it
 * wants that letter. If nothing comes of it, the letter may be wanted in addition, as a sign in front of a number is. */
bool answer_leap(struct engine *e, const struct pick *p, struct err *err)
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
	const struct testcase *from = attempt_input(e, p->walk);
	a.feed = attempt_own(e, feed_from(from, t, &answer.model, e->scratch));
	bool is_longer = feed_inserted(from, &a.feed, e->scratch, &longer);
	longer = attempt_own(e, longer);
	if (!land(e, &a, &fresh, err))
		return false;
	if (fresh || !is_longer || !survey_has_room(&e->survey, longer.size) || core_is_over(e))
		return true;
	a.feed = longer;
	return land(e, &a, &fresh, err);
}
