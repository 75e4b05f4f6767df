/* Blocks that nobody can reach when the program is over: as LeakSanitizer finds them. What is in registers, on stacks, in thread-local memory, in
 * writable segments, in arguments and environment is reachable; so is what a reachable block points to, anywhere into it or one past its end.
 * Words are taken for pointers if they might be, so some leaks are missed, but none is made up.
 *
 * Happens after the functions that the program has registered with atexit, and before destructors, as there; other threads stand still meanwhile. Each
 * allocation stack is told once: where no frame is of instrumented code, not at all. The run ends as it would have.
 *
 * While it lasts, `next` of a live block says what became of it. */
#include "heap.h"
#include "thread.h"

#include <link.h>

enum { MAX_SEGMENTS = 1024, PAGE = 4096, DEEPEST = 64 << 20, UNKNOWN_STACK = 1 << 20, BEFORE_BLOCK = 1 << 16, BLOCK = 2304, MAX_GROUPS = 1024, TEXT = 96 };
/* More than any number. Zero: lost, and not told of. */
#define REACHED UINT32_MAX
#define INDIRECT (UINT32_MAX - 1)
#define COUNTED (UINT32_MAX - 2)
#define LAST REACHED /* of the list of those to look into */

extern int __cxa_atexit(void (*function)(void *), void *argument, void *module);

/* Our own variables, which point into the heap as well. */
extern const char __start___td_memory[] __attribute__((weak, visibility("hidden")));
extern const char __stop___td_memory[] __attribute__((weak, visibility("hidden")));

struct range { uint64_t start, end; };

static struct { unsigned count; struct range at[MAX_SEGMENTS]; } segments;
static uint32_t list;

/* ---- what can be reached ---- */

static struct td_object *block_at(uint64_t address)
{
	if (!heap_has(address))
		return NULL;
	struct td_object *o = object_get(object_at(address));
	return o && o->kind == TD_OBJECT_HEAP && o->state == TD_OBJECT_LIVE && address - o->start <= o->size ? o : NULL;
}

static void reach(uint64_t word)
{
	struct td_object *o = block_at(word);
	if (!o || o->next)
		return;
	o->next = list;
	list = object_at(word);
}

static void reach_all(uint64_t start, uint64_t end)
{
	for (uint64_t at = (start + 7) & ~7ull; at + 8 <= end; at += 8)
		reach(*(const uint64_t *)at);
}

/* Up to the first page that cannot be read. */
static void reach_readable(uint64_t start, uint64_t end)
{
	for (uint64_t limit; start < end && state_readable(start); start = limit) {
		limit = (start | (PAGE - 1)) + 1 < end ? (start | (PAGE - 1)) + 1 : end;
		reach_all(start, limit);
	}
}

/* Thread-local memory lies before the control block, and at the end of the stack if the C library made it. */
static void reach_thread(uint64_t sp, uint64_t block)
{
	uint64_t end = block - sp < DEEPEST ? block : stack_end() - sp < DEEPEST ? stack_end() : sp + UNKNOWN_STACK, low = block;
	while (block - low < BEFORE_BLOCK && state_readable((low - 1) & ~(PAGE - 1ull)))
		low = (low - 1) & ~(PAGE - 1ull);
	reach_readable(sp, end);
	reach_readable(low, block + BLOCK);
}

static void reach_others(void)
{
	for (unsigned i = 0; i < TD_MAX_THREADS; i++)
		if (thread_get(i)->stopped)
			reach_thread(thread_get(i)->sp, thread_get(i)->block);
}

static void reach_objects(void)
{
	const struct td_object *o;
	for (uint32_t n = 0; (o = object_next(&n));)
		if (o->state == TD_OBJECT_LIVE && (o->kind == TD_OBJECT_ARGUMENT || o->kind == TD_OBJECT_ENVIRONMENT))
			reach_readable(o->start, o->start + o->size);
}

static int add_segments(struct dl_phdr_info *module, size_t size, void *context)
{
	(void)size, (void)context;
	for (unsigned i = 0; i < module->dlpi_phnum; i++) {
		const ElfW(Phdr) *h = &module->dlpi_phdr[i];
		if (h->p_type != PT_LOAD || !(h->p_flags & PF_W) || segments.count == MAX_SEGMENTS)
			continue;
		uint64_t start = module->dlpi_addr + h->p_vaddr;
		segments.at[segments.count++] = (struct range){start, start + h->p_memsz};
	}
	return 0;
}

static void reach_segment(struct range r)
{
	uint64_t ours = (uint64_t)__start___td_memory, end = (uint64_t)__stop___td_memory;
	bool has_ours = ours >= r.start && end <= r.end && ours < end;
	reach_readable(r.start, has_ours ? ours : r.end);
	if (has_ours)
		reach_readable(end, r.end);
}

static void follow(void)
{
	while (list != LAST) {
		struct td_object *o = object_get(list);
		list = o->next;
		o->next = REACHED;
		reach_all(o->start, o->start + o->size);
	}
}

