/* What must hold for an operation with symbolic operands, as terms: a SAFETY event each, before the operation. What holds by the way an
 * operand was computed is left out, and so is what was said before. */
#include "object.h"

enum { SAID_ALREADY = 4 }; /* in td_node.pad, as in event.c */

struct place { uint32_t function, place; };

static uint32_t constant(unsigned bits, uint64_t value)
{
	return node_const(bits, bits < 64 ? value & ((1ull << bits) - 1) : value, 0);
}

static void say(struct place p, enum td_violation kind, uint32_t condition)
{
	struct td_node *n = &td_state.nodes[condition];
	if (!condition || n->op == TD_CONST || n->pad & SAID_ALREADY)
		return;
	n->pad |= SAID_ALREADY;
	event_add(TD_EV_SAFETY, kind, p.function, condition, p.place, n->lo);
}

static uint64_t value_of(uint32_t node)
{
	return td_state.nodes[node].lo;
}

static uint32_t compare(enum td_op op, uint32_t a, uint32_t b)
{
	uint64_t x = a ? value_of(a) : 0, y = b ? value_of(b) : 0;
	bool truth = op == TD_ULE ? x <= y : op == TD_ULT ? x < y : x != y;
	return a && b ? node_make(op, 1, a, b, 0, truth, 0) : 0;
}

/* ---- addresses ---- */

/* Is it a constant at least this large plus something that does not wrap? */
static bool is_above(uint32_t address, uint64_t start)
{
	const struct td_node *n = &td_state.nodes[address];
	if (n->op != TD_ADD)
		return false;
	uint32_t c = td_state.nodes[n->a].op == TD_CONST ? n->a : n->b, rest = c == n->a ? n->b : n->a;
	return td_state.nodes[c].op == TD_CONST && value_of(c) >= start && term_largest(rest) <= UINT64_MAX - value_of(c);
}

/* At least one of them; 0: none is a condition. */
static uint32_t either(uint32_t a, uint32_t b)
{
	return a && b ? node_make(TD_OR, 1, a, b, 0, value_of(a) | value_of(b), 0) : a | b;
}

static uint32_t differs(uint32_t node, uint64_t value)
{
	return node ? compare(TD_NE, node, constant(td_state.nodes[node].bits, value)) : 0;
}

/* What an access may not leave. */
struct bounds {
	uint64_t start, end;
	uint32_t unless; /* a condition: it is about another object; 0: it is not */
};

/* Another input may lead to another object, of which nothing is known here. An object is found by any address in its granules. */
static uint32_t is_another(uint32_t number, const struct bounds *b, uint32_t base)
{
	uint64_t reach = object_at(b->end) == number ? (b->end | (TD_GRANULE - 1)) + 1 : b->end;
	uint32_t offset = node_make(TD_SUB, 64, base, constant(64, b->start), 0, value_of(base) - b->start, 0);
	return compare(TD_ULE, constant(64, reach - b->start), offset);
}

static bool bounds_of(const struct access *a, struct bounds *b)
{
	uint32_t number = object_at(a->base);
	const struct td_object *o = object_get(number);
	*b = (struct bounds){a->base, a->base + a->inside, 0};
	if (a->inside)
		return true;
	if (!o || o->kind == TD_OBJECT_FOREIGN || o->state == TD_OBJECT_GONE || !object_has(o, a->base)) /* see check.c */
		return false;
	*b = (struct bounds){o->start, o->start + o->size, 0};
	if (!a->base_node)
		return true;
	b->unless = is_another(number, b, a->base_node);
	return b->unless;
}

/* node - base; 0: it is always the same. */
static uint32_t way_from(uint32_t base, uint32_t node)
{
	const struct td_node *n = &td_state.nodes[node];
	if (n->op == TD_ADD && n->a == base)
		return td_state.nodes[n->b].op == TD_CONST ? 0 : n->b;
	return node == base ? 0 : node_make(TD_SUB, 64, node, base, 0, value_of(node) - value_of(base), 0);
}

