/* Two findings are one bug if they are of the same class and have the same call stack; of a crash without a report only the signal is known. A known one is
 * not run again. */
#include "engine/bugs.h"

#include "base/mem.h"
#include "base/rng.h"
#include "base/vec.h"
#include "contract/report.h"

#include <string.h>

struct bugs {
	VEC(uint64_t) known;
	struct td_report report;
};

struct bugs *bugs_new(const uint64_t *known, size_t count)
{
	struct bugs *b = mem_alloc(sizeof *b);
	for (size_t i = 0; i < count; i++)
		vec_push(&b->known, known[i]);
	return b;
}

void bugs_free(struct bugs *b)
{
	if (!b)
		return;
	vec_free(&b->known);
	free(b);
}

static uint64_t name_of(const struct finding *f)
{
	if (!f->report)
		return rng_mix((uint64_t)f->signal);
	const struct td_report_stack *s = &f->report->stacks[TD_WHERE_HAPPENED];
	uint64_t h = rng_mix(1000u + f->report->violation);
	for (uint32_t i = 0; i < s->count; i++)
		h = rng_mix(h ^ s->frames[i]);
	return h;
}

static bool is_known(const struct bugs *b, uint64_t name)
{
	for (size_t i = 0; i < b->known.count; i++)
		if (b->known.at[i] == name)
			return true;
	return false;
}

/* A crash is a bug if a fresh, untraced process crashes in the same way. */
static bool confirm_crash(struct runner *r, const struct finding *f, bool *bug, struct err *err)
{
	struct outcome again;
	if (!runner_replay(r, &f->feed, &again, err))
		return false;
	*bug = again.kind == OUTCOME_SIGNAL && again.signal == f->signal;
	outcome_free(&again);
	return true;
}

/* A violation, of which an untraced process knows nothing, if it happens again at the same place. */
static bool confirm_report(struct runner *r, const struct finding *f, bool *bug, struct err *err)
{
	const struct td_report_stack *here = &f->report->stacks[TD_WHERE_HAPPENED];
	struct outcome again;
	struct trace t;
	if (!runner_run(r, &f->feed, &again, &t, err))
		return false;
	const struct td_report_stack *there = t.reports_count ? &t.reports->stacks[TD_WHERE_HAPPENED] : NULL;
	*bug = there && t.reports->violation == f->report->violation && there->count == here->count &&
	       memcmp(there->frames, here->frames, here->count * sizeof *here->frames) == 0;
	outcome_free(&again);
	return true;
}

bool bugs_judge(struct bugs *b, struct runner *r, struct finding *f, enum bugs_verdict *v, struct err *err)
{
	uint64_t name = f->name = name_of(f);
	bool bug = false;
	*v = BUGS_KNOWN;
	if (is_known(b, name))
		return true;
	if (f->report) {
		b->report = *f->report;
		f->report = &b->report;
	}
	/* Traced code needs more of the stack, so an exhausted one is to be seen without. */
	bool traced = f->report && f->report->violation != TD_VIOLATION_STACK;
	if (!(traced ? confirm_report : confirm_crash)(r, f, &bug, err))
		return false;
	*v = bug ? BUGS_NEW : BUGS_UNCONFIRMED;
	if (bug)
		vec_push(&b->known, name);
	return true;
}
