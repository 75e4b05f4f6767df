/* Mappings as objects (models/mapping.c). Only those are which the program let the system place: they go where nothing else is ever
 * mapped, one behind the other with a page between, so a place that was unmapped is not used again and whoever still
 * points there can be told. What the program puts at a place of its own choice, or may not touch at first, is a plan of its own: unknown memory.
 *
 * Anonymous memory is as long as was asked for; a file goes on to the end of its page, where zeroes are promised. A part that may no longer
 * be touched (PROT_NONE) is no longer the object's; if it may be again, nothing is known of the whole. */
#include "object.h"

#include <sys/mman.h>

enum { PAGE = 4096, MAX_MAPPINGS = 1 << 16 };

#define PLACE 0x600000000000ull
#define PLACE_END 0x6f0000000000ull

struct mapping {
	uint64_t start, end; /* whole pages */
	uint32_t number, reserved;
};

static struct mapping *mappings;
static uint64_t count;
static uint64_t next = PLACE;

static uint64_t whole_pages(uint64_t bytes)
{
	return (bytes + PAGE - 1) & ~(PAGE - 1ull);
}

uint64_t __td_map_hint(uint64_t bytes)
{
	uint64_t place = 0, size = whole_pages(bytes) + PAGE;
	if (!state_enter())
		return 0;
	if (bytes < PLACE_END - PLACE && size <= PLACE_END - next) {
		place = next;
		next += size;
	}
	state_leave();
	return place;
}

/* ---- the list ---- */

static void drop(uint64_t i)
{
	mappings[i] = mappings[--count];
}

static void forget(uint64_t i)
{
	const struct td_object *o = object_get(mappings[i].number);
	object_forget(o->start, o->size);
	drop(i);
}

/* Those it touches or lies beside, unless it is inside of one. */
static void forget_around(uint64_t start, uint64_t end)
{
	for (uint64_t i = count; i-- > 0;) {
		const struct mapping *m = &mappings[i];
		if (m->start <= end && m->end >= start && !(start >= m->start && end <= m->end))
			forget(i);
	}
}

/* Of a mapping that has lost a part, what is before that is still one, or else what is behind. */
static void shorten(uint64_t i, uint64_t start, uint64_t end)
{
	struct mapping *m = &mappings[i];
	const struct td_object *o = object_get(m->number);
	uint64_t last = o->start + o->size;
	if (start > m->start)
		m->end = start;
	else
		m->start = end;
	last = last < m->end ? last : m->end;
	if (m->start < last)
		object_trim(m->number, m->start, last);
	else
		forget(i);
}

static void add(uint64_t start, uint64_t bytes, const void *frame)
{
	uint32_t n = 0;
	if (count < MAX_MAPPINGS && (mappings || (mappings = state_map(MAX_MAPPINGS * sizeof *mappings))))
		n = object_add(TD_OBJECT_MAPPING, start, bytes, NULL);
	if (!n)
		return;
	object_get(n)->made = stack_from(frame);
	mappings[count++] = (struct mapping){start, start + whole_pages(bytes), n, 0};
}

static void unmap(uint64_t start, uint64_t end, const void *frame)
{
	shadow_clear(start, end - start);
	for (uint64_t i = count; i-- > 0;) {
		struct mapping *m = &mappings[i];
		if (m->start >= end || m->end <= start)
			continue;
		if (m->start < start || m->end > end) {
			shorten(i, start, end);
			continue;
		}
		object_get(m->number)->gone = stack_from(frame);
		object_retire(m->number);
		drop(i);
	}
}

/* ---- what happens ---- */

void __td_mapped(void *memory, uint64_t bytes, uint32_t kind, int access)
{
	uint64_t start = (uint64_t)memory, size = whole_pages(bytes);
	bool placed = start >= PLACE && start < PLACE_END;
	if (!state_enter())
		return;
	if (kind != TD_MAPPED_PLACED && placed && access != PROT_NONE) {
		add(start, kind == TD_MAPPED_FILE ? size : bytes, __builtin_frame_address(0));
	} else {
		shadow_clear(start, size);
		forget_around(start, start + size);
	}
	state_leave();
}

void __td_unmapped(void *memory, uint64_t bytes)
{
	if (!state_enter())
		return;
	unmap((uint64_t)memory, (uint64_t)memory + whole_pages(bytes), __builtin_frame_address(0));
	state_leave();
}

void __td_protected(void *memory, uint64_t bytes, int access)
{
	uint64_t start = (uint64_t)memory, end = start + whole_pages(bytes);
	if (!bytes || !state_enter())
		return;
	if (access != PROT_NONE)
		forget_around(start, end);
	for (uint64_t i = count; i-- > 0 && access == PROT_NONE;) {
		const struct mapping *m = &mappings[i];
		if (m->start < end && m->end > start && !(start <= m->start && end >= m->end))
			shorten(i, start, end);
	}
	state_leave();
}

/* The model has it moved to where the runtime said, if it was to become longer; else it is where it was, or anywhere. */
void __td_remapped(void *memory, void *old, uint64_t bytes, uint64_t wanted, uint32_t stays)
{
	uint64_t to = (uint64_t)memory, from = (uint64_t)old, before = whole_pages(bytes), after = whole_pages(wanted);
	if (!state_enter())
		return;
	if (to == from && after < before) {
		unmap(to + after, to + before, __builtin_frame_address(0));
	} else if (to == from && wanted > bytes) {
		shadow_clear(to + before, after - before);
		forget_around(to, to + after + 1);
	} else if (to != from) {
		if (to >= PLACE && to < PLACE_END)
			add(to, wanted, __builtin_frame_address(0));
		else
			forget_around(to, to + after);
		shadow_copy(to, from, before < after ? before : after);
		if (stays)
			shadow_clear(from, before);
		else
			unmap(from, from + before, __builtin_frame_address(0));
	}
	state_leave();
}
