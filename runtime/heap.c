/* The allocator of traced runs. What it is good for is not speed but order: the same program on the same input gets the same
 * addresses, whatever the system does; blocks never touch, and one that was freed is not handed out again before much else was.
 *
 * Small blocks lie in slots: granules in a row, cut off the end of what the heap has and never cut again. A slot has an
 * object number for life and all of its granules name it, so a block that reuses it costs no entry of the map. It is always longer than the block, which
 * gives every block a byte behind its end. Slots that are free are listed by size and alignment. Large blocks are runs of units (span.c), entered
 * in the map as they are looked at.
 *
 * A freed block goes to the end of the quarantine. Only when that holds too many of them, or too many bytes, the oldest can be used
 * again. Nothing is written into free memory and nothing is kept there: the records are the only books. */
#include "heap.h"

#include "owner.h"
#include "pages.h"
#include "reserve.h"

enum {
	EXACT = 64, STEPS = 8, DOUBLINGS = 5,      /* slots of 1 to 64 granules each, then eight sizes up to each power of two */
	CLASSES = EXACT + STEPS * DOUBLINGS,
	LARGEST_SLOT = EXACT << DOUBLINGS,         /* granules: 32 KiB */
	ALIGNMENTS = 9,                            /* of 16 bytes to 4 KiB */
	CHUNK = 16,                                /* units that slots are cut from */
	MANY_BLOCKS = 1 << 14, MANY_BYTES = 64 << 20,  /* in quarantine: more of them are cold memory for every allocation */
	TOO_LARGE = 16 << 20,                      /* for it */
	WORTH_RETURNING = 1 << 20                  /* to the system */
};

static bool ready;
static uint64_t cut, cut_end; /* where the next slot comes from */
static uint32_t vacant[ALIGNMENTS * CLASSES];
static uint32_t serial;
static struct { uint32_t blocks[MANY_BLOCKS], first, count; uint64_t bytes; } quarantine; /* a ring */

bool heap_has(uint64_t address)
{
	return ready && span_has(address);
}

/* ---- slots ---- */

static uint32_t class_of(uint32_t granules)
{
	if (granules <= EXACT)
		return granules - 1;
	uint32_t doubling = 31u - (uint32_t)__builtin_clz(granules - 1) - 6;
	return EXACT + doubling * STEPS + (granules - 1 - ((uint32_t)EXACT << doubling)) / ((uint32_t)EXACT / STEPS << doubling);
}

static uint32_t class_granules(uint32_t class)
{
	if (class < EXACT)
		return class + 1;
	uint32_t doubling = (class - EXACT) / STEPS, step = (class - EXACT) % STEPS + 1;
	return ((uint32_t)EXACT << doubling) + step * ((uint32_t)EXACT / STEPS << doubling);
}

static bool more_to_cut(uint64_t bytes, uint64_t alignment)
{
	bool fresh;
	if (((cut + alignment - 1) & ~(alignment - 1)) + bytes <= cut_end)
		return true;
	uint64_t chunk = span_take(CHUNK, 1, 0, &fresh);
	if (!chunk)
		return false;
	if (chunk != cut_end)
		cut = chunk;
	cut_end = chunk + CHUNK * TD_UNIT;
	return true;
}

/* A fork server's children find the first memory open. */
bool heap_init(void)
{
	if (!ready) {
		ready = span_init();
		if (ready && more_to_cut(TD_GRANULE, TD_GRANULE))
			owner_open(cut, cut_end);
	}
	return ready;
}

static uint32_t slot_cut(uint32_t list)
{
	uint32_t granules = class_granules(list % CLASSES);
	uint64_t bytes = (uint64_t)granules << TD_GRANULE_BITS, alignment = (uint64_t)TD_GRANULE << list / CLASSES;
	if (!more_to_cut(bytes, alignment))
		return 0;
	uint64_t start = (cut + alignment - 1) & ~(alignment - 1);
	uint32_t *owners = owner_open(start, start + bytes), n = owners ? object_number() : 0;
	if (!n)
		return 0;
	for (uint32_t i = 0; i < granules; i++)
		owners[i] = n;
	cut = start + bytes;
	*object_get(n) = (struct td_object){.start = start, .kind = TD_OBJECT_HEAP, .state = TD_OBJECT_GONE, .references = 1, .room = (uint16_t)granules, .list = (uint16_t)list};
	return n;
}

static uint32_t slot_take(uint64_t size, uint64_t alignment)
{
	uint32_t order = alignment > TD_GRANULE ? (uint32_t)__builtin_ctzll(alignment) - TD_GRANULE_BITS : 0;
	uint32_t list = order * CLASSES + class_of((uint32_t)(size >> TD_GRANULE_BITS) + 1);
	uint32_t n = vacant[list];
	if (!n)
		return slot_cut(list);
	vacant[list] = object_get(n)->next;
	return n;
}

