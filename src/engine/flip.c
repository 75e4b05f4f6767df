/* Flips. A path is the sequence of its decisions (branch, switch, assumption); its hash names it. Lengths are no decisions of the
 * program: where an input ends is elsewhere in every run, so they are left out of the hash.
 *
 * The key of a flip also covers what was lost before it, since that is part of the query: another value may make the same flip
 * possible; and its own site: where an input ends is no decision, but decides what comes next. The key of a length covers the whole
 * path: everything is read first and looked at afterwards, so the prefix before the read says nothing. */
#include "engine/flip.h"

#include "base/mem.h"
#include "base/rng.h"
#include "base/vec.h"
#include "expr/op.h"

#include <stdlib.h>

struct cases {
	const uint64_t *at;
	uint32_t count;
};

static struct cases cases_of(const struct facts *facts, const struct td_event *e)
{
	const struct facts_place *p = facts && e->site != TD_NO_SITE ? facts_find(facts, e->site) : NULL;
	if (!p || p->site->kind != TD_SITE_SWITCH)
		return (struct cases){0};
	return (struct cases){ p->block->cases + p->site->first_case, p->site->edges - 1 };
}

static uint64_t trimmed(const struct trace *t, const struct td_event *e, uint64_t value)
{
	return (uint64_t)value_trim(value, e->node ? t->terms.nodes[e->node].bits : 64);
}

/* 0: the default; k: the k-th case. */
static uint32_t case_taken(const struct cases *c, const struct trace *t, const struct td_event *e, uint64_t value)
{
	for (uint32_t i = 0; i < c->count; i++)
		if (trimmed(t, e, c->at[i]) == trimmed(t, e, value))
			return i + 1;
	return 0;
}

bool flip_is_decision(const struct td_event *e)
{
	return e->kind == TD_EV_BRANCH || e->kind == TD_EV_SWITCH || e->kind == TD_EV_ASSUME;
}

/* What a decision came to: of two values that take the same side it is the same. */
static uint64_t side(const struct trace *t, const struct facts *facts, const struct td_event *e, uint64_t value)
{
	struct cases c = e->kind == TD_EV_SWITCH ? cases_of(facts, e) : (struct cases){0};
	return c.count ? case_taken(&c, t, e, value) : value;
}

static uint64_t extend(uint64_t hash, const struct td_event *e, uint64_t side_taken)
{
	return rng_mix(hash ^ rng_mix(side_taken + 1) ^ ((uint64_t)e->site << 8 | e->kind));
}

uint32_t flip_edge(const struct facts *facts, const struct trace *t, const struct td_event *e)
{
	if (!facts || e->site == TD_NO_SITE || !facts_find(facts, e->site))
		return TD_NO_SITE;
	return e->site + (uint32_t)side(t, facts, e, e->kind == TD_EV_SWITCH ? e->value : e->value & 1);
}

/* --- all flips --- */

struct walk {
	const struct trace *trace;
	const struct facts *facts;
	flip_visit *visit;
	flip_visit_taken *taken; /* or NULL */
	void *context;
	uint64_t path, key;
	uint64_t lengths; /* where inputs were found to end, so far */
	uint32_t decisions, bounds; /* so far */
	bool *decided;   /* by node: a branch on it was met before, so the prefix refutes another flip of it */
};

static uint64_t key_of(const struct walk *w, const struct td_event *e, enum flip_kind kind, uint64_t value)
{
	return rng_mix(w->key ^ rng_mix(kind + 8 * value) ^ rng_mix(e->site + 1ull));
}

static void offer(struct walk *w, const struct td_event *e, enum flip_kind kind, uint64_t value, uint64_t new_side)
{
	bool placed = w->facts && e->site != TD_NO_SITE && facts_find(w->facts, e->site);
	struct flip f = {
		.kind = (uint8_t)kind, .event = (uint32_t)(e - w->trace->events), .value = value,
		.edge = placed ? e->site + (uint32_t)new_side : TD_NO_SITE, .key = key_of(w, e, kind, value),
		.path = extend(w->path, e, new_side), .decisions = w->decisions + 1,
	};
	w->visit(w->context, &f);
}

