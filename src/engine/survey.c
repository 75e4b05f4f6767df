/* One pass over the events. A walk shares its prefix with its parent, up to the flip; as long as its choices have the keys of the parent's, in the same
 * order, their numbers are the parent's and the tree is not asked. What comes behind is entered: each choice that was offered as
 * OPEN, and each side that was taken as TAKEN by this walk, so that no other walk asks for it.
 *
 * The tree is large and asked about places all over it, so what the pass finds is not entered at once but some flips later, when memory had the time to bring the place.
 *
 * A loop may offer one edge a million times. Of those after the first PER_EDGE only each that doubles their number is kept. */
#include "engine/survey.h"

#include "base/mem.h"
#include "base/rng.h"
#include "base/vec.h"
#include "contract/report.h"

#include <stdlib.h>
#include <string.h>

#define PER_EDGE 4096u
#define AHEAD 16u /* a power of two */

/* Met and not yet entered. */
struct pending {
	bool is_step;
	union {
		struct flip flip;
		struct flip_taken taken;
	};
};

struct surveyor {
	struct survey *s;
	const struct trace *trace;
	const struct walk *parent;
	uint32_t number;
	VEC(struct walk_step) steps;
	VEC(struct walk_choice) choices;
	struct pending pending[AHEAD];
	size_t met, entered; /* of all that was ever pending */
	bool shares;         /* still as the parent */
	uint32_t *per_edge;  /* choices so far */
};

/* One that was broken is asked to hold, which is no question about a rule. */
static bool is_rule(const struct td_event *e)
{
	return e->kind == TD_EV_SAFETY && e->sub != TD_NO_VIOLATION && e->value;
}

static enum choice_kind kind_of(const struct trace *t, const struct flip *f)
{
	static const uint8_t kinds[] = {
		[FLIP_BRANCH] = CHOICE_BRANCH, [FLIP_CASE] = CHOICE_CASE, [FLIP_DEFAULT] = CHOICE_DEFAULT, [FLIP_OUTSIDE] = CHOICE_SAFETY,
		[FLIP_LONGER] = CHOICE_LENGTH, [FLIP_SHORTER] = CHOICE_LENGTH,
	};
	return f->kind == FLIP_OUTSIDE && !is_rule(&t->events[f->event]) ? CHOICE_BOUND : (enum choice_kind)kinds[f->kind];
}

/* Names of conditions and inputs. */
static uint32_t place_of(const struct trace *t, const struct flip *f)
{
	const struct td_event *e = &t->events[f->event];
	if (f->kind != FLIP_OUTSIDE)
		return f->object;
	return (uint32_t)rng_mix((uint64_t)e->aux << 32 | (uint32_t)e->kind << 8 | e->sub) ^ (e->aux ? 0 : e->site);
}

static bool is_too_many(struct surveyor *v, uint32_t edge)
{
	if (edge >= v->s->facts->edges)
		return false;
	uint32_t n = ++v->per_edge[edge];
	return n > PER_EDGE && (n & (n - 1));
}

static size_t longest(const struct survey *s, const struct td_input *in)
{
	size_t most = 0;
	for (size_t i = 0; i < s->feeds_count; i++) {
		size_t n = feed_length(&s->feeds[i], in);
		most = n > most ? n : most;
	}
	return most;
}

bool survey_has_room(const struct survey *s, size_t size)
{
	return size <= longest(s, &(struct td_input){ .kind = TD_IN_STDIN }) + s->grow_max;
}

static bool is_unwanted(struct surveyor *v, const struct flip *f)
{
	if (f->kind == FLIP_LONGER)
		return f->value > longest(v->s, &v->trace->inputs[f->object]) + v->s->grow_max;
	bool unwanted = kind_of(v->trace, f) <= CHOICE_DEFAULT && is_too_many(v, f->edge);
	v->s->left_out += unwanted;
	return unwanted;
}

