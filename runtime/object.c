/* The map of objects: records in one growing table, and which of them each granule belongs to (owner.c). A small object is entered
 * granule by granule when it is added; a large one (lazy.c, and heap.c for its own) when somebody asks, a page of the
 * map at a time. The last to be added has the granule: what it does not cover of it is unknown, or a large object's.
 *
 * A record counts the entries that name it. When it is gone and the last entry has been overwritten, its number is free again; until then
 * whoever still points there finds out what was there. A number that was added over while it lives is its owner's until it is
 * retired.
 *
 * `open` is what woven code believes without asking, so it is 0 whenever there is anything to ask: the object is gone, or a
 * byte of it has a term. Bytes are counted to the object that object_at finds for them; objects begin without terms. */
#include "object.h"

#include "heap.h"
#include "owner.h"
#include "reserve.h"

enum { LARGE = 1 << 16, RECORD = sizeof(struct td_object), STEP = RECORD / TD_NUMBER_BYTES, SHADOW_PAGE = 4096 };

#define RECORDS_AT 0x180000000000ull
#define ADDRESS_END (1ull << 47)

static struct reserve table;
static uint32_t used;  /* below that all numbers have been given out, 0 included */
static uint32_t spare; /* numbers given back: a list through `next` */

static bool init(uint64_t bytes)
{
	if (!reserve_take(&table, RECORDS_AT, bytes) || !reserve_open(&table, 4096))
		return false;
	__td_space.objects = (struct td_object *)(void *)table.base;
	used = STEP;
	return true;
}

bool object_init(void)
{
	return used || (owner_init() && init((UINT32_MAX + 1ull) * TD_NUMBER_BYTES));
}

bool object_init_small(uint64_t size)
{
	return owner_init_small(size) && init(size / 4);
}

struct td_object *object_get(uint32_t number)
{
	return number && number < used ? owner_record(number) : NULL;
}

struct td_object *object_next(uint32_t *number)
{
	*number += STEP;
	return object_get(*number);
}

/* ---- numbers ---- */

uint32_t object_number(void)
{
	uint32_t n = spare;
	if (n) {
		spare = owner_record(n)->next;
	} else {
		if (!used || used > UINT32_MAX - STEP || !reserve_open(&table, (uint64_t)used * TD_NUMBER_BYTES + RECORD))
			return 0;
		n = used;
		used += STEP;
	}
	*owner_record(n) = (struct td_object){0};
	return n;
}

static void give_back(uint32_t number)
{
	*owner_record(number) = (struct td_object){.next = spare, .state = TD_OBJECT_GONE};
	spare = number;
}

void object_unuse(uint32_t number)
{
	struct td_object *o = owner_record(number);
	o->flags |= TD_OBJECT_TORN;
	if (--o->references == 0 && o->state == TD_OBJECT_GONE)
		give_back(number);
}

/* ---- looking ---- */

/* Heap blocks have their slot to themselves: what lies behind the end is theirs as well, though it may not be touched. */
static uint64_t reach(const struct td_object *o)
{
	return o->kind != TD_OBJECT_HEAP ? o->size : o->room ? ((uint64_t)o->room << TD_GRANULE_BITS) - 1 : o->size | (TD_UNIT - 1);
}

uint32_t object_at(uint64_t address)
{
	uint32_t n = owner_get(address);
	if (n && address - owner_record(n)->start <= reach(owner_record(n)))
		return n;
	if (!used)
		return 0;
	return heap_has(address) ? heap_at(address) : lazy_at(address);
}

/* ---- coming and going ---- */

/* An object that is entered granule by granule: `room` is how many it is on, `list` whether it has the one behind its end as well. */
static void displace(uint32_t number, uint64_t granule)
{
	struct td_object *o = owner_record(number);
	if (o->kind != TD_OBJECT_HEAP && o->list && granule << TD_GRANULE_BITS >= o->start + o->size)
		o->list = 0;
	object_unuse(number);
}

static void enter(uint32_t number, uint64_t start, uint64_t end)
{
	uint32_t *to = owner_open(start, end);
	uint64_t first = start >> TD_GRANULE_BITS, n = ((end - 1) >> TD_GRANULE_BITS) - first + 1;
	owner_record(number)->references += (uint32_t)n;
	for (uint64_t i = 0; i < n; i++) {
		uint32_t old = to[i];
		to[i] = number;
		if (old)
			displace(old, first + i);
	}
}

/* The byte behind the end, if its granule is another one and nobody who lives has it. */
static bool takes_next(uint64_t end)
{
	if (end % TD_GRANULE)
		return false;
	uint32_t n = owner_get(end);
	return !n || owner_record(n)->state == TD_OBJECT_GONE || owner_record(n)->kind == TD_OBJECT_FOREIGN;
}

/* Up to where a granule may be its own: what is gone needs nothing behind its end. */
static uint64_t limit_of(const struct td_object *o, bool forget)
{
	return o->start + o->size + (!o->size || (forget && o->state == TD_OBJECT_GONE));
}

/* Nothing names these granules any more. Of those at the rim, the ones that belong to neighbours stay. */
static void erase(uint64_t start, uint64_t end, bool forget)
{
	uint64_t from = start & ~(TD_GRANULE - 1ull), to = (end | (TD_GRANULE - 1)) + 1, limit;
	for (uint32_t *entries; (entries = owner_opened(&from, to)); from = limit) {
		limit = owner_chunk_end(from) < to ? owner_chunk_end(from) : to;
		for (uint64_t i = 0; i < (limit - from) >> TD_GRANULE_BITS; i++) {
			uint32_t n = entries[i];
			if (!n || owner_record(n)->start >= end || limit_of(owner_record(n), forget) <= start)
				continue;
			entries[i] = 0;
			if (forget && owner_record(n)->references == 1)
				owner_record(n)->state = TD_OBJECT_GONE;
			displace(n, (from >> TD_GRANULE_BITS) + i);
		}
	}
}

