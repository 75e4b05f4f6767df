/* See presence.h. That a pointer is null, or leads where another one leads, has to come from somewhere: from a call that was seen, or from what the program says. An argument is not null then; what a variable or a member points to is not null if system tests have always found it so,
 * in whichever function, and nobody says NULL to it in so many words (unit/leads.c): an option that no test uses may well do that. A pointer that tests have seen lead to something leads where another one does if they have seen that too.
 *
 * A place is known by what it is: an offset in a variable, or in a struct; and if a function is called by pointers, by the way to it from the arguments, which all functions of its type have in common. */
#include "unit/presence.h"

#include "base/digest.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "unit/ranges.h"

#include <stdlib.h>
#include <string.h>

enum { DISTANCE = 3 /* of callers that are asked */ };

struct presence {
	struct unit_program *program;
	struct map seen;     /* CARVE_ flags, by what a place is, and by that and who has seen it */
};

struct presence *presence_new(struct unit_program *program)
{
	struct presence *p = mem_alloc(sizeof *p);
	p->program = program;
	return p;
}

void presence_free(struct presence *p)
{
	if (!p)
		return;
	map_free(&p->seen);
	free(p);
}

/* --- what a place is --- */

struct member { const struct type *of; uint64_t offset; };

/* The innermost struct that the offset is in; NULL: none that has a name. */
static struct member member_at(const struct plan_object *o, uint64_t offset)
{
	struct member found = {0};
	const struct type *t = o->type;
	if (t && t->size && plan_is_row(o))
		offset %= t->size;
	while (t && (t->kind == TYPE_STRUCT || t->kind == TYPE_ARRAY)) {
		if (t->kind == TYPE_ARRAY) {
			t = t->of;
			offset = t->size ? offset % t->size : 0;
			continue;
		}
		const struct type_member *in = NULL;
		for (size_t i = 0; i < t->members_count; i++)
			if (t->members[i].offset <= offset && (!in || t->members[i].offset > in->offset))
				in = &t->members[i];
		if (!in)
			break;
		found = (struct member){ *t->name ? t : NULL, in->offset };
		offset -= in->offset;
		t = in->type;
	}
	return t && t->kind == TYPE_POINTER ? found : (struct member){0};
}

static uint64_t name_text(struct digest d, const char *text)
{
	d = digest_bytes(d, text, strlen(text));
	return d.a + !d.a;
}

/* Of an offset in a variable, or in a struct; 0: it is in none. */
static uint64_t name_place(const struct plan_object *o, uint64_t offset)
{
	struct member m = member_at(o, offset);
	if (m.of)
		return name_text(digest_add(digest_of('m'), m.offset), m.of->name);
	struct digest d = digest_add(digest_add(digest_of('v'), o->is.variable), offset);
	return o->is.variable ? d.a + !d.a : 0;
}

/* The first slot that leads to it is the one that it was made for. */
static uint32_t *first_slots(const struct plan *p)
{
	uint32_t *first = mem_alloc((p->objects_count + 1) * sizeof *first);
	for (size_t i = p->slots_count; i-- > 0;)
		for (uint32_t k = p->slots[i].first_target; k < p->slots[i].first_target + p->slots[i].targets; k++)
			if (p->targets[k].kind == TD_UNIT_OBJECT && p->targets[k].index < p->objects_count)
				first[p->targets[k].index] = (uint32_t)i + 1;
	return first;
}

static const char *type_name(const struct type *t)
{
	while (t && (t->kind == TYPE_POINTER || t->kind == TYPE_ARRAY))
		t = t->of;
	return t ? t->name : "";
}

/* By object: the way to it from the arguments; 0: there is none. Of a function that is not called by pointers no object has one. An object comes behind those that lead to it. */
static uint64_t *find_ways(const struct presence *p, uint32_t function, const struct plan *plan, const uint32_t *first)
{
	const struct unit_function *f = &p->program->functions[function];
	uint64_t *ways = mem_alloc((plan->objects_count + 1) * sizeof *ways);
	if (!f->block || !(f->facts->flags & TD_FN_ADDRESS_TAKEN) || !plan->given)
		return ways;
	ways[0] = name_text(digest_of('w'), facts_string(f->block, f->facts->type));
	for (uint32_t from = 0; from < plan->given; from++)
		for (uint32_t i = plan->objects[from].is.first_slot; ways[from] && i < plan->objects[from].is.first_slot + plan->objects[from].is.slots; i++)
			for (uint32_t to = 1; to < plan->given; to++)
				if (first[to] == i + 1 && !plan->objects[to].is.variable)
					ways[to] = name_text(digest_add(digest_add(digest_of('w'), ways[from]), plan->slots[i].offset), type_name(plan->objects[to].type));
	return ways;
}

static uint64_t name_way(const uint64_t *ways, uint32_t object, uint64_t offset)
{
	struct digest d = digest_add(digest_add(digest_of('o'), ways[object]), offset);
	return ways[object] ? d.a + !d.a : 0;
}

static uint64_t name_in(uint32_t function, uint64_t place)
{
	struct digest d = digest_add(digest_add(digest_of('f'), function), place);
	return d.a + !d.a;
}

