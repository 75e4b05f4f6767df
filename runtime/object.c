/* A stand-in until the map of objects is merged: a list, in the order in which they were added. */
#include "object.h"

enum { MOST = 1 << 16 };

static struct td_object *objects;
static uint32_t count;

bool object_init(void)
{
	objects = state_map(MOST * sizeof *objects);
	count = 1;
	return objects != NULL;
}

uint32_t object_at(uint64_t address)
{
	for (uint32_t i = 1; i < count; i++)
		if (objects[i].kind && address - objects[i].start <= objects[i].size)
			return i;
	return 0;
}

struct td_object *object_get(uint32_t number)
{
	return &objects[number];
}

uint32_t object_add(enum td_object_kind kind, uint64_t start, uint64_t size, const char *name)
{
	if ((!objects && !object_init()) || count >= MOST)
		return 0;
	objects[count] = (struct td_object){.start = start, .open = size, .size = size, .kind = (uint8_t)kind, .name = name};
	return count++;
}

void object_retire(uint32_t number)
{
	objects[number].state = TD_OBJECT_GONE;
	objects[number].open = 0;
}

void object_forget(uint64_t start, uint64_t size)
{
	for (uint32_t i = 1; i < count; i++)
		if (objects[i].start - start < size)
			objects[i].kind = TD_OBJECT_NONE;
}

void object_marked(uint64_t address, int change)
{
	uint32_t number = object_at(address);
	if (number)
		objects[number].symbolic += (uint32_t)change;
}
