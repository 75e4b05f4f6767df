/* The arena of the heap: units of 16 KiB at a fixed address, and runs of them. Free runs know their neighbours by lengths at both ends
 * and are kept in lists by the logarithm of their size; the arena grows only when none fits. What is kept about a unit lies outside of
 * the arena, where the program cannot write by mistake: the number of the object it was taken for, which stays when the run is given
 * back, so that whoever still points there can be told what it was.
 *
 * An object of units has references by unit; its granules in the map are a copy of that, made a unit at a time and thrown
 * away here when the unit is taken for something else. */
#include "heap.h"

#include "owner.h"
#include "pages.h"
#include "reserve.h"

#define ARENA_AT 0x100080000000ull
#define ARENA_BYTES (1ull << 42)

enum { BINS = 32, TRIES = 32, SMALLEST = 24, LARGEST = 40 /* logarithms, where there is little room */ };

#define FREE 0x80000000u
#define FILLED 0x80000000u

/* The length is valid in the first unit of a run and, if it is free, in the last; then it has FREE. The number has FILLED if the
 * map was told. */
struct unit {
	uint32_t number, length, previous, next;
};

static struct reserve arena, notes;
static uint64_t base, size;
static uint32_t top = 1; /* units ever taken; 0 is none, so that it can end lists */
static uint32_t bins[BINS];

static struct unit *unit(uint32_t i)
{
	return (struct unit *)(void *)notes.base + i;
}

bool span_has(uint64_t address)
{
	return address - base < size;
}

static uint32_t unit_of(uint64_t address)
{
	return (uint32_t)((address - base) >> TD_UNIT_BITS);
}

static uint64_t address_of(uint32_t i)
{
	return base + ((uint64_t)i << TD_UNIT_BITS);
}

/* ---- where it is ---- */

/* Little room: a quarter of what there is, aligned to its size. */
static bool init_small(void)
{
	struct reserve r;
	unsigned bits = LARGEST;
	while (bits > SMALLEST + 2 && !reserve_take(&r, 0, 1ull << bits))
		bits--;
	if (bits <= SMALLEST + 2)
		return false;
	pages_unmap(r.base, r.size);
	size = 1ull << (bits - 2);
	if (!reserve_take(&arena, 0, 2 * size))
		return false;
	base = ((uint64_t)arena.base + size - 1) & ~(size - 1);
	if (base > (uint64_t)arena.base)
		pages_unmap(arena.base, base - (uint64_t)arena.base);
	if (base + size < (uint64_t)arena.base + 2 * size)
		pages_unmap((char *)base + size, (uint64_t)arena.base + 2 * size - base - size);
	arena = (struct reserve){(char *)base, size, 0};
	return object_init_small(size);
}

bool span_init(void)
{
	if (!object_init()) {
		if (!init_small())
			return false;
	} else if (!reserve_take(&arena, ARENA_AT, ARENA_BYTES)) {
		return false;
	}
	uint64_t skip = -(uint64_t)arena.base % TD_UNIT; /* only if it is not where we want it */
	arena.base += skip;
	arena.size -= skip;
	base = (uint64_t)arena.base;
	size = arena.size;
	return reserve_take(&notes, 0, (size >> TD_UNIT_BITS) * sizeof(struct unit));
}

/* ---- free runs ---- */

static unsigned bin_of(uint32_t length)
{
	return 31u - (unsigned)__builtin_clz(length);
}

static void link_run(uint32_t first, uint32_t length)
{
	uint32_t *bin = &bins[bin_of(length)];
	unit(first)->length = unit(first + length - 1)->length = length | FREE;
	unit(first)->previous = 0;
	unit(first)->next = *bin;
	if (*bin)
		unit(*bin)->previous = first;
	*bin = first;
}

static void unlink_run(uint32_t first)
{
	const struct unit *u = unit(first);
	if (u->previous)
		unit(u->previous)->next = u->next;
	else
		bins[bin_of(u->length & ~FREE)] = u->next;
	if (u->next)
		unit(u->next)->previous = u->previous;
	unit(first + (u->length & ~FREE) - 1)->length = 0;
	unit(first)->length = 0;
}