/* The address as a term, where base's own is left out: for an array in an object what counts is the way from its start. 0: it has none. */
static uint32_t address_of(const struct access *a, int32_t offset)
{
	uint32_t node = a->node;
	uint64_t at = a->pointer;
	if (a->inside && a->base_node && node) {
		uint32_t way = way_from(a->base_node, node);
		node = way ? node_make(TD_ADD, 64, constant(64, a->base), way, 0, at, 0) : 0;
	}
	if (!node || !offset)
		return node;
	return node_make(TD_ADD, 64, node, constant(64, (uint64_t)(int64_t)offset), 0, at + (uint64_t)(int64_t)offset, 0);
}

static void say_between(struct place p, uint32_t address, const struct bounds *b, uint64_t last)
{
	if (b->unless || !is_above(address, b->start))
		say(p, TD_VIOLATION_LOWER, either(b->unless, compare(TD_ULE, constant(64, b->start), address)));
	if (b->unless || term_largest(address) > last)
		say(p, TD_VIOLATION_UPPER, either(b->unless, compare(TD_ULE, address, constant(64, last))));
}

/* A pointer that may be null on another input, or null and a little. What is far from null then is not called so. */
static void say_there(struct place p, const struct access *a, uint32_t address)
{
	if (!a->base_node || a->inside || is_above(a->base_node, CHECK_LOWEST))
		return;
	uint32_t lowest = constant(64, CHECK_LOWEST), base = is_above(a->base_node, 1) ? compare(TD_ULE, lowest, a->base_node) : differs(a->base_node, 0);
	say(p, TD_VIOLATION_NULL, either(base, compare(TD_ULE, lowest, address)));
}

/* Of which addresses was said last that all of the access is in an object? */
static struct said { uint32_t node; int32_t offset; uint64_t start, size; } said_inside[64];

static struct said *said_of(uint32_t node)
{
	return &said_inside[node % (sizeof said_inside / sizeof said_inside[0])];
}

bool safety_said_inside(uint32_t node, int32_t offset, uint64_t start, uint64_t size)
{
	const struct said *k = said_of(node);
	return k->node == node && k->offset == offset && k->start == start && k->size == size;
}

static bool agrees(uint32_t node, uint64_t value)
{
	return !node || value_of(node) == value;
}

/* There is no object. If the pointer could be another one, that is what does not hold. */
static void say_nowhere(struct place p, const struct access *a, uint32_t address)
{
	const struct td_object *o = object_get(object_at(a->base));
	if (!a->base_node || a->inside)
		return;
	if (o && o->state == TD_OBJECT_GONE)
		say(p, o->kind == TD_OBJECT_HEAP ? TD_VIOLATION_FREED : TD_VIOLATION_DEAD, differs(a->base_node, a->base));
	else if (a->base < CHECK_LOWEST && value_of(address) >= CHECK_LOWEST) /* far from where it should be */
		say(p, TD_VIOLATION_NULL, differs(a->base_node, a->base));
	else if (address)
		say_there(p, a, address);
}

void safety_inside(const struct access *a, int32_t offset, uint32_t bytes)
{
	struct bounds b;
	struct place p = {a->function, a->place};
	if (!agrees(a->node, a->pointer) || !agrees(a->base_node, a->base) || (a->node && event_is_lost(a->node)))
		return;
	uint32_t address = address_of(a, offset);
	if (!bounds_of(a, &b)) {
		say_nowhere(p, a, address);
		return;
	}
	if (!address)
		return;
	if (b.end - b.start >= bytes) {
		say_between(p, address, &b, b.end - bytes);
		if (!a->inside && !b.unless)
			*said_of(a->node) = (struct said){a->node, offset, b.start, b.end - b.start};
	}
	say_there(p, a, address);
}

