/* A finding is told as a bug if it happens again. A violation, of which an untraced process knows nothing, in another traced run; all else in a fresh and
 * untraced process, as it may be our doing: traced code needs more of the stack, of memory and of time. What is the same bug says title.c; a known one is not run
 * again.
 *
 * A hang is a run that a whole traced run's time does not suffice for even untraced, which is several times faster. What is counted then is the processor's time, so that
 * a busy machine makes no hangs; a program that does not compute but wait is given PATIENCE times as long by the clock. One of which that cannot be told was kept from running by others: it is run
 * again with more patience, once. More memory than it may use is what a run has really had, in a process without the traced one's own: that an allocation was refused is a suspicion only, and what a program does
 * about it, even a crash, is not held against it. Where a few such suspicions were wrong, none is looked into any more: each takes seconds. */
#include "engine/bugs.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/vec.h"
#include "contract/report.h"
#include "engine/flip.h"
#include "engine/replay.h"
#include "engine/title.h"

#include <signal.h>

#define PATIENCE 4
#define DOUBTS_MAX 3 /* of one name */
#define SHARE 5 /* of the time, one part in so many for hangs and memory */
#define LAST_MOMENT 2.5 /* times what it takes to look into one */
#define LOOPS 64

struct doubt {
	uint64_t name;
	unsigned times;
};

/* A bug, and a test that leads to it. */
struct sighting {
	uint64_t name;
	const struct testcase *test;
	uint32_t distance, depth;
};

struct bugs {
	struct bugs_options o;
	struct titles *titles;
	VEC(uint64_t) known;
	VEC(struct doubt) doubts;
	VEC(struct sighting) sightings;
	struct td_report report;
	double start;
	double spent;   /* seconds, on hangs and memory that were none */
	bool looked;    /* into one, ever */
};

struct bugs *bugs_new(const struct bugs_options *o)
{
	struct bugs *b = mem_alloc(sizeof *b);
	b->o = *o;
	b->start = clock_seconds();
	b->titles = titles_new(o->facts);
	for (size_t i = 0; i < o->known_count; i++)
		vec_push(&b->known, o->known[i]);
	return b;
}

void bugs_free(struct bugs *b)
{
	if (!b)
		return;
	titles_free(b->titles);
	vec_free(&b->known);
	vec_free(&b->doubts);
	vec_free(&b->sightings);
	free(b);
}

/* --- what is wrong --- */

/* The last branch of the source that depended on the input, or TD_NO_SITE. */
static uint32_t last_edge(const struct bugs *b, const struct trace *t)
{
	for (uint32_t i = t->events_count; i-- > 0;) {
		const struct td_event *e = &t->events[i];
		uint32_t edge = e->node && (e->kind == TD_EV_BRANCH || e->kind == TD_EV_SWITCH) ? flip_edge(b->o.facts, t, e) : TD_NO_SITE;
		if (edge != TD_NO_SITE)
			return edge;
	}
	return TD_NO_SITE;
}

/* The same for a run that was stopped. If the last branch was taken again and again, it is one of a loop, and which of them was the last is chance: it is the first of the source among those of the
 * second half of the trace, which that loop has filled. */
static uint32_t hang_edge(const struct bugs *b, const struct trace *t)
{
	uint32_t last = last_edge(b, t), first = last, times = 0;
	const struct facts_place *p = last == TD_NO_SITE ? NULL : facts_find(b->o.facts, last);
	for (uint32_t i = t->events_count / 2; p && i < t->events_count; i++) {
		const struct td_event *e = &t->events[i];
		if (!e->node || (e->kind != TD_EV_BRANCH && e->kind != TD_EV_SWITCH) || !facts_find(b->o.facts, e->site))
			continue;
		times += e->site == p->first_edge;
		first = e->site < first ? e->site : first;
	}
	return times >= LOOPS ? first : last;
}

