/* Rows and places of the whole program (contract/flow.h), as ranges.c and leads.c go through them. For these two alone. */
#ifndef TANDEM_UNIT_ROWS_H
#define TANDEM_UNIT_ROWS_H

#include "base/map.h"
#include "base/vec.h"
#include "contract/flow.h"
#include "unit/program.h"

/* What a pointer can be, as far as the program says so itself. */
struct lead {
	bool null;          /* null is put there, in so many words */
	bool any;           /* something else, too, of which nobody knows where it leads */
	uint64_t *functions; /* one bit each; NULL: none */
};

struct value {
	int64_t lo, hi;
	bool is_some;       /* else nothing comes there */
};

struct place {
	struct value is, next;
	uint64_t name;
	uint32_t number;
	uint32_t also;      /* another place, what is in which is here too; 0: none */
	uint8_t kind;
	uint8_t changes;
	bool is_any;
	bool is_stored;     /* somebody puts something there */
	struct lead lead;
};

struct row {
	const struct td_flow *from;
	uint32_t first;     /* of its block */
	uint32_t place;     /* 0: none, or nothing is known of it */
	uint8_t changes;
	bool is_idle;       /* a store that does not count */
	struct value is;
	struct lead lead;
};

struct ranges {
	const struct unit_program *program;
	VEC(struct row) rows;
	VEC(struct place) places;  /* from 1 on */
	struct map by_name;
	VEC(int64_t) constants;    /* in order */
	uint32_t *bits;            /* by function: which bit of a lead, plus 1 */
	uint32_t words;            /* of a lead */
	struct arena *arena;       /* of leads */
};

/* Finds the leads of all rows and places; rows are set up. */
void leads_find(struct ranges *r);

/* Of a place; 0: of none. */
bool leads_to(const struct ranges *r, uint32_t place, uint32_t function);

#endif
