/* What differs from run to run is fixed in traced runs, unless they are to go unnoticed (TD_REAL_WORLD): the process has a fixed number, randomness is a fixed sequence, and the clock starts at a fixed moment and
 * advances by a millisecond whenever it is looked at, so that loops that wait for time to pass end. */
#include "model.h"

#include "contract/trace.h"

#include <errno.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static uint64_t sequence = 0x9E3779B97F4A7C15ull;

static uint64_t next_random(void)
{
	uint64_t real;
	if (!__td_fixed() && getrandom(&real, sizeof real, 0) == (ssize_t)sizeof real)
		return real;
	sequence ^= sequence << 13;
	sequence ^= sequence >> 7;
	sequence ^= sequence << 17;
	return sequence;
}

static void fill_random(void *buffer, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((byte *)buffer)[i] = (byte)next_random();
}

ssize_t MODEL(getrandom)(void *buffer, size_t n, unsigned flags)
{
	(void)flags;
	fill_random(buffer, n);
	return (ssize_t)n;
}

int MODEL(getentropy)(void *buffer, size_t n)
{
	if (n > 256) {
		errno = EIO;
		return -1;
	}
	fill_random(buffer, n);
	return 0;
}

void MODEL(arc4random_buf)(void *buffer, size_t n)
{
	fill_random(buffer, n);
}

uint32_t MODEL(arc4random)(void)
{
	return (uint32_t)next_random();
}

uint32_t MODEL(arc4random_uniform)(uint32_t limit)
{
	return limit ? (uint32_t)next_random() % limit : 0;
}

enum { FIXED_PID = 4242 }; /* of the process that is traced; its children have their own */

pid_t MODEL(getpid)(void)
{
	return __td_fixed() ? FIXED_PID : getpid();
}

/* The program may send signals to itself by that number. */
int MODEL(kill)(pid_t pid, int signal)
{
	return kill(pid == FIXED_PID && __td_fixed() ? getpid() : pid, signal);
}

static struct timespec look(void)
{
	static uint64_t ms = TD_BEGINS * 1000ull;
	ms++;
	return (struct timespec){(time_t)(ms / 1000), (long)(ms % 1000 * 1000000)};
}

time_t MODEL(time)(time_t *to)
{
	time_t now = __td_fixed() ? look().tv_sec : time(NULL);
	if (to)
		*to = now;
	return now;
}

int MODEL(gettimeofday)(struct timeval *to, void *zone)
{
	if (!__td_fixed())
		return gettimeofday(to, zone);
	struct timespec now = look();
	to->tv_sec = now.tv_sec;
	to->tv_usec = now.tv_nsec / 1000;
	return 0;
}

int MODEL(clock_gettime)(clockid_t clock, struct timespec *to)
{
	if (!__td_fixed())
		return clock_gettime(clock, to);
	*to = look();
	return 0;
}

clock_t MODEL(clock)(void)
{
	return !__td_fixed() ? clock() : (clock_t)(look().tv_nsec / 1000);
}
