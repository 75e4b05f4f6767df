/* The node store: append-only, in the shared file, hash-consed through a private table that starts small and grows. Values
 * come from the program itself (the hooks pass them), so nothing is evaluated here; the host recomputes every
 * node and compares. */
#include "state.h"

#include <sys/mman.h>

__extension__ typedef unsigned __int128 u128;

/* The number of a node, and four bits of its hash: most others that share a slot are told apart without a look at them. */
static uint32_t *table;
static uint64_t table_mask;

enum { FIRST_TABLE = 1 << 12, ID_BITS = 28 }; /* as many as a shadow has room for */

static uint64_t node_hash(const struct td_node *n)
{
	uint64_t constant = n->op == TD_CONST ? n->lo * 31 + n->hi : 0;
	uint64_t h = (n->op | (uint64_t)n->bits << 8 | (uint64_t)n->c << 32) * 0x9E3779B97F4A7C15ull;
	h ^= (n->a | (uint64_t)n->b << 32) * 0xC2B2AE3D27D4EB4Full;
	h ^= constant * 0x165667B19E3779F9ull;
	h ^= h >> 29;
	h *= 0xBF58476D1CE4E5B9ull;
	return h ^ h >> 32;
}

static bool node_same(const struct td_node *x, const struct td_node *y)
{
	return x->op == y->op && x->bits == y->bits && x->a == y->a && x->b == y->b && x->c == y->c &&
	       (x->op != TD_CONST || (x->lo == y->lo && x->hi == y->hi));
}

bool node_init(void)
{
	table = state_map(FIRST_TABLE * sizeof *table);
	table_mask = FIRST_TABLE - 1;
	return table != NULL;
}

static uint32_t entry(uint64_t hash, uint32_t id)
{
	return (uint32_t)(hash >> 60) << ID_BITS | id;
}

static bool table_grow(void)
{
	uint64_t mask = table_mask * 2 + 1;
	uint32_t *bigger = state_map((mask + 1) * sizeof *bigger);
	if (!bigger)
		return false;
	for (uint32_t id = 1; id < td_state.header->nodes; id++) {
		uint64_t h = node_hash(&td_state.nodes[id]), i = h & mask;
		while (bigger[i])
			i = (i + 1) & mask;
		bigger[i] = entry(h, id);
	}
	munmap(table, (table_mask + 1) * sizeof *table);
	table = bigger;
	table_mask = mask;
	return true;
}

static uint32_t node_append(const struct td_node *wanted, uint64_t hash, uint64_t slot)
{
	struct td_header *h = td_state.header;
	if (h->nodes >= h->nodes_max) {
		event_full();
		return 0;
	}
	uint32_t id = h->nodes;
	td_state.nodes[id] = *wanted;
	h->nodes = id + 1;
	unset_term(id);
	table[slot] = entry(hash, id);
	return id;
}

uint32_t node_make(enum td_op op, unsigned bits, uint32_t a, uint32_t b, uint32_t c, uint64_t lo, uint64_t hi)
{
	struct td_node wanted = {.op = (uint8_t)op, .bits = (uint16_t)bits, .a = a, .b = b, .c = c, .lo = lo, .hi = hi};
	if (td_state.header->nodes * 2ull > table_mask && !table_grow()) {
		event_full();
		return 0;
	}
	uint64_t hash = node_hash(&wanted);
	for (uint64_t i = hash & table_mask;; i = (i + 1) & table_mask) {
		uint32_t id = table[i] & ((1u << ID_BITS) - 1);
		if (!id)
			return node_append(&wanted, hash, i);
		const struct td_node *n = &td_state.nodes[id];
		if (table[i] != entry(hash, id) || !node_same(n, &wanted))
			continue;
		if (n->lo == lo && n->hi == hi)
			return id;
		state_count(TD_COUNT_MISMATCH);
		return 0;
	}
}

uint32_t node_const(unsigned bits, uint64_t lo, uint64_t hi)
{
	return node_make(TD_CONST, bits, 0, 0, 0, lo, hi);
}

uint32_t node_input(uint32_t object, uint32_t offset, uint8_t value)
{
	return node_make(TD_INPUT, 8, object, offset, 0, value, 0);
}

uint32_t node_extract(uint32_t node, unsigned low, unsigned bits)
{
	const struct td_node *n = &td_state.nodes[node];
	if (low == 0 && n->bits == bits)
		return node;
	if (n->op == TD_EXTRACT)
		return node_extract(n->a, n->b + low, bits);
	if (n->op == TD_CONCAT) { /* keep inside one half where possible */
		unsigned split = td_state.nodes[n->b].bits;
		if (low >= split)
			return node_extract(n->a, low - split, bits);
		if (low + bits <= split)
			return node_extract(n->b, low, bits);
	}
	if (n->op == TD_ZEXT && low + bits <= td_state.nodes[n->a].bits)
		return node_extract(n->a, low, bits);
	u128 v = ((u128)n->hi << 64 | n->lo) >> low;
	uint64_t lo = (uint64_t)v, hi = (uint64_t)(v >> 64);
	if (bits < 64)
		lo &= (1ull << bits) - 1;
	if (bits <= 64)
		hi = 0;
	else if (bits < 128)
		hi &= (1ull << (bits - 64)) - 1;
	return node_make(TD_EXTRACT, bits, node, low, 0, lo, hi);
}