static void offer_cases(struct walk *w, const struct td_event *e)
{
	struct cases c = cases_of(w->facts, e);
	uint32_t taken = case_taken(&c, w->trace, e, e->value);
	for (uint32_t i = 0; i < c.count; i++)
		if (i + 1 != taken)
			offer(w, e, FLIP_CASE, c.at[i], i + 1);
	if (taken || !c.count)
		offer(w, e, FLIP_DEFAULT, 0, 0);
}

/* An index outside its array, or another condition that must hold and shall not. What the program does then nobody knows; it should
 * only get there. How much was read before is part of the flip: the same path may have computed with it. */
static void offer_outside(struct walk *w, const struct td_event *e)
{
	struct flip f = {
		.kind = FLIP_OUTSIDE, .event = (uint32_t)(e - w->trace->events), .edge = TD_NO_SITE,
		.key = rng_mix(w->key ^ w->lengths ^ rng_mix(FLIP_OUTSIDE + 8ull * w->bounds++)), .path = w->path, .decisions = w->decisions,
	};
	w->visit(w->context, &f);
}

/* The bound k of `length > k` over standard input or a file; anything else is not flipped. */
static bool length_bound(const struct trace *t, const struct td_event *e, uint64_t *bound, uint32_t *object)
{
	const struct td_node *nodes = t->terms.nodes, *n = &nodes[e->node];
	if (!e->node || n->op != TD_ULT || nodes[n->a].op != TD_CONST || nodes[n->b].op != TD_LENGTH)
		return false;
	*bound = nodes[n->a].lo;
	*object = nodes[n->b].a;
	return t->inputs[*object].kind == TD_IN_STDIN || t->inputs[*object].kind == TD_IN_FILE;
}

static bool length_flip(const struct trace *t, uint32_t event, struct flip *out)
{
	const struct td_event *e = &t->events[event];
	uint64_t bound;
	uint32_t object;
	if (e->kind != TD_EV_LENGTH || !length_bound(t, e, &bound, &object))
		return false;
	*out = (struct flip){ .kind = e->value ? FLIP_SHORTER : FLIP_LONGER, .event = event, .edge = TD_NO_SITE,
	                      .value = e->value ? bound : bound + 1, .object = object };
	return true;
}

static void offer_lengths(struct walk *w)
{
	struct flip f;
	for (uint32_t i = 0; i < w->trace->events_count; i++)
		if (length_flip(w->trace, i, &f)) {
			f.key = rng_mix(w->key ^ rng_mix(f.kind + 8 * f.value) ^ (uint64_t)f.object << 40);
			w->visit(w->context, &f);
		}
}

bool flip_at(const struct trace *t, const struct facts *facts, uint32_t event, enum flip_kind kind, uint32_t edge, struct flip *out)
{
	static const uint32_t kinds[] = {
		[FLIP_BRANCH] = 1u << TD_EV_BRANCH | 1u << TD_EV_ASSUME, [FLIP_CASE] = 1u << TD_EV_SWITCH, [FLIP_DEFAULT] = 1u << TD_EV_SWITCH,
		[FLIP_OUTSIDE] = 1u << TD_EV_BOUND | 1u << TD_EV_SAFETY, [FLIP_LONGER] = 1u << TD_EV_LENGTH, [FLIP_SHORTER] = 1u << TD_EV_LENGTH,
	};
	if (event >= t->events_count || !(kinds[kind] >> t->events[event].kind & 1))
		return false;
	const struct td_event *e = &t->events[event];
	*out = (struct flip){ .kind = (uint8_t)kind, .event = event, .edge = edge };
	if (kind == FLIP_LONGER || kind == FLIP_SHORTER)
		return length_flip(t, event, out);
	if (kind == FLIP_CASE) {
		struct cases c = cases_of(facts, e);
		if (edge - e->site - 1 >= c.count)
			return false;
		out->value = c.at[edge - e->site - 1];
	}
	return e->node != 0;
}

