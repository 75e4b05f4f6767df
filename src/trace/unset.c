/* The runtime tells of every decision with a term in it that was never set. Whether it depends on that, bit by bit, is found out here: a bit of
 * a term is unsure if it may be another one when what was never set is another value, with all else as it was. A flag in a word
 * whose other bits were never set is sure, and so is a comparison of two words that differ in a bit that is. The rules are those of
 * MemorySanitizer; where there is none, every bit is unsure that any operand's may reach. */
#include "trace/unset.h"

#include "base/mem.h"
#include "contract/op.h"
#include "expr/eval.h"
#include "expr/op.h"

#include <stdlib.h>
#include <string.h>

/* An operand: its value and which bits of it are unsure. */
struct operand {
	u128 value, unsure;
	unsigned bits;
};

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

/* Operators that only move bits: what is unsure moves with them. */
static u128 moved(const struct td_node *n, struct operand a, u128 second, unsigned second_bits)
{
	struct operands x = { a.unsure, second, 0, a.bits, second_bits };
	return eval_node(n, &x);
}

static u128 unsure_of(const struct td_node *n, const struct operand *x)
{
	struct operand a = x[0], b = x[1], c = x[2];
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
	case TD_ZEXT: case TD_SEXT: case TD_EXTRACT: case TD_BSWAP: case TD_BITREV: return moved(n, a, 0, 0);
	case TD_CONCAT: return moved(n, a, b.unsure, b.bits);
	case TD_SHL: case TD_LSHR: case TD_ASHR: return b.unsure ? ~(u128)0 : moved(n, a, b.value, b.bits);
	case TD_ITE: return a.unsure ? b.unsure | c.unsure | (b.value ^ c.value) : a.value ? b.unsure : c.unsure;
	default: return ~(u128)0;
	}
}

static u128 *find_unsure(const struct trace *t)
{
	u128 *unsure = mem_alloc(t->terms.count * sizeof *unsure);
	for (uint32_t id = 1; id < t->terms.count; id++) {
		const struct td_node *n = &t->terms.nodes[id];
		const uint32_t children[] = { n->a, n->b, n->c };
		struct operand x[3] = {0};
		u128 any = 0;
		for (unsigned i = 0; i < op_get(n->op)->arity; i++) {
			x[i] = (struct operand){ terms_value(&t->terms, children[i]), unsure[children[i]], t->terms.nodes[children[i]].bits };
			any |= x[i].unsure;
		}
		bool unset = n->op == TD_INPUT && n->a < t->inputs_count && t->inputs[n->a].kind == TD_IN_UNSET;
		unsure[id] = value_trim(unset ? ~(u128)0 : any ? unsure_of(n, x) : 0, n->bits);
	}
	return unsure;
}

struct td_report *unset_confirm(struct trace *t)
{
	bool any = false;
	for (uint32_t i = 0; i < t->reports_count; i++)
		any |= t->reports[i].violation == TD_VIOLATION_UNINITIALISED;
	if (!any)
		return NULL;
	u128 *unsure = find_unsure(t);
	struct td_report *kept = mem_alloc(t->reports_count * sizeof *kept);
	uint32_t count = 0;
	for (uint32_t i = 0; i < t->reports_count; i++)
		if (t->reports[i].violation != TD_VIOLATION_UNINITIALISED || unsure[t->reports[i].terms[0]])
			memcpy(&kept[count++], &t->reports[i], sizeof *kept);
	free(unsure);
	t->reports = kept;
	t->reports_count = count;
	return kept;
}
