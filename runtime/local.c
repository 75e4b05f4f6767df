/* Local variables as objects. A function tells of those whose address gets away when it begins and when it returns, or when their block does; a frame that is
 * left by longjmp, or an alloca, when the stack is next found to be shorter. What a returned function leaves in the map tells
 * whoever still points there that the variable is gone. Calls at the same depth find their predecessor's entries and take
 * them over, which woven code does by itself (src/compile/local.c). */
#include "owner.h"

#include "contract/region.h"
#include "system.h"
#include "thread.h"

#include <sys/resource.h>
#include <sys/single_threaded.h>

enum { ABSURD = 1 << 30, DEEPEST = 64 << 20 };

/* The lowest address that was told of and may still live. */
TD_EXPORT __thread uint64_t __td_lowest __attribute__((tls_model("initial-exec")));
#define lowest __td_lowest

/* Is it the stack that the thread was born with? A program may have others and jump between them: what lies below is not gone there. */
static bool is_own_stack(uint64_t address)
{
	uint64_t end = state_thread() ? thread_block() : stack_end();
	return address < end && end - address < DEEPEST;
}

/* One that was left by a jump may still be there. */
static void retire_same(uint64_t start, uint64_t size)
{
	uint32_t n = object_at(start);
	const struct td_object *o = object_get(n);
	if (o && o->kind == TD_OBJECT_STACK && o->start == start && o->size == size && o->state == TD_OBJECT_LIVE)
		object_retire(n);
}

static void begin(uint64_t start, uint64_t size, const char *name)
{
	if ((!lowest || start < lowest) && is_own_stack(start))
		lowest = start;
	retire_same(start, size);
	if (!object_again(TD_OBJECT_STACK, start, size, name))
		object_add(TD_OBJECT_STACK, start, size, name);
	struct td_object *o = object_get(object_at(start)); /* once asked for, a large one is in the map where it begins, too: __td_unwound looks there */
	if (o && td_state.header->flags & TD_UNINITIALISED)
		o->flags |= TD_OBJECT_TORN; /* each time it begins it is unset anew */
}

void __td_born(void *list, void *a, void *b, void *c, void *d, void *e)
{
	void *const addresses[TD_LOCALS_AT_ONCE] = {a, b, c, d, e};
	const struct td_local *l = list;
	if (!state_enter())
		return;
	for (unsigned i = 0; i < TD_LOCALS_AT_ONCE && addresses[i]; i++) {
		begin((uint64_t)addresses[i], l[i].size, (const char *)list + (int32_t)l[i].name);
		input_unset((uint64_t)addresses[i], l[i].size);
	}
	state_leave();
}

static void end(uint64_t start, bool left)
{
	uint32_t n = object_at(start);
	struct td_object *o = object_get(n);
	if (!o || o->kind != TD_OBJECT_STACK || o->start != start)
		return;
	if (td_state.header->flags & TD_UNINITIALISED)
		shadow_clear(start, o->size); /* others will lie there, and not be told of */
	if (left && o->state == TD_OBJECT_LIVE)
		o->flags |= TD_OBJECT_LEFT;
	object_retire(n);
}

void __td_died(uint32_t count, void *a, void *b, void *c, void *d, void *e)
{
	void *const addresses[TD_LOCALS_AT_ONCE] = {a, b, c, d, e};
	if (!state_enter())
		return;
	for (unsigned i = 0; i < count; i++)
		end((uint64_t)addresses[i], false);
	state_leave();
}

/* What woven code does inline where there is little of it. */
static struct td_object *record_of(uint64_t start, uint64_t state, uint64_t mask)
{
	struct td_object *o = owner_record(owner_get(start));
	uint64_t now;
	__builtin_memcpy(&now, &o->kind, sizeof now);
	return o->start == start && (now & mask) == state ? o : NULL;
}

static void set_state(struct td_object *o, uint64_t open, uint64_t state)
{
	o->open = open;
	__builtin_memcpy(&o->kind, &state, sizeof state);
}

void __td_begins(void *address, uint64_t size, void *name)
{
	uint64_t start = (uint64_t)address;
	struct td_object *o = record_of(start, TD_LOCAL_GONE, ~TD_LOCAL_LEFT);
	if (o && o->size == size && start >= lowest) {
		set_state(o, size, TD_LOCAL_LIVES);
		o->name = name;
		return;
	}
	if (!state_enter())
		return;
	begin(start, size, name);
	input_unset(start, size);
	state_leave();
}

void __td_ends(void *address, uint32_t left)
{
	uint64_t start = (uint64_t)address;
	struct td_object *o = record_of(start, TD_LOCAL_LIVES, UINT64_MAX);
	if (o) {
		set_state(o, 0, TD_LOCAL_GONE | (left ? TD_LOCAL_LEFT : 0));
		return;
	}
	if (!state_enter())
		return;
	end(start, left);
	state_leave();
}

static bool is_returned(uint32_t number)
{
	return number && owner_record(number)->kind == TD_OBJECT_STACK && owner_record(number)->state == TD_OBJECT_GONE;
}

