/* Sets that only grow together, and can still be seen as they were at any earlier time. */
#ifndef TANDEM_SOLVE_FOREST_H
#define TANDEM_SOLVE_FOREST_H

#include "base/vec.h"

#include <stdint.h>

#define FOREST_NONE UINT32_MAX

struct tree {
	uint32_t parent, joined;            /* since when; FOREST_NONE: a root still */
	uint32_t size;
	uint32_t first_child, last_child;   /* in the order of their joining */
	uint32_t next;                      /* of the parent's children */
	uint32_t first_item, last_item;     /* in ascending order */
};

struct forest {
	VEC(struct tree) trees;  /* by element */
	VEC(uint32_t) next_item; /* by item */
};

typedef VEC(uint32_t) forest_list;

void forest_free(struct forest *f);
void forest_grow(struct forest *f, uint32_t elements);

/* Times and items must come in ascending order. */
void forest_join(struct forest *f, uint32_t x, uint32_t y, uint32_t time);
void forest_put(struct forest *f, uint32_t element, uint32_t item);

/* What names the set of x if only joins before that time count. */
uint32_t forest_root(const struct forest *f, uint32_t x, uint32_t time);

/* Appends the elements of the set, and the items that were put into them, both as of before that time. */
void forest_collect(const struct forest *f, uint32_t root, uint32_t time, forest_list *elements, forest_list *items);

#endif
