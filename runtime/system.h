/* System calls of the runtime where the C library's functions will not do: errno is the program's, and so are its tables of signal handlers. */
#ifndef TANDEM_RUNTIME_SYSTEM_H
#define TANDEM_RUNTIME_SYSTEM_H

#include <stdint.h>
#include <sys/syscall.h>

static inline long system_call(long number, long a, long b, long c, long d)
{
	long result;
	register long fourth __asm__("r10") = d;
	__asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth) : "rcx", "r11", "memory");
	return result;
}

/* As the kernel has it. */
struct system_action { void *handler; uint64_t flags; void *restorer; uint64_t mask; };

/* From now on this signal does what it does to a program that knows nothing of it, and it has come. */
static inline void system_raise_default(int number)
{
	const struct system_action ordinary = {0};
	system_call(SYS_rt_sigaction, number, (long)&ordinary, 0, sizeof ordinary.mask);
	system_call(SYS_tgkill, system_call(SYS_getpid, 0, 0, 0, 0), system_call(SYS_gettid, 0, 0, 0, 0), number, 0);
}

#endif
