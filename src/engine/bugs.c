/* A finding is told as a bug if it happens again. A violation, of which an untraced process knows nothing, in another traced run; all else in a fresh and
 * untraced process, as it may be our doing: traced code needs more of the stack, of memory and of time. What is the same bug says title.c; a known one is not run
 * again. */
#include "engine/bugs.h"

#include "base/mem.h"
#include "base/vec.h"
#include "contract/report.h"
#include "engine/flip.h"
#include "engine/title.h"

struct bugs {
	const struct facts *facts;
	struct titles *titles;
	VEC(uint64_t) known;
	struct td_report report;
};

struct bugs *bugs_new(const struct facts *facts, const uint64_t *known, size_t count)
{
	struct bugs *b = mem_alloc(sizeof *b);
	b->facts = facts;
	b->titles = titles_new(facts);
	for (size_t i = 0; i < count; i++)
		vec_push(&b->known, known[i]);
	return b;
}

void bugs_free(struct bugs *b)
{
	if (!b)
		return;
	titles_free(b->titles);
	vec_free(&b->known);
	free(b);
}

/* --- what is wrong --- */

/* The last branch of the source that depended on the input, or TD_NO_SITE. */
static uint32_t last_edge(const struct bugs *b, const struct trace *t)
{
	for (uint32_t i = t->events_count; i-- > 0;) {
		const struct td_event *e = &t->events[i];
		uint32_t edge = e->node && (e->kind == TD_EV_BRANCH || e->kind == TD_EV_SWITCH) ? flip_edge(b->facts, t, e) : TD_NO_SITE;
		if (edge != TD_NO_SITE)
			return edge;
	}
	return TD_NO_SITE;
}

bool bugs_look(struct bugs *b, const struct outcome *out, const struct trace *t, struct finding *f)
{
	f->report = t->reports_count ? t->reports : NULL;
	f->signal = out->signal;
	f->edge = t->header ? last_edge(b, t) : TD_NO_SITE;
	if (f->report) { /* of a leak is told when all is over */
		f->kind = FINDING_REPORT;
		f->name = title_of_report(b->titles, f->report);
	} else if (out->kind == OUTCOME_SIGNAL) {
		f->kind = FINDING_CRASH;
		f->name = title_of_signal(b->facts, out->signal, f->edge);
	} else {
		return false;
	}
	return true;
}

/* --- does it happen again? --- */

/* A crash is a bug if a fresh, untraced process crashes in the same way. */
static bool confirm_crash(struct bugs *b, struct runner *r, struct finding *f, bool *bug, struct err *err)
{
	struct outcome again;
	(void)b;
	if (!runner_replay(r, &f->feed, &again, err))
		return false;
	*bug = again.kind == OUTCOME_SIGNAL && again.signal == f->signal;
	outcome_free(&again);
	return true;
}

static bool confirm_report(struct bugs *b, struct runner *r, struct finding *f, bool *bug, struct err *err)
{
	struct outcome again;
	struct trace t;
	if (!runner_run(r, &f->feed, &again, &t, err))
		return false;
	*bug = t.reports_count && title_of_report(b->titles, t.reports) == f->name;
	if (*bug)
		b->report = *t.reports;
	outcome_free(&again);
	return true;
}

bool bugs_confirm(struct bugs *b, struct runner *r, struct finding *f, bool *bug, struct err *err)
{
	/* Traced code needs more of the stack, so an exhausted one is to be seen without. */
	bool traced = f->kind == FINDING_REPORT && f->report->violation != TD_VIOLATION_STACK;
	*bug = false;
	return (traced ? confirm_report : confirm_crash)(b, r, f, bug, err);
}

/* --- judgement --- */

static bool is_known(const struct bugs *b, uint64_t name)
{
	for (size_t i = 0; i < b->known.count; i++)
		if (b->known.at[i] == name)
			return true;
	return false;
}

bool bugs_judge(struct bugs *b, struct runner *r, struct finding *f, enum bugs_verdict *v, struct err *err)
{
	bool bug;
	*v = BUGS_KNOWN;
	if (is_known(b, f->name))
		return true;
	if (f->report) {
		b->report = *f->report;
		f->report = &b->report;
	}
	if (!bugs_confirm(b, r, f, &bug, err))
		return false;
	*v = bug ? BUGS_NEW : BUGS_UNCONFIRMED;
	if (bug)
		vec_push(&b->known, f->name);
	return true;
}
