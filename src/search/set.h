/* A set of hashes. */
#ifndef TANDEM_SEARCH_SET_H
#define TANDEM_SEARCH_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct set {
	uint64_t *at;  /* 0: free */
	size_t count, room;
};

bool set_add(struct set *s, uint64_t key); /* true if it was not there */
bool set_has(const struct set *s, uint64_t key);
void set_free(struct set *s);

#endif
