/* What is said when the program breaks a rule, and how the run ends then. A record (contract/report.h) is filled in place in the
 * trace; the count is stored last. After that the process ends by SIGABRT, whatever the program thinks of that signal, unless
 * the host wants the run to go on: then a violation is told once per place, and the caller goes on.
 *
 * The call stack is that of traced code: frame pointers are followed from here, and what lies in the runtime's own section
 * is left out, wherever it is. The program may have written over its stack and uninstrumented code keeps other things in that register, so
 * nothing found there is believed: a frame lies above the one before, can be read, and its return address is behind a call in code of a loaded
 * module; the first that is not ends the walk.
 *
 * A crash (fault.c) is told in the same way, from the registers it interrupted, and ends as it would have; what is told when the program is over
 * (leak.c) changes nothing.
 *
 * May be called inside and outside of state_enter, in any thread, in signal handlers. Signals wait meanwhile; of two threads the second
 * waits for the first. Nobody holds the lock of the runtime here: a thread that holds the loader's, which is asked for its modules, may
 * wait for ours. */
#include "object.h"
#include "system.h"

#include <link.h>
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

/* All code of the runtime: the Makefile renames its section. */
extern const char __start___td_code[] __attribute__((weak, visibility("hidden")));
extern const char __stop___td_code[] __attribute__((weak, visibility("hidden")));

/* ---- the end ---- */

static uint64_t set_mask(int how, uint64_t mask)
{
	uint64_t old = 0;
	system_call(SYS_rt_sigprocmask, how, (long)&mask, (long)&old, sizeof mask);
	return old;
}

_Noreturn static void end_run(void)
{
	for (unsigned tries = 0; tries < 100; tries++) { /* another thread may be setting a handler */
		system_raise_default(SIGABRT);
		set_mask(SIG_UNBLOCK, 1ull << (SIGABRT - 1));
	}
	for (;;)
		system_call(SYS_exit_group, 128 + SIGABRT, 0, 0, 0);
}

/* ---- parts of a record ---- */

/* With a NUL, cut off if need be. */
static void put_text(char *to, uint64_t room, const char *text)
{
	uint64_t i = 0, at = (uint64_t)text;
	for (; text && i + 1 < room && ((i && (at + i) % 8) || state_readable(at + i)) && text[i]; i++)
		to[i] = text[i];
	to[i] = 0;
}

static void put_path(char path[TD_REPORT_PATH_SIZE], const char *name)
{
	long n = 0;
	path[0] = 0;
	if (name[0] && name[0] != '/') {
		n = system_call(SYS_getcwd, (long)path, TD_REPORT_PATH_SIZE - 1, 0, 0); /* counts the NUL */
		n = n > 0 && path[0] == '/' ? n : 0;
		if (n)
			path[n - 1] = '/';
	}
	uint64_t i = (uint64_t)n, k = 0;
	while (i < TD_REPORT_PATH_SIZE && (path[i] = name[k]))
		i++, k++;
	if (i == TD_REPORT_PATH_SIZE) /* half a path is none */
		path[0] = 0;
}

static int put_module(struct dl_phdr_info *object, size_t size, void *context)
{
	struct td_report *r = context;
	struct td_report_module *m = &r->modules[r->modules_count];
	(void)size;
	if (r->modules_count == TD_REPORT_MODULES)
		return 1;
	m->start = UINT64_MAX;
	m->end = 0;
	m->bias = object->dlpi_addr;
	for (unsigned i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *h = &object->dlpi_phdr[i];
		uint64_t start = m->bias + h->p_vaddr, end = start + h->p_memsz;
		if (h->p_type != PT_LOAD || !(h->p_flags & PF_X))
			continue;
		m->start = start < m->start ? start : m->start;
		m->end = end > m->end ? end : m->end;
	}
	if (m->start >= m->end)
		return 0;
	put_path(m->path, object->dlpi_name ? object->dlpi_name : "");
	r->modules_count++;
	return 0;
}

static bool is_code(const struct td_report *r, uint64_t address);
static bool is_behind_call(uint64_t address);

/* One that was kept: uninstrumented code may have had something else where a frame was looked for. */
static void put_kept(struct td_report *r, enum td_report_where where, uint32_t number)
{
	struct td_report_stack *s = &r->stacks[where];
	uint32_t n = number ? stack_get(number, s->frames, TD_REPORT_FRAMES) : 0;
	for (s->count = 0; s->count < n && is_code(r, s->frames[s->count]) && is_behind_call(s->frames[s->count]);)
		s->count++;
}

