/* See pages.h. A process that is rewound after a run (rewind.c) must then have the same memory as before. So, while changes are watched, what
 * is new is written down, what was opened too, and nothing is given back that was there before. The next run is given what this one has made as long as it
 * asks for the same in the same order; when it does not, all that is left is taken back, and it has what a process of its own would have. */
#include "pages.h"

#include <sys/mman.h>
#include <sys/syscall.h>

static struct pages_ledger *ledger; /* NULL: nobody watches */

/* The arguments come in the order that system calls want, but for the number before them and the fourth. mmap wants more: no file, from its start. */
__asm__(".text\n.globl pages_call, pages_called\n.hidden pages_call, pages_called\n.type pages_call, @function\n"
	"pages_call:\n\tmov %rdi, %rax\n\tmov %rsi, %rdi\n\tmov %rdx, %rsi\n\tmov %rcx, %rdx\n\tmov %r8, %r10\n\t"
	"mov $-1, %r8\n\txor %r9d, %r9d\n\tsyscall\npages_called:\n\tret\n.size pages_call, . - pages_call\n");

static void take_back(const struct pages_change *c)
{
	long start = (long)c->start, bytes = (long)(c->end - c->start);
	if (!c->opened) {
		pages_call(SYS_munmap, start, bytes, 0, 0);
		return;
	}
	pages_call(SYS_madvise, start, bytes, MADV_DONTNEED, 0);
	pages_call(SYS_mprotect, start, bytes, PROT_READ, 0);
}

static void take_back_from(struct pages_ledger *l, unsigned first)
{
	while (l->made > first)
		take_back(&l->changes[--l->made]);
}

/* What an earlier run has made at this point, if it is this. start 0: anywhere. Otherwise it has gone another way. */
static uint64_t made_before(uint64_t start, uint64_t bytes, bool opened)
{
	if (!ledger || ledger->count == ledger->made)
		return 0;
	const struct pages_change *c = &ledger->changes[ledger->count];
	if (c->opened == opened && c->end - c->start == bytes && (!start || c->start == start)) {
		ledger->count++;
		return c->start;
	}
	take_back_from(ledger, ledger->count);
	return 0;
}

static void note(uint64_t start, uint64_t bytes, bool opened, bool gone)
{
	if (!ledger)
		return;
	if (ledger->count < PAGES_CHANGES)
		ledger->changes[ledger->count++] = (struct pages_change){start, start + bytes, opened, gone};
	else
		ledger->lost = true;
	ledger->made = ledger->count;
}

/* What was mapped in this run and has all of this in it. */
static struct pages_change *new_around(uint64_t start, uint64_t bytes)
{
	for (unsigned i = 0; i < ledger->count; i++)
		if (!ledger->changes[i].opened && start >= ledger->changes[i].start && start + bytes <= ledger->changes[i].end)
			return &ledger->changes[i];
	return NULL;
}

static bool failed(long result)
{
	return result < 0 && result > -4096;
}

void *pages_map(uint64_t wish, uint64_t bytes, int protection)
{
	long flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
	bool usual = !wish && protection == (PROT_READ | PROT_WRITE);
	bytes = (bytes + 4095) & ~4095ull;
	uint64_t before = made_before(usual ? 0 : UINT64_MAX, bytes, false);
	if (before)
		return (void *)before;
	long at = pages_call(SYS_mmap, (long)wish, (long)bytes, protection, wish ? flags | MAP_FIXED_NOREPLACE : flags);
	if (!failed(at) && wish && (uint64_t)at != wish) { /* kernels that do not know the flag take it for a hint */
		pages_call(SYS_munmap, at, (long)bytes, 0, 0);
		return NULL;
	}
	if (failed(at))
		return NULL;
	note((uint64_t)at, bytes, false, !usual);
	return (void *)at;
}

void pages_unmap(void *start, uint64_t bytes)
{
	struct pages_change *new = ledger ? new_around((uint64_t)start, bytes) : NULL;
	if (new)
		new->gone = true;
	if (!ledger || new)
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
	struct pages_change *new = ledger ? new_around((uint64_t)start, bytes) : NULL;
	if (ledger && !new)
		return copy(start, bytes, more);
	long at = pages_call(SYS_mremap, (long)start, (long)bytes, (long)more, MREMAP_MAYMOVE);
	if (failed(at))
		return NULL;
	if (new)
		*new = (struct pages_change){(uint64_t)at, (uint64_t)at + more, false, true};
	return (void *)at;
}

bool pages_open(void *start, uint64_t bytes)
{
	if (made_before((uint64_t)start, bytes, true))
		return true;
	if (pages_call(SYS_mprotect, (long)start, (long)bytes, PROT_READ | PROT_WRITE, 0))
		return false;
	note((uint64_t)start, bytes, true, false);
	return true;
}

void pages_empty(void *start, uint64_t bytes)
{
	pages_call(SYS_madvise, (long)start, (long)bytes, MADV_DONTNEED, 0);
}

void pages_watch(struct pages_ledger *l)
{
	ledger = l;
}

bool pages_settle(struct pages_ledger *l, uint64_t most)
{
	uint64_t bytes = 0;
	for (unsigned i = 0; i < l->count; i++) {
		bytes += l->changes[i].end - l->changes[i].start;
		if (l->changes[i].gone || bytes > most) {
			take_back_from(l, i);
			l->count = i;
		}
	}
	return !l->lost;
}
