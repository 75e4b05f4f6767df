/* Call stacks, each kept once: the return addresses that frame pointers lead to, by a hash that is believed to be unique. Traced
 * code has frame pointers; code that has none may keep anything in that register. So a frame must lie above the one before, not far,
 * and on pages that are known to be readable: each thread remembers a stretch of its stack that is, and asks the system beyond. */
#include "object.h"
#include "pages.h"

enum { FRAMES = 8, FAR = 1 << 20, DEEPEST = 64 << 20, PAGE = 4096, MAX_WORDS = 1 << 20, FIRST_SLOTS = 1 << 8 };

/* They lie one behind the other; a number is how many words from the start. */
struct stack {
	uint64_t hash, count, backs[];
};

struct frame {
	const struct frame *next;
	uint64_t back; /* where the function returns to */
};

static uint64_t *words;
static uint32_t used = 1, count;
static uint32_t first_slots[FIRST_SLOTS]; /* most programs need no more */
static uint32_t *slots = first_slots, slot_mask = FIRST_SLOTS - 1;
static uint64_t top;

static __thread uint64_t low, high __attribute__((tls_model("initial-exec")));

uint64_t stack_end(void)
{
	return top;
}

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
	return (struct stack *)(void *)(words + number);
}

static uint32_t stack_words(uint64_t n)
{
	return (uint32_t)(sizeof(struct stack) / sizeof(uint64_t) + n);
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
	uint32_t *old = slots, room = (slot_mask + 1) * 2;
	uint32_t *new = state_map(room * sizeof *new);
	if (!new)
		return false;
	if (old != first_slots)
		pages_unmap(old, (slot_mask + 1ull) * sizeof *old);
	slots = new;
	slot_mask = room - 1;
	for (uint32_t i = 1; i < used; i += stack_words(stack(i)->count))
		*slot_of(stack(i)->hash) = i;
	return true;
}

static bool is_room(uint32_t n)
{
	if (!words && !(words = state_map(MAX_WORDS * sizeof *words)))
		return false;
	if (count > slot_mask / 2 && !more_slots())
		return false;
	return used + stack_words(n) <= MAX_WORDS;
}

void stack_begin(const void *address)
{
	top = (uint64_t)address;
	is_room(FRAMES);
}

static uint32_t add(const uint64_t *backs, uint32_t n, uint64_t hash)
{
	uint32_t number = used;
	struct stack *new = stack(number);
	new->hash = hash;
	new->count = n;
	for (uint32_t i = 0; i < n; i++)
		new->backs[i] = backs[i];
	used += stack_words(n);
	count++;
	return number;
}

uint32_t stack_from(const void *frame)
{
	uint64_t backs[FRAMES], hash;
	uint32_t n = walk(frame, backs, &hash);
	if (!n)
		return 0;
	uint32_t known = *slot_of(hash);
	if (known)
		return known;
	if (!is_room(n))
		return 0;
	return *slot_of(hash) = add(backs, n, hash);
}

uint32_t stack_here(void)
{
	return stack_from(__builtin_frame_address(0));
}

uint32_t stack_get(uint32_t number, uint64_t *to, uint32_t room)
{
	if (!number || number >= used)
		return 0;
	const struct stack *s = stack(number);
	uint32_t n = s->count < room ? (uint32_t)s->count : room;
	for (uint32_t i = 0; i < n; i++)
		to[i] = s->backs[i];
	return n;
}