bool bugs_look(struct bugs *b, const struct outcome *out, const struct trace *t, struct finding *f)
{
	f->report = t->reports_count ? t->reports : NULL;
	f->signal = out->signal;
	f->edge = t->header ? last_edge(b, t) : TD_NO_SITE;
	if (f->report && f->report->violation == TD_VIOLATION_MEMORY) { /* what came after it would not have happened */
		f->kind = FINDING_MEMORY;
		f->name = title_of_report(b->titles, f->report);
	} else if (f->report) { /* of a leak is told when all is over */
		f->kind = FINDING_REPORT;
		f->name = title_of_report(b->titles, f->report);
	} else if (out->kind == OUTCOME_SIGNAL) {
		f->kind = FINDING_CRASH;
		f->name = title_of_signal(b->o.facts, out->signal, f->edge);
	} else if (out->kind == OUTCOME_TIMEOUT) {
		f->kind = FINDING_HANG;
		f->edge = t->header ? hang_edge(b, t) : TD_NO_SITE;
		f->name = title_of_hang(b->o.facts, f->edge);
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
	if (!runner_replay(r, &f->feed, NULL, &again, err))
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

enum excess { EXCESS_NONE, EXCESS_TIME, EXCESS_MEMORY, EXCESS_UNKNOWN };

static enum excess excess_of(const struct bugs *b, const struct outcome *out, unsigned seconds)
{
	if (replay_is_over(out, b->o.memory))
		return EXCESS_MEMORY;
	if (out->kind != OUTCOME_TIMEOUT)
		return EXCESS_NONE;
	bool busy = out->signal == SIGXCPU || out->cpu_us >= seconds * 1000000ull; /* it may catch that signal */
	return busy || out->cpu_us < out->wall_us / 10 ? EXCESS_TIME : EXCESS_UNKNOWN;
}

/* Seconds that the exploration has left. */
static double left(const struct bugs *b)
{
	return b->o.seconds > 0 ? b->start + b->o.seconds - clock_seconds() : 1e6;
}

/* To look into a hang takes as long as thousands of runs: those that are none may take a part of the time and no more. Of a short exploration no part is long enough: it looks into one
 * towards its end. */
bool bugs_have_time(const struct bugs *b, bool at_last)
{
	double need = b->o.wall_ms / 1000.0, remains = left(b);
	if (remains <= need)
		return false;
	return at_last || (!b->looked && remains < LAST_MOMENT * need) || b->spent + need <= (clock_seconds() - b->start) / SHARE;
}

/* Of a hang or of memory; a hang may turn out to be the other: untraced, a run gets further in the same time. */
static bool confirm_excess(struct bugs *b, struct runner *r, struct finding *f, bool *bug, struct err *err)
{
	unsigned seconds = (unsigned)(b->o.wall_ms + 999) / 1000;
	enum excess excess = EXCESS_UNKNOWN;
	double start = clock_seconds();
	b->looked = true;
	for (int patience = PATIENCE; excess == EXCESS_UNKNOWN && patience <= PATIENCE * PATIENCE; patience *= PATIENCE) {
		struct runner_limits limits = { .wall_ms = patience * 1000 * (int)seconds, .cpu_s = seconds, .memory = REPLAY_HARD * b->o.memory };
		struct outcome again;
		if (left(b) * 1000 < limits.wall_ms && patience > PATIENCE)
			break;
		if (!runner_replay(r, &f->feed, &limits, &again, err))
			return false;
		excess = excess_of(b, &again, seconds);
		outcome_free(&again);
	}
	*bug = excess == EXCESS_MEMORY || (excess == EXCESS_TIME && f->kind == FINDING_HANG);
	if (!*bug)
		b->spent += clock_seconds() - start;
	if (excess == EXCESS_MEMORY)
		f->kind = FINDING_MEMORY;
	return true;
}

bool bugs_confirm(struct bugs *b, struct runner *r, struct finding *f, bool *bug, struct err *err)
{
	*bug = false;
	if (f->kind == FINDING_HANG || f->kind == FINDING_MEMORY)
		return confirm_excess(b, r, f, bug, err);
	/* Traced code needs more of the stack, so an exhausted one is to be seen without. */
	bool traced = f->kind == FINDING_REPORT && f->report->violation != TD_VIOLATION_STACK;
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

static bool is_doubted(const struct bugs *b, uint64_t name)
{
	for (size_t i = 0; i < b->doubts.count; i++)
		if (b->doubts.at[i].name == name)
			return b->doubts.at[i].times >= DOUBTS_MAX;
	return false;
}

static void doubt(struct bugs *b, uint64_t name)
{
	for (size_t i = 0; i < b->doubts.count; i++)
		if (b->doubts.at[i].name == name) {
			b->doubts.at[i].times++;
			return;
		}
	vec_push(&b->doubts, (struct doubt){ name, 1 });
}

static bool is_before(const struct finding *f, const struct sighting *s)
{
	return f->distance < s->distance || (f->distance == s->distance && f->depth < s->depth);
}

bool bugs_is_nearer(struct bugs *b, const struct finding *f)
{
	bool nearest = true, is_new = true;
	for (size_t i = 0; i < b->sightings.count; i++) {
		const struct sighting *s = &b->sightings.at[i];
		nearest &= s->name != f->name || is_before(f, s);
		is_new &= s->name != f->name || s->test != f->test;
	}
	if (nearest || is_new)
		vec_push(&b->sightings, (struct sighting){ f->name, f->test, f->distance, f->depth });
	return nearest || is_new;
}

bool bugs_judge(struct bugs *b, struct runner *r, struct finding *f, bool at_last, enum bugs_verdict *v, struct err *err)
{
	bool bug;
	if (f->report) { /* the next run overwrites it */
		b->report = *f->report;
		f->report = &b->report;
	}
	*v = BUGS_KNOWN;
	if (is_known(b, f->name))
		return true;
	*v = BUGS_UNCONFIRMED;
	if (is_doubted(b, f->name))
		return true;
	*v = BUGS_NO_TIME;
	if ((f->kind == FINDING_HANG || f->kind == FINDING_MEMORY) && !bugs_have_time(b, at_last))
		return true;
	*v = BUGS_UNCONFIRMED;
	if (!bugs_confirm(b, r, f, &bug, err))
		return false;
	if (bug) {
		*v = BUGS_NEW;
		vec_push(&b->known, f->name);
	} else if (f->kind == FINDING_HANG || f->kind == FINDING_MEMORY) {
		doubt(b, f->name);
	}
	return true;
}
