/* Entry to and exit from the runtime: one thread at a time, never nested. See state.h. */
#include "pages.h"

#include <sys/mman.h>
#include <sys/single_threaded.h>
#include <sys/syscall.h>
#include <unistd.h>

struct state td_state;

TD_EXPORT __thread struct td_slots __td_slots __attribute__((tls_model("initial-exec")));
TD_EXPORT uint32_t __td_force;

static __thread bool busy __attribute__((tls_model("initial-exec")));
static __thread bool numbered __attribute__((tls_model("initial-exec")));
static __thread uint16_t thread_number __attribute__((tls_model("initial-exec")));
static bool locked;
static uint16_t threads;

/* There is more than one thread, and this one is new here. The first one of the process has number 0, whenever it comes. */
static void note_thread(void)
{
	static bool noted;
	numbered = true;
	if (!noted)
		event_add(TD_EV_NOTE, TD_NOTE_THREADS, TD_NO_SITE, 0, 0, 0);
	noted = true;
	if (syscall(SYS_gettid) == syscall(SYS_getpid))
		return;
	thread_number = ++threads;
	fault_thread();
}

uint32_t __td_fixed(void)
{
	return td_state.live && !(td_state.header->flags & TD_REAL_WORLD);
}

bool state_is_busy(void)
{
	return busy;
}

bool state_hold(void)
{
	if (busy)
		return false;
	busy = true;
	__asm__ volatile("" ::: "memory");
	if (!__libc_single_threaded)
		while (__atomic_test_and_set(&locked, __ATOMIC_ACQUIRE))
			;
	return true;
}

bool state_enter(void)
{
	if (!td_state.live)
		return false;
	if (!state_hold()) {
		state_count(TD_COUNT_NESTED);
		return false;
	}
	if (!__libc_single_threaded && !numbered)
		note_thread();
	return true;
}

void state_leave(void)
{
	if (!__libc_single_threaded)
		__atomic_clear(&locked, __ATOMIC_RELEASE);
	__asm__ volatile("" ::: "memory");
	busy = false;
}

/* Handlers that interrupt this thread stay outside. Who was never inside has been now, and has a number. */
bool state_pause(void)
{
	bool inside = busy;
	if (inside && !__libc_single_threaded)
		__atomic_clear(&locked, __ATOMIC_RELEASE);
	if (!inside && state_enter())
		state_leave();
	return inside;
}

void state_resume(bool inside)
{
	while (inside && !__libc_single_threaded && __atomic_test_and_set(&locked, __ATOMIC_ACQUIRE))
		;
}

void state_unlock(void)
{
	__atomic_clear(&locked, __ATOMIC_RELEASE);
	busy = false;
}

uint16_t state_thread(void)
{
	return thread_number;
}

void state_count(enum td_counter counter)
{
	td_state.header->counters[counter]++;
}

/* rt_sigprocmask reads its second argument before it finds fault with the first. errno is the program's: no library call. */
bool state_readable(uint64_t address)
{
	const long fault = -14;
	long result;
	register uint64_t size __asm__("r10") = 8;
	address &= ~7ull;
	__asm__ volatile("syscall" : "=a"(result) : "a"(SYS_rt_sigprocmask), "D"(-1L), "S"(address), "d"(0L), "r"(size) : "rcx", "r11", "memory");
	return result != fault;
}

void *state_map(uint64_t bytes)
{
	return pages_map(0, bytes, PROT_READ | PROT_WRITE);
}
