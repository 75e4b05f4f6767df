/* See judge.h. Runs for this are none of the exploration's: nothing is learnt from them, and they are counted apart. */
#include "engine/judge.h"

#include "engine/minimise.h"

#define MINIMISE_RUNS 200u            /* of one bug */
#define MINIMISE_SECONDS 2.0
#define MINIMISE_BYTES ((size_t)256 << 20) /* each run has an input of its own */

struct same {
	const struct judge *j;
	uint64_t name;
};

static bool is_same_bug(void *context, const struct testcase *t, enum minimise_verdict *v, struct err *err)
{
	struct same *s = context;
	struct outcome out;
	struct trace trace;
	struct finding f = {0};
	struct err garbled = {0};
	if (!runner_run(s->j->runner, t, &out, &trace, &garbled))
		return err_set(err, "%s", garbled.text);
	s->j->stats->minimising++;
	bool same = bugs_look(s->j->bugs, &out, &trace, &f) && f.name == s->name;
	*v = out.kind == OUTCOME_TIMEOUT ? MINIMISE_LATE : same ? MINIMISE_SAME : MINIMISE_OTHER;
	outcome_free(&out);
	return true;
}

/* What is smaller has to be confirmed as what was found had to; if it is not, that stays. */
static bool minimise(const struct judge *j, struct finding *f, struct err *err)
{
	struct same same = { j, f->name };
	size_t runs = MINIMISE_BYTES / (testcase_size(&f->feed) + 1);
	struct minimise m = {
		.from = &f->feed, .parent = f->test ? f->test : f->parent_feed, .alike = f->test, .try = is_same_bug, .context = &same,
		.runs_max = runs < MINIMISE_RUNS ? (unsigned)runs : MINIMISE_RUNS, .seconds = MINIMISE_SECONDS,
	};
	struct minimised smaller;
	struct finding small = *f;
	bool bug = false;
	if (!minimise_input(&m, &smaller, j->scratch, err))
		return false;
	f->given_up = smaller.late;
	small.feed = smaller.input;
	if (testcase_hash(&small.feed) == testcase_hash(&f->feed))
		return true;
	if (!bugs_confirm(j->bugs, j->runner, &small, &bug, err))
		return false;
	if (bug) {
		f->original = arena_copy(j->scratch, &f->feed, sizeof f->feed);
		f->feed = small.feed;
	}
	return true;
}

static bool judge(const struct judge *j, struct finding *f, bool at_last, bool *bug, struct err *err)
{
	enum bugs_verdict v;
	if (!bugs_judge(j->bugs, j->runner, f, at_last, &v, err))
		return false;
	if (v == BUGS_NO_TIME)
		suspects_add(j->suspects, f);
	j->stats->unconfirmed += v == BUGS_UNCONFIRMED;
	j->stats->bugs += v == BUGS_NEW;
	j->stats->same_bugs += v == BUGS_KNOWN;
	*bug = v == BUGS_NEW || v == BUGS_KNOWN;
	if (*bug && f->test && bugs_is_nearer(j->bugs, f) && v == BUGS_KNOWN && j->o->again)
		j->o->again(j->o->context, f);
	if (v != BUGS_NEW || (j->o->knows && j->o->knows(j->o->context, f->name)))
		return true;
	struct finding told = *f;
	bool slow = f->kind == FINDING_HANG || f->kind == FINDING_MEMORY; /* each run would take as long as the first */
	bool ok = slow || minimise(j, &told, err);
	j->o->found(j->o->context, &told); /* it is one, whatever became of that */
	return ok;
}

bool judge_finding(const struct judge *j, struct finding *f, bool ended, bool *bug, struct err *err)
{
	*bug = false;
	return (f->kind == FINDING_HANG && !ended) /* it may be a program that never ends */ || judge(j, f, false, bug, err);
}

bool judge_suspects(const struct judge *j, bool at_last, struct err *err)
{
	struct finding f;
	bool bug;
	while (suspects_count(j->suspects) && bugs_have_time(j->bugs, at_last) && (j->o->go_on || !j->stats->bugs))
		if (suspects_take(j->suspects, &f) && !judge(j, &f, at_last, &bug, err))
			return false;
	j->stats->suspects = suspects_count(j->suspects);
	return true;
}
