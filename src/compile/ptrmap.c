/* Open addressing, power-of-two capacity, at most half full; entries are never removed one by one. */
#include "compile/ptrmap.h"

#include "compile/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static size_t ptrmap_slot(const struct ptrmap *map, const void *key)
{
	size_t mask = map->capacity - 1;
	size_t i = (size_t)(((uintptr_t)key >> 4) * 0x9E3779B97F4A7C15ull >> 20) & mask;
	while (map->keys[i] && map->keys[i] != key)
		i = (i + 1) & mask;
	return i;
}

void *ptrmap_get(const struct ptrmap *map, const void *key)
{
	if (!map->capacity)
		return NULL;
	size_t i = ptrmap_slot(map, key);
	return map->keys[i] ? map->values[i] : NULL;
}

static void ptrmap_grow(struct ptrmap *map)
{
	struct ptrmap old = *map;
	map->capacity = old.capacity ? old.capacity * 2 : 256;
	map->keys = memory_array(map->capacity, sizeof *map->keys);
	map->values = memory_array(map->capacity, sizeof *map->values);
	map->used = 0;
	for (size_t i = 0; i < old.capacity; i++)
		if (old.keys[i])
			ptrmap_set(map, old.keys[i], old.values[i]);
	ptrmap_free(&old);
}

void ptrmap_set(struct ptrmap *map, void *key, void *value)
{
	if ((map->used + 1) * 2 > map->capacity)
		ptrmap_grow(map);
	size_t i = ptrmap_slot(map, key);
	if (!map->keys[i]) {
		map->keys[i] = key;
		map->used++;
	}
	map->values[i] = value;
}

void ptrmap_clear(struct ptrmap *map)
{
	if (map->used)
		memset(map->keys, 0, map->capacity * sizeof *map->keys);
	map->used = 0;
}

void ptrmap_free(struct ptrmap *map)
{
	free(map->keys);
	free(map->values);
	*map = (struct ptrmap){0};
}
