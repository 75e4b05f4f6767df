/* Unit mode: one function of the program is called in place of main, with what the host's plan says (contract/unit.h). Nothing of the program has run before it but constructors.
 *
 * A pointer is a term: null if the byte that chooses is 0, else the address of one of its targets. So the search meets null pointers and aliases as branches and as conditions that can fail, and the plan needs no variants. */
#include "heap.h"
#include "unit.h"

#include "contract/facts.h"
#include "contract/unit.h"
#include "tandem.h"

#include <sys/mman.h>
#include <unistd.h>

extern void *stdin, *stdout, *stderr; /* addresses; nothing is done with them here */

enum { RESULT_SIZE = 4096, OPAQUE_SIZE = 1 << 20 };

static struct unit_view plan;
static uint64_t *places;   /* of each object: its address */
static uint64_t *kept_pointers; /* of each slot: what the variable had there */
static uint64_t opaque;    /* where nobody can look */
static char result[RESULT_SIZE] __attribute__((aligned(16))); /* of the function, by its address, then of stubs */

bool unit_is_wanted(void)
{
	return td_state.header->unit_size >= sizeof(struct td_unit);
}

static uint64_t end_of(const struct td_unit *p)
{
	return sizeof *p + (uint64_t)p->objects * sizeof(struct td_unit_object) + (uint64_t)p->slots * sizeof(struct td_unit_slot) +
	       (uint64_t)p->targets * sizeof(struct td_unit_target) + (uint64_t)p->stubs * sizeof(struct td_unit_stub) +
	       (uint64_t)p->ranges * sizeof(struct td_unit_range) + p->strings;
}

static struct unit_view view(const char *from, uint64_t size)
{
	struct unit_view v = {.plan = (const void *)from};
	if (size < sizeof *v.plan || end_of(v.plan) > size)
		_exit(6);
	v.objects = (const void *)(v.plan + 1);
	v.slots = (const void *)(v.objects + v.plan->objects);
	v.targets = (const void *)(v.slots + v.plan->slots);
	v.stubs = (const void *)(v.targets + v.plan->targets);
	v.ranges = (const void *)(v.stubs + v.plan->stubs);
	v.strings = (const char *)(v.ranges + v.plan->ranges);
	return v;
}

static void set_switch(uint32_t function, uint32_t flag)
{
	struct td_function *f = module_record(function);
	if (f)
		f->flags |= flag;
}

/* Each plan leads to the next. */
static void watch_all(const char *all, uint64_t size)
{
	struct unit_view *shapes = state_map((size / sizeof(struct td_unit) + 1) * sizeof *shapes);
	uint32_t count = 0;
	uint64_t at = plan.plan->watched;
	for (uint64_t next = at; shapes && next; at += next) {
		shapes[count] = view(all + at, at < size ? size - at : 0);
		set_switch(shapes[count].plan->function, TD_SWITCH_TRACE);
		next = shapes[count++].plan->watched;
	}
	if (count && (!shapes || !snapshot_prepare(shapes, count)))
		_exit(6);
}

