/* What must hold for an operation with symbolic operands, as terms: a SAFETY event each, before the operation. What holds by the way an
 * operand was computed is left out, and so is what was said before. */
#include "object.h"

#include "contract/region.h"

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

static bool bounds_of(uint64_t base, uint32_t inside, uint64_t *start, uint64_t *end)
{
	const struct td_object *o = object_get(object_at(base));
	if (inside) {
		*start = base;
		*end = base + inside;
		return true;
	}
	if (!o || o->kind == TD_OBJECT_FOREIGN || o->state == TD_OBJECT_GONE)
		return false;
	*start = o->start;
	*end = o->start + o->size;
	return true;
}

static void say_between(struct place p, uint32_t address, uint64_t start, uint64_t last)
{
	if (!is_above(address, start))
		say(p, TD_VIOLATION_LOWER, compare(TD_ULE, constant(64, start), address));
	if (term_largest(address) > last)
		say(p, TD_VIOLATION_UPPER, compare(TD_ULE, address, constant(64, last)));
}

void safety_inside(uint64_t base, uint64_t pointer, uint32_t node, int32_t offset, uint32_t bytes, uint32_t inside, uint32_t function, uint32_t place)
{
	uint64_t start, end, at = pointer + (uint64_t)(int64_t)offset;
	if (!node || value_of(node) != pointer || !bounds_of(base, inside, &start, &end) || end - start < bytes)
		return;
	uint32_t address = offset ? node_make(TD_ADD, 64, node, constant(64, (uint64_t)(int64_t)offset), 0, at, 0) : node;
	if (address)
		say_between((struct place){function, place}, address, start, end - bytes);
}

void safety_reaches(uint64_t base, uint64_t pointer, uint32_t node, uint64_t bytes, uint32_t length, uint32_t inside, uint32_t function, uint32_t place)
{
	uint64_t start, end;
	struct place p = {function, place};
	if (!(node | length) || (node && value_of(node) != pointer) || (length && value_of(length) != bytes) || !bounds_of(base, inside, &start, &end))
		return;
	if (node)
		say_between(p, node, start, end);
	uint32_t left = node ? node_make(TD_SUB, 64, constant(64, end), node, 0, end - pointer, 0) : constant(64, end - pointer);
	uint32_t wanted = length ? length : constant(64, bytes);
	if (left && wanted && (!length || node || term_largest(length) > end - pointer))
		say(p, TD_VIOLATION_UPPER, compare(TD_ULE, wanted, left));
}

/* ---- division and shifts ---- */

/* Operands come as words: what they were before. */
static uint32_t unextended(uint32_t node)
{
	return td_state.nodes[node].op == TD_ZEXT ? td_state.nodes[node].a : node;
}

static uint32_t differs(uint32_t node, uint64_t value)
{
	return node ? compare(TD_NE, node, constant(td_state.nodes[node].bits, value)) : 0;
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
	say(p, shape & TD_SAFETY_SIZE ? TD_VIOLATION_ALLOCATION : TD_VIOLATION_SIGNED, differs(wrong, 1));
}

void safety_operands(uint32_t shape, uint32_t a, uint64_t va, uint32_t b, uint64_t vb, uint32_t function, uint32_t place)
{
	unsigned bits = shape & 255;
	struct place p = {function, place};
	if ((a && value_of(a) != va) || (b && value_of(b) != vb))
		return;
	a = unextended(a);
	b = unextended(b);
	if (shape & TD_SAFETY_SHIFT) {
		if (b && term_largest(b) >= bits)
			say(p, TD_VIOLATION_SHIFT, compare(TD_ULT, b, constant(td_state.nodes[b].bits, bits)));
		return;
	}
	if (shape & TD_SAFETY_ARITHMETIC) {
		say_arithmetic(p, shape, a ? a : constant(bits, va), b ? b : constant(bits, vb), check_overflow(shape, va, vb));
		return;
	}
	say(p, TD_VIOLATION_DIVISION, differs(b, 0));
	if (shape & TD_SAFETY_SIGNED)
		say_quotient(p, a, va, b, vb, bits);
}