static void put_object(struct td_report *r, const struct violation *v)
{
	const struct td_object *o = v->object ? object_get(v->object) : NULL;
	r->object = (struct td_report_object){0};
	r->planned = o && unit_is_wanted() ? unit_object_at(o->start) : 0;
	r->stacks[TD_WHERE_MADE].count = r->stacks[TD_WHERE_GONE].count = 0;
	if (!o) {
		r->object.kind = (uint8_t)v->variable.kind;
		r->object.start = v->variable.start;
		r->object.size = v->variable.size;
		return;
	}
	r->object.number = v->object;
	r->object.serial = o->serial;
	r->object.start = o->start;
	r->object.size = o->size;
	r->object.flags = o->flags;
	r->object.kind = o->kind;
	r->object.state = o->state;
	put_text(r->object.name, TD_REPORT_NAME_SIZE, o->name);
	if (o->kind == TD_OBJECT_STACK && r->object.name[0] && state_readable((uint64_t)o->name - sizeof r->object.place))
		r->object.place = *(const uint32_t *)(const void *)(o->name - sizeof r->object.place);
	put_kept(r, TD_WHERE_MADE, o->made);
	put_kept(r, TD_WHERE_GONE, o->gone);
}

/* ---- the present call stack ---- */

static bool is_code(const struct td_report *r, uint64_t address)
{
	for (uint32_t i = 0; i < r->modules_count; i++)
		if (address - r->modules[i].start < r->modules[i].end - r->modules[i].start)
			return true;
	return false;
}

static bool is_ours(uint64_t address)
{
	return address - (uint64_t)__start___td_code < (uint64_t)(__stop___td_code - __start___td_code);
}

/* Is there a call before it? CALL rel32, or CALL through a register or memory, whatever its length. */
static bool is_behind_call(uint64_t address)
{
	const uint8_t *p = (const uint8_t *)address;
	if (!state_readable(address - 7) || !state_readable(address - 1))
		return false;
	if (p[-5] == 0xe8)
		return true;
	for (int n = 2; n <= 7; n++)
		if (p[-n] == 0xff && (p[1 - n] & 0x38) == 0x10)
			return true;
	return false;
}

/* Where a signal handler returns to: mov $15, %rax; syscall. The context it interrupted is behind the return address. */
static bool is_trampoline(uint64_t address)
{
	static const uint8_t code[] = {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05};
	const uint8_t *p = (const uint8_t *)address;
	if (!state_readable(address) || !state_readable(address + sizeof code))
		return false;
	for (unsigned i = 0; i < sizeof code; i++)
		if (p[i] != code[i])
			return false;
	return true;
}

static void put_frame(struct td_report_stack *s, uint64_t address)
{
	if (s->count < TD_REPORT_FRAMES && !is_ours(address))
		s->frames[s->count++] = address;
}

/* The instruction itself; who reads frames looks before a return address. */
static void put_interrupted(struct td_report_stack *s, uint64_t frame)
{
	const ucontext_t *context = (const ucontext_t *)(frame + 16);
	uint64_t last = (uint64_t)&context->uc_mcontext.gregs[REG_RIP];
	if (state_readable(last))
		put_frame(s, (uint64_t)context->uc_mcontext.gregs[REG_RIP] + 1);
}

/* Has the function a frame of its own at this instruction? Not before it made one, and not in code without frame pointers. */
static bool has_frame(uint64_t pc)
{
	return (is_ours(pc) || module_runs(pc)) && state_readable(pc) && *(const uint8_t *)pc != 0x55; /* push %rbp */
}

/* The frame to go on from, or 0. Without one of its own, the innermost function is a leaf, or has just been called, if a return address lies on
 * top of the stack. */
static uint64_t put_context(const struct td_report *r, struct td_report_stack *s, const ucontext_t *context)
{
	const greg_t *g = context->uc_mcontext.gregs;
	uint64_t pc = (uint64_t)g[REG_RIP], sp = (uint64_t)g[REG_RSP], frame = (uint64_t)g[REG_RBP];
	if (is_code(r, pc)) /* else it is the address that cannot be executed */
		put_frame(s, pc + 1);
	if (!has_frame(pc) && sp % 8 == 0 && state_readable(sp)) {
		uint64_t back = *(const uint64_t *)sp;
		if (is_code(r, back) && is_behind_call(back))
			put_frame(s, back);
	}
	return frame >= sp ? frame : 0;
}