/* The program can write to the shared file: its plan is copied. */
void unit_prepare(void)
{
	const struct td_header *h = td_state.header;
	char *copy = state_map(h->unit_size);
	if (!copy)
		_exit(6);
	__builtin_memcpy(copy, (const char *)h + h->unit_off, h->unit_size);
	plan = view(copy, h->unit_size);
	watch_all(copy, h->unit_size);
	places = state_map((plan.plan->objects + 1ull) * sizeof *places);
	kept_pointers = state_map((plan.plan->slots + 1ull) * sizeof *kept_pointers);
	void *nowhere = mmap(NULL, OPAQUE_SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (!places || !kept_pointers || nowhere == MAP_FAILED)
		_exit(6);
	opaque = (uint64_t)nowhere;
	for (uint32_t i = 0; i < plan.plan->stubs; i++)
		set_switch(plan.stubs[i].function, TD_SWITCH_STUB);
}

uint64_t unit_variable(const struct unit_view *v, const struct td_unit_object *o)
{
	return module_facts() + (o->variable - v->plan->facts);
}

/* ---- objects ---- */

static uint64_t place_of(const struct td_unit_object *o)
{
	if (o->variable)
		return unit_variable(&plan, o);
	const struct td_object *made = object_get(heap_take(o->size, TD_UNIT_ALIGN, true, 0));
	if (made)
		return made->start;
	void *memory = state_map(o->size + 1); /* the program has an allocator of its own */
	if (!memory)
		_exit(6);
	object_add(TD_OBJECT_HEAP, (uint64_t)memory, o->size, NULL);
	return (uint64_t)memory;
}

uint32_t unit_object_at(uint64_t start)
{
	for (uint32_t i = 0; places && i < plan.plan->objects; i++)
		if (places[i] == start)
			return i + 1;
	return 0;
}

bool unit_hides(uint64_t address)
{
	return opaque && address - opaque < OPAQUE_SIZE;
}

uint64_t unit_outside(const struct td_unit_target *t)
{
	if (t->kind == TD_UNIT_STREAM)
		return (uint64_t)(t->index == 0 ? stdin : t->index == 1 ? stdout : stderr);
	if (t->kind == TD_UNIT_OPAQUE)
		return opaque + OPAQUE_SIZE / 2;
	const struct td_function *f = module_record(t->index);
	return f ? (uint64_t)f->address : 0;
}

static uint64_t address_of(const struct td_unit_target *t)
{
	return t->kind == TD_UNIT_OBJECT ? places[t->index] + t->offset : unit_outside(t);
}

/* What the pointer is if the byte says k. */
struct elsewhere {
	uint64_t kept;         /* what the variable had */
	uint64_t nowhere;      /* if it leads nowhere */
	uint32_t term;         /* of that */
};

static uint64_t lead(const struct td_unit_slot *s, unsigned k, const struct elsewhere *e)
{
	if (k == TD_UNIT_KEPT)
		return e->kept;
	return k && k <= s->targets ? address_of(&plan.targets[s->first_target + k - 1]) : e->nowhere;
}

static uint32_t either(uint32_t choice, uint8_t value, unsigned k, uint64_t there, uint32_t term)
{
	uint32_t is = node_make(TD_EQ, 1, choice, node_const(8, k, 0), 0, value == k, 0), address = node_const(64, there, 0);
	return is && address && term ? node_make(TD_ITE, 64, is, address, term, value == k ? there : td_state.nodes[term].lo, 0) : 0;
}

static uint32_t pointer_term(const struct td_unit_slot *s, uint32_t choice, uint8_t value, const struct elsewhere *e)
{
	uint32_t term = e->term;
	if (e->kept)
		term = either(choice, value, TD_UNIT_KEPT, e->kept, term);
	for (uint32_t k = s->targets; k > 0; k--)
		term = either(choice, value, k, lead(s, k, e), term);
	return term;
}

/* Seven bytes, and the one that chooses in front of them. */
static void mix(struct elsewhere *e, const struct td_unit_slot *s, int input, uint32_t choice, uint64_t at)
{
	uint8_t bytes[TD_UNIT_SLOT];
	__builtin_memcpy(bytes, (const void *)at, sizeof bytes);
	__builtin_memcpy(&e->nowhere, bytes, sizeof bytes);
	e->nowhere = e->nowhere >> 8 | (uint64_t)bytes[0] << 56;
	uint32_t first = input >= 0 ? node_inputs((uint32_t)input, s->offset + 1, bytes + 1, TD_UNIT_SLOT - 1) : 0, term = first;
	for (unsigned k = 1; term && k < TD_UNIT_SLOT - 1; k++)
		term = node_make(TD_CONCAT, 8 * (k + 1), first + k, term, 0, e->nowhere & (~0ull >> (56 - 8 * k)), 0);
	e->term = term && choice ? node_make(TD_CONCAT, 64, choice, term, 0, e->nowhere, 0) : 0;
}

/* kept: what a variable had there before its mark was put in its place. If the mark says nothing of it, that is how it stays; a new object's lead to their first targets. */
static void set_pointer(const struct td_unit_slot *s, int input, uint64_t at, uint64_t kept, bool is_given, bool is_variable)
{
	bool mixed = s->flags & TD_UNIT_MIXED;
	uint8_t value = is_given ? *(const uint8_t *)at : is_variable ? (kept ? TD_UNIT_KEPT : 0) : s->targets && !(s->flags & TD_UNIT_LAST);
	struct elsewhere e = {kept, 0, node_const(64, 0, 0)};
	uint32_t choice = (s->targets || kept || mixed) && input >= 0 ? node_input((uint32_t)input, s->offset, value) : 0;
	if (mixed && is_given)
		mix(&e, s, input, choice, at);
	uint32_t term = choice ? pointer_term(s, choice, value, &e) : 0;
	uint64_t address = lead(s, value, &e);
	__builtin_memcpy((void *)at, &address, sizeof address);
	for (unsigned k = 0; k < TD_UNIT_SLOT; k++)
		shadow_set_byte(at + k, term ? TD_WORD(term, k) : 0);
}

static uint64_t read_pointer(uint64_t at)
{
	uint64_t value;
	__builtin_memcpy(&value, (const void *)at, sizeof value);
	return value;
}

/* Each byte becomes an input once. */
static void mark_stretch(int input, uint32_t from, uint32_t to, uint64_t at)
{
	if (from >= to)
		return;
	uint32_t node = input >= 0 ? node_inputs((uint32_t)input, from, (const uint8_t *)(at + from), to - from) : 0;
	for (uint32_t i = from; i < to; i++)
		shadow_set_byte(at + i, node ? TD_WORD(node + i - from, 0) : 0);
}

/* Of a pointer one byte is an input, the one that chooses. */
static void mark_bytes(const struct td_unit_object *o, int input, uint64_t at)
{
	uint32_t from = 0;
	for (uint32_t i = o->first_slot; i < o->first_slot + o->slots; i++) {
		mark_stretch(input, from, plan.slots[i].offset, at);
		from = plan.slots[i].offset + TD_UNIT_SLOT;
	}
	mark_stretch(input, from, o->inputs, at);
	if (input >= 0)
		td_state.inputs[input].length = o->inputs;
}

/* What pointers of a variable have is kept in the slots' places of a table, before the mark goes there. */
static void fill(const struct td_unit_object *o, uint64_t at)
{
	for (uint32_t i = 0; i < o->slots; i++)
		kept_pointers[o->first_slot + i] = o->variable ? read_pointer(at + plan.slots[o->first_slot + i].offset) : 0;
	uint64_t got = given_mark((void *)at, o->inputs);
	int input = input_next_mark(plan.strings + o->name);
	mark_bytes(o, input, at);
	for (uint32_t i = o->first_slot; i < o->first_slot + o->slots; i++)
		set_pointer(&plan.slots[i], input, at + plan.slots[i].offset, kept_pointers[i], plan.slots[i].offset < got, o->variable != 0);
}

/* lo <= x <= hi, as one condition. */
static uint32_t range_term(const struct td_unit_range *r, uint32_t term, uint64_t value, bool *holds)
{
	unsigned bits = r->bytes * 8u;
	uint64_t mask = ~0ull >> (64 - bits), lo = (uint64_t)r->lo & mask, from = (value - lo) & mask, most = ((uint64_t)r->hi - (uint64_t)r->lo) & mask;
	*holds = r->flags & TD_UNIT_NOT ? value != lo : from <= most;
	if (r->flags & TD_UNIT_NOT)
		return node_make(TD_NE, 1, term, node_const(bits, lo, 0), 0, *holds, 0);
	uint32_t difference = node_make(TD_SUB, bits, term, node_const(bits, lo, 0), 0, from, 0);
	return difference ? node_make(TD_ULE, 1, difference, node_const(bits, most, 0), 0, *holds, 0) : 0;
}

static bool hold_to(const struct td_unit_range *r, const void *at)
{
	bool holds = true;
	uint64_t value = 0;
	__builtin_memcpy(&value, at, r->bytes);
	uint32_t term = __td_load((void *)(uintptr_t)at, r->bytes, r->bytes * 8u, value);
	if (!term || !state_enter())
		return true;
	uint32_t condition = range_term(r, term, value, &holds);
	if (condition)
		event_add(TD_EV_ASSUME, r->flags & TD_UNIT_SIZE ? 1 : 0, TD_NO_SITE, condition, 0, holds);
	state_leave();
	return !condition || holds;
}

/* The first that is outside ends the run. */
static void hold_all(uint32_t first, uint32_t count)
{
	for (uint32_t i = first; i < first + count; i++)
		for (uint32_t k = plan.objects[i].first_range; k < plan.objects[i].first_range + plan.objects[i].ranges; k++)
			if (!hold_to(&plan.ranges[k], (const char *)places[i] + plan.ranges[k].offset))
				tandem_stop();
}

/* All are there before any is filled: pointers lead to and fro. */
static void make(uint32_t first, uint32_t count, uint64_t place_of_first)
{
	for (uint32_t i = first; i < first + count; i++)
		places[i] = i == first && place_of_first ? place_of_first : place_of(&plan.objects[i]);
	for (uint32_t i = first; i < first + count; i++)
		fill(&plan.objects[i], places[i]);
}

/* ---- the call ---- */

static uint32_t argument_term(const struct td_parameter *p, const char *at)
{
	uint64_t value = 0;
	if (!p->bits || p->bits > 64)
		return 0;
	unsigned bytes = (p->bits + 7u) / 8;
	__builtin_memcpy(&value, at, bytes);
	return __td_load((void *)(uintptr_t)at, bytes, p->bits, value);
}

/* As a caller in traced code would: the thunk is not woven. */
static void pass_terms(const struct td_function *f, const char *block)
{
	uint32_t slot = 0;
	for (uint32_t i = 0; i < f->parameters; slot += f->layout[i++].leaves) {
		const struct td_parameter *p = &f->layout[i];
		if (slot + p->leaves > TD_MAX_ARGS)
			return;
		__td_slots.by_value[slot] = p->kind == TD_PARAMETER_COPY ? (void *)(uintptr_t)(block + p->offset) : NULL;
		__td_slots.arg[slot] = p->kind == TD_PARAMETER_VALUE ? argument_term(p, block + p->offset) : 0;
		for (uint32_t k = 1; k < p->leaves; k++)
			__td_slots.arg[slot + k] = 0;
	}
	__td_slots.variadic = NULL;
	__td_slots.callee = f->address;
}

bool unit_is_main(void)
{
	return !plan.plan->given;
}

void unit_run(void)
{
	const struct td_function *f = module_record(plan.plan->function);
	if (!f || !f->thunk || !state_enter())
		_exit(6);
	make(0, plan.plan->given, 0);
	state_leave();
	hold_all(0, plan.plan->given);
	pass_terms(f, (const char *)places[0]);
	f->thunk((char *)places[0], result);
}

/* ---- stubs ---- */

static const struct td_unit_stub *stub_of(const void *record)
{
	for (uint32_t i = 0; plan.plan && i < plan.plan->stubs; i++)
		if (module_record(plan.stubs[i].function) == record)
			return &plan.stubs[i];
	return NULL;
}

void *__td_stub(void *record, void *where)
{
	const struct td_unit_stub *s = stub_of(record);
	char *to = where ? where : result;
	if (!s)
		return to;
	if (state_enter()) {
		event_add(TD_EV_RET, 0, s->function, 0, 0, 0);
		state_leave();
	}
	if (s->flags & TD_UNIT_NORETURN)
		tandem_stop();
	if (!s->objects || (!where && plan.objects[s->first_object].size > sizeof result) || !state_enter())
		return to;
	for (uint64_t i = 0; i < plan.objects[s->first_object].size; i++)
		to[i] = 0;
	shadow_clear((uint64_t)to, plan.objects[s->first_object].size);
	make(s->first_object, s->objects, (uint64_t)to);
	state_leave();
	hold_all(s->first_object, s->objects);
	return to;
}
