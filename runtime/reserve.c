/* See reserve.h. */
#include "reserve.h"

#include "pages.h"

#include <sys/mman.h>
#include <sys/syscall.h>

enum { MAX_TAKEN = 8 };

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
	char *base = wish ? pages_map(wish, size, PROT_READ) : NULL;
	if (!base && !(base = pages_map(0, size, PROT_READ)))
		return false;
	pages_call(SYS_madvise, (long)base, (long)size, MADV_DONTDUMP, 0);
	*r = (struct reserve){base, size, 0};
	if (taken_count < MAX_TAKEN)
		taken[taken_count++] = *r;
	return true;
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
	if (!pages_open(r->base + r->open, more - r->open)) {
		more = least;
		if (!pages_open(r->base + r->open, more - r->open))
			return false;
	}
	r->open = more;
	return true;
}