/* ---- runs ---- */

static uint32_t run_take(uint64_t units, uint64_t alignment, bool *zero)
{
	uint32_t n = object_number();
	if (!n)
		return 0;
	struct td_object *o = object_get(n);
	*o = (struct td_object){.kind = TD_OBJECT_HEAP, .state = TD_OBJECT_GONE};
	o->start = span_take(units, alignment, n, zero);
	if (o->start)
		return n;
	o->references = 1;
	object_unuse(n);
	return 0;
}

static void make_zero(uint64_t start, uint64_t size)
{
	uint64_t pages = start & 4095 ? 0 : size & ~4095ull;
	if (pages < WORTH_RETURNING)
		pages = 0;
	else
		pages_empty((void *)start, pages);
	__builtin_memset((char *)start + pages, 0, size - pages);
}

/* ---- blocks ---- */

uint32_t heap_at(uint64_t address)
{
	uint32_t n = span_number(address);
	const struct td_object *o = object_get(n);
	if (!o || address - o->start > (o->size | (TD_UNIT - 1)))
		return 0;
	span_fill(address, o->start + o->size + 1);
	return n;
}

static void set_live(struct td_object *o, uint64_t size, uint32_t stack)
{
	o->size = size;
	o->open = o->symbolic ? 0 : size;
	o->state = TD_OBJECT_LIVE;
	o->made = stack;
	o->gone = 0;
	o->next = 0;
	o->serial = ++serial;
}

/* Did instrumented code ask for it? */
static bool is_programs(uint32_t stack)
{
	uint64_t back;
	return td_state.header->flags & TD_UNINITIALISED && stack_get(stack, &back, 1) && module_runs(back);
}

uint32_t heap_take(uint64_t size, uint64_t alignment, bool zero, uint32_t stack)
{
	bool small = size >> TD_GRANULE_BITS < LARGEST_SLOT && alignment <= 4096, is_zero = false;
	uint32_t n = small ? slot_take(size, alignment) : run_take((size >> TD_UNIT_BITS) + 1, alignment, &is_zero);
	if (!n)
		return 0;
	struct td_object *o = object_get(n);
	o->symbolic = 0;
	o->size = 0;
	if (!shadow_is_empty())
		shadow_clear(o->start, size);
	if (zero && !is_zero)
		make_zero(o->start, size);
	set_live(o, size, stack);
	if (!zero && td_state.live && is_programs(stack))
		input_unset(o->start, size);
	return n;
}

static uint64_t slot_bytes(const struct td_object *o)
{
	return o->room ? (uint64_t)o->room << TD_GRANULE_BITS : span_units(o->start) << TD_UNIT_BITS;
}

static void release(uint32_t number)
{
	struct td_object *o = object_get(number);
	if (o->room) {
		o->next = vacant[o->list];
		vacant[o->list] = number;
		return;
	}
	if (slot_bytes(o) >= WORTH_RETURNING)
		pages_empty((void *)o->start, slot_bytes(o));
	span_give(o->start);
}

static void release_oldest(void)
{
	enum { AHEAD = 8 }; /* their records have not been touched for long */
	uint32_t n = quarantine.blocks[quarantine.first];
	__builtin_prefetch(object_get(quarantine.blocks[(quarantine.first + AHEAD) % MANY_BLOCKS]), 1);
	quarantine.first = (quarantine.first + 1) % MANY_BLOCKS;
	quarantine.count--;
	quarantine.bytes -= slot_bytes(object_get(n));
	release(n);
}

void heap_drop(uint32_t number, uint32_t stack)
{
	struct td_object *o = object_get(number);
	o->state = TD_OBJECT_GONE;
	o->open = 0;
	o->gone = stack;
	o->next = 0;
	if (slot_bytes(o) > TOO_LARGE) {
		release(number);
		return;
	}
	if (quarantine.count == MANY_BLOCKS)
		release_oldest();
	quarantine.blocks[(quarantine.first + quarantine.count++) % MANY_BLOCKS] = number;
	quarantine.bytes += slot_bytes(o);
	while (quarantine.bytes > MANY_BYTES)
		release_oldest();
}

/* Blocks move when they are resized, so that pointers to the old one are found out. Large ones do not always: they would be copied
 * over and over by a program that makes its buffer longer byte by byte. */
bool heap_resize(uint32_t number, uint64_t size, uint32_t stack)
{
	struct td_object *o = object_get(number);
	if (o->room || size >= slot_bytes(o) || size < slot_bytes(o) / 4)
		return false;
	if (!shadow_is_empty()) {
		if (size > o->size)
			shadow_clear(o->start + o->size, size - o->size);
		else
			shadow_clear(o->start + size, o->size - size);
	}
	set_live(o, size, stack);
	return true;
}
