/* Reads at a symbolic index from an array whose bounds are known: the array's elements are recorded, equal contents once, and the
 * read becomes TABLE(index, array). That is right only while the index stays inside, which a BOUND event says unless
 * the index cannot leave by the way it was computed. The event comes before the program reads the array. Where no table can be made (a symbolic byte in the array, no room) the address is concretised, as for any other read.
 *
 * Taking a snapshot must not harm the program: an array behind a pointer may end before its type says so. So of arrays that are not
 * variables of their own the kernel is asked whether they may be read, unless the map of objects knows. That map also tells how long an array
 * is that the program has nothing but a pointer to. */
#include "object.h"

#include "contract/region.h"

enum { PAGE = 4096, MOST_BYTES = 4096, DEPTH = 8 };

struct read {
	uint64_t array, index;           /* address of its first element; which one is read */
	uint32_t count, stride, within;  /* within: bytes from the start of an element to what is read of it */
	uint32_t bytes;
};

/* ---- how large may a term be? ---- */

static uint64_t all_ones(unsigned bits)
{
	return bits >= 64 ? UINT64_MAX : (1ull << bits) - 1;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t largest(uint32_t id, unsigned depth);

/* A part of something, by a constant; signed ones are taken apart like unsigned ones if neither can be negative. */
static uint64_t largest_part(const struct td_node *n, unsigned depth)
{
	const struct td_node *by = &td_state.nodes[n->b];
	uint64_t all = all_ones(n->bits), a = largest(n->a, depth - 1);
	bool is_signed = n->op == TD_SREM || n->op == TD_SDIV;
	if (by->op != TD_CONST || !by->lo || (is_signed && (a | by->lo) >> (n->bits - 1)))
		return all;
	if (n->op == TD_LSHR)
		return by->lo < n->bits ? a >> by->lo : 0;
	return n->op == TD_UREM || n->op == TD_SREM ? least(a, by->lo - 1) : a / by->lo;
}

uint64_t term_largest(uint32_t node)
{
	return largest(node, DEPTH);
}

/* An upper bound, by the way it was computed and never by its value: the same on every input that takes this path. */
static uint64_t largest(uint32_t id, unsigned depth)
{
	const struct td_node *n = &td_state.nodes[id];
	uint64_t all = all_ones(n->bits), a, b;
	if (!depth || n->bits > 64)
		return UINT64_MAX;
	switch (n->op) {
	case TD_CONST: return n->lo;
	case TD_ZEXT: return largest(n->a, depth - 1);
	case TD_SEXT:
		a = largest(n->a, depth - 1);
		return a >> (td_state.nodes[n->a].bits - 1) ? all : a;
	case TD_EXTRACT: return n->b == 0 ? least(all, largest(n->a, depth - 1)) : all;
	case TD_AND: return least(largest(n->a, depth - 1), largest(n->b, depth - 1));
	case TD_LSHR: case TD_UREM: case TD_UDIV: case TD_SREM: case TD_SDIV: return largest_part(n, depth);
	case TD_ADD: case TD_MUL:
		a = largest(n->a, depth - 1);
		b = largest(n->b, depth - 1);
		if (n->op == TD_ADD)
			return b > all - a ? all : a + b;
		return a && b > all / a ? all : a * b;
	case TD_ITE:
		a = largest(n->b, depth - 1);
		b = largest(n->c, depth - 1);
		return a > b ? a : b;
	case TD_TABLE: return td_state.arrays[n->b].largest;
	default: return all;
	}
}

/* The index without what only widens it: read as unsigned it is the same number. 0: no room for a term. */
static uint32_t narrow(uint32_t id)
{
	for (;;) {
		const struct td_node *n = &td_state.nodes[id], *a = &td_state.nodes[n->a];
		bool positive = n->op == TD_SEXT && !(largest(n->a, DEPTH) >> (a->bits - 1) & 1);
		if (n->op != TD_ZEXT && !positive)
			return id;
		id = n->a;
	}
}

static uint32_t index_term(uint32_t node, uint64_t value, unsigned bits)
{
	if (bits < 64)
		node = node_make(TD_SEXT, 64, node, 0, 0, value, 0);
	else if (bits > 64)
		node = node_extract(node, 0, 64);
	return node ? narrow(node) : 0;
}

/* ---- events ---- */

enum { BOUND_ALREADY = 2 }; /* in td_node.pad, as in event.c */

static bool bound(uint32_t index, uint64_t value, uint32_t count)
{
	unsigned bits = td_state.nodes[index].bits;
	if (largest(index, DEPTH) < count)
		return true;
	uint32_t limit = node_const(bits, count, 0);
	uint32_t inside = limit ? node_make(TD_ULT, 1, index, limit, 0, value < count, 0) : 0;
	if (!inside)
		return false;
	if (td_state.nodes[inside].pad & BOUND_ALREADY)
		return true;
	td_state.nodes[inside].pad |= BOUND_ALREADY;
	event_add(TD_EV_BOUND, 0, TD_NO_SITE, inside, 0, 1);
	return true;
}

/* Was it said already, as a condition of the access, that the index is inside? That is the same for all of an object, unless the way to the address
 * wraps or the object ends with a part of an element. */
static bool is_said(const struct read *r, const struct td_object *o, uint32_t index, uint32_t address, uint32_t behind)
{
	const struct td_node *n = &td_state.nodes[index];
	unsigned bits = n->op == TD_SEXT ? td_state.nodes[n->a].bits : n->bits;
	bool wraps = r->stride > 1 && (bits > 32 || r->stride >> 31);
	return o && !wraps && o->start == r->array && o->size == (uint64_t)r->count * r->stride && safety_said_inside(address, (int32_t)behind, o->start, o->size);
}

/* ---- looking at the program's memory ---- */

/* The live object at an address, if its extent is known. */
static const struct td_object *known_object(uint64_t address)
{
	const struct td_object *o = object_get(object_at(address));
	return o && o->state == TD_OBJECT_LIVE && o->kind != TD_OBJECT_FOREIGN ? o : NULL;
}

/* How many elements there are from here to the end of the object that the pointer points into; 0: nobody knows, or too many for a table. */
static uint32_t ask_count(uint64_t pointer, const struct read *r)
{
	const struct td_object *o = known_object(pointer);
	if (!o || r->array < o->start || r->array - o->start >= o->size)
		return 0;
	uint64_t count = (o->size - (r->array - o->start)) / r->stride;
	return count > 1 && count * r->bytes <= MOST_BYTES ? (uint32_t)count : 0;
}

/* The live object that all of the array is part of. */
static const struct td_object *object_around(const struct read *r)
{
	const struct td_object *o = known_object(r->array);
	uint64_t bytes = (uint64_t)r->count * r->stride;
	return o && bytes <= o->size && r->array - o->start <= o->size - bytes ? o : NULL;
}

/* What is part of a live object is there. */
static bool may_read(const struct read *r, const struct td_object *o)
{
	if (o && o->kind != TD_OBJECT_MAPPING)
		return true;
	uint64_t first = r->array / PAGE, last = (r->array + (uint64_t)r->count * r->stride - 1) / PAGE;
	for (uint64_t page = first; page <= last; page++)
		if (!state_readable(page * PAGE))
			return false;
	return true;
}

static bool has_symbolic_byte(const struct read *r, const struct td_object *o)
{
	if (o && !o->symbolic)
		return false;
	if (r->stride == r->bytes)
		return shadow_any(r->array, (uint64_t)r->count * r->stride);
	for (uint32_t i = 0; i < r->count; i++)
		if (shadow_any(r->array + (uint64_t)i * r->stride + r->within, r->bytes))
			return true;
	return false;
}

static uint64_t element(const uint8_t *at, uint32_t bytes)
{
	uint64_t v = 0;
	for (uint32_t i = bytes; i-- > 0;)
		v = v << 8 | at[i];
	return v;
}

/* ---- the store of arrays ---- */

static uint32_t *table; /* hash -> number + 1 */

enum { TABLE_MASK = 4 * TD_MAX_ARRAYS - 1 };

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * 0x9E3779B97F4A7C15ull;
	return h ^ h >> 29;
}

