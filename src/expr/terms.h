/* A view of the terms of a trace, checked and evaluated as a whole. Nodes are in order: children come before parents. */
#ifndef TANDEM_EXPR_TERMS_H
#define TANDEM_EXPR_TERMS_H

#include "contract/trace.h"
#include "expr/value.h"

struct terms {
	const struct td_node *nodes; /* nodes[0] is no term */
	uint32_t count;              /* counting node 0 */
	const struct td_array *arrays; /* what TABLE reads from; checked (terms_check_arrays) */
	uint32_t arrays_count;
	const uint8_t *array_bytes;
};

/* The bytes of one input object. */
struct content {
	const uint8_t *bytes;
	uint64_t length;
};

/* An input: what every input object contains, by its index in the trace. A byte past the end is 0, and an object that
 * is not there is empty. */
struct assignment {
	const struct content *objects;
	uint32_t count;
};

static inline u128 terms_value(const struct terms *t, uint32_t id)
{
	return value_join(t->nodes[id].lo, t->nodes[id].hi);
}

/* One element of an array; past its end 0. */
uint64_t terms_element(const struct terms *t, uint32_t array, u128 index);

/* Is every array well-formed and inside so many bytes? Otherwise bad (may be NULL) is the first that is not. */
bool terms_check_arrays(const struct terms *t, uint64_t bytes, uint32_t *bad);

/* Is every node well-formed: a known operator, earlier children, widths that fit together? All functions below and the
 * printer need that. Otherwise bad (may be NULL) is the first node that is not. */
bool terms_check(const struct terms *t, uint32_t *bad);

/* The value of every node on another input; out has room for count values. */
void terms_eval_all(const struct terms *t, const struct assignment *in, u128 *out);

/* The value of one node, given those of its children. */
u128 terms_eval_one(const struct terms *t, const struct assignment *in, uint32_t id, const u128 *values);

/* How many nodes do not have the value that follows from their children's recorded values; bad: the first one.
 * The values of inputs are taken as given, but must fit their width. */
uint32_t terms_verify(const struct terms *t, uint32_t *bad);

#endif