/* --- noting --- */

static void add(struct presence *p, uint64_t name, uint8_t seen)
{
	if (name)
		*map_at(&p->seen, name) |= seen;
}

void presence_note(struct presence *p, uint32_t function, const struct plan *plan, const uint8_t *seen)
{
	uint32_t *first = first_slots(plan);
	uint64_t *ways = find_ways(p, function, plan, first);
	for (uint32_t o = 0; o < plan->given; o++)
		for (uint32_t i = plan->objects[o].is.first_slot; i < plan->objects[o].is.first_slot + plan->objects[o].is.slots; i++)
			if (seen[i] && !(plan->slots[i].flags & TD_UNIT_MIXED)) {
				uint64_t place = o ? name_place(&plan->objects[o], plan->slots[i].offset) : 0;
				add(p, place, seen[i]);
				add(p, place ? name_in(function, place) : 0, seen[i]);
				add(p, name_way(ways, o, plan->slots[i].offset), seen[i]);
			}
	free(first);
	free(ways);
}

/* --- expecting --- */

static bool is_nulled(const struct presence *p, const struct plan_object *o, uint64_t offset)
{
	const struct ranges *r = unit_program_ranges(p->program);
	struct member m = member_at(o, offset);
	return m.of ? ranges_is_nulled(r, ranges_place_of_member(r, m.of, m.offset)) : o->variable && ranges_is_nulled(r, ranges_place_of_variable(r, o->variable));
}

static uint8_t flags_of(const struct presence *p, uint64_t name)
{
	return name ? (uint8_t)map_find(&p->seen, name) : 0;
}

/* Before a variable is set functions are called as well, but not those that need it, nor their callers: what the nearest of these have seen comes before what all have. */
static uint8_t seen_around(const struct presence *p, uint32_t function, uint64_t place, unsigned distance)
{
	const struct unit_function *f = &p->program->functions[function];
	uint8_t flags = 0;
	for (uint32_t i = 0; i < f->callers_count; i++)
		flags |= flags_of(p, name_in(f->callers[i], place));
	for (uint32_t i = 0; !flags && distance > 1 && i < f->callers_count; i++)
		flags |= seen_around(p, f->callers[i], place, distance - 1);
	return flags;
}

/* What its own calls say comes first. */
static uint8_t seen_of(const struct presence *p, uint32_t function, const struct plan_object *o, const uint64_t *ways, uint32_t object, uint64_t offset, uint8_t own)
{
	uint64_t place = object ? name_place(o, offset) : 0;
	uint8_t flags = own ? own : flags_of(p, name_way(ways, object, offset));
	flags = flags || !place ? flags : seen_around(p, function, place, DISTANCE);
	return flags ? flags : flags_of(p, place);
}

/* How many of the targets are no others' too: they come first. */
static uint32_t own_targets(const struct plan *p, uint32_t slot, const uint32_t *first)
{
	const struct td_unit_slot *s = &p->slots[slot];
	uint32_t n = 0;
	while (n < s->targets && (p->targets[s->first_target + n].kind != TD_UNIT_OBJECT || first[p->targets[s->first_target + n].index] == slot + 1))
		n++;
	return n;
}

static int by_place(const void *x, const void *y)
{
	const struct formula_pointer *a = x, *b = y;
	return a->object != b->object ? (a->object < b->object ? -1 : 1) : (a->offset > b->offset) - (a->offset < b->offset);
}

size_t presence_expect(const struct presence *p, uint32_t function, const struct plan *plan, const uint8_t *seen, struct arena *arena, const struct formula_pointer **out)
{
	VEC(struct formula_pointer) list = {0};
	uint32_t *first = first_slots(plan);
	uint64_t *ways = find_ways(p, function, plan, first);
	for (uint32_t object = 0; object < plan->given; object++) {
		const struct plan_object *o = &plan->objects[object];
		for (uint32_t i = o->is.first_slot; i < o->is.first_slot + o->is.slots; i++) {
			const struct td_unit_slot *s = &plan->slots[i];
			if (!s->targets || s->flags & TD_UNIT_MIXED)
				continue;
			uint8_t flags = seen_of(p, function, o, ways, object, s->offset, seen ? seen[i] : 0);
			bool there = !object || ((flags & (CARVE_NULL | CARVE_THERE)) == CARVE_THERE && !is_nulled(p, o, s->offset));
			bool others = flags & CARVE_OTHER || (!(flags & CARVE_THERE) && (!object || !p->seen.count));
			uint32_t most = others ? s->targets : own_targets(plan, i, first);
			most = there && !most ? s->targets : most;
			if (there || most < s->targets)
				vec_push(&list, (struct formula_pointer){ object, s->offset, s->targets, most, there });
		}
	}
	size_t count = list.count;
	if (count)
		qsort(list.at, count, sizeof *list.at, by_place);
	*out = arena_copy(arena, count ? (const void *)list.at : "", count * sizeof *list.at);
	vec_free(&list);
	free(first);
	free(ways);
	return count;
}