/* Large ones are in the map only where they were asked for. */
void local_reuse(uint64_t start, uint64_t size)
{
	uint64_t first = start & ~(TD_GRANULE - 1ull), last = start + size;
	uint32_t n;
	for (uint64_t at = first, end = last; (n = lazy_within(&at, &end)); at = end, end = last)
		if (is_returned(n))
			object_forget(at, end - at);
	for (uint64_t at = first; at < last; at += TD_GRANULE)
		if (is_returned(owner_get(at)))
			object_forget(at, TD_GRANULE);
}

/* ---- arrays that functions are given which use nothing but their arguments ---- */

enum { MOST_LENT = 16 };

struct loan {
	uint64_t pointer, frame; /* of the hook: below it, nobody made it */
	uint32_t number;         /* 0: none was made, and nothing is to be done */
};

static __thread struct loan loans[MOST_LENT] __attribute__((tls_model("initial-exec")));
static __thread uint32_t loans_count __attribute__((tls_model("initial-exec"))); /* those that found no place too */

static void take_back_one(struct loan *loan)
{
	if (loan->number)
		object_widen(loan->number, loan->pointer);
	loan->number = 0;
}

/* Two pointers to the same 16 bytes: there is but one entry in the map for both, which has to name the object. */
static bool is_shared(uint64_t pointer)
{
	bool shared = false;
	for (uint32_t k = 0; k < loans_count && k < MOST_LENT; k++)
		if (loans[k].number && loans[k].pointer >> TD_GRANULE_BITS == pointer >> TD_GRANULE_BITS) {
			take_back_one(&loans[k]);
			shared = true;
		}
	return shared;
}

/* Other threads would find the array in the map as well. */
void __td_lend(void *pointer, void *array, uint64_t bytes)
{
	struct loan loan = {(uint64_t)pointer, (uint64_t)__builtin_frame_address(0), 0};
	if (loans_count < MOST_LENT && __libc_single_threaded && state_enter()) {
		if (!is_shared(loan.pointer) && bytes)
			loan.number = object_narrow(loan.pointer, (uint64_t)array, bytes);
		state_leave();
	}
	if (loans_count < MOST_LENT)
		loans[loans_count] = loan;
	loans_count++;
}

static void take_back(void)
{
	uint32_t i = --loans_count;
	if (i < MOST_LENT)
		take_back_one(&loans[i]);
}

void __td_lent(uint32_t count)
{
	bool inside = state_enter();
	while (count-- && loans_count)
		take_back();
	if (inside)
		state_leave();
}

/* Those whose model will not return: somebody it called has jumped out of it. */
static void take_back_below(uint64_t limit)
{
	while (loans_count && (loans_count > MOST_LENT || loans[loans_count - 1].frame <= limit))
		take_back();
}

/* ---- more local variables ---- */

/* A negative length, as the unsigned number it becomes. More than the first thread's stack may have, and than anybody gives another. */
uint64_t local_room(void)
{
	struct rlimit limit = {0};
	if (system_call(SYS_prlimit64, 0, RLIMIT_STACK, 0, (long)&limit) != 0)
		return UINT64_MAX;
	uint64_t most = limit.rlim_cur != RLIM_INFINITY ? limit.rlim_cur : PTRDIFF_MAX;
	return most < ABSURD ? ABSURD : most;
}

void __td_room(uint64_t bytes, uint32_t place)
{
	if (bytes > ABSURD && td_state.live && bytes > local_room())
		report_violation(&(struct violation){.kind = TD_VIOLATION_ALLOCATION, .bytes = bytes, .frame = __builtin_frame_address(0), .place = place});
}

void __td_thread(void *address, uint64_t bytes, void *name)
{
	if (!state_enter())
		return;
	const struct td_object *o = object_get(object_at((uint64_t)address));
	bool known = o && o->start == (uint64_t)address && o->size == bytes && o->state == TD_OBJECT_LIVE;
	if (!known && state_thread() == 0) /* that of another goes with it, and its place is used again */
		object_adopt(TD_OBJECT_GLOBAL, (uint64_t)address, bytes, name);
	state_leave();
}

void __td_grown(void *address, uint64_t bytes)
{
	if (!state_enter())
		return;
	begin((uint64_t)address, bytes, "");
	state_leave();
}

void __td_reused(void *address, uint64_t bytes)
{
	if (!state_enter())
		return;
	local_reuse((uint64_t)address, bytes);
	state_leave();
}

/* Our own frame, and with it what the caller had just given up, begins below the saved frame pointer and the return address. */
void __td_unwound(void *frame, uint32_t left)
{
	uint64_t limit = frame ? (uint64_t)frame : (uint64_t)__builtin_frame_address(0) + 16;
	if (((!lowest || lowest >= limit) && !loans_count) || !is_own_stack(limit) || !state_enter())
		return;
	take_back_below(limit);
	for (uint64_t at = lowest; lowest && at < limit; at += TD_GRANULE) {
		uint32_t n = owner_get(at); /* there may be a hundred thousand frames */
		struct td_object *o = n ? object_get(n) : NULL;
		if (!o || o->kind != TD_OBJECT_STACK || o->state != TD_OBJECT_LIVE || o->start >= limit)
			continue;
		if (left)
			o->flags |= TD_OBJECT_LEFT;
		object_retire(n);
	}
	lowest = lowest && lowest < limit ? limit : lowest;
	state_leave();
}
