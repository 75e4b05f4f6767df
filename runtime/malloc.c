/* The C library's allocation functions, taken over. They are weak: a program that defines them has its own. In traced runs they are
 * served by the runtime's heap; in others, and before it is known which it is, they are handed on to the C library's,
 * under the names it keeps for that. A static program has no such names, since nothing drew the library's allocator into it: there the heap
 * serves always.
 *
 * A block is the heap's if it lies in its memory; all others are the C library's to free, unless we know better. If the program has
 * `malloc`, `free` or `realloc` of its own, the heap stays out of it altogether.
 *
 * A signal handler may interrupt the runtime and allocate. The C library's allocator has nothing to do then and can serve it; where there
 * is none, it gets a piece of a small reserve. What it frees waits until the runtime is free. Signal handlers should not
 * do this; programs do, and it mostly works. */
#include "heap.h"

#include "owner.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { RESERVE = 1 << 20, WAITING = 256, SYSTEM_PAGE = 4096 };

#define WEAK TD_EXPORT __attribute__((weak))

extern void *__libc_malloc(size_t) __attribute__((weak));
extern void *__libc_calloc(size_t, size_t) __attribute__((weak));
extern void *__libc_realloc(void *, size_t) __attribute__((weak));
extern void *__libc_memalign(size_t, size_t) __attribute__((weak));
extern void __libc_free(void *) __attribute__((weak));

WEAK void *malloc(size_t size);
WEAK void *calloc(size_t count, size_t size);
WEAK void *realloc(void *old, size_t size);
WEAK void *reallocarray(void *old, size_t count, size_t size);
WEAK void free(void *block);
WEAK void *memalign(size_t alignment, size_t size);
WEAK void *aligned_alloc(size_t alignment, size_t size);
WEAK int posix_memalign(void **block, size_t alignment, size_t size);
WEAK void *valloc(size_t size);
WEAK void *pvalloc(size_t size);
WEAK size_t malloc_usable_size(void *block);

static bool serving;

/* ---- who serves ---- */

/* Their own symbols, whoever the names belong to in this program. */
static void *our_malloc(size_t size);
static void *our_realloc(void *old, size_t size);
static void our_free(void *block);

extern __typeof__(our_malloc) malloc __attribute__((alias("our_malloc")));
extern __typeof__(our_realloc) realloc __attribute__((alias("our_realloc")));
extern __typeof__(our_free) free __attribute__((alias("our_free")));

static bool is_same(uintptr_t name, uintptr_t function)
{
	__asm__("" : "+r"(name), "+r"(function)); /* the linker decides, not the compiler */
	return name == function;
}

void malloc_serve(void)
{
	bool all = is_same((uintptr_t)malloc, (uintptr_t)our_malloc) && is_same((uintptr_t)realloc, (uintptr_t)our_realloc);
	if (!serving && all && is_same((uintptr_t)free, (uintptr_t)our_free))
		serving = heap_init();
}

static bool serves(void)
{
	if (__builtin_expect(!serving && !__libc_malloc, 0)) { /* without room there is no memory */
		serving = true;
		heap_init();
		start_watch_forks();
	}
	return serving;
}

uint32_t __td_serves(void)
{
	return serving;
}

/* ---- while the runtime is interrupted ---- */

static char reserve[RESERVE] __attribute__((aligned(16)));
static uint64_t reserve_used;
static void *waiting[WAITING];
static uint32_t waiting_count;

/* Each piece has its size in front. */
static void *reserve_piece(uint64_t size, bool zero)
{
	uint64_t bytes = (size + 2 * TD_GRANULE - 1) & ~(TD_GRANULE - 1ull);
	uint64_t at = size < RESERVE ? __atomic_fetch_add(&reserve_used, bytes, __ATOMIC_RELAXED) : RESERVE;
	if (at >= RESERVE || bytes > RESERVE - at) {
		errno = ENOMEM;
		return NULL;
	}
	*(uint64_t *)(void *)(reserve + at) = size;
	if (zero)
		__builtin_memset(reserve + at + TD_GRANULE, 0, size);
	return reserve + at + TD_GRANULE;
}