/* The key that another run would offer this decision's side by. */
static uint64_t taken_key(const struct walk *w, const struct td_event *e, uint64_t s)
{
	struct cases c = e->kind == TD_EV_SWITCH ? cases_of(w->facts, e) : (struct cases){0};
	bool asked = e->node && (e->kind == TD_EV_BRANCH ? !w->decided[e->node] : e->kind == TD_EV_ASSUME ? e->value != 0 : c.count > 0);
	if (!asked)
		return 0;
	if (e->kind != TD_EV_SWITCH)
		return key_of(w, e, FLIP_BRANCH, s & 1);
	return s ? key_of(w, e, FLIP_CASE, c.at[s - 1]) : key_of(w, e, FLIP_DEFAULT, 0);
}

static void tell(struct walk *w, const struct td_event *e, uint64_t s, uint64_t key)
{
	bool placed = w->facts && e->kind != TD_EV_ASSUME && e->site != TD_NO_SITE && facts_find(w->facts, e->site);
	uint32_t edge = placed ? e->site + (uint32_t)(e->kind == TD_EV_SWITCH ? s : s & 1) : TD_NO_SITE;
	w->taken(w->context, &(struct flip_taken){ edge, w->path, key });
}

static void step(struct walk *w, const struct td_event *e)
{
	if (e->node && e->kind == TD_EV_BRANCH && !w->decided[e->node])
		offer(w, e, FLIP_BRANCH, !(e->value & 1), !(e->value & 1));
	else if (e->node && e->kind == TD_EV_ASSUME && !e->value) /* the run ended there; one that holds is not for us to negate */
		offer(w, e, FLIP_BRANCH, 1, 1);
	else if (e->node && e->kind == TD_EV_SWITCH)
		offer_cases(w, e);
	else if (e->node && (e->kind == TD_EV_BOUND || e->kind == TD_EV_SAFETY))
		offer_outside(w, e);
	if (e->kind == TD_EV_LENGTH)
		w->lengths = rng_mix(w->lengths ^ w->trace->terms.nodes[w->trace->terms.nodes[e->node].a].lo ^ (e->value << 32) ^
		                     ((uint64_t)w->trace->terms.nodes[w->trace->terms.nodes[e->node].b].a << 40));
	if (e->kind == TD_EV_CONCRETISE)
		w->key = rng_mix(w->key ^ e->value);
	if (!flip_is_decision(e))
		return;
	uint64_t s = side(w->trace, w->facts, e, e->value), key = w->taken ? taken_key(w, e, s) : 0;
	w->decided[e->node] |= e->kind == TD_EV_BRANCH;
	w->path = extend(w->path, e, s);
	w->key = extend(w->key, e, s);
	w->decisions++;
	if (w->taken)
		tell(w, e, s, key);
}

void flip_each(const struct trace *t, const struct facts *facts, flip_visit *visit, void *context)
{
	flip_walk(t, facts, visit, NULL, context);
}

void flip_walk(const struct trace *t, const struct facts *facts, flip_visit *visit, flip_visit_taken *taken, void *context)
{
	struct walk w = { .trace = t, .facts = facts, .visit = visit, .taken = taken, .context = context, .decided = mem_alloc(t->terms.count) };
	for (uint32_t i = 0; i < t->events_count; i++)
		step(&w, &t->events[i]);
	offer_lengths(&w);
	free(w.decided);
}

bool flip_came_true(const struct trace *t, const struct facts *facts, const struct flip *f)
{
	uint64_t path = 0;
	uint32_t decisions = 0;
	for (uint32_t i = 0; i < t->events_count && decisions < f->decisions; i++)
		if (flip_is_decision(&t->events[i])) {
			path = extend(path, &t->events[i], side(t, facts, &t->events[i], t->events[i].value));
			decisions++;
		}
	return decisions == f->decisions && path == f->path;
}

