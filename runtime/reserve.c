/* See reserve.h. All of this may happen inside of hooks: errno is the program's, and stays as it is. */
#include "reserve.h"

#include <sys/mman.h>
#include <sys/syscall.h>

enum { MAX_TAKEN = 8 };

static long call(long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	long result;
	register uint64_t fourth __asm__("r10") = d;
	register uint64_t fifth __asm__("r8") = (uint64_t)-1; /* of mmap: no file */
	register uint64_t sixth __asm__("r9") = 0;
	__asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth), "r"(sixth) : "rcx", "r11", "memory");
	return result;
}

static char *map(uint64_t wish, uint64_t size)
{
	uint64_t flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
	long at = wish ? call(SYS_mmap, wish, size, PROT_READ, flags | MAP_FIXED_NOREPLACE) : -1;
	if (at > 0 && (uint64_t)at != wish) { /* kernels that do not know the flag take it for a hint */
		call(SYS_munmap, (uint64_t)at, size, 0, 0);
		at = -1;
	}
	if (at < 0)
		at = call(SYS_mmap, 0, size, PROT_READ, flags);
	return at < 0 && at > -4096 ? NULL : (char *)at;
}

static struct reserve taken[MAX_TAKEN];
static unsigned taken_count;

bool reserve_has(uint64_t address)
{
	for (unsigned i = 0; i < taken_count; i++)
		if (address - (uint64_t)taken[i].base < taken[i].size)
			return true;
	return false;
}

bool reserve_take(struct reserve *r, uint64_t wish, uint64_t size)
{
	char *base = map(wish, size);
	if (!base)
		return false;
	call(SYS_madvise, (uint64_t)base, size, MADV_DONTDUMP, 0);
	*r = (struct reserve){base, size, 0};
	if (taken_count < MAX_TAKEN)
		taken[taken_count++] = *r;
	return true;
}

void reserve_leave(void *start, uint64_t bytes)
{
	call(SYS_munmap, (uint64_t)start, bytes, 0, 0);
}

bool reserve_protect(void *start, uint64_t bytes)
{
	return call(SYS_mprotect, (uint64_t)start, bytes, PROT_READ | PROT_WRITE, 0) == 0;
}

void reserve_empty(void *start, uint64_t bytes)
{
	call(SYS_madvise, (uint64_t)start, bytes, MADV_DONTNEED, 0);
}

bool reserve_open(struct reserve *r, uint64_t bytes)
{
	if (bytes <= r->open)
		return true;
	uint64_t least = (bytes + 4095) & ~4095ull, step = r->open / 8 > TD_STEP ? (r->open / 8) & ~4095ull : TD_STEP;
	uint64_t more = r->open + step > least ? r->open + step : least;
	if (least > r->size)
		return false;
	if (more > r->size)
		more = r->size;
	if (!reserve_protect(r->base + r->open, more - r->open)) {
		more = least;
		if (!reserve_protect(r->base + r->open, more - r->open))
			return false;
	}
	r->open = more;
	return true;
}
