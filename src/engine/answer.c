/* A pick is answered: the solver is asked for an input that takes it, and that is run. */
#include "engine/core.h"

#include "base/rng.h"

#include <stdio.h>

#define EFFORT 1000                   /* gates, of a question that costs as much as a short run */
#define EFFORT_MAX 64                 /* one hard path says little about the others */

static void note_reply(struct engine *e, const struct reply *r)
{
	e->stats->solver_calls += r->asked;
	e->stats->sat += r->verdict == VERDICT_SAT;
	e->stats->unsat += r->verdict == VERDICT_UNSAT;
	e->stats->unknown += r->verdict == VERDICT_UNKNOWN;
	e->stats->optimistic += r->verdict == VERDICT_SAT && r->optimistic;
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

static void note_trouble(struct engine *e, const struct err *trouble)
{
	if (!e->stats->solver_errors++)
		snprintf(e->stats->trouble, sizeof e->stats->trouble, "%.199s", trouble->text);
}

/* The input that takes the flip. False: there is no trace, or the solver has an internal error, which says nothing about the question. */
static bool solve(struct engine *e, const struct trace *t, const struct pick *p, struct reply *r)
{
	const struct testcase *input = attempt_input(e, p->walk);
	struct answer answer;
	struct err trouble = {0};
	r->kind = RESULT_GAVE_UP;
	r->verdict = REPLY_UNASKED;
	r->place = t && !choice_is_branch(&p->choice) ? risks_place(&t->events[p->choice.event]) : 0;
	if (!t || !survey_flip(t, &e->facts, &p->choice, &r->flip))
		return t != NULL;
	if (r->flip.kind == FLIP_LONGER || r->flip.kind == FLIP_SHORTER) {
		r->feed = attempt_own(e, feed_resized(input, &t->inputs[r->flip.object], r->flip.value, e->scratch));
		r->kind = RESULT_WALK;
		return true;
	}
	struct question q = flip_question(stock_demands(e->stock, p->walk), &r->flip, e->scratch);
	if (!solver_check(e->solver, &q, e->scratch, &answer, &trouble)) {
		note_trouble(e, &trouble);
		return false;
	}
	r->verdict = (uint8_t)answer.verdict;
	r->asked = answer.asked;
	r->optimistic = answer.optimistic;
	if (answer.verdict == VERDICT_UNSAT)
		r->kind = RESULT_REFUTED;
	if (answer.verdict != VERDICT_SAT)
		return true;
	r->kind = RESULT_WALK;
	if (r->flip.kind == FLIP_OUTSIDE)
		r->condition = t->events[r->flip.event];
	r->feed = attempt_own(e, feed_from(input, t, &answer.model, e->scratch));
	r->sure = !answer.optimistic && !answer.incomplete && feed_keeps_lengths(input, &r->feed);
	return true;
}

/* From what is known, or the solver. */
static bool reply_to(struct engine *e, const struct pick *p, struct reply *r, struct err *err)
{
	const struct testcase *input = e->known ? attempt_input(e, p->walk) : NULL;
	const struct trace *t;
	*r = (struct reply){0};
	if (input && known_reply(e->known, input, &p->choice, false, r, e->scratch)) {
		e->stats->known_answers++;
		return true;
	}
	*r = (struct reply){0};
	if (!find_trace(e, p->walk, &t, err))
		return false;
	input = e->known ? attempt_input(e, p->walk) : NULL;
	if (solve(e, t, p, r) && input && r->verdict != VERDICT_UNKNOWN) /* which may be due to the load of the machine */
		known_add_reply(e->known, input, &p->choice, false, r);
	return true;
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
	struct reply reply;
	uint64_t gates = solver_stats(e->solver).gates;
	if (!reply_to(e, p, &reply, err))
		return false;
	note_reply(e, &reply);
	struct attempt a = { .pick = p, .feed = reply.feed, .flip = reply.flip, .condition = reply.condition, .sure = reply.sure };
	enum result_kind kind = (enum result_kind)reply.kind;
	uint64_t effort = e->search->steady ? 0 : (solver_stats(e->solver).gates - gates) / EFFORT;
	r->effort = effort < EFFORT_MAX ? (uint32_t)effort : EFFORT_MAX;
	uint32_t walk = kind == RESULT_WALK ? tree_input(e->tree, testcase_hash(&a.feed)) : WALK_NONE;
	e->stats->repeats += walk != WALK_NONE;
	r->is_new = kind == RESULT_WALK && walk == WALK_NONE;
	if (r->is_new && !attempt_run(e, &a, &walk, &r->fresh, err))
		return false;
	note_check(e, reply.place, &p->choice, kind, walk);
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

/* The input that takes the flip alone, without the path to it. False: there is no trace, or an internal error. */
static bool solve_alone(struct engine *e, const struct trace *t, const struct pick *p, struct reply *r)
{
	struct answer answer;
	r->kind = RESULT_GAVE_UP;
	if (!t || !survey_flip(t, &e->facts, &p->choice, &r->flip))
		return t;
	struct question q = flip_question(stock_demands(e->stock, p->walk), &r->flip, e->scratch);
	if (!solver_check_goals(e->solver, &q, e->scratch, &answer, NULL))
		return false;
	if (answer.verdict != VERDICT_SAT)
		return true;
	r->kind = RESULT_WALK;
	r->feed = attempt_own(e, feed_from(attempt_input(e, p->walk), t, &answer.model, e->scratch));
	return true;
}

static bool reply_alone(struct engine *e, const struct pick *p, struct reply *r, struct err *err)
{
	const struct testcase *input = attempt_input(e, p->walk);
	const struct trace *t;
	*r = (struct reply){0};
	if (e->known && input && known_reply(e->known, input, &p->choice, true, r, e->scratch)) {
		e->stats->known_answers++;
		return true;
	}
	*r = (struct reply){0};
	if (!find_trace(e, p->walk, &t, err))
		return false;
	if (solve_alone(e, t, p, r) && e->known)
		known_add_reply(e->known, attempt_input(e, p->walk), &p->choice, true, r);
	return true;
}

/* The input leaves the path somewhere, and may still come to the branch. That is how a switch in front is told to take another case since a comparison behind it
 * wants that letter. If nothing comes of it, the letter may be wanted in addition, as a sign in front of a number is. */
bool answer_leap(struct engine *e, const struct pick *p, struct err *err)
{
	struct reply r;
	struct testcase longer;
	uint32_t fresh;
	if (!is_leap_due(e, &p->choice))
		return true;
	if (!reply_alone(e, p, &r, err))
		return false;
	if (r.kind != RESULT_WALK)
		return true;
	struct attempt a = { .pick = p, .flip = r.flip, .feed = r.feed };
	bool is_longer = feed_inserted(attempt_input(e, p->walk), &a.feed, e->scratch, &longer);
	longer = attempt_own(e, longer);
	if (!land(e, &a, &fresh, err))
		return false;
	if (fresh || !is_longer || !survey_has_room(&e->survey, longer.size) || core_is_over(e))
		return true;
	a.feed = longer;
	return land(e, &a, &fresh, err);
}