static uint64_t hash_of(const uint64_t *words, uint32_t count, const struct td_array *wanted)
{
	uint64_t h = wanted->count | (uint64_t)wanted->bits << 32;
	for (uint32_t i = 0; i < count; i++)
		h = mix(h, words[i]);
	uint64_t name[TD_ARRAY_NAME_SIZE / 8];
	__builtin_memcpy(name, wanted->name, sizeof name);
	for (uint32_t i = 0; i < TD_ARRAY_NAME_SIZE / 8; i++)
		h = mix(h, name[i]);
	return h;
}

static bool same_name(const struct td_array *x, const struct td_array *y)
{
	for (uint32_t i = 0; i < TD_ARRAY_NAME_SIZE; i++)
		if (x->name[i] != y->name[i])
			return false;
	return true;
}

static bool same_array(const struct td_array *x, const struct td_array *y, const uint64_t *words, uint32_t count)
{
	if (x->hash != y->hash || x->count != y->count || x->bits != y->bits || !same_name(x, y))
		return false;
	const uint64_t *other = (const uint64_t *)(td_state.array_bytes + x->offset);
	for (uint32_t i = 0; i < count; i++)
		if (other[i] != words[i])
			return false;
	return true;
}

static bool append(struct td_array *wanted, const uint64_t *words, uint32_t count)
{
	struct td_header *h = td_state.header;
	if (h->arrays >= h->arrays_max || count * 8 > h->array_bytes_max - h->array_bytes)
		return false;
	for (uint32_t i = 0; i < h->arrays; i++)
		wanted->version = (uint16_t)(wanted->version + same_name(&td_state.arrays[i], wanted));
	wanted->offset = h->array_bytes;
	uint64_t *to = (uint64_t *)(td_state.array_bytes + wanted->offset);
	for (uint32_t i = 0; i < count; i++)
		to[i] = words[i];
	for (uint32_t i = 0; i < wanted->count; i++) {
		uint64_t v = element((const uint8_t *)to + (uint64_t)i * wanted->bits / 8, wanted->bits / 8u);
		wanted->largest = v > wanted->largest ? v : wanted->largest;
	}
	td_state.arrays[h->arrays] = *wanted;
	h->array_bytes += count * 8;
	h->arrays++;
	return true;
}

