/* What watched functions are called with, each in terms of its own plan (contract/unit.h): the objects of the plan are laid over what its arguments lead to. So a condition on the function's inputs becomes one on what its caller has.
 *
 * The first object that a pointer can lead to is the one it does lead to, unless something else was found there before. */
#include "object.h"
#include "unit.h"

enum { BLOCK_SIZE = 4096, MOST_EVENTS = 1 << 14 };

struct watch {
	struct unit_view shape;
	uint64_t *found;       /* of each object: where; 0: nowhere yet */
	uint32_t calls;
};

static struct watch *watches;
static uint32_t watches_count;
static struct watch *now;  /* whose call is told */
static uint32_t events;    /* when the last one had been told */
static uint64_t last_frame, last_values;
static const struct td_function *last_function;
static char block[BLOCK_SIZE] __attribute__((aligned(16)));

bool snapshot_prepare(const struct unit_view *shapes, uint32_t count)
{
	watches = state_map((count + 1ull) * sizeof *watches);
	for (uint32_t i = 0; watches && i < count; i++) {
		watches[i] = (struct watch){shapes[i], state_map((shapes[i].plan->objects + 1ull) * sizeof *watches->found), 0};
		if (!watches[i].found)
			return false;
	}
	watches_count = count;
	return watches;
}

static struct watch *watch_of(const struct td_function *f)
{
	for (uint32_t i = 0; i < watches_count; i++)
		if (module_record(watches[i].shape.plan->function) == f)
			return &watches[i];
	return NULL;
}

/* Hooks take the lock themselves. */
static uint32_t load(uint64_t address, uint32_t bytes, uint32_t bits, uint64_t value)
{
	state_leave();
	uint32_t node = __td_load((void *)address, bytes, bits, value);
	state_enter();
	return node;
}

static uint32_t passed(uint32_t slot, uint32_t bits)
{
	state_leave();
	uint32_t node = term_passed(__td_slots.arg[slot], bits, __td_slots.value[slot], 0);
	state_enter();
	return node;
}

static void store(void *to, uint32_t bytes, uint32_t node)
{
	state_leave();
	__td_store(to, bytes, node);
	state_enter();
}

/* ---- arguments ---- */

/* As the block of the plan would have them. */
static void lay_out(const struct td_function *f)
{
	bool terms = __td_slots.callee == f->address;
	uint32_t slot = 0;
	for (uint32_t i = 0; i < f->parameters && f->layout; slot += f->layout[i++].leaves) {
		const struct td_parameter *p = &f->layout[i];
		if (slot >= TD_MAX_ARGS || p->offset + 8u > sizeof block || p->kind != TD_PARAMETER_VALUE || !p->bits || p->bits > 64)
			continue;
		uint32_t bytes = (p->bits + 7u) / 8, node = terms ? passed(slot, p->bits) : 0;
		__builtin_memcpy(block + p->offset, &__td_slots.value[slot], bytes);
		store(block + p->offset, bytes, node);
	}
}

/* A struct that is copied: it is where the caller says, or where he has put it. */
static void copy_structs(const struct td_function *f)
{
	uint32_t slot = 0;
	for (uint32_t i = 0; i < f->parameters && f->layout; slot += f->layout[i++].leaves) {
		const struct td_parameter *p = &f->layout[i];
		uint64_t end = i + 1 < f->parameters ? f->layout[i + 1].offset : now->shape.plan->objects ? now->shape.objects[0].size : 0;
		if (slot >= TD_MAX_ARGS || p->kind != TD_PARAMETER_COPY || end > sizeof block || end <= p->offset)
			continue;
		uint64_t from = __td_slots.value[slot];
		__builtin_memcpy(block + p->offset, (const void *)from, end - p->offset);
		shadow_copy((uint64_t)(block + p->offset), from, end - p->offset);
	}
}

/* ---- objects ---- */

static void say(enum td_snapshot what, uint32_t object, uint32_t offset, uint32_t node, uint64_t value)
{
	event_add(TD_EV_SNAPSHOT, what, object, node, offset, value);
}

static uint64_t value_at(uint64_t address, uint32_t bytes)
{
	uint64_t value = 0;
	__builtin_memcpy(&value, (const void *)address, bytes);
	return value;
}

/* Of the caller's object, from there on and before. */
struct extent { uint64_t after, before; };

static struct extent extent_at(uint64_t address)
{
	const struct td_object *o = object_get(object_at(address));
	if (address - (uint64_t)block < sizeof block || !o)
		return (struct extent){UINT64_MAX, 0};
	if (o->state != TD_OBJECT_LIVE || !object_has(o, address))
		return (struct extent){0, 0};
	return (struct extent){o->start + o->size - address, address - o->start};
}

static bool leads_to(const struct td_unit_target *t, uint64_t address)
{
	if (t->kind == TD_UNIT_OBJECT)
		return now->found[t->index] && now->found[t->index] + t->offset == address;
	return unit_outside(t) == address;
}

static uint32_t choice_of(const struct td_unit_slot *s, uint64_t address)
{
	if (!address)
		return 0;
	for (uint32_t k = 0; k < s->targets; k++)
		if (leads_to(&now->shape.targets[s->first_target + k], address))
			return k + 1;
	for (uint32_t k = 0; k < s->targets; k++) {
		const struct td_unit_target *t = &now->shape.targets[s->first_target + k];
		if (t->kind != TD_UNIT_OBJECT || now->found[t->index] || t->offset || now->shape.objects[t->index].variable)
			continue;
		now->found[t->index] = address;
		return k + 1;
	}
	return TD_UNIT_ELSEWHERE;
}

