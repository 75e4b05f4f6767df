/* Local variables as objects. A function tells of those whose address gets away when it begins and when it returns; a frame that is
 * left by longjmp, or an alloca, when the stack is next found to be shorter. What a returned function leaves in the map tells
 * whoever still points there that the variable is gone. Calls at the same depth find their predecessor's entries and take
 * them over, which woven code does by itself (src/compile/local.c). */
#include "object.h"

#include "contract/region.h"

#include <sys/resource.h>
#include <sys/syscall.h>

enum { ABSURD = 1 << 30 };

/* The lowest address that was told of and may still live. */
TD_EXPORT __thread uint64_t __td_lowest __attribute__((tls_model("initial-exec")));
#define lowest __td_lowest

static void begin(uint64_t start, uint64_t size, const char *name)
{
	if (!lowest || start < lowest)
		lowest = start;
	if (!object_again(TD_OBJECT_STACK, start, size, name))
		object_add(TD_OBJECT_STACK, start, size, name);
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

static void end(uint64_t start)
{
	uint32_t n = object_at(start);
	const struct td_object *o = object_get(n);
	if (!o || o->kind != TD_OBJECT_STACK || o->start != start)
		return;
	if (td_state.header->flags & TD_UNINITIALISED)
		shadow_clear(start, o->size); /* others will lie there, and not be told of */
	object_retire(n);
}

void __td_died(uint32_t count, void *a, void *b, void *c, void *d, void *e)
{
	void *const addresses[TD_LOCALS_AT_ONCE] = {a, b, c, d, e};
	if (!state_enter())
		return;
	for (unsigned i = 0; i < count; i++)
		end((uint64_t)addresses[i]);
	state_leave();
}

void local_reuse(uint64_t start, uint64_t size)
{
	for (uint64_t at = start & ~(TD_GRANULE - 1ull); at < start + size; at += TD_GRANULE) {
		const struct td_object *o = object_get(object_at(at));
		if (o && o->kind == TD_OBJECT_STACK && o->state == TD_OBJECT_GONE)
			object_forget(at, TD_GRANULE);
	}
}

/* ---- arrays that models are given ---- */

enum { MOST_LENT = 16 };

static __thread struct { uint32_t number; uint64_t pointer; } loans[MOST_LENT] __attribute__((tls_model("initial-exec")));
static __thread uint32_t loans_count __attribute__((tls_model("initial-exec")));

void __td_lend(void *pointer, void *array, uint64_t bytes)
{
	uint32_t i = loans_count++ % MOST_LENT;
	loans[i].number = 0;
	loans[i].pointer = (uint64_t)pointer;
	if (!state_enter())
		return;
	loans[i].number = object_narrow((uint64_t)pointer, (uint64_t)array, bytes);
	state_leave();
}

void __td_lent(uint32_t count)
{
	if (!state_enter()) {
		loans_count -= count;
		return;
	}
	while (count--) {
		uint32_t i = --loans_count % MOST_LENT;
		if (loans[i].number)
			object_widen(loans[i].number, loans[i].pointer);
		loans[i].number = 0;
	}
	state_leave();
}

/* ---- more local variables ---- */

/* A negative length, as the unsigned number it becomes. More than the first thread's stack may have, and than anybody gives another. */
void __td_room(uint64_t bytes, uint32_t place)
{
	struct rlimit limit = {0};
	if (bytes < ABSURD || !td_state.live)
		return;
	long result;
	register const void *fourth __asm__("r10") = &limit;
	__asm__ volatile("syscall" : "=a"(result) : "a"(SYS_prlimit64), "D"(0L), "S"((long)RLIMIT_STACK), "d"(0L), "r"(fourth) : "rcx", "r11", "memory");
	if (result == 0 && bytes > limit.rlim_cur && (limit.rlim_cur != RLIM_INFINITY || bytes > PTRDIFF_MAX))
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

void __td_unwound(void *frame)
{
	uint64_t limit = frame ? (uint64_t)frame : (uint64_t)__builtin_frame_address(0);
	if (!lowest || lowest >= limit || !state_enter())
		return;
	for (uint64_t at = lowest; at < limit; at += TD_GRANULE) {
		uint32_t n = object_at(at);
		const struct td_object *o = object_get(n);
		if (o && o->kind == TD_OBJECT_STACK && o->state == TD_OBJECT_LIVE && o->start < limit)
			object_retire(n);
	}
	lowest = limit;
	state_leave();
}
