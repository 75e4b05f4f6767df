/* Call stacks, each kept once: the return addresses that frame pointers lead to, by a hash that is believed to be unique. Traced
 * code has frame pointers; code that has none may keep anything in that register. So a frame must lie above the one before, not far,
 * and on pages that are known to be readable: each thread remembers a stretch of its stack that is, and asks the system beyond. */
#include "object.h"

#include "reserve.h"

#include <sys/mman.h>

enum { FRAMES = 32, FAR = 1 << 20, DEEPEST = 64 << 20, PAGE = 4096, MAX_STACKS = 1 << 20, MAX_FRAMES = 1 << 24, FIRST_SLOTS = 1 << 10 };

struct stack {
	uint64_t hash;
	uint32_t first, count; /* of its frames */
};

struct frame {
	const struct frame *next;
	uint64_t back; /* where the function returns to */
};

static struct reserve stacks, frames;
static uint32_t count = 1, frame_count;
static uint32_t *slots, slot_mask;
static uint64_t top;

static __thread uint64_t low, high __attribute__((tls_model("initial-exec")));

/* Threads have theirs far below, and their memory may lie between. */
bool stack_has(uint64_t address)
{
	uint64_t here = (uint64_t)__builtin_frame_address(0);
	return here < top && top - here < DEEPEST && address >= here && address < top;
}

/* ---- walking ---- */

static bool is_readable(uint64_t address)
{
	if (address % sizeof(uint64_t) || address < low || address > high + FAR)
		return false;
	for (; address + sizeof(struct frame) > high; high += PAGE)
		if (!state_readable(high))
			return false;
	return true;
}

static uint32_t walk(const struct frame *f, uint64_t backs[FRAMES], uint64_t *hash)
{
	uint64_t here = (uint64_t)__builtin_frame_address(0), h = 0;
	uint32_t n = 0;
	if (here < low || here >= high) {
		low = here & ~(PAGE - 1ull);
		high = low + PAGE;
	}
	while (n < FRAMES && is_readable((uint64_t)f) && f->back >= PAGE) {
		backs[n++] = f->back;
		h = (h ^ f->back) * 0x9E3779B97F4A7C15ull;
		h ^= h >> 29;
		if (f->next <= f || (uint64_t)f->next - (uint64_t)f > FAR)
			break;
		f = f->next;
	}
	*hash = h;
	return n;
}

/* ---- keeping ---- */

static struct stack *stack(uint32_t number)
{
	return (struct stack *)(void *)stacks.base + number;
}

static uint32_t *slot_of(uint64_t hash)
{
	uint32_t i = (uint32_t)(hash >> 32) & slot_mask;
	while (slots[i] && stack(slots[i])->hash != hash)
		i = (i + 1) & slot_mask;
	return &slots[i];
}

static bool more_slots(void)
{
	uint32_t *old = slots, room = old ? (slot_mask + 1) * 2 : FIRST_SLOTS;
	uint32_t *new = state_map(room * sizeof *new);
	if (!new)
		return false;
	if (old)
		munmap(old, (slot_mask + 1ull) * sizeof *old);
	slots = new;
	slot_mask = room - 1;
	for (uint32_t i = 1; i < count; i++)
		*slot_of(stack(i)->hash) = i;
	return true;
}

static bool is_room(uint32_t n)
{
	if (!stacks.base && !(reserve_take(&stacks, 0, MAX_STACKS * sizeof(struct stack)) && reserve_take(&frames, 0, MAX_FRAMES * sizeof(uint64_t))))
		return false;
	if ((!slots || count > slot_mask / 2) && !more_slots())
		return false;
	return reserve_open(&stacks, (count + 1ull) * sizeof(struct stack)) && reserve_open(&frames, (frame_count + (uint64_t)n) * sizeof(uint64_t));
}

void stack_begin(const void *address)
{
	top = (uint64_t)address;
	is_room(FRAMES);
}

static uint32_t add(const uint64_t *backs, uint32_t n, uint64_t hash)
{
	uint64_t *to = (uint64_t *)(void *)frames.base + frame_count;
	for (uint32_t i = 0; i < n; i++)
		to[i] = backs[i];
	*stack(count) = (struct stack){hash, frame_count, n};
	frame_count += n;
	return count++;
}

uint32_t stack_from(const void *frame)
{
	uint64_t backs[FRAMES], hash;
	uint32_t n = walk(frame, backs, &hash);
	if (!n)
		return 0;
	if (slots) {
		uint32_t known = *slot_of(hash);
		if (known)
			return known;
	}
	if (!is_room(n))
		return 0;
	uint32_t *slot = slot_of(hash);
	return *slot = add(backs, n, hash);
}

uint32_t stack_here(void)
{
	return stack_from(__builtin_frame_address(0));
}

uint32_t stack_get(uint32_t number, uint64_t *to, uint32_t room)
{
	if (!number || number >= count)
		return 0;
	uint32_t n = stack(number)->count < room ? stack(number)->count : room;
	for (uint32_t i = 0; i < n; i++)
		to[i] = ((const uint64_t *)(const void *)frames.base)[stack(number)->first + i];
	return n;
}