static void put_stack(struct td_report *r, const struct violation *v)
{
	struct td_report_stack *s = &r->stacks[TD_WHERE_HAPPENED];
	s->count = 0;
	s->place = v->place;
	uint64_t at = v->context ? put_context(r, s, v->context) : (uint64_t)v->frame, last = 0;
	while (s->count < TD_REPORT_FRAMES && at % 8 == 0 && at > last && state_readable(at) && state_readable(at + 8)) {
		const uint64_t *words = (const uint64_t *)at;
		if (!is_code(r, words[1]))
			break;
		if (is_trampoline(words[1]))
			put_interrupted(s, at);
		else if (is_behind_call(words[1]))
			put_frame(s, words[1]);
		else
			break;
		last = at;
		at = words[0];
	}
}

/* What does not hold and should have: said (safety.c) just before that was found out. */
static void put_terms(struct td_report *r, uint32_t first)
{
	unsigned n = first != 0;
	for (unsigned i = 0; i < TD_REPORT_TERMS; i++)
		r->terms[i] = 0;
	r->terms[0] = first;
	for (uint32_t i = r->events; i > 0 && td_state.events[i - 1].kind == TD_EV_SAFETY && n < TD_REPORT_TERMS; i--)
		if (td_state.events[i - 1].sub == r->violation && !td_state.events[i - 1].value)
			r->terms[n++] = td_state.events[i - 1].node;
}

/* ---- one record ---- */

/* The same place: the innermost frames, of which the first few may be a model's. */
static bool is_same_place(const struct td_report_stack *a, const struct td_report_stack *b)
{
	for (unsigned i = 0; i < 4 && (i < a->count || i < b->count); i++)
		if (i >= a->count || i >= b->count || a->frames[i] != b->frames[i])
			return false;
	return true;
}

/* Who goes on after a violation may crash of it, at the same address. A leak has no place where it happened. */
static bool is_told(const struct td_report *new, uint32_t before, const struct violation *v)
{
	for (const struct td_report *old = td_state.reports; old < td_state.reports + before && new->violation != TD_VIOLATION_LEAK; old++)
		if (old->violation == new->violation && (v->context ? old->address == new->address
		                                                    : is_same_place(&old->stacks[TD_WHERE_HAPPENED], &new->stacks[TD_WHERE_HAPPENED])))
			return true;
	return false;
}

static void fill(const struct violation *v)
{
	struct td_header *h = td_state.header;
	uint32_t count = h->reports;
	struct td_report *r = &td_state.reports[count];
	if (count >= TD_MAX_REPORTS)
		return;
	r->violation = (uint32_t)v->kind;
	r->write = v->write;
	r->library = v->library;
	r->thread = state_thread();
	r->address = v->address;
	r->bytes = v->bytes;
	r->events = h->events;
	r->member_start = v->member;
	r->member_size = v->member_size;
	put_terms(r, v->term);
	put_text(r->text, TD_REPORT_TEXT_SIZE, v->text);
	r->modules_count = 0;
	dl_iterate_phdr(put_module, r);
	put_stack(r, v);
	put_object(r, v);
	r->stacks[TD_WHERE_MADE].place = r->stacks[TD_WHERE_GONE].place = 0;
	if (!is_told(r, count, v))
		__atomic_store_n(&h->reports, count + 1, __ATOMIC_RELEASE);
}

enum after { GOES_ON, ENDS, CRASHES };

static void tell(const struct violation *v, enum after after)
{
	static bool taken; /* by the thread that is reporting */
	if (!td_state.live)
		return;
	uint64_t mask = set_mask(SIG_BLOCK, UINT64_MAX);
	bool inside = state_pause();
	while (__atomic_test_and_set(&taken, __ATOMIC_ACQUIRE))
		system_call(SYS_sched_yield, 0, 0, 0, 0);
	fill(v);
	if (after == ENDS)
		end_run();
	if (after == CRASHES) /* nobody else has anything to say any more */
		return;
	__atomic_clear(&taken, __ATOMIC_RELEASE);
	state_resume(inside);
	set_mask(SIG_SETMASK, mask);
}

void report_violation(const struct violation *v)
{
	tell(v, td_state.live && !(td_state.header->flags & TD_GO_ON) ? ENDS : GOES_ON);
}

void report_crash(const struct violation *v)
{
	tell(v, CRASHES);
}

void report_note(const struct violation *v)
{
	tell(v, GOES_ON);
}

void report_raise(enum td_violation kind, uint64_t address, uint64_t size, bool write, uint32_t object)
{
	struct violation v = {.kind = kind, .address = address, .bytes = size, .write = write, .object = object, .frame = __builtin_frame_address(0)};
	report_violation(&v);
}

/* For the model of assert. */
void __td_assertion(const char *text)
{
	struct violation v = {.kind = TD_VIOLATION_ASSERT, .text = text, .frame = __builtin_frame_address(0)};
	report_violation(&v);
}

uint32_t __td_goes_on(void)
{
	return !td_state.live || (td_state.header->flags & TD_GO_ON);
}
