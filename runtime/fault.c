/* Crashes. As long as the program has no handler of its own for SIGSEGV, SIGBUS, SIGFPE and SIGILL, ours writes down what happened and
 * lets the signal end the process as it would have: whoever waits for it sees no difference.
 *
 * The program does not notice. sigaction and signal are taken over, weakly: ours is never returned, and comes back when the program wants the
 * default again. Children that fork keep it and are not traced: there it only steps out of the way; exec resets it.
 *
 * The handler has a stack of its own, so that it can tell when the program has used up its stack: in each thread that traced code
 * runs in. A program that has anything to do with alternate stacks would notice that, so it loses ours and has what it asks for. Stacks of threads
 * that are gone serve others. */
#include "object.h"
#include "reserve.h"
#include "system.h"
#include "tandem.h"
#include "thread.h"

#include <errno.h>
#include <signal.h>
#include <ucontext.h>

#define WEAK TD_EXPORT __attribute__((weak))

enum { LOWEST_ADDRESS = 1 << 16, STACK_SIZE = 1 << 16, LARGEST_FRAME = 64 << 20 };
enum { PAGE_FAULT = 14, WRITES = 2, FETCHES = 16 }; /* of the processor */
enum { SIGNALS = 4 };

extern int __sigaction(int number, const struct sigaction *new, struct sigaction *old);
extern sighandler_t bsd_signal(int number, sighandler_t handler);
extern sighandler_t sysv_signal(int number, sighandler_t handler);

WEAK int sigaction(int number, const struct sigaction *new, struct sigaction *old);
WEAK sighandler_t signal(int number, sighandler_t handler);
WEAK sighandler_t __sysv_signal(int number, sighandler_t handler);
WEAK int sigaltstack(const stack_t *new, stack_t *old);

static const int signals[SIGNALS] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
static struct sigaction believed[SIGNALS]; /* where ours is: what the program thinks there is */
static bool begun, aside;                  /* aside: alternate stacks are the program's business */

/* ---- what happened ---- */

/* The stack pointer has left the stack, or what it left below is the frame itself. */
static bool is_exhausted(uint64_t address, uint64_t sp, uint64_t frame)
{
	if (address >= sp && address < frame && frame - sp < LARGEST_FRAME)
		return true;
	return address - (sp - LOWEST_ADDRESS) < LARGEST_FRAME && !state_readable(sp - 8);
}

/* What the runtime has reserved for itself can be read as well. */
static bool is_read_only(uint64_t address)
{
	return state_readable(address) && !reserve_has(address);
}

static void explain_access(struct violation *v, const greg_t *g, uint64_t address)
{
	bool held = state_enter();
	uint32_t number = object_at(address);
	const struct td_object *o = object_get(number);
	if (held)
		state_leave();
	bool known = o && o->kind != TD_OBJECT_FOREIGN;
	v->address = address;
	v->write = g[REG_ERR] & WRITES;
	v->text = g[REG_ERR] & FETCHES ? "jump" : NULL;
	v->object = known ? number : 0;
	if (address < LOWEST_ADDRESS)
		v->kind = TD_VIOLATION_NULL;
	else if (!v->text && is_exhausted(address, (uint64_t)g[REG_RSP], (uint64_t)g[REG_RBP]))
		v->kind = TD_VIOLATION_STACK;
	else if (v->write && ((known && o->flags & TD_OBJECT_CONSTANT) || is_read_only(address)))
		v->kind = TD_VIOLATION_CONSTANT;
	else if (known && o->state == TD_OBJECT_GONE && o->kind != TD_OBJECT_STACK)
		v->kind = TD_VIOLATION_FREED;
	else
		v->kind = TD_VIOLATION_WILD;
}

static void explain(int number, const siginfo_t *info, const ucontext_t *context)
{
	const greg_t *g = context->uc_mcontext.gregs;
	struct violation v = {.kind = TD_VIOLATION_WILD, .context = context};
	if (number == SIGFPE)
		v.kind = TD_VIOLATION_DIVISION;
	else if (number == SIGILL)
		v.kind = TD_VIOLATION_ILLEGAL;
	else if (g[REG_TRAPNO] == PAGE_FAULT) /* else the address is none at all, and the processor does not say which */
		explain_access(&v, g, (uint64_t)info->si_addr);
	report_crash(&v);
}

