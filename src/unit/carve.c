/* See carve.h. An object that the snapshot does not tell of is as in any first test. A pointer that leads where the plan has nothing, into the middle of something or to what is not known, leads to the first of its targets. A number that
 * says how large an object is, and is larger than the plan's is, becomes as large as that: the plan would end the run at once. */
#include "unit/carve.h"

#include <string.h>

static const struct td_unit_slot *slot_at(const struct plan *p, uint32_t object, uint32_t offset)
{
	const struct td_unit_object *o = &p->objects[object].is;
	for (uint32_t i = o->first_slot; i < o->first_slot + o->slots; i++)
		if (p->slots[i].offset == offset)
			return &p->slots[i];
	return NULL;
}

static uint8_t choice_of(const struct plan *p, const struct td_event *e)
{
	const struct td_unit_slot *s = slot_at(p, e->site, e->aux);
	uint8_t choice = (uint8_t)e->value;
	if (choice != TD_UNIT_ELSEWHERE || !s)
		return choice;
	return s->targets ? 1 : p->objects[e->site].is.variable ? TD_UNIT_KEPT : 0;
}

/* Pieces of an object come in order, and those that are shorter than eight bytes have zeros behind them. */
static void put_piece(const struct plan *p, const struct td_event *e, const struct testcase_mark *m)
{
	uint8_t *bytes = (uint8_t *)(uintptr_t)m->bytes; /* our own */
	if (e->aux >= m->size)
		return;
	if (e->sub == TD_SNAPSHOT_POINTER)
		bytes[e->aux] = choice_of(p, e);
	else
		memcpy(bytes + e->aux, &e->value, m->size - e->aux < sizeof e->value ? m->size - e->aux : sizeof e->value);
}

static int64_t value_of(const struct testcase_mark *m, const struct td_unit_range *r)
{
	uint64_t value = 0;
	memcpy(&value, m->bytes + r->offset, r->bytes);
	unsigned unused = 64 - r->bytes * 8u;
	return (int64_t)(value << unused) >> unused;
}

static bool is_within(const struct td_unit_range *r, int64_t value)
{
	return value >= r->lo && value <= r->hi;
}

static bool is_told(const struct testcase_mark *m, const struct td_unit_range *r)
{
	return m->size >= r->offset && m->size - r->offset >= r->bytes;
}

static void fit_sizes(const struct plan *p, size_t object, struct testcase_mark *m)
{
	const struct td_unit_object *o = &p->objects[object].is;
	for (uint32_t i = o->first_range; i < o->first_range + o->ranges; i++) {
		const struct td_unit_range *r = &p->ranges[i];
		if (r->flags & TD_UNIT_SIZE && is_told(m, r) && !is_within(r, value_of(m, r)))
			memcpy((uint8_t *)(uintptr_t)m->bytes + r->offset, &r->hi, r->bytes);
	}
}

struct testcase_mark *carve_marks(const struct plan *p, const struct trace *t, uint32_t call, struct arena *arena)
{
	struct testcase_mark *marks = arena_alloc(arena, (p->given + 1u) * sizeof *marks);
	bool *told = arena_alloc(arena, p->given + 1u);
	for (uint32_t i = 0; i < p->given; i++)
		marks[i].name = p->objects[i].name;
	for (uint32_t i = call + 1; i < t->events_count && t->events[i].kind == TD_EV_SNAPSHOT; i++) {
		const struct td_event *e = &t->events[i];
		if (e->site >= p->given || e->sub == TD_SNAPSHOT_EXTENT)
			continue;
		if (!told[e->site]) {
			marks[e->site].size = p->objects[e->site].is.inputs;
			marks[e->site].bytes = arena_alloc(arena, marks[e->site].size + 1);
		}
		told[e->site] = true;
		put_piece(p, e, &marks[e->site]);
	}
	for (uint32_t i = 0; i < p->given; i++) {
		if (!told[i] && !p->objects[i].is.variable)
			marks[i].bytes = plan_first(p, i, arena, &marks[i].size);
		fit_sizes(p, i, &marks[i]);
	}
	return marks;
}

size_t carve_strangers(const struct plan *p, const struct testcase_mark *marks)
{
	size_t count = 0;
	for (uint32_t i = 0; i < p->given; i++)
		for (uint32_t k = p->objects[i].is.first_range; k < p->objects[i].is.first_range + p->objects[i].is.ranges; k++) {
			const struct td_unit_range *r = &p->ranges[k];
			count += !(r->flags & (TD_UNIT_SIZE | TD_UNIT_NOT)) && is_told(&marks[i], r) && !is_within(r, value_of(&marks[i], r));
		}
	return count;
}