/* The last one can be taken back. */
static void reserve_give(const void *block)
{
	uint64_t start = (uint64_t)((const char *)block - reserve) - TD_GRANULE;
	uint64_t end = start + ((*(const uint64_t *)(const void *)(reserve + start) + 2 * TD_GRANULE - 1) & ~(TD_GRANULE - 1ull));
	__atomic_compare_exchange_n(&reserve_used, &end, start, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

static bool is_reserve(const void *block)
{
	return (uint64_t)block - (uint64_t)reserve < RESERVE;
}

static uint64_t reserve_size(const void *block)
{
	return *(const uint64_t *)(const void *)((const char *)block - TD_GRANULE);
}

static void free_later(void *block)
{
	uint32_t i = __atomic_fetch_add(&waiting_count, 1, __ATOMIC_RELAXED);
	if (i < WAITING)
		waiting[i] = block;
}

static void free_waiting(void)
{
	uint32_t n = waiting_count < WAITING ? waiting_count : WAITING;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t number = object_at((uint64_t)waiting[i]);
		const struct td_object *o = object_get(number);
		if (o && o->start == (uint64_t)waiting[i] && o->state == TD_OBJECT_LIVE)
			heap_drop(number, 0);
	}
	waiting_count = 0;
}

/* ---- the C library's, while the heap serves: it knows nothing of terms ---- */

/* Of a block of the C library: the word before it says, with three flags, of which the second tells that it was mapped. */
static size_t library_size(const void *block)
{
	size_t word = ((const size_t *)block)[-1];
	return (word & ~(size_t)7) - (word & 2 ? 2 : 1) * sizeof word;
}

static void *take_library(uint64_t size, uint64_t alignment, bool zero)
{
	void *block = alignment > TD_GRANULE ? __libc_memalign(alignment, size) : zero ? __libc_calloc(1, size) : __libc_malloc(size);
	if (block && !shadow_is_empty() && state_hold()) {
		shadow_clear((uint64_t)block, size);
		state_leave();
	}
	return block;
}

static void *resize_library(void *old, uint64_t size)
{
	uint64_t kept = library_size(old);
	void *block = __libc_realloc(old, size);
	if (block && !shadow_is_empty() && state_hold()) {
		kept = kept < size ? kept : size;
		shadow_copy((uint64_t)block, (uint64_t)old, kept);
		shadow_clear((uint64_t)block + kept, size - kept);
		state_leave();
	}
	return block;
}

/* ---- the heap ---- */

static uint32_t stack_at(const void *frame)
{
	return td_state.live ? stack_from(frame) : 0;
}

static void *refuse(void)
{
	errno = ENOMEM;
	return NULL;
}

/* Told once, if the host wants to know: the program may do what it likes about it. */
void __td_refused(uint64_t bytes)
{
	struct violation v = {.kind = TD_VIOLATION_MEMORY, .bytes = bytes, .frame = __builtin_frame_address(0)};
	if (td_state.live && (td_state.header->flags & TD_QUOTA) && !td_state.header->reports && !state_is_busy())
		report_note(&v);
}

static void *refuse_room(uint64_t size)
{
	__td_refused(size);
	return refuse();
}

/* What no memory could hold, or no number say: that is an error of the program, also if it would notice. */
static void *refuse_absurd(uint64_t size)
{
	if (td_state.live && !state_is_busy())
		report_raise(TD_VIOLATION_ALLOCATION, 0, size, false, 0);
	return refuse();
}

static bool is_absurd(uint64_t size)
{
	return size > PTRDIFF_MAX;
}

static uint64_t number_start(uint32_t number)
{
	return number ? object_get(number)->start : 0;
}

static void *take(uint64_t size, uint64_t alignment, bool zero, const void *frame)
{
	if (is_absurd(size) || alignment > PTRDIFF_MAX - size)
		return refuse_absurd(size);
	if (!state_hold())
		return __libc_malloc ? take_library(size, alignment, zero) : alignment > TD_GRANULE ? refuse() : reserve_piece(size, zero);
	if (waiting_count)
		free_waiting();
	void *block = (void *)number_start(heap_take(size, alignment, zero, stack_at(frame)));
	state_leave();
	if (block)
		return block;
	if (__libc_malloc && !owner_is_whole()) /* under ulimit -v the heap is small: the rest is the library's */
		return take_library(size, alignment, zero);
	return refuse_room(size);
}

/* Why a pointer into the heap cannot be freed. */
static enum td_violation violation_of(const struct td_object *o, uint64_t address)
{
	if (!o || o->kind != TD_OBJECT_HEAP)
		return TD_VIOLATION_INVALID_FREE;
	if (o->start != address)
		return TD_VIOLATION_INTERIOR_FREE;
	return o->state == TD_OBJECT_GONE ? TD_VIOLATION_DOUBLE_FREE : TD_NO_VIOLATION;
}

/* Without a trace it ends as the C library would have it. */
static void complain(enum td_violation kind, void *block, uint32_t number)
{
	if (td_state.live)
		report_raise(kind, (uint64_t)block, 0, false, number);
	else
		kill((pid_t)syscall(SYS_getpid), SIGABRT);
}

/* Not in the heap. The C library would crash on most of what is not its own, but not on all. */
static bool is_library_block(void *block)
{
	if (!__libc_free || (uint64_t)block % TD_GRANULE)
		return false;
	if (!td_state.live || !state_hold())
		return true;
	bool known = object_at((uint64_t)block) != 0 || stack_has((uint64_t)block);
	state_leave();
	return !known;
}

/* With the lock, if it is a live block; else without, and 0. */
static uint32_t hold_block(void *block, enum td_violation if_gone)
{
	if (!state_hold())
		return 0;
	uint32_t n = object_at((uint64_t)block);
	enum td_violation why = violation_of(object_get(n), (uint64_t)block);
	if (why == TD_NO_VIOLATION)
		return n;
	state_leave();
	complain(why == TD_VIOLATION_DOUBLE_FREE ? if_gone : why, block, n);
	return 0;
}

static void give(void *block, const void *frame)
{
	if (is_reserve(block)) {
		reserve_give(block);
		return;
	}
	if (!heap_has((uint64_t)block)) {
		if (is_library_block(block))
			__libc_free(block);
		else
			complain(TD_VIOLATION_INVALID_FREE, block, 0);
		return;
	}
	if (state_is_busy()) {
		free_later(block);
		return;
	}
	uint32_t n = hold_block(block, TD_VIOLATION_DOUBLE_FREE);
	if (!n)
		return;
	heap_drop(n, stack_at(frame));
	state_leave();
}

/* A new block with what the old one holds, terms and all. A large one gets more than it asked for: it will grow again. */
static uint32_t move(uint32_t old, uint64_t size, uint32_t stack)
{
	uint64_t wide = size >= 1u << 15 && size > object_get(old)->size ? size + size / 4 : size, kept = object_get(old)->size;
	uint32_t n = heap_take(wide, TD_GRANULE, false, stack);
	if (!n && wide > size)
		n = heap_take(wide = size, TD_GRANULE, false, stack);
	if (!n)
		return 0;
	if (wide > size)
		heap_resize(n, size, stack);
	kept = kept < size ? kept : size;
	__builtin_memcpy((void *)object_get(n)->start, (const void *)object_get(old)->start, kept);
	if (!shadow_is_empty())
		shadow_copy(object_get(n)->start, object_get(old)->start, kept);
	heap_drop(old, stack);
	return n;
}

/* Elsewhere than in the heap, or to there, or in the middle of the runtime. */
static void *replace_odd(void *old, uint64_t size, const void *frame)
{
	if (!is_reserve(old) && !heap_has((uint64_t)old)) {
		if (is_library_block(old))
			return resize_library(old, size);
		complain(TD_VIOLATION_INVALID_FREE, old, 0);
		return refuse();
	}
	uint64_t kept = malloc_usable_size(old);
	void *block = take(size, TD_GRANULE, false, frame);
	if (!block)
		return NULL;
	kept = kept < size ? kept : size;
	__builtin_memcpy(block, old, kept);
	if (!shadow_is_empty() && state_hold()) {
		shadow_copy((uint64_t)block, (uint64_t)old, kept);
		state_leave();
	}
	give(old, frame);
	return block;
}

static void *replace(void *old, uint64_t size, const void *frame)
{
	if (is_absurd(size))
		return refuse_absurd(size);
	if (is_reserve(old) || !heap_has((uint64_t)old) || state_is_busy())
		return replace_odd(old, size, frame);
	uint32_t n = hold_block(old, TD_VIOLATION_FREED);
	if (!n)
		return refuse();
	uint32_t stack = stack_at(frame);
	if (!heap_resize(n, size, stack))
		n = move(n, size, stack);
	void *block = (void *)number_start(n);
	state_leave();
	if (!block && __libc_malloc && !owner_is_whole())
		return replace_odd(old, size, frame);
	return block ? block : refuse_room(size);
}

/* ---- the functions ---- */

static void *our_malloc(size_t size)
{
	return serves() ? take(size, TD_GRANULE, false, __builtin_frame_address(0)) : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	size_t bytes;
	if (!serves())
		return __libc_calloc(count, size);
	if (__builtin_mul_overflow(count, size, &bytes))
		return refuse_absurd(0);
	return take(bytes, TD_GRANULE, true, __builtin_frame_address(0));
}

static void our_free(void *block)
{
	if (!block)
		return;
	if (serves())
		give(block, __builtin_frame_address(0));
	else
		__libc_free(block);
}

static void *resize(void *old, size_t size, const void *frame)
{
	if (!old)
		return take(size, TD_GRANULE, false, frame);
	if (size)
		return replace(old, size, frame);
	give(old, frame);
	return NULL;
}

static void *our_realloc(void *old, size_t size)
{
	return serves() ? resize(old, size, __builtin_frame_address(0)) : __libc_realloc(old, size);
}

void *reallocarray(void *old, size_t count, size_t size)
{
	size_t bytes;
	if (__builtin_mul_overflow(count, size, &bytes))
		return serving ? refuse_absurd(0) : refuse();
	return serving ? resize(old, bytes, __builtin_frame_address(0)) : realloc(old, bytes); /* by name, as the library: it may be the program's */
}

static void *align(size_t alignment, size_t size, const void *frame)
{
	if (!serves())
		return __libc_memalign(alignment, size);
	if (alignment > PTRDIFF_MAX / 2 + 1) {
		errno = EINVAL;
		return NULL;
	}
	uint64_t power = TD_GRANULE;
	while (power < alignment)
		power *= 2;
	return take(size, power, false, frame);
}

void *memalign(size_t alignment, size_t size)
{
	return align(alignment, size, __builtin_frame_address(0));
}

void *aligned_alloc(size_t alignment, size_t size)
{
	return align(alignment, size, __builtin_frame_address(0));
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
	if (alignment % sizeof(void *) || !alignment || (alignment & (alignment - 1)))
		return EINVAL;
	int before = errno;
	void *p = align(alignment, size, __builtin_frame_address(0));
	errno = before;
	if (!p)
		return ENOMEM;
	*block = p;
	return 0;
}

void *valloc(size_t size)
{
	return align(SYSTEM_PAGE, size, __builtin_frame_address(0));
}

void *pvalloc(size_t size)
{
	if (is_absurd(size))
		return serving ? refuse_absurd(size) : refuse();
	return align(SYSTEM_PAGE, (size + SYSTEM_PAGE - 1) & ~(SYSTEM_PAGE - 1ull), __builtin_frame_address(0));
}

size_t malloc_usable_size(void *block)
{
	if (!block)
		return 0;
	if (is_reserve(block))
		return reserve_size(block);
	if (!heap_has((uint64_t)block))
		return library_size(block);
	bool held = state_hold();
	const struct td_object *o = object_get(object_at((uint64_t)block));
	size_t size = o && o->state == TD_OBJECT_LIVE ? o->size : 0;
	if (held)
		state_leave();
	return size;
}
