/* Threads, remembered when they first come into the runtime. They can be made to stand still: a signal that the C library keeps for itself,
 * and no program can block, makes them wait in a handler, their registers on their stacks. */
#include "thread.h"

#include "system.h"

#include <errno.h>
#include <signal.h>

enum { STOP = 33, PATIENCE = 20000, RESTORER = 0x04000000 };

static struct thread threads[TD_MAX_THREADS];
static bool crowded; /* some were not remembered */
static bool stopping;

struct thread *thread_get(unsigned number)
{
	return &threads[number];
}

static long process(void)
{
	return system_call(SYS_getpid, 0, 0, 0, 0);
}

static long id_of(unsigned number)
{
	return number ? threads[number].id : process();
}

bool thread_is_live(unsigned number)
{
	return threads[number].id && system_call(SYS_tgkill, process(), id_of(number), 0, 0) != -ESRCH;
}

struct thread *thread_here(void)
{
	long id = system_call(SYS_gettid, 0, 0, 0, 0);
	unsigned i = id != process();
	while (i && i < TD_MAX_THREADS && threads[i].id != id && thread_is_live(i))
		i++;
	crowded |= i == TD_MAX_THREADS;
	if (i == TD_MAX_THREADS)
		return NULL;
	threads[i].id = id;
	return &threads[i];
}

uint64_t thread_block(void)
{
	uint64_t block;
	__asm__("mov %%fs:0, %0" : "=r"(block));
	return block;
}

/* ---- standing still ---- */

__attribute__((naked)) static void go_back(void)
{
	__asm__("mov $15, %rax\n\tsyscall");
}

static void wait_here(int number)
{
	long id = system_call(SYS_gettid, 0, 0, 0, 0);
	(void)number;
	for (unsigned i = 0; i < TD_MAX_THREADS; i++) {
		if (!threads[i].id || id_of(i) != id)
			continue;
		threads[i].sp = (uint64_t)__builtin_frame_address(0);
		threads[i].block = thread_block();
		__atomic_store_n(&threads[i].stopped, true, __ATOMIC_RELEASE);
	}
	while (__atomic_load_n(&stopping, __ATOMIC_ACQUIRE))
		system_call(SYS_sched_yield, 0, 0, 0, 0);
}

static bool has_stopped(unsigned number)
{
	for (unsigned i = 0; i < PATIENCE; i++) {
		if (__atomic_load_n(&threads[number].stopped, __ATOMIC_ACQUIRE) || !thread_is_live(number))
			return true;
		system_call(SYS_sched_yield, 0, 0, 0, 0);
	}
	return false;
}

bool thread_stop_others(void)
{
	const struct system_action action = {(void *)wait_here, SA_RESTART | RESTORER, (void *)go_back, UINT64_MAX};
	long here = system_call(SYS_gettid, 0, 0, 0, 0);
	bool all = !crowded;
	stopping = true;
	system_call(SYS_rt_sigaction, STOP, (long)&action, 0, sizeof action.mask);
	for (unsigned i = 0; i < TD_MAX_THREADS; i++) {
		threads[i].stopped = false;
		if (threads[i].id && id_of(i) != here)
			system_call(SYS_tgkill, process(), id_of(i), STOP, 0);
	}
	for (unsigned i = 0; i < TD_MAX_THREADS; i++)
		all = (!threads[i].id || id_of(i) == here || has_stopped(i)) && all;
	return all;
}

void thread_release(void)
{
	__atomic_store_n(&stopping, false, __ATOMIC_RELEASE);
}