static void free_run(uint32_t first, uint32_t length)
{
	if (first > 1 && unit(first - 1)->length & FREE) {
		uint32_t before = unit(first - 1)->length & ~FREE;
		unlink_run(first - before);
		first -= before;
		length += before;
	}
	if (first + length < top && unit(first + length)->length & FREE) {
		uint32_t behind = unit(first + length)->length & ~FREE;
		unlink_run(first + length);
		length += behind;
	}
	link_run(first, length);
}

static uint32_t find_run(uint32_t length)
{
	for (unsigned b = bin_of(length); b < BINS; b++) {
		unsigned tries = TRIES;
		for (uint32_t i = bins[b]; i && tries--; i = unit(i)->next)
			if ((unit(i)->length & ~FREE) >= length)
				return i;
	}
	return 0;
}

static uint32_t grow(uint32_t length)
{
	uint64_t end = (uint64_t)top + length;
	if (end > size >> TD_UNIT_BITS || !reserve_open(&notes, end * sizeof(struct unit)) || !reserve_open(&arena, end << TD_UNIT_BITS))
		return 0;
	uint32_t first = top;
	top = (uint32_t)end;
	return first;
}

/* ---- taking and giving ---- */

static void claim(uint32_t i, uint32_t number)
{
	uint64_t at = address_of(i);
	uint32_t old = unit(i)->number;
	unit(i)->number = number;
	if (old & FILLED)
		__builtin_memset(owner_open(at, at + TD_UNIT), 0, sizeof(uint32_t) << (TD_UNIT_BITS - TD_GRANULE_BITS));
	if (old)
		object_unuse(old & ~FILLED);
}

uint64_t span_take(uint64_t units, uint64_t alignment, uint32_t number, bool *fresh)
{
	uint64_t beside = alignment > TD_UNIT ? (alignment >> TD_UNIT_BITS) - 1 : 0;
	if (units + beside >= size >> TD_UNIT_BITS)
		return 0;
	uint32_t length = (uint32_t)(units + beside), first = find_run(length), all = length;
	*fresh = !first;
	if (first) {
		all = unit(first)->length & ~FREE;
		unlink_run(first);
	} else if (!(first = grow(length))) {
		return 0;
	}
	uint64_t aligned = (address_of(first) + (beside << TD_UNIT_BITS)) & ~((beside + 1) * TD_UNIT - 1);
	uint32_t start = unit_of(aligned), before = start - first, behind = all - before - (uint32_t)units;
	unit(start + (uint32_t)units - 1)->length = 0;
	unit(start)->length = (uint32_t)units;
	if (before)
		free_run(first, before);
	if (behind)
		free_run(start + (uint32_t)units, behind);
	for (uint32_t i = 0; i < units; i++)
		claim(start + i, number);
	if (number)
		object_get(number)->references += (uint32_t)units;
	return address_of(start);
}

void span_give(uint64_t address)
{
	uint32_t first = unit_of(address);
	free_run(first, unit(first)->length);
}

uint64_t span_units(uint64_t address)
{
	return unit(unit_of(address))->length;
}

uint32_t span_number(uint64_t address)
{
	uint32_t i = unit_of(address);
	return i < top ? unit(i)->number & ~FILLED : 0;
}

void span_fill(uint64_t address, uint64_t end)
{
	uint32_t i = unit_of(address), number = unit(i)->number & ~FILLED;
	uint64_t from = address_of(i), to = from + TD_UNIT < end ? from + TD_UNIT : end;
	uint32_t *entries = owner_open(from, to);
	for (uint64_t g = 0; entries && g < (to - from + TD_GRANULE - 1) >> TD_GRANULE_BITS; g++)
		entries[g] = number;
	if (entries)
		unit(i)->number = number | FILLED;
}