/* Is it a pointer at all? */
static bool leads_anywhere(const struct td_unit_slot *s, uint64_t value)
{
	for (uint32_t k = 0; k < s->targets; k++)
		if (leads_to(&now->shape.targets[s->first_target + k], value))
			return true;
	return object_get(object_at(value)) != NULL;
}

static const struct td_unit_slot *slot_at(const struct td_unit_object *o, uint32_t offset)
{
	for (uint32_t i = 0; i < o->slots; i++)
		if (now->shape.slots[o->first_slot + i].offset == offset)
			return &now->shape.slots[o->first_slot + i];
	return NULL;
}

static bool in_slot(const struct td_unit_object *o, uint32_t offset, uint32_t bytes)
{
	for (uint32_t i = 0; i < o->slots; i++)
		if (now->shape.slots[o->first_slot + i].offset < offset + bytes && offset < now->shape.slots[o->first_slot + i].offset + TD_UNIT_SLOT)
			return true;
	return false;
}

static void tell_bytes(uint32_t object, uint32_t offset, uint64_t address, uint32_t bytes)
{
	uint64_t value = value_at(address, bytes);
	uint32_t node = shadow_any(address, bytes) ? load(address, bytes, 8 * bytes, value) : 0;
	say(TD_SNAPSHOT_BYTES, object, offset, node, value);
}

static void tell_byte(uint32_t object, uint32_t offset, uint64_t address)
{
	uint64_t value = value_at(address, 1);
	say(TD_SNAPSHOT_BYTES, object, offset, shadow_any(address, 1) ? load(address, 1, 8, value) : 0, value);
}

/* What is in a union leads nowhere: it is told byte by byte, the last first; if that is one of the slot's choices nobody knows. */
static void tell_mixed(uint32_t object, const struct td_unit_slot *s, uint64_t address)
{
	uint64_t last = value_at(address + TD_UNIT_SLOT - 1, 1);
	if (!last || (last > s->targets && last < TD_UNIT_ELSEWHERE))
		tell_byte(object, s->offset, address + TD_UNIT_SLOT - 1);
	for (uint32_t k = 0; k + 1 < TD_UNIT_SLOT; k++)
		tell_byte(object, s->offset + 1 + k, address + k);
}

static void tell_pointer(uint32_t object, const struct td_unit_slot *s, uint64_t address)
{
	uint64_t value = value_at(address, TD_UNIT_SLOT);
	uint32_t node = shadow_any(address, TD_UNIT_SLOT) ? load(address, TD_UNIT_SLOT, 64, value) : 0;
	if (s->flags & TD_UNIT_MIXED && !leads_anywhere(s, value)) {
		tell_mixed(object, s, address);
		return;
	}
	say(TD_SNAPSHOT_POINTER, object, s->offset, node, TD_UNIT_CHOICE(choice_of(s, value), s->targets));
}

/* Pieces of eight bytes, or of one beside a pointer. */
static void tell_object(uint32_t number)
{
	const struct td_unit_object *o = &now->shape.objects[number];
	uint64_t at = now->found[number];
	struct extent x = extent_at(at);
	uint64_t room = x.after < o->inputs ? x.after : o->inputs;
	if (number && !o->variable)
		say(TD_SNAPSHOT_EXTENT, number, x.before < UINT32_MAX ? (uint32_t)x.before : UINT32_MAX, 0, x.after);
	for (uint32_t offset = 0; offset < room && td_state.header->events - events < MOST_EVENTS;) {
		const struct td_unit_slot *s = slot_at(o, offset);
		uint32_t left = (uint32_t)room - offset, bytes = left < 8 || offset % 8 || in_slot(o, offset, 8) ? 1 : 8;
		if (s && left < TD_UNIT_SLOT)
			break;
		if (s)
			tell_pointer(number, s, at + offset);
		else
			tell_bytes(number, offset, at + offset, bytes);
		offset += s ? TD_UNIT_SLOT : bytes;
	}
}

static uint64_t values_of(const struct td_function *f)
{
	uint64_t hash = 0;
	for (uint32_t i = 0, slot = 0; i < f->parameters && f->layout; slot += f->layout[i++].leaves)
		if (slot < TD_MAX_ARGS)
			hash = (hash ^ __td_slots.value[slot]) * 0x9E3779B97F4A7C15ull;
	return hash;
}

/* The concrete side asks once more in the same frame. But functions that are inlined have one frame. */
static bool was_told(const struct td_function *f, uint64_t frame)
{
	return f == last_function && frame == last_frame && events == td_state.header->events && values_of(f) == last_values;
}

static void tell_call(const struct td_function *f, uint64_t from)
{
	const struct td_unit *plan = now->shape.plan;
	events = td_state.header->events;
	event_add(TD_EV_CALL, 0, plan->function, 0, now->calls++, from - module_facts() + plan->facts);
	shadow_clear((uint64_t)block, sizeof block);
	lay_out(f);
	copy_structs(f);
	for (uint32_t i = 0; i < plan->objects; i++)
		now->found[i] = now->shape.objects[i].variable ? unit_variable(&now->shape, &now->shape.objects[i]) : 0;
	now->found[0] = (uint64_t)block;
	for (uint32_t i = 0; i < plan->given; i++) /* what a pointer leads to comes behind it */
		if (now->found[i])
			tell_object(i);
	events = td_state.header->events;
}

void snapshot_call(const struct td_function *f, uint64_t frame)
{
	now = watch_of(f);
	if (!now || was_told(f, frame) || now->calls >= TD_UNIT_CALLS || now->shape.objects[0].size > sizeof block)
		return;
	tell_call(f, ((const uint64_t *)frame)[1]);
	last_frame = frame;
	last_function = f;
	last_values = values_of(f);
}
