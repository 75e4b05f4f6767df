/* Large objects that are not the heap's: segments of libraries, mappings. A sorted list says where they are; their granules are
 * entered in the map when somebody asks for an address on the page, so that the next look at it succeeds at once. Smaller objects
 * on top of them keep their granules. A piece of the list counts as an entry of the map that names its object. */
#include "owner.h"

struct piece {
	uint64_t start, end;
	uint32_t number;
	uint32_t reserved;
};

enum { MAX_PIECES = 1 << 16 }; /* as many as the kernel lets a process map */

static struct piece *pieces;
static uint64_t count;

/* The first piece that ends behind the address. */
static uint64_t find(uint64_t address)
{
	uint64_t low = 0, high = count;
	while (low < high) {
		uint64_t middle = (low + high) / 2;
		if (pieces[middle].end > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static void move(uint64_t to, uint64_t from)
{
	__builtin_memmove(&pieces[to], &pieces[from], (count - from) * sizeof *pieces);
	count = count + to - from;
}

static bool insert(uint64_t at, struct piece new)
{
	if (!pieces && !(pieces = state_map(MAX_PIECES * sizeof *pieces)))
		return false;
	if (count == MAX_PIECES)
		return false;
	move(at + 1, at);
	pieces[at] = new;
	object_get(new.number)->references++;
	return true;
}

static void drop(uint64_t at, bool forget)
{
	uint32_t n = pieces[at].number;
	struct td_object *o = object_get(n);
	move(at, at + 1);
	if (forget && o->references == 1)
		o->state = TD_OBJECT_GONE;
	object_unuse(n);
}

/* An object that loses something is torn, also where nobody had asked and the map has no entry that would tell: a local variable that just lived again there would have others' places in it. */
void lazy_cut(uint64_t start, uint64_t end, bool forget)
{
	uint64_t i = find(start);
	while (i < count && pieces[i].start < end) {
		struct piece old = pieces[i];
		object_get(old.number)->flags |= TD_OBJECT_TORN;
		if (old.start < start && old.end > end) {
			pieces[i].end = start;
			insert(i + 1, (struct piece){end, old.end, old.number, 0});
			return;
		}
		if (old.start < start)
			pieces[i++].end = start;
		else if (old.end > end)
			pieces[i++].start = end;
		else
			drop(i, forget);
	}
}

bool lazy_add(uint64_t start, uint64_t end, uint32_t number)
{
	lazy_cut(start, end, false);
	return end > start && insert(find(start), (struct piece){start, end, number, 0});
}

uint32_t lazy_within(uint64_t *start, uint64_t *end)
{
	uint64_t i = find(*start);
	if (*start >= *end || i == count || pieces[i].start >= *end)
		return 0;
	*start = pieces[i].start > *start ? pieces[i].start : *start;
	*end = pieces[i].end < *end ? pieces[i].end : *end;
	return pieces[i].number;
}

static void fill(const struct piece *p, uint64_t address)
{
	uint64_t from = address & ~(TD_UNIT - 1ull), to = from + TD_UNIT, end = p->end + 1;
	if (from < p->start)
		from = p->start & ~(TD_GRANULE - 1ull);
	if (to > end)
		to = (end + TD_GRANULE - 1) & ~(TD_GRANULE - 1ull);
	uint32_t *entries = owner_open(from, to);
	struct td_object *o = object_get(p->number);
	for (uint64_t i = 0; entries && i < (to - from) >> TD_GRANULE_BITS; i++)
		if (!entries[i]) {
			entries[i] = p->number;
			o->references++;
		}
}

uint32_t lazy_at(uint64_t address)
{
	uint64_t i = find(address);
	if (i < count && pieces[i].start <= address) {
		fill(&pieces[i], address);
		return pieces[i].number;
	}
	if (!i || pieces[i - 1].end != address)
		return 0;
	const struct td_object *before = object_get(pieces[i - 1].number); /* one past its end, if that is its end; what is gone needs no such place */
	return before->state != TD_OBJECT_GONE && before->start + before->size == address ? pieces[i - 1].number : 0;
}
