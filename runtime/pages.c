/* See pages.h. A process that is rewound after a run (rewind.c) must then have the same memory as before. So, while changes are watched, what
 * is new is written down, what was opened too, and nothing is given back that was there before. */
#include "pages.h"

#include <sys/mman.h>
#include <sys/syscall.h>

enum { CHANGES = 256 };
enum kind { MAPPED, OPENED };

struct change {
	uint64_t start, end;
	enum kind kind;
};

static struct change changes[CHANGES];
static unsigned count;
static bool watching, lost; /* lost: not all are written down */

/* The arguments come in the order that system calls want, but for the number before them and the fourth. mmap wants more: no file, from its start. */
__asm__(".text\n.globl pages_call, pages_called\n.hidden pages_call, pages_called\n.type pages_call, @function\n"
	"pages_call:\n\tmov %rdi, %rax\n\tmov %rsi, %rdi\n\tmov %rdx, %rsi\n\tmov %rcx, %rdx\n\tmov %r8, %r10\n\t"
	"mov $-1, %r8\n\txor %r9d, %r9d\n\tsyscall\npages_called:\n\tret\n.size pages_call, . - pages_call\n");

static void note(uint64_t start, uint64_t bytes, enum kind kind)
{
	if (!watching)
		return;
	struct change *last = count ? &changes[count - 1] : NULL;
	if (last && last->kind == kind && last->end == start && kind == OPENED)
		last->end += bytes;
	else if (count < CHANGES)
		changes[count++] = (struct change){start, start + bytes, kind};
	else
		lost = true;
}

/* What was mapped since and has all of this in it. */
static struct change *new_around(uint64_t start, uint64_t bytes)
{
	for (unsigned i = 0; i < count; i++)
		if (changes[i].kind == MAPPED && start >= changes[i].start && start + bytes <= changes[i].end)
			return &changes[i];
	return NULL;
}

static bool failed(long result)
{
	return result < 0 && result > -4096;
}

void *pages_map(uint64_t wish, uint64_t bytes, int protection)
{
	long flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
	bytes = (bytes + 4095) & ~4095ull;
	long at = pages_call(SYS_mmap, (long)wish, (long)bytes, protection, wish ? flags | MAP_FIXED_NOREPLACE : flags);
	if (!failed(at) && wish && (uint64_t)at != wish) { /* kernels that do not know the flag take it for a hint */
		pages_call(SYS_munmap, at, (long)bytes, 0, 0);
		return NULL;
	}
	if (failed(at))
		return NULL;
	note((uint64_t)at, bytes, MAPPED);
	return (void *)at;
}

void pages_unmap(void *start, uint64_t bytes)
{
	if (!watching || new_around((uint64_t)start, bytes))
		pages_call(SYS_munmap, (long)start, (long)bytes, 0, 0);
}

/* What was there before the run stays: it is copied. */
static void *copy(void *start, uint64_t bytes, uint64_t more)
{
	void *to = pages_map(0, more, PROT_READ | PROT_WRITE), *at = to;
	if (to)
		__asm__ volatile("rep movsb" : "+D"(at), "+S"(start), "+c"(bytes) : : "memory");
	return to;
}

void *pages_grow(void *start, uint64_t bytes, uint64_t more)
{
	struct change *known = watching ? new_around((uint64_t)start, bytes) : NULL;
	if (watching && !known)
		return copy(start, bytes, more);
	long at = pages_call(SYS_mremap, (long)start, (long)bytes, (long)more, MREMAP_MAYMOVE);
	if (failed(at))
		return NULL;
	if (known)
		*known = (struct change){(uint64_t)at, (uint64_t)at + more, MAPPED};
	return (void *)at;
}

bool pages_open(void *start, uint64_t bytes)
{
	if (pages_call(SYS_mprotect, (long)start, (long)bytes, PROT_READ | PROT_WRITE, 0))
		return false;
	note((uint64_t)start, bytes, OPENED);
	return true;
}

void pages_empty(void *start, uint64_t bytes)
{
	pages_call(SYS_madvise, (long)start, (long)bytes, MADV_DONTNEED, 0);
}

void pages_watch(bool on)
{
	watching = on;
	lost = false;
	count = 0;
}

/* The table itself is part of what is put back afterwards. */
bool pages_undo(void)
{
	while (!lost && count) {
		const struct change *c = &changes[--count];
		long start = (long)c->start, bytes = (long)(c->end - c->start);
		if (c->kind == OPENED)
			pages_empty((void *)start, (uint64_t)bytes);
		lost = c->kind == OPENED ? pages_call(SYS_mprotect, start, bytes, PROT_READ, 0) : pages_call(SYS_munmap, start, bytes, 0, 0);
	}
	return !lost;
}