void safety_reaches(const struct access *a, uint64_t bytes, uint32_t length)
{
	struct bounds b;
	struct place p = {a->function, a->place};
	if (!agrees(a->node, a->pointer) || !agrees(a->base_node, a->base) || !agrees(length, bytes))
		return;
	uint32_t address = address_of(a, 0);
	if (!bounds_of(a, &b)) {
		if (bytes)
			say_nowhere(p, a, address);
		return;
	}
	if (!(address | length))
		return;
	if (address)
		say_between(p, address, &b, b.end);
	uint32_t left = address ? node_make(TD_SUB, 64, constant(64, b.end), address, 0, b.end - a->pointer, 0) : constant(64, b.end - a->pointer);
	uint32_t wanted = length ? length : constant(64, bytes);
	if (left && wanted && (!length || address || term_largest(length) > b.end - a->pointer))
		say(p, TD_VIOLATION_UPPER, either(b.unless, compare(TD_ULE, wanted, left)));
}

/* ---- what is called, allocated, freed ---- */

static uint32_t as_word(uint32_t node, uint64_t value)
{
	if (!node)
		return constant(64, value);
	return td_state.nodes[node].bits == 64 ? node : node_make(TD_ZEXT, 64, node, 0, 0, value, 0);
}

/* a times b, and no more than that. What wraps on the stack nobody sees. */
static void say_size(struct place p, const struct operands *o, uint64_t most, bool wraps)
{
	uint64_t product;
	uint32_t x = as_word(o->a, o->va), y = as_word(o->b, o->vb), bytes = o->b || o->vb != 1 ? 0 : x;
	bool over = __builtin_mul_overflow(o->va, o->vb, &product);
	if (!bytes && x && y)
		bytes = node_make(TD_MUL, 64, x, y, 0, product, 0);
	if (!bytes)
		return;
	if (!wraps && bytes != x)
		say(p, TD_VIOLATION_ALLOCATION, differs(node_make(TD_UMULO, 1, x, y, 0, over, 0), 1));
	if (term_largest(bytes) > most)
		say(p, TD_VIOLATION_ALLOCATION, compare(TD_ULE, bytes, constant(64, most)));
}

/* Not a pointer into the block that is freed now. What else might be freed, nobody knows. */
static void say_block(struct place p, uint32_t node, uint64_t value)
{
	const struct td_object *o = object_get(object_at(value));
	if (o && o->kind == TD_OBJECT_HEAP && (o->state == TD_OBJECT_GONE || o->start != value))
		say(p, o->state == TD_OBJECT_GONE ? TD_VIOLATION_DOUBLE_FREE : TD_VIOLATION_INTERIOR_FREE, differs(node, value));
	if (!o || o->kind != TD_OBJECT_HEAP || o->start != value || o->state != TD_OBJECT_LIVE || o->size < 2)
		return;
	uint32_t inside = node_make(TD_SUB, 64, node, constant(64, value + 1), 0, UINT64_MAX, 0);
	say(p, TD_VIOLATION_INTERIOR_FREE, compare(TD_ULE, constant(64, o->size - 1), inside));
}

enum { CHOICES_MAX = 64 };

static void decide(uint32_t condition)
{
	if (condition)
		event_add(TD_EV_BRANCH, 0, TD_NO_SITE, condition, 0, value_of(condition));
}

/* One element after the other, up to the one that it is. */
static void say_element(uint32_t index)
{
	uint64_t it = value_of(index);
	unsigned bits = td_state.nodes[index].bits;
	for (uint64_t k = 0; k <= it && it < CHOICES_MAX; k++)
		decide(node_make(TD_EQ, 1, index, constant(bits, k), 0, k == it, 0));
}