__attribute__((noinline)) static void reach_everything(void)
{
	uint64_t registers[6];
	__asm__ volatile("mov %%rbx, %0\n\tmov %%rbp, %1\n\tmov %%r12, %2\n\tmov %%r13, %3\n\tmov %%r14, %4\n\tmov %%r15, %5"
	                 : "=m"(registers[0]), "=m"(registers[1]), "=m"(registers[2]), "=m"(registers[3]), "=m"(registers[4]), "=m"(registers[5]));
	list = LAST;
	reach_all((uint64_t)registers, (uint64_t)(registers + 6));
	reach_thread(td_state.returned ? td_state.returned : (uint64_t)__builtin_frame_address(0), thread_block());
	reach_others();
	reach_objects();
	for (unsigned i = 0; i < segments.count; i++)
		reach_segment(segments.at[i]);
	follow();
}

/* ---- what cannot ---- */

static struct td_object *next_lost(uint32_t *number)
{
	struct td_object *o;
	while ((o = object_next(number)))
		if (o->kind == TD_OBJECT_HEAP && o->state == TD_OBJECT_LIVE && o->next != REACHED)
			return o;
	return NULL;
}

/* Those that only lost ones point to. */
static void find_indirect(void)
{
	const struct td_object *o;
	for (uint32_t n = 0; (o = next_lost(&n));)
		for (uint64_t at = o->start; at + 8 <= o->start + o->size; at += 8) {
			struct td_object *other = block_at(*(const uint64_t *)at);
			if (other && other != o && !other->next)
				other->next = INDIRECT;
		}
}

struct group { uint32_t number; bool indirect; uint64_t bytes, blocks; };

/* The oldest that was not counted yet; direct ones first. */
static uint32_t find_oldest(void)
{
	const struct td_object *o, *best = NULL;
	uint32_t number = 0;
	for (uint32_t n = 0; (o = next_lost(&n));) {
		if (o->next == COUNTED || (best && (o->next != best->next ? o->next > best->next : o->serial > best->serial)))
			continue;
		best = o;
		number = n;
	}
	return number;
}

/* All of the same stack. */
static struct group count(uint32_t first)
{
	struct group g = {.number = first, .indirect = object_get(first)->next == INDIRECT};
	struct td_object *o;
	for (uint32_t n = 0; (o = next_lost(&n));)
		if (o->next != COUNTED && o->made == object_get(first)->made) {
			o->next = COUNTED;
			g.bytes += o->size;
			g.blocks++;
		}
	return g;
}

static bool is_programs(uint32_t stack)
{
	uint64_t frames[TD_REPORT_FRAMES];
	uint32_t n = stack_get(stack, frames, TD_REPORT_FRAMES);
	for (uint32_t i = 0; i < n; i++)
		if (module_runs(frames[i]))
			return true;
	return false;
}

static unsigned find_groups(struct group groups[TD_MAX_REPORTS])
{
	unsigned n = 0;
	find_indirect();
	for (unsigned tries = 0; tries < MAX_GROUPS && n < TD_MAX_REPORTS; tries++) {
		uint32_t first = find_oldest();
		if (!first)
			break;
		groups[n] = count(first);
		n += is_programs(object_get(first)->made);
	}
	return n;
}

static void forget_all(void)
{
	struct td_object *o;
	for (uint32_t n = 0; (o = object_next(&n));)
		if (o->kind == TD_OBJECT_HEAP && o->state == TD_OBJECT_LIVE)
			o->next = 0;
}

/* ---- what is said ---- */

static char *put(char *to, const char *text)
{
	while (*text)
		*to++ = *text++;
	return to;
}

static char *put_number(char *to, uint64_t n)
{
	char digits[24], *d = digits + sizeof digits;
	*--d = 0;
	do
		*--d = (char)('0' + n % 10);
	while (n /= 10);
	return put(to, d);
}

static void say(const struct group *g)
{
	char text[TEXT], *to = put_number(text, g->bytes);
	to = put(to, g->bytes == 1 ? " byte in " : " bytes in ");
	to = put_number(to, g->blocks);
	to = put(to, g->blocks == 1 ? " block" : " blocks");
	to = put(to, g->indirect ? ", reachable from lost ones only" : "");
	*to = 0;
	report_note(&(struct violation){.kind = TD_VIOLATION_LEAK, .object = g->number, .text = text});
}

/* No lock is held while the loader is asked, here and for the reports: a thread may hold the loader's. */
static void check(void *unused)
{
	struct group groups[TD_MAX_REPORTS];
	unsigned n = 0;
	(void)unused;
	segments.count = 0;
	dl_iterate_phdr(add_segments, NULL);
	if (!state_enter())
		return;
	if (thread_stop_others()) {
		reach_everything();
		n = find_groups(groups);
		forget_all();
	}
	thread_release();
	state_leave();
	for (unsigned i = 0; i < n; i++)
		say(&groups[i]);
}

void leak_begin(void)
{
	if (td_state.header->flags & TD_LEAKS)
		__cxa_atexit(check, NULL, NULL);
}
