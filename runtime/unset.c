/* What was never set, and what depends on it: a bit of a term is unsure if it may be another one when memory that was never set holds something
 * else, with all else as it is. A flag in a word whose other bits were never set is sure, and so is a comparison of two words that
 * differ in a bit that is. The rules are those of MemorySanitizer; where there is none, every bit is unsure.
 *
 * Fresh heap blocks and local variables have terms of an input of their own (input.c), and the rest goes by itself: copies are no
 * use, stores set, what uninstrumented code sets loses its term. A use is a branch, an address, a size, a pointer to a function. */
#include "object.h"

__extension__ typedef unsigned __int128 u128;

static u128 *unsure; /* by term; NULL: nobody wants to know */

struct operand {
	u128 value, unsure;
	unsigned bits;
};

/* ---- which bits ---- */

static u128 least(struct operand o)
{
	return o.value & ~o.unsure;
}

static u128 most(struct operand o)
{
	return o.value | o.unsure;
}

/* With the sign bit turned over, signed order is that of unsigned numbers. */
static struct operand turned(struct operand o)
{
	o.value ^= (u128)1 << (o.bits - 1);
	return o;
}

static bool may_be_either(struct operand a, struct operand b, bool or_equal)
{
	return or_equal ? most(a) > least(b) && least(a) <= most(b) : most(a) >= least(b) && least(a) < most(b);
}

static u128 extended(struct operand a)
{
	return a.unsure >> (a.bits - 1) & 1 ? a.unsure | ~(u128)0 << (a.bits - 1) : a.unsure;
}

static u128 shifted(unsigned op, struct operand a, struct operand by)
{
	if (by.unsure)
		return ~(u128)0;
	if (by.value >= a.bits)
		return op == TD_ASHR && a.unsure >> (a.bits - 1) & 1 ? ~(u128)0 : 0;
	return op == TD_SHL ? a.unsure << by.value : op == TD_LSHR ? a.unsure >> by.value : (u128)((__int128)extended(a) >> by.value);
}

static u128 unsure_of(const struct td_node *n, struct operand a, struct operand b, struct operand c)
{
	u128 any = a.unsure | b.unsure | c.unsure;
	switch (n->op) {
	case TD_AND: return (a.unsure & b.unsure) | (a.unsure & b.value) | (b.unsure & a.value);
	case TD_OR: return (a.unsure & b.unsure) | (a.unsure & ~b.value) | (b.unsure & ~a.value);
	case TD_XOR: return any;
	case TD_ADD: case TD_SUB: case TD_MUL: return ~((any & -any) - 1); /* and all that a carry may reach */
	case TD_EQ: case TD_NE: return !((a.value ^ b.value) & ~any);
	case TD_ULT: return may_be_either(a, b, false);
	case TD_ULE: return may_be_either(a, b, true);
	case TD_SLT: return may_be_either(turned(a), turned(b), false);
	case TD_SLE: return may_be_either(turned(a), turned(b), true);
	case TD_ZEXT: return a.unsure;
	case TD_SEXT: return extended(a);
	case TD_EXTRACT: return a.unsure >> n->b;
	case TD_CONCAT: return a.unsure << b.bits | b.unsure;
	case TD_SHL: case TD_LSHR: case TD_ASHR: return shifted(n->op, a, b);
	case TD_ITE: return a.unsure ? b.unsure | c.unsure | (b.value ^ c.value) : a.value ? b.unsure : c.unsure;
	default: return ~(u128)0;
	}
}

/* ---- terms ---- */

void unset_begin(void)
{
	if (td_state.header->flags & TD_UNINITIALISED)
		unsure = state_map((uint64_t)td_state.header->nodes_max * sizeof *unsure);
}

static struct operand operand(uint32_t node)
{
	const struct td_node *n = &td_state.nodes[node];
	return (struct operand){(u128)n->hi << 64 | n->lo, unsure[node], n->bits};
}

static void carry(uint32_t node)
{
	static const uint8_t arities[] = {
		0,
#define OP(name, arity, immediates, text) arity,
#include "contract/op.def"
#undef OP
	};
	const struct td_node *n = &td_state.nodes[node];
	const uint32_t children[] = {n->a, n->b, n->c};
	struct operand x[3] = {{0}};
	u128 any = 0;
	for (unsigned i = 0; i < arities[n->op]; i++) {
		x[i] = operand(children[i]);
		any |= x[i].unsure;
	}
	if (n->op == TD_INPUT && td_state.inputs[n->a].kind == TD_IN_UNSET)
		unsure[node] = 255;
	else if (any)
		unsure[node] = unsure_of(n, x[0], x[1], x[2]) & (n->bits < 128 ? ((u128)1 << n->bits) - 1 : ~(u128)0);
}

void unset_term(uint32_t node)
{
	if (unsure)
		carry(node);
}

/* ---- uses ---- */

static const char *use_of(enum td_event_kind kind, unsigned sub)
{
	if (kind == TD_EV_BRANCH || kind == TD_EV_SWITCH)
		return "to decide a branch";
	switch (kind == TD_EV_CONCRETISE ? sub : TD_LOST_KINDS) {
	case TD_LOST_READ: case TD_LOST_WRITE: return "as an address";
	case TD_LOST_CALLEE: case TD_LOST_JUMP: return "as a place to go to";
	case TD_LOST_SIZE: case TD_LOST_ALLOC: return "as a size";
	default: return NULL;
	}
}

void unset_use(enum td_event_kind kind, unsigned sub, uint32_t node)
{
	if (!unsure || !unsure[node] || !use_of(kind, sub))
		return;
	report_violation(&(struct violation){.kind = TD_VIOLATION_UNINITIALISED, .text = use_of(kind, sub), .term = node, .frame = __builtin_frame_address(0)});
	unsure[node] = 0;
}
