/* Numbers by hash. */
#ifndef TANDEM_BASE_MAP_H
#define TANDEM_BASE_MAP_H

#include <stddef.h>
#include <stdint.h>

struct map_entry {
	uint64_t key;   /* 0: free */
	uint32_t value;
};

struct map {
	struct map_entry *at;
	size_t count, room;
};

uint32_t *map_at(struct map *m, uint64_t key); /* 0 if it was not there; good until the next call */
uint32_t map_find(const struct map *m, uint64_t key); /* 0 if it is not there */
void map_free(struct map *m);

#endif
