/* Which object each granule belongs to, and what the runtime keeps about objects beyond contract/object.h. Everything here wants
 * the runtime's lock (state_hold). */
#ifndef TANDEM_RUNTIME_OWNER_H
#define TANDEM_RUNTIME_OWNER_H

#include "object.h"

/* What the entries of one page of the map stand for: objects that are filled in page by page are so in these. */
enum { TD_UNIT_BITS = 14, TD_UNIT = 1 << TD_UNIT_BITS };

/* owner.c: the array. A granule's index is (address & mask) >> TD_GRANULE_BITS. */
TD_HIDDEN bool owner_init(void);                           /* for the whole address space */
TD_HIDDEN bool owner_init_small(uint64_t size); /* for the heap alone: a power of two that it is aligned to */
TD_HIDDEN bool owner_is_whole(void);
TD_HIDDEN uint32_t *owner_open(uint64_t start, uint64_t end); /* entries for [start, end), to be written; null: no room */
TD_HIDDEN uint32_t *owner_opened(uint64_t *start, uint64_t end); /* the next that were ever opened, from *start on; null: none */
TD_HIDDEN uint64_t owner_chunk_end(uint64_t start);        /* of what is opened together */

static inline uint64_t owner_index(uint64_t address)
{
	return (address & __td_space.mask) >> TD_GRANULE_BITS;
}

static inline uint32_t owner_get(uint64_t address)
{
	return __td_space.owners[owner_index(address)];
}

static inline struct td_object *owner_record(uint32_t number)
{
	return (struct td_object *)(void *)((char *)__td_space.objects + (uint64_t)number * TD_NUMBER_BYTES);
}

/* object.c, for the allocator: records without a place in the map. */
TD_HIDDEN bool object_init_small(uint64_t size);           /* as owner_init_small */
TD_HIDDEN uint32_t object_number(void);                    /* a number for a record; 0: no room */
TD_HIDDEN void object_unuse(uint32_t number);              /* one entry less names it; gone and unnamed, its number is free again */

/* lazy.c: large objects, whose granules are filled in as they are asked for. */
TD_HIDDEN bool lazy_add(uint64_t start, uint64_t end, uint32_t number); /* false: no room */
TD_HIDDEN void lazy_cut(uint64_t start, uint64_t end, bool forget); /* what they have there is no longer theirs */
TD_HIDDEN uint32_t lazy_at(uint64_t address);
TD_HIDDEN uint32_t lazy_within(uint64_t *start, uint64_t *end); /* the first that has something of [*start, *end), which is then what it has of it; 0: none */

#endif