static bool place(uint32_t number, uint64_t start, uint64_t end, bool large)
{
	if (large) {
		erase(start, end, false);
		return lazy_add(start, end, number);
	}
	bool next = end > start && takes_next(end);
	uint64_t last = next || end == start ? end + 1 : end;
	if (!owner_open(start, last))
		return false;
	enter(number, start, last);
	owner_record(number)->list = next;
	owner_record(number)->room = (uint16_t)(owner_record(number)->references - next);
	return true;
}

static uint32_t count_terms(uint64_t start, uint64_t end)
{
	uint32_t n = 0;
	if (shadow_is_empty())
		return 0;
	for (uint64_t at = start; at < end; at++) {
		if ((at == start || at % SHADOW_PAGE == 0) && !shadow_has_page(at))
			at |= SHADOW_PAGE - 1;
		else
			n += shadow_byte(at) != 0;
	}
	return n;
}

static bool is_possible(uint64_t start, uint64_t size)
{
	return used && owner_is_whole() && !heap_has(start) && size < ADDRESS_END && start < ADDRESS_END - size - TD_GRANULE;
}

uint32_t object_adopt(enum td_object_kind kind, uint64_t start, uint64_t size, const char *name)
{
	uint32_t n = is_possible(start, size) ? object_number() : 0, terms = n ? count_terms(start, start + size) : 0;
	if (!n)
		return 0;
	*owner_record(n) = (struct td_object){.start = start, .open = terms ? 0 : size, .size = size, .kind = (uint8_t)kind, .symbolic = terms, .name = name};
	if (place(n, start, start + size, size > LARGE || kind == TD_OBJECT_FOREIGN))
		return n;
	give_back(n);
	return 0;
}

uint32_t object_add(enum td_object_kind kind, uint64_t start, uint64_t size, const char *name)
{
	if (!is_possible(start, size))
		return 0;
	shadow_clear(start, size);
	return object_adopt(kind, start, size, name);
}

bool object_again(enum td_object_kind kind, uint64_t start, uint64_t size, const char *name)
{
	struct td_object *o = object_get(owner_get(start));
	if (!o || o->start != start || o->size != size || o->kind != kind || o->state != TD_OBJECT_GONE || o->references != (uint32_t)o->room + o->list)
		return false;
	shadow_clear(start, size);
	o->symbolic = 0;
	o->open = size;
	o->state = TD_OBJECT_LIVE;
	o->flags &= (uint16_t)~TD_OBJECT_LEFT;
	o->name = name;
	o->made = o->gone = 0;
	return true;
}

/* ---- parts, for a while ---- */

uint32_t object_narrow(uint64_t pointer, uint64_t start, uint64_t size)
{
	uint32_t around = object_at(pointer), n = 0;
	const struct td_object *o = object_get(around);
	uint32_t *entry = o && o->state == TD_OBJECT_LIVE && owner_get(pointer) == around ? owner_open(pointer, pointer + 1) : NULL;
	if (entry && start >= o->start && size <= o->size && start - o->start <= o->size - size)
		n = object_number();
	if (!n)
		return 0;
	o = object_get(around);
	*owner_record(n) = (struct td_object){.start = start, .open = o->open ? size : 0, .size = size, .kind = o->kind, .name = o->name, .references = 1,
	                                .flags = (uint16_t)(o->flags | TD_OBJECT_NARROW), .next = around, .made = o->made};
	*entry = n;
	return n;
}

/* Bytes that got terms meanwhile are the object's. */
void object_widen(uint32_t number, uint64_t pointer)
{
	struct td_object *o = object_get(number), *around = o ? object_get(o->next) : NULL;
	uint32_t *entry = owner_open(pointer, pointer + 1);
	if (!around || !entry)
		return;
	around->symbolic += o->symbolic;
	if (around->symbolic)
		around->open = 0;
	if (*entry == number) {
		*entry = o->next;
		give_back(number);
	}
}

void object_retire(uint32_t number)
{
	struct td_object *o = object_get(number);
	if (!o)
		return;
	o->state = TD_OBJECT_GONE;
	o->open = 0;
	if (!o->references)
		give_back(number);
}

void object_forget(uint64_t start, uint64_t size)
{
	if (!size || !is_possible(start, size))
		return;
	lazy_cut(start, start + size, true);
	erase(start, start + size, true);
}

static void leave_part(struct td_object *o, uint64_t start, uint64_t end)
{
	if (start >= end)
		return;
	uint32_t terms = count_terms(start, end);
	o->symbolic -= terms < o->symbolic ? terms : o->symbolic;
	lazy_cut(start, end, false);
	erase(start, end - 1, false);
}

void object_trim(uint32_t number, uint64_t start, uint64_t end)
{
	struct td_object *o = object_get(number);
	if (!o || o->state == TD_OBJECT_GONE)
		return;
	leave_part(o, o->start, start);
	leave_part(o, end, o->start + o->size);
	o->start = start;
	o->size = end - start;
	o->open = o->symbolic ? 0 : o->size;
}

/* ---- terms ---- */

void object_marked(uint64_t address, int change)
{
	uint32_t n = owner_get(address);
	if (!n || address - owner_record(n)->start >= owner_record(n)->size)
		n = object_at(address);
	struct td_object *o = object_get(n);
	if (!o || address - o->start >= o->size)
		return;
	if (change > 0 || o->symbolic)
		o->symbolic += (uint32_t)change;
	o->open = o->symbolic || o->state == TD_OBJECT_GONE ? 0 : o->size;
}