/* The number of an array with these contents, or -1: no room. */
static int64_t number_of(struct td_array *wanted, const uint64_t *words)
{
	uint32_t count = (wanted->count * (wanted->bits / 8u) + 7) / 8;
	if (!table && !(table = state_map((TABLE_MASK + 1) * sizeof *table)))
		return -1;
	wanted->hash = hash_of(words, count, wanted);
	uint64_t i = wanted->hash & TABLE_MASK;
	for (; table[i]; i = (i + 1) & TABLE_MASK)
		if (same_array(&td_state.arrays[table[i] - 1], wanted, words, count))
			return table[i] - 1;
	if (!append(wanted, words, count))
		return -1;
	table[i] = td_state.header->arrays;
	return table[i] - 1;
}

static int64_t take_snapshot(const struct read *r, const char *name)
{
	uint64_t words[MOST_BYTES / 8];
	uint8_t *to = (uint8_t *)words;
	uint32_t size = r->count * r->bytes;
	struct td_array wanted = {.count = r->count, .bits = (uint16_t)(8 * r->bytes)};
	for (uint32_t i = 0; name && name[i] && i + 1 < TD_ARRAY_NAME_SIZE; i++)
		wanted.name[i] = name[i];
	words[(size - 1) / 8] = 0;
	for (uint32_t i = 0; i < r->count; i++) {
		const uint8_t *from = (const uint8_t *)r->array + (uint64_t)i * r->stride + r->within;
		for (uint32_t k = 0; k < r->bytes; k++)
			*to++ = from[k];
	}
	return number_of(&wanted, words);
}

/* Most arrays are read again and again, and never change. */
static struct kept {
	struct read from; /* but for the index */
	const char *name;
	uint32_t number;  /* plus 1 */
} kept[64];

static bool is_same_read(const struct read *x, const struct read *y)
{
	return x->array == y->array && x->count == y->count && x->stride == y->stride && x->within == y->within && x->bytes == y->bytes;
}

static uint64_t word_at(const uint8_t *p)
{
	uint64_t v;
	__builtin_memcpy(&v, p, sizeof v);
	return v;
}

static bool is_equal(const uint8_t *x, const uint8_t *y, uint64_t size)
{
	uint64_t i = 0;
	for (; i + 32 <= size; i += 32)
		if ((word_at(x + i) ^ word_at(y + i)) | (word_at(x + i + 8) ^ word_at(y + i + 8)) | (word_at(x + i + 16) ^ word_at(y + i + 16)) |
		    (word_at(x + i + 24) ^ word_at(y + i + 24)))
			return false;
	for (; i < size; i++)
		if (x[i] != y[i])
			return false;
	return true;
}