/* The parent's number for it, or the tree's. */
static uint32_t number_of(struct surveyor *v, const struct flip *f, bool *is_new)
{
	size_t i = v->choices.count;
	*is_new = false;
	v->shares = v->shares && i < v->parent->choices_count && tree_key(v->s->tree, v->parent->choices[i].id) == f->key;
	return v->shares ? v->parent->choices[i].id : tree_node(v->s->tree, f->key, is_new);
}

static void add_choice(struct surveyor *v, const struct flip *f)
{
	bool is_new;
	if (is_unwanted(v, f))
		return;
	enum choice_kind kind = kind_of(v->trace, f);
	uint32_t id = number_of(v, f, &is_new);
	if (id == WALK_NONE)
		return;
	struct walk_choice c = { .id = id, .step = (uint32_t)v->steps.count, .path = (uint32_t)f->path, .event = f->event & 0x7ffffff, .kind = kind & 15u, .is_new = is_new };
	c.edge = kind <= CHOICE_DEFAULT ? f->edge : place_of(v->trace, f);
	vec_push(&v->choices, c);
}

static void add_step(struct surveyor *v, const struct flip_taken *d)
{
	bool is_new;
	vec_push(&v->steps, (struct walk_step){ d->edge, (uint32_t)d->path });
	if (v->shares || !d->key)
		return;
	uint32_t id = tree_node(v->s->tree, d->key, &is_new);
	if (id != WALK_NONE)
		tree_close(v->s->tree, id, CHOICE_TAKEN, v->number);
}

static void enter_oldest(struct surveyor *v)
{
	const struct pending *p = &v->pending[v->entered++ % AHEAD];
	if (p->is_step)
		add_step(v, &p->taken);
	else
		add_choice(v, &p->flip);
}

static void put_off(struct surveyor *v, const struct pending *p, uint64_t key)
{
	if (v->met - v->entered == AHEAD)
		enter_oldest(v);
	if (!v->shares)
		tree_expect(v->s->tree, key);
	v->pending[v->met++ % AHEAD] = *p;
}

static void meet_choice(void *context, const struct flip *f)
{
	put_off(context, &(struct pending){ .flip = *f }, f->key);
}

static void meet_step(void *context, const struct flip_taken *d)
{
	put_off(context, &(struct pending){ .is_step = true, .taken = *d }, d->key);
}

struct walk survey_walk(struct survey *s, const struct trace *t, uint32_t number, const struct walk *parent)
{
	struct surveyor v = { .s = s, .trace = t, .parent = parent, .number = number, .shares = parent && !parent->dropped };
	v.per_edge = mem_alloc((s->facts->edges + 1u) * sizeof *v.per_edge);
	flip_walk(t, s->facts, meet_choice, meet_step, &v);
	while (v.entered < v.met)
		enter_oldest(&v);
	free(v.per_edge);
	return (struct walk){ .steps = v.steps.at, .choices = v.choices.at, .steps_count = (uint32_t)v.steps.count,
	                      .choices_count = (uint32_t)v.choices.count };
}

bool survey_flip(const struct trace *t, const struct facts *facts, const struct walk_choice *c, struct flip *out)
{
	static const uint8_t kinds[CHOICE_KINDS] = {
		[CHOICE_BRANCH] = FLIP_BRANCH, [CHOICE_CASE] = FLIP_CASE, [CHOICE_DEFAULT] = FLIP_DEFAULT, [CHOICE_SAFETY] = FLIP_OUTSIDE,
		[CHOICE_BOUND] = FLIP_OUTSIDE, [CHOICE_LENGTH] = FLIP_LONGER,
	};
	return flip_at(t, facts, c->event, (enum flip_kind)kinds[c->kind], choice_is_branch(c) ? c->edge : TD_NO_SITE, out);
}

bool survey_came_true(const struct walk *w, const struct walk_choice *c)
{
	uint32_t decisions = c->kind == CHOICE_LENGTH ? 0 : c->step + choice_is_branch(c);
	return !decisions || (decisions <= w->steps_count && w->steps[decisions - 1].path == c->path);
}

size_t survey_size(const struct walk *w)
{
	return w->dropped ? 0 : w->steps_count * sizeof *w->steps + w->choices_count * sizeof *w->choices;
}
