/* The node store: append-only, in the shared file, hash-consed. Values come from the program itself (the hooks pass them), so nothing
 * is evaluated here; the host recomputes every node and compares. */
#include "state.h"
#include "pages.h"

__extension__ typedef unsigned __int128 u128;

/* Where a node is found again. Programs work on what they made last, so most terms have an operand that is new: a node is looked for near
 * the place of its newest operand, in one line of the cache, and the lines in use at a time are few. Only if that line is full, or
 * for what has no operands, is it in the other table, anywhere. Both start small and grow; nothing is ever removed.
 *
 * An entry is the number of a node, and four bits of its hash: most others are told apart without a look at them. */
struct slots {
	uint32_t *at;
	uint64_t count;
};

enum { FIRST_TABLE = 1 << 12, ID_BITS = 28, LINE = 64 / sizeof(uint32_t), IDS_A_LINE = 8, SPREAD = 4 };

static struct slots near, far;
static uint64_t far_used;

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
	near = (struct slots){state_map(FIRST_TABLE * sizeof *near.at), FIRST_TABLE};
	far = (struct slots){state_map(FIRST_TABLE * sizeof *far.at), FIRST_TABLE};
	return near.at && far.at;
}

static void touch(const struct slots *s)
{
	for (uint64_t i = 0; i < s->count; i += 4096 / sizeof *s->at)
		((volatile uint32_t *)s->at)[i] = 0;
}

/* Before there are nodes. A slot is read before it is written, so that a child would have two faults for each of these pages. */
void node_touch(void)
{
	touch(&near);
	touch(&far);
}

static uint32_t id_of(uint32_t entry)
{
	return entry & ((1u << ID_BITS) - 1);
}

static uint32_t entry(uint64_t hash, uint32_t id)
{
	return (uint32_t)(hash >> 60) << ID_BITS | id;
}

static const uint8_t operands[] = {
#define OP(name, arity, immediates, text) [TD_##name] = arity,
#include "contract/op.def"
#undef OP
};

/* The first slot of its line in the near table. */
static uint64_t line_of(const struct td_node *n, uint64_t hash)
{
	uint32_t newest = n->a;
	if (operands[n->op] > 1 && n->b > newest)
		newest = n->b;
	if (operands[n->op] > 2 && n->c > newest)
		newest = n->c;
	return (newest / IDS_A_LINE + hash % SPREAD) * LINE;
}

static bool near_grow(void)
{
	uint64_t bytes = near.count * sizeof *near.at;
	void *bigger = pages_grow(near.at, bytes, 2 * bytes);
	if (!bigger)
		return false;
	near = (struct slots){bigger, 2 * near.count};
	return true;
}

/* Inputs that nobody looks for (node_inputs) may have come meanwhile. */
static bool near_room(void)
{
	while ((td_state.header->nodes / IDS_A_LINE + SPREAD) * LINE > near.count)
		if (!near_grow())
			return false;
	return true;
}

static bool far_grow(void)
{
	struct slots bigger = {state_map(2 * far.count * sizeof *far.at), 2 * far.count};
	if (!bigger.at)
		return false;
	for (uint64_t k = 0; k < far.count; k++) {
		if (!far.at[k])
			continue;
		uint64_t i = node_hash(&td_state.nodes[id_of(far.at[k])]) & (bigger.count - 1);
		while (bigger.at[i])
			i = (i + 1) & (bigger.count - 1);
		bigger.at[i] = far.at[k];
	}
	pages_unmap(far.at, far.count * sizeof *far.at);
	far = bigger;
	return true;
}

static uint32_t node_append(const struct td_node *wanted, uint64_t hash, uint32_t *slot)
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
	*slot = entry(hash, id);
	return id;
}

/* The slot that has the node, or the free one that it belongs into; NULL: the line is full of others. */
static uint32_t *near_slot(const struct td_node *wanted, uint64_t hash)
{
	uint32_t *line = near.at + line_of(wanted, hash);
	for (uint32_t *slot = line; slot < line + LINE; slot++) {
		if (!*slot || (*slot == entry(hash, id_of(*slot)) && node_same(&td_state.nodes[id_of(*slot)], wanted)))
			return slot;
	}
	return NULL;
}

static uint32_t *far_slot(const struct td_node *wanted, uint64_t hash)
{
	for (uint64_t i = hash & (far.count - 1);; i = (i + 1) & (far.count - 1)) {
		uint32_t *slot = &far.at[i];
		if (!*slot || (*slot == entry(hash, id_of(*slot)) && node_same(&td_state.nodes[id_of(*slot)], wanted)))
			return slot;
	}
}

uint32_t node_make(enum td_op op, unsigned bits, uint32_t a, uint32_t b, uint32_t c, uint64_t lo, uint64_t hi)
{
	struct td_node wanted = {.op = (uint8_t)op, .bits = (uint16_t)bits, .a = a, .b = b, .c = c, .lo = lo, .hi = hi};
	if (!near_room() || (2 * far_used >= far.count && !far_grow())) {
		event_full();
		return 0;
	}
	uint64_t hash = node_hash(&wanted);
	uint32_t *slot = operands[op] ? near_slot(&wanted, hash) : NULL;
	if (!slot) {
		slot = far_slot(&wanted, hash);
		far_used += !*slot;
	}
	if (!*slot)
		return node_append(&wanted, hash, slot);
	const struct td_node *n = &td_state.nodes[id_of(*slot)];
	if (n->lo == lo && n->hi == hi)
		return id_of(*slot);
	state_count(TD_COUNT_MISMATCH);
	return 0;
}

/* Few constants are used most. */
static uint32_t constants[256];

uint32_t node_const(unsigned bits, uint64_t lo, uint64_t hi)
{
	uint32_t *kept = &constants[(lo ^ lo >> 7 ^ bits * 37) % (sizeof constants / sizeof constants[0])];
	const struct td_node *n = &td_state.nodes[*kept];
	if (!*kept || n->lo != lo || n->bits != bits || n->hi != hi)
		*kept = node_make(TD_CONST, bits, 0, 0, 0, lo, hi);
	return *kept;
}

uint32_t node_input(uint32_t object, uint32_t offset, uint8_t value)
{
	return node_make(TD_INPUT, 8, object, offset, 0, value, 0);
}

uint32_t node_inputs(uint32_t object, uint32_t offset, const uint8_t *values, uint32_t count)
{
	struct td_header *h = td_state.header;
	uint32_t first = h->nodes;
	if (count > h->nodes_max - first) {
		event_full();
		return 0;
	}
	for (uint32_t i = 0; i < count; i++)
		td_state.nodes[first + i] = (struct td_node){.op = TD_INPUT, .bits = 8, .a = object, .b = offset + i, .lo = values[i]};
	h->nodes = first + count;
	for (uint32_t i = 0; i < count; i++)
		unset_term(first + i);
	return first;
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
