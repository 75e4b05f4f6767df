/* Formulas made by hand: a path of a function whose inputs are marks, the first of which is the block of its arguments. */
#ifndef TANDEM_TESTS_UNIT_DRAFT_H
#define TANDEM_TESTS_UNIT_DRAFT_H

#include "base/arena.h"
#include "contract/op.h"
#include "contract/unit.h"
#include "unit/formula.h"

#include <string.h>

enum { DRAFT_MARKS = 3, DRAFT_BYTES = 64, DRAFT_ROOM = 64 };

struct draft {
	struct td_node nodes[DRAFT_ROOM];
	struct td_input inputs[DRAFT_MARKS];
	uint8_t bytes[DRAFT_MARKS][DRAFT_BYTES];
	struct content contents[DRAFT_MARKS];
	struct td_array array;
	uint8_t elements[8];
	struct conjunct parts[DRAFT_ROOM];
	struct formula_piece pieces[DRAFT_ROOM];
	struct formula_extent extents[4];
	struct formula f;
};

static inline void draft_begin(struct draft *d)
{
	memset(d, 0, sizeof *d);
	for (uint32_t i = 0; i < DRAFT_MARKS; i++) {
		d->inputs[i] = (struct td_input){ .kind = TD_IN_MARK, .index = i, .length = DRAFT_BYTES };
		d->contents[i] = (struct content){ d->bytes[i], DRAFT_BYTES };
	}
	d->f = (struct formula){
		.terms = { .nodes = d->nodes, .count = 1 }, .inputs = d->inputs, .contents = d->contents, .inputs_count = DRAFT_MARKS,
		.parts = d->parts, .pieces = d->pieces, .extents = d->extents,
	};
}

static inline uint32_t draft_node(struct draft *d, unsigned op, unsigned bits, uint32_t a, uint32_t b, uint32_t c)
{
	d->nodes[d->f.terms.count] = (struct td_node){ .op = (uint8_t)op, .bits = (uint16_t)bits, .a = a, .b = b, .c = c };
	return d->f.terms.count++;
}

static inline uint32_t draft_const(struct draft *d, unsigned bits, uint64_t value)
{
	uint32_t id = draft_node(d, TD_CONST, bits, 0, 0, 0);
	d->nodes[id].lo = value;
	return id;
}

static inline uint32_t draft_byte(struct draft *d, uint32_t mark, uint32_t offset)
{
	return draft_node(d, TD_INPUT, 8, mark, offset, 0);
}

/* So many bytes of a mark, as a number. */
static inline uint32_t draft_number(struct draft *d, uint32_t mark, uint32_t offset, unsigned bytes)
{
	uint32_t whole = draft_byte(d, mark, offset);
	for (unsigned i = 1; i < bytes; i++)
		whole = draft_node(d, TD_CONCAT, 8 * (i + 1), draft_byte(d, mark, offset + i), whole, 0);
	return whole;
}

/* The path demands it. */
static inline void draft_demand(struct draft *d, uint32_t node, uint64_t value)
{
	d->parts[d->f.count++] = (struct conjunct){ .node = node, .value = value };
}

static inline void draft_compare(struct draft *d, unsigned op, uint32_t node, uint64_t with, bool holds)
{
	draft_demand(d, draft_node(d, op, 1, node, draft_const(d, d->nodes[node].bits, with), 0), holds);
}

/* What the path's call is given. */
static inline void draft_piece(struct draft *d, unsigned what, uint32_t object, uint32_t offset, uint32_t node, uint64_t value)
{
	d->pieces[d->f.pieces_count++] = (struct formula_piece){ (uint8_t)what, object, offset, node, value };
}

static inline void draft_extent(struct draft *d, uint32_t object, uint64_t before, uint64_t after)
{
	d->extents[d->f.extents_count++] = (struct formula_extent){ object, before, after };
}

/* An element of an array of bytes: there is one in a draft. */
static inline uint32_t draft_table(struct draft *d, uint32_t index, const uint8_t elements[4])
{
	d->array = (struct td_array){ .count = 4, .bits = 8 };
	memcpy(d->elements, elements, 4);
	d->f.terms.arrays = &d->array;
	d->f.terms.arrays_count = 1;
	d->f.terms.array_bytes = d->elements;
	return draft_node(d, TD_TABLE, 8, index, 0, 0);
}

/* With the values that follow from its inputs. */
static inline const struct formula *draft_end(struct draft *d)
{
	u128 values[DRAFT_ROOM] = {0};
	terms_eval_all(&d->f.terms, &(struct assignment){ d->contents, d->f.inputs_count }, values);
	for (uint32_t id = 1; id < d->f.terms.count; id++)
		d->nodes[id].lo = (uint64_t)values[id];
	return &d->f;
}

#endif