/* --- the question --- */

struct demands {
	struct trace trace;
	const struct facts *facts;
	struct arena *arena;              /* for the seed */
	VEC(struct conjunct) parts;
	VEC(uint32_t) events;             /* of each part */
	struct path *path;
};

static void add(struct demands *d, const struct td_event *e, enum conjunct_kind kind, bool differs, u128 value)
{
	vec_push(&d->parts, (struct conjunct){ e->node, (uint8_t)kind, differs, value });
	vec_push(&d->events, (uint32_t)(e - d->trace.events));
}

/* The event as it happened. */
static void add_event(struct demands *d, const struct td_event *e)
{
	struct cases c = e->kind == TD_EV_SWITCH ? cases_of(d->facts, e) : (struct cases){0};
	if (!c.count || case_taken(&c, &d->trace, e, e->value))
		add(d, e, e->kind == TD_EV_CONCRETISE || (e->kind == TD_EV_ASSUME && e->sub) ? CONJUNCT_LOSS : CONJUNCT_PATH, false, terms_value(&d->trace.terms, e->node));
	else
		for (uint32_t i = 0; i < c.count; i++)
			add(d, e, CONJUNCT_PATH, true, trimmed(&d->trace, e, c.at[i]));
}

static bool is_demand(const struct td_event *e)
{
	return e->node && (flip_is_decision(e) || e->kind == TD_EV_CONCRETISE || e->kind == TD_EV_LENGTH || e->kind == TD_EV_BOUND || e->kind == TD_EV_SAFETY);
}

struct demands *flip_demands(const struct trace *t, const struct facts *facts, const struct testcase *feed)
{
	struct demands *d = mem_alloc(sizeof *d);
	d->trace = *t;
	d->facts = facts;
	d->arena = arena_new();
	for (uint32_t i = 0; i < t->events_count; i++)
		if (is_demand(&t->events[i]))
			add_event(d, &t->events[i]);
	struct path_source from = {
		t->terms, t->inputs, t->inputs_count, feed_assignment(feed, t, d->arena), d->parts.at, d->parts.count,
	};
	d->path = path_new(&from);
	return d;
}

void flip_demands_free(struct demands *d)
{
	if (!d)
		return;
	path_free(d->path);
	vec_free(&d->parts);
	vec_free(&d->events);
	arena_free(d->arena);
	free(d);
}

size_t flip_demands_size(const struct demands *d)
{
	return d->parts.room * (sizeof *d->parts.at + sizeof *d->events.at) + path_size(d->path);
}

const uint32_t *flip_demands_events(const struct demands *d)
{
	return d->events.at;
}

const struct path *flip_demands_path(const struct demands *d)
{
	return d->path;
}

/* How many demands came before the event. */
static size_t prefix_of(const struct demands *d, uint32_t event)
{
	size_t low = 0, high = d->events.count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (d->events.at[middle] < event)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct question flip_question(const struct demands *d, const struct flip *f, struct arena *arena)
{
	const struct td_event *e = &d->trace.events[f->event];
	struct cases c = f->kind == FLIP_DEFAULT ? cases_of(d->facts, e) : (struct cases){0};
	size_t count = c.count ? c.count : 1;
	struct conjunct *goals = arena_alloc(arena, count * sizeof *goals);
	goals[0] = (struct conjunct){ e->node, CONJUNCT_GOAL, true, terms_value(&d->trace.terms, e->node) };
	if (f->kind == FLIP_CASE)
		goals[0] = (struct conjunct){ e->node, CONJUNCT_GOAL, false, trimmed(&d->trace, e, f->value) };
	for (uint32_t i = 0; i < c.count; i++)
		goals[i] = (struct conjunct){ e->node, CONJUNCT_GOAL, true, trimmed(&d->trace, e, c.at[i]) };
	return (struct question){ d->path, prefix_of(d, f->event), goals, count };
}
