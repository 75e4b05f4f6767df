/* See carve.h. An object that the snapshot does not tell of is as in any first test. A pointer that leads where the plan has nothing, into the middle of something or to what is not known, leads to the first of its targets. A number that
 * says how large an object is, and is larger than the plan's is, becomes as large as that; so does what was never set. */
#include "unit/carve.h"

#include <string.h>

static uint8_t choice_of(const struct plan *p, const struct td_event *e)
{
	const struct td_unit_slot *s = plan_slot(p, e->site, e->aux);
	uint8_t choice = (uint8_t)e->value;
	if (choice != TD_UNIT_ELSEWHERE || !s)
		return choice;
	return s->targets ? 1 : p->objects[e->site].is.variable ? TD_UNIT_KEPT : 0;
}

/* What is in an object, and which of it was never set. */
struct filling {
	uint8_t *bytes, *unset;
	size_t size;
};

/* Pieces of an object come in order, and those that are shorter than eight bytes have zeros behind them. */
static void put_piece(const struct plan *p, const struct td_event *e, struct filling *c)
{
	size_t left = e->aux < c->size ? c->size - e->aux : 0, bytes = left < sizeof e->value ? left : sizeof e->value;
	if (left && e->sub == TD_SNAPSHOT_POINTER)
		c->bytes[e->aux] = choice_of(p, e);
	else if (left)
		memcpy(c->bytes + e->aux, &e->value, bytes);
	if (left)
		memset(c->unset + e->aux, e->node != 0, bytes);
}

static int64_t value_of(const struct filling *c, const struct td_unit_range *r)
{
	uint64_t value = 0;
	memcpy(&value, c->bytes + r->offset, r->bytes);
	unsigned unused = 64 - r->bytes * 8u;
	return (int64_t)(value << unused) >> unused;
}

/* The plan would end the run at once. */
static size_t hold_to(const struct td_unit_range *r, struct filling *c)
{
	if (r->flags & TD_UNIT_NOT || c->size < r->offset || c->size - r->offset < r->bytes)
		return 0;
	int64_t value = value_of(c, r), nearest = value < r->lo ? r->lo : value > r->hi ? r->hi : value;
	memcpy(c->bytes + r->offset, &nearest, r->bytes);
	return nearest != value && !(r->flags & TD_UNIT_SIZE) && !c->unset[r->offset];
}

struct testcase_mark *carve_marks(const struct plan *p, const struct trace *t, uint32_t call, struct arena *arena, size_t *strangers)
{
	struct testcase_mark *marks = arena_alloc(arena, (p->given + 1u) * sizeof *marks);
	struct filling *contents = arena_alloc(arena, (p->given + 1u) * sizeof *contents);
	*strangers = 0;
	for (uint32_t i = call + 1; i < t->events_count && t->events[i].kind == TD_EV_SNAPSHOT; i++) {
		const struct td_event *e = &t->events[i];
		if (e->site >= p->given || e->sub == TD_SNAPSHOT_EXTENT)
			continue;
		struct filling *c = &contents[e->site];
		size_t size = p->objects[e->site].is.inputs;
		if (!c->bytes)
			*c = (struct filling){ arena_alloc(arena, size + 1), arena_alloc(arena, size + 1), size };
		put_piece(p, e, c);
	}
	for (uint32_t i = 0; i < p->given; i++) {
		const struct td_unit_object *o = &p->objects[i].is;
		struct filling *c = &contents[i];
		for (uint32_t k = o->first_range; k < o->first_range + o->ranges; k++)
			*strangers += hold_to(&p->ranges[k], c);
		if (!c->bytes && !o->variable)
			c->bytes = plan_first(p, i, arena, &c->size);
		marks[i] = (struct testcase_mark){ p->objects[i].name, c->bytes, c->size };
	}
	return marks;
}

/* Of a slot's targets those are others' too that an earlier slot leads to. */
static bool is_other(const struct plan *p, const struct td_unit_slot *s, uint8_t choice)
{
	const struct td_unit_target *t = choice && choice <= s->targets ? &p->targets[s->first_target + choice - 1] : NULL;
	if (!t || t->kind != TD_UNIT_OBJECT)
		return false;
	if (p->objects[t->index].is.variable)
		return true;
	for (const struct td_unit_slot *before = p->slots; before < s; before++)
		for (uint32_t k = before->first_target; k < before->first_target + before->targets; k++)
			if (p->targets[k].kind == TD_UNIT_OBJECT && p->targets[k].index == t->index)
				return true;
	return false;
}

void carve_pointers(const struct plan *p, const struct trace *t, uint32_t call, uint8_t *seen)
{
	for (uint32_t i = call + 1; i < t->events_count && t->events[i].kind == TD_EV_SNAPSHOT; i++) {
		const struct td_event *e = &t->events[i];
		const struct td_unit_slot *s = e->site < p->given && e->sub == TD_SNAPSHOT_POINTER ? plan_slot(p, e->site, e->aux) : NULL;
		if (s)
			seen[s - p->slots] |= !(uint8_t)e->value ? CARVE_NULL : is_other(p, s, (uint8_t)e->value) ? CARVE_THERE | CARVE_OTHER : CARVE_THERE;
	}
}