static bool is_unchanged(const struct read *r, uint32_t number)
{
	const uint8_t *was = td_state.array_bytes + td_state.arrays[number].offset, *is = (const uint8_t *)r->array + r->within;
	if (r->stride == r->bytes)
		return is_equal(was, is, (uint64_t)r->count * r->bytes);
	for (uint32_t i = 0; i < r->count; i++)
		if (!is_equal(was + (uint64_t)i * r->bytes, is + (uint64_t)i * r->stride, r->bytes))
			return false;
	return true;
}

static int64_t snapshot(const struct read *r, const char *name)
{
	struct kept *k = &kept[mix(r->array + r->within, r->count) >> 58];
	if (k->number && k->name == name && is_same_read(&k->from, r) && is_unchanged(r, k->number - 1))
		return k->number - 1;
	int64_t number = take_snapshot(r, name);
	if (number >= 0)
		*k = (struct kept){*r, name, (uint32_t)number + 1};
	return number;
}

/* ---- hooks ---- */

static bool is_alive(uint32_t node)
{
	return node && td_state.nodes[node].op != TD_CONST && !event_is_lost(node);
}

/* The term, or 0: then the address has to be concretised. */
static uint32_t make(const struct read *r, uint32_t index, unsigned index_bits, uint32_t address, uint32_t behind, uint32_t flags, const char *name)
{
	state_count(TD_COUNT_TABLE);
	if (r->index >= r->count || r->within > r->stride - r->bytes)
		return 0;
	const struct td_object *o = object_around(r);
	if (!(flags & TD_TABLE_OBJECT) && !may_read(r, o))
		return 0;
	if (has_symbolic_byte(r, o)) {
		state_count(TD_COUNT_TABLE_MIXED);
		return 0;
	}
	int64_t number = snapshot(r, name);
	if (number < 0) {
		state_count(TD_COUNT_TABLE_FULL);
		return 0;
	}
	uint32_t term = index_term(index, r->index, index_bits);
	if (!term || !(is_said(r, o, term, address, behind) || bound(term, r->index, r->count)))
		return 0;
	const uint8_t *elements = td_state.array_bytes + td_state.arrays[number].offset;
	return node_make(TD_TABLE, 8 * r->bytes, term, (uint32_t)number, 0, element(elements + r->index * r->bytes, r->bytes), 0);
}

uint32_t __td_table(uint32_t found, uint32_t node, uint64_t address, uint32_t behind, uint32_t base_node, void *base, uint32_t index_node,
                    uint64_t index, uint32_t index_bits, uint32_t offset, uint32_t count, uint32_t stride, uint32_t bits, uint32_t flags, void *name)
{
	uint32_t r = found;
	if (found || !node || !state_enter())
		return found;
	uint64_t array = (uint64_t)base + offset;
	struct read read = {array, index, count, stride, (uint32_t)(address + behind - array - index * stride), bits / 8};
	if (flags & TD_TABLE_ASK)
		read.count = ask_count((uint64_t)base, &read);
	if (td_state.nodes[node].lo != address) {
		state_count(TD_COUNT_MISMATCH);
	} else if (is_alive(node) && is_alive(index_node)) {
		if (is_alive(base_node))
			event_lose(TD_NO_SITE, TD_LOST_READ, base_node);
		r = make(&read, index_node, index_bits, node, behind, flags, name);
		if (!r)
			event_lose(TD_NO_SITE, TD_LOST_READ, node);
	} else if (flags & TD_TABLE_LAST) {
		event_lose(TD_NO_SITE, TD_LOST_READ, node);
	}
	state_leave();
	return r;
}

/* After the read: was it what the table says? If not (volatile, another thread), what it depended on is lost. */
uint32_t __td_table_load(uint32_t found, void *pointer, uint32_t bytes, uint32_t bits, uint64_t value)
{
	if (!found)
		return __td_load(pointer, bytes, bits, value);
	if (td_state.nodes[found].lo == value || !state_enter())
		return found;
	state_count(TD_COUNT_STALE);
	event_lose(TD_NO_SITE, TD_LOST_READ, td_state.nodes[found].a);
	state_leave();
	return 0;
}
