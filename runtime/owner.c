/* The array of owners: a number for every 16 bytes of the 47 bits that programs have, 32 TiB of address space. All of it can be
 * read and is zero; what is to be written is opened in chunks of a mebibyte, which stand for four of the program. Neighbours merge, so
 * that a program with a heap, some libraries and a stack has a handful of them.
 *
 * Where there is no such room (ulimit -v), the array is for the runtime's own heap alone: other addresses share its
 * entries, but only its objects are ever entered. So what is read there may be another object's number, and each reader
 * looks whether that object is where it asks. */
#include "owner.h"

#include "pages.h"
#include "reserve.h"

enum { CHUNK_BITS = 20, ADDRESS_BITS = 47, ENTRY_BITS = 2, PLACE = TD_GRANULE_BITS - ENTRY_BITS };

#define OWNERS_AT 0x200000000000ull

static const uint32_t nobody;
static struct td_object nothing;

TD_EXPORT struct td_space __td_space = {&nobody, 0, &nothing};

static struct reserve array;
static uint8_t *chunks; /* a bit each: is it open? */

static bool init(uint64_t wish, uint64_t bits)
{
	uint64_t bytes = (1ull << bits) >> PLACE, count = (bytes >> CHUNK_BITS) + 1;
	if (!reserve_take(&array, wish, bytes) || !(chunks = state_map(count / 8 + 1)))
		return false;
	__td_space.owners = (const uint32_t *)(const void *)array.base;
	__td_space.mask = (1ull << bits) - 1;
	return true;
}

bool owner_init(void)
{
	return init(OWNERS_AT, ADDRESS_BITS);
}

bool owner_init_small(uint64_t size)
{
	return init(0, (uint64_t)__builtin_ctzll(size));
}

bool owner_is_whole(void)
{
	return __td_space.mask == (1ull << ADDRESS_BITS) - 1;
}

static uint64_t chunk_of(uint64_t address)
{
	return owner_index(address) >> (CHUNK_BITS - ENTRY_BITS);
}

static bool is_open(uint64_t chunk)
{
	return chunks[chunk / 8] & 1 << chunk % 8;
}

uint64_t owner_chunk_end(uint64_t start)
{
	return ((start >> (CHUNK_BITS + PLACE)) + 1) << (CHUNK_BITS + PLACE);
}

static uint64_t chunk_bytes(void)
{
	return array.size < 1ull << CHUNK_BITS ? array.size : 1ull << CHUNK_BITS;
}

uint32_t *owner_open(uint64_t start, uint64_t end)
{
	for (uint64_t c = chunk_of(start), last = chunk_of(end - 1); c <= last; c++) {
		if (is_open(c))
			continue;
		if (!pages_open(array.base + (c << CHUNK_BITS), chunk_bytes()))
			return NULL;
		chunks[c / 8] |= (uint8_t)(1 << c % 8);
	}
	return (uint32_t *)(void *)array.base + owner_index(start);
}

uint32_t *owner_opened(uint64_t *start, uint64_t end)
{
	while (chunks && *start < end && !is_open(chunk_of(*start)))
		*start = owner_chunk_end(*start);
	return chunks && *start < end ? (uint32_t *)(void *)array.base + owner_index(*start) : NULL;
}