/* Which of several functions it is was decided somewhere: a search may want another. A run that ends here has decided nothing. */
static void say_choice(uint32_t callee)
{
	while (value_of(callee) && td_state.nodes[callee].op == TD_ITE) {
		const struct td_node n = td_state.nodes[callee];
		decide(n.a);
		callee = value_of(n.a) ? n.b : n.c;
	}
	if (value_of(callee) && td_state.nodes[callee].op == TD_TABLE)
		say_element(td_state.nodes[callee].a);
}

void safety_given(const struct operands *o)
{
	struct place p = {o->function, o->place};
	if (!agrees(o->a, o->va) || !agrees(o->b, o->vb))
		return;
	switch ((enum td_given)o->kind) {
	case TD_GIVEN_CALLEE:
		say(p, TD_VIOLATION_NULL, differs(o->a, 0));
		say_choice(o->a);
		break;
	case TD_GIVEN_SIZE: say_size(p, o, PTRDIFF_MAX, false); break;
	case TD_GIVEN_ROOM: say_size(p, o, local_room(), true); break;
	case TD_GIVEN_BLOCK: say_block(p, o->a, o->va); break;
	case TD_GIVEN_POINTER:
		if (!o->va)
			say(p, TD_NO_VIOLATION, differs(o->a, 0));
		break;
	}
}

/* ---- division and shifts ---- */

/* Operands come as words: what they were before. */
static uint32_t unextended(uint32_t node)
{
	return td_state.nodes[node].op == TD_ZEXT ? td_state.nodes[node].a : node;
}

static void say_quotient(struct place p, uint32_t a, uint64_t va, uint32_t b, uint64_t vb, unsigned bits)
{
	uint64_t minus = UINT64_MAX >> (64 - bits), least = 1ull << (bits - 1);
	if ((!b && vb != minus) || (!a && va != least))
		return;
	uint32_t other = differs(b, minus), above = differs(a, least);
	if (other && above)
		other = node_make(TD_OR, 1, other, above, 0, value_of(other) | value_of(above), 0);
	say(p, TD_VIOLATION_QUOTIENT, other ? other : above);
}

static void say_arithmetic(struct place p, uint32_t shape, uint32_t a, uint32_t b, bool overflows)
{
	static const enum td_op ops[2][3] = {{TD_SADDO, TD_SSUBO, TD_SMULO}, {TD_UADDO, TD_USUBO, TD_UMULO}};
	enum td_op op = ops[(shape & TD_SAFETY_UNSIGNED) != 0][shape & TD_SAFETY_ADD ? 0 : shape & TD_SAFETY_SUB ? 1 : 2];
	unsigned bits = shape & 255;
	if (!a || !b || td_state.nodes[a].bits != bits || td_state.nodes[b].bits != bits)
		return;
	uint32_t wrong = node_make(op, 1, a, b, 0, overflows, 0);
	say(p, shape & TD_SAFETY_ASKED ? TD_NO_VIOLATION : shape & TD_SAFETY_SIZE ? TD_VIOLATION_ALLOCATION : TD_VIOLATION_SIGNED, differs(wrong, 1));
}

void safety_operands(const struct operands *o)
{
	unsigned bits = o->kind & 255;
	struct place p = {o->function, o->place};
	if (!agrees(o->a, o->va) || !agrees(o->b, o->vb))
		return;
	uint32_t a = unextended(o->a), b = unextended(o->b);
	if (o->kind & TD_SAFETY_SHIFT) {
		if (b && term_largest(b) >= bits)
			say(p, TD_VIOLATION_SHIFT, compare(TD_ULT, b, constant(td_state.nodes[b].bits, bits)));
		return;
	}
	if (o->kind & TD_SAFETY_ARITHMETIC) {
		say_arithmetic(p, o->kind, a ? a : constant(bits, o->va), b ? b : constant(bits, o->vb), check_overflow(o->kind, o->va, o->vb));
		return;
	}
	say(p, TD_VIOLATION_DIVISION, differs(b, 0));
	if (o->kind & TD_SAFETY_SIGNED)
		say_quotient(p, a, o->va, b, o->vb, bits);
}