/* Signals that somebody sent are no crash. */
static void handle(int number, siginfo_t *info, void *context)
{
	if (td_state.live && info->si_code > 0 && number == SIGSEGV && unit_hides((uint64_t)info->si_addr))
		tandem_stop();
	if (td_state.live && info->si_code > 0)
		explain(number, info, context);
	system_raise_default(number);
}

/* ---- handlers ---- */

static struct sigaction our_action(void)
{
	struct sigaction a = {.sa_flags = SA_SIGINFO | SA_ONSTACK};
	a.sa_sigaction = handle;
	__builtin_memset(&a.sa_mask, 255, sizeof a.sa_mask);
	return a;
}

/* Which of ours; -1: not our business. */
static int index_of(int number)
{
	for (int i = 0; begun && i < SIGNALS; i++)
		if (signals[i] == number)
			return i;
	return -1;
}

static bool is_ours(const stack_t *s)
{
	for (unsigned i = 0; i < TD_MAX_THREADS; i++)
		if (thread_get(i)->memory && s->ss_sp == thread_get(i)->memory)
			return true;
	return false;
}

static void step_aside(void)
{
	stack_t now, none = {.ss_flags = SS_DISABLE};
	if (aside || !begun)
		return;
	aside = true;
	system_call(SYS_sigaltstack, 0, (long)&now, 0, 0);
	if (is_ours(&now))
		system_call(SYS_sigaltstack, (long)&none, 0, 0, 0);
}

static int set_action(int number, const struct sigaction *new, struct sigaction *old)
{
	int i = index_of(number);
	struct sigaction wanted, before, ours;
	if (new && new->sa_flags & SA_ONSTACK)
		step_aside();
	if (i < 0)
		return __sigaction(number, new, old);
	if (new)
		wanted = *new;
	bool defaults = new && wanted.sa_handler == SIG_DFL && td_state.live;
	if (defaults)
		ours = our_action();
	int result = __sigaction(number, !new ? NULL : defaults ? &ours : &wanted, &before);
	if (result < 0)
		return result;
	if (before.sa_sigaction == handle)
		before = believed[i];
	if (defaults)
		believed[i] = wanted;
	if (old)
		*old = before;
	return result;
}

int sigaction(int number, const struct sigaction *new, struct sigaction *old)
{
	return set_action(number, new, old);
}

static sighandler_t set_handler(int number, sighandler_t handler, sighandler_t (*library)(int, sighandler_t))
{
	const struct sigaction none = {.sa_flags = 0};
	struct sigaction old;
	int i = index_of(number);
	if (i >= 0 && handler == SIG_DFL)
		return set_action(number, &none, &old) < 0 ? SIG_ERR : old.sa_handler;
	sighandler_t before = library(number, handler);
	return i >= 0 && (void *)before == (void *)handle ? believed[i].sa_handler : before;
}

sighandler_t signal(int number, sighandler_t handler)
{
	return set_handler(number, handler, bsd_signal);
}

sighandler_t __sysv_signal(int number, sighandler_t handler)
{
	return set_handler(number, handler, sysv_signal);
}

void fault_begin(void)
{
	const struct sigaction ours = our_action();
	for (unsigned i = 0; i < SIGNALS; i++)
		if (__sigaction(signals[i], NULL, &believed[i]) == 0 && believed[i].sa_handler == SIG_DFL)
			__sigaction(signals[i], &ours, NULL);
	begun = true;
	fault_thread();
}

/* ---- stacks ---- */

void fault_thread(void)
{
	struct thread *t = thread_here();
	stack_t now;
	if (!t || !begun || aside || system_call(SYS_sigaltstack, 0, (long)&now, 0, 0) || !(now.ss_flags & SS_DISABLE))
		return;
	if (!t->memory && !(t->memory = state_map(STACK_SIZE)))
		return;
	const stack_t ours = {.ss_sp = t->memory, .ss_size = STACK_SIZE};
	system_call(SYS_sigaltstack, (long)&ours, 0, 0, 0);
}

int sigaltstack(const stack_t *new, stack_t *old)
{
	stack_t before;
	long result = system_call(SYS_sigaltstack, (long)new, (long)&before, 0, 0);
	if (result) {
		errno = (int)-result;
		return -1;
	}
	aside |= begun && new;
	if (old)
		*old = is_ours(&before) ? (stack_t){.ss_flags = SS_DISABLE} : before;
	return 0;
}
