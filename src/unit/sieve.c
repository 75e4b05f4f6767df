/* See sieve.h. Most demands of a path are about one byte: which target a pointer has, which of some values a member. For each such byte the values that all of them allow are a set of 256 bits, found once for the path by trying them all. Most calls give constants there, so that nearly all pairs of
 * paths that do not go together are told apart by some look-ups, where putting them together takes a millisecond. What a call does not give as a constant is most often a byte of the caller's own input, as that of a variable that neither of the two has changed: then the demand is one on the caller.
 * A demand on several bytes, as most on numbers are, goes the same way and is decided as soon as all of them are known.
 *
 * The condition that did not hold at the end says nothing here: its limit depends on how large the caller's object is. */
#include "unit/sieve.h"

#include "base/mem.h"
#include "contract/unit.h"
#include "expr/eval.h"
#include "expr/op.h"

#include <stdlib.h>
#include <string.h>

enum {
	NODES_MAX = 64,    /* of a demand: what is larger is left to the solver, */
	HOLES_MAX = 1024,  /* and what is more: paths through large buffers have tens of thousands */
	NUMBERS_MAX = 256
};

/* The nodes of a demand, children before parents, if all of it is over few bytes. */
struct cone {
	uint32_t nodes[NODES_MAX], inputs[SIEVE_BYTES];
	size_t count, inputs_count;
};

struct sieve_shape {
	const struct formula *of;
	struct conjunct demand;
	struct cone cone;
	struct digest name;
};

/* depth: of parents. Whoever is below that many is one too many himself; terms of loops are a hundred thousand deep. */
static bool gather(const struct formula *f, uint32_t node, unsigned depth, struct cone *c)
{
	const struct td_node *n = &f->terms.nodes[node];
	const struct op *op = op_get(n->op);
	const uint32_t children[] = { n->a, n->b, n->c };
	for (size_t i = 0; i < c->count; i++)
		if (c->nodes[i] == node)
			return true;
	if (depth >= NODES_MAX || !op || n->op == TD_TABLE || n->op == TD_LENGTH || (n->op == TD_INPUT && (f->inputs[n->a].kind != TD_IN_MARK || c->inputs_count == SIEVE_BYTES)))
		return false;
	if (n->op == TD_INPUT)
		c->inputs[c->inputs_count++] = node;
	for (unsigned i = 0; i < op->arity; i++)
		if (!gather(f, children[i], depth + 1, c))
			return false;
	if (c->count == NODES_MAX)
		return false;
	c->nodes[c->count++] = node;
	return true;
}

static size_t index_in(const struct cone *c, uint32_t node)
{
	size_t i = 0;
	while (i < c->count && c->nodes[i] != node)
		i++;
	return i;
}

/* bytes: of its inputs, in their order. */
static u128 value_with(const struct formula *f, const struct cone *c, const uint8_t *bytes)
{
	u128 values[NODES_MAX + 1] = {0};
	size_t inputs = 0;
	for (size_t i = 0; i < c->count; i++) {
		const struct td_node *n = &f->terms.nodes[c->nodes[i]];
		const struct op *op = op_get(n->op);
		struct operands x = {0};
		if (op->arity > 0) {
			x.a = values[index_in(c, n->a)];
			x.a_bits = f->terms.nodes[n->a].bits;
		}
		if (op->arity > 1) {
			x.b = values[index_in(c, n->b)];
			x.b_bits = f->terms.nodes[n->b].bits;
		}
		if (op->arity > 2)
			x.c = values[index_in(c, n->c)];
		values[i] = n->op == TD_INPUT ? bytes[inputs++] : eval_node(n, &x);
	}
	return values[c->count - 1];
}

static bool holds_with(const struct formula *f, const struct cone *c, const struct conjunct *demand, const uint8_t *bytes)
{
	return (value_with(f, c, bytes) == demand->value) != demand->differs;
}

/* --- holes: in order --- */

static size_t place_of(const struct sieve *s, uint32_t object, uint32_t offset)
{
	size_t low = 0, high = s->holes.count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct sieve_hole *h = &s->holes.at[middle];
		if (h->object < object || (h->object == object && h->offset < offset))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct sieve_hole *hole_at(struct sieve *s, uint32_t object, uint32_t offset)
{
	size_t at = place_of(s, object, offset);
	if (at < s->holes.count && s->holes.at[at].object == object && s->holes.at[at].offset == offset)
		return &s->holes.at[at];
	vec_push(&s->holes, (struct sieve_hole){0});
	memmove(&s->holes.at[at + 1], &s->holes.at[at], (s->holes.count - 1 - at) * sizeof *s->holes.at);
	s->holes.at[at] = (struct sieve_hole){ object, offset, { UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX } };
	return &s->holes.at[at];
}

static bool allows(const uint64_t allowed[4], unsigned byte)
{
	return allowed[byte / 64] >> byte % 64 & 1;
}

static void forbid(struct sieve_hole *h, unsigned byte)
{
	h->allowed[byte / 64] &= ~(1ull << byte % 64);
}

static bool is_shut(const struct sieve_hole *h)
{
	return !(h->allowed[0] | h->allowed[1] | h->allowed[2] | h->allowed[3]);
}

/* False: nothing is left. */
static bool narrow(struct sieve_hole *h, const uint64_t allowed[4])
{
	for (unsigned k = 0; k < 4; k++)
		h->allowed[k] &= allowed[k];
	return !is_shut(h);
}

/* --- of a path --- */

static const struct td_node *input_of(const struct formula *f, const struct cone *c, size_t i)
{
	return &f->terms.nodes[c->inputs[i]];
}

static struct sieve_hole *hole_of(struct sieve *s, const struct formula *f, const struct cone *c)
{
	const struct td_node *in = input_of(f, c, 0);
	return hole_at(s, f->inputs[in->a].index, in->b);
}

/* Which bytes it is about does not count. */
static struct digest name_shape(const struct sieve_shape *h)
{
	struct digest d = digest_add(digest_add(digest_of('d'), h->demand.differs), (uint64_t)h->demand.value);
	for (size_t i = 0; i < h->cone.count; i++) {
		const struct td_node *n = &h->of->terms.nodes[h->cone.nodes[i]];
		const struct op *op = op_get(n->op);
		const uint32_t parts[] = { n->a, n->b, n->c };
		d = digest_add(d, (uint64_t)n->op << 32 | n->bits);
		for (unsigned k = 0; k < 3 && n->op != TD_INPUT; k++)
			d = digest_add(d, k < op->arity ? index_in(&h->cone, parts[k]) : parts[k]);
		d = n->op == TD_CONST ? digest_add(digest_add(d, n->lo), n->hi) : d;
	}
	return d;
}

static void add_number(struct sieve *s, const struct formula *f, const struct cone *c, const struct conjunct *demand)
{
	struct sieve_shape *h = mem_alloc(sizeof *h);
	struct sieve_number n = { .shape = h };
	*h = (struct sieve_shape){ .of = f, .demand = *demand, .cone = *c };
	h->name = name_shape(h);
	for (size_t i = 0; i < c->inputs_count; i++) {
		const struct td_node *in = input_of(f, c, i);
		n.bytes[i] = (struct sieve_byte){ f->inputs[in->a].index, in->b, SIEVE_UNKNOWN };
	}
	vec_push(&s->shapes, h);
	vec_push(&s->numbers, n);
}

/* False: nothing that is there goes by it. */
static bool add_demand(struct sieve *s, const struct formula *f, const struct conjunct *c)
{
	struct cone cone = {0};
	if (!gather(f, c->node, 0, &cone) || !cone.inputs_count)
		return true;
	if (cone.inputs_count == 1 ? s->holes.count >= HOLES_MAX : s->numbers.count >= NUMBERS_MAX)
		return true;
	if (cone.inputs_count > 1) {
		add_number(s, f, &cone, c);
		return true;
	}
	struct sieve_hole *h = hole_of(s, f, &cone);
	for (unsigned byte = 0; byte < 256; byte++)
		if (!holds_with(f, &cone, c, &(uint8_t){ (uint8_t)byte }))
			forbid(h, byte);
	return !is_shut(h);
}

static void clear(struct sieve *s)
{
	for (size_t i = 0; i < s->shapes.count; i++)
		free(s->shapes.at[i]);
	vec_clear(&s->shapes);
	vec_clear(&s->holes);
	vec_clear(&s->numbers);
	vec_clear(&s->pointers);
}

void sieve_take(struct sieve *s, const struct formula *path)
{
	clear(s);
	for (size_t i = 0; i < path->count; i++)
		if (path->fault.part != i + 1)
			add_demand(s, path, &path->parts[i]);
}

void sieve_free(struct sieve *s)
{
	clear(s);
	vec_free(&s->holes);
	vec_free(&s->numbers);
	vec_free(&s->shapes);
	vec_free(&s->pointers);
}

struct digest sieve_name(const struct sieve *s)
{
	struct digest d = digest_of('s');
	for (size_t i = 0; i < s->holes.count; i++) {
		const struct sieve_hole *h = &s->holes.at[i];
		d = digest_add(d, (uint64_t)h->object << 32 | h->offset);
		for (unsigned k = 0; k < 4; k++)
			d = digest_add(d, h->allowed[k]);
	}
	for (size_t i = 0; i < s->numbers.count; i++) {
		const struct sieve_number *n = &s->numbers.at[i];
		d = digest_join(d, n->shape->name);
		for (size_t k = 0; k < n->shape->cone.inputs_count; k++) {
			const struct sieve_byte *b = &n->bytes[k];
			d = digest_add(digest_add(d, b->value), b->value == SIEVE_UNKNOWN ? (uint64_t)b->object << 32 | b->offset : 0);
		}
	}
	return d;
}

/* --- through a call --- */

/* The part of a term that is that byte of it: a term, of which it is again some byte. */
static uint32_t part_at(const struct terms *t, uint32_t node, unsigned *byte)
{
	for (;;) {
		const struct td_node *n = &t->nodes[node];
		unsigned low = n->op == TD_CONCAT ? t->nodes[n->b].bits : 0;
		if (n->op == TD_EXTRACT && n->b % 8 == 0) {
			*byte += n->b / 8;
			node = n->a;
		} else if (low && low % 8 == 0) {
			bool high = 8 * *byte >= low;
			node = high ? n->a : n->b;
			*byte -= high ? low / 8 : 0;
		} else if ((n->op == TD_ZEXT || n->op == TD_SEXT) && 8 * *byte + 8 <= t->nodes[n->a].bits) {
			node = n->a;
		} else {
			return node;
		}
	}
}

/* The term has to have one of the hole's values there. */
static bool pass_term(struct sieve *s, const struct formula *caller, uint32_t node, unsigned byte, const struct sieve_hole *below)
{
	struct cone cone = {0};
	uint32_t part = part_at(&caller->terms, node, &byte);
	if (!gather(caller, part, 0, &cone) || cone.inputs_count != 1)
		return true;
	struct sieve_hole *h = hole_of(s, caller, &cone);
	if (caller->terms.nodes[part].op == TD_INPUT)
		return narrow(h, below->allowed);
	for (unsigned value = 0; value < 256; value++)
		if (!allows(below->allowed, (uint8_t)(value_with(caller, &cone, &(uint8_t){ (uint8_t)value }) >> 8 * byte)))
			forbid(h, value);
	return !is_shut(h);
}

static void find_pointer(const struct formula *caller, const struct formula_piece *p, struct sieve_pointer *out)
{
	struct cone cone = {0};
	*out = (struct sieve_pointer){ .piece = p };
	if (!gather(caller, p->node, 0, &cone) || cone.inputs_count != 1)
		return;
	const struct td_node *in = input_of(caller, &cone, 0);
	u128 was = terms_value(&caller->terms, p->node);
	out->is_known = true;
	out->same = out->null = (struct sieve_hole){ .object = caller->inputs[in->a].index, .offset = in->b };
	for (unsigned byte = 0; byte < 256; byte++) {
		u128 value = value_with(caller, &cone, &(uint8_t){ (uint8_t)byte });
		out->same.allowed[byte / 64] |= (uint64_t)(value == was) << byte % 64;
		out->null.allowed[byte / 64] |= (uint64_t)(value == 0) << byte % 64;
	}
}

static struct sieve_pointer pointer_of(struct sieve *own, const struct formula *caller, const struct formula_piece *p)
{
	for (size_t i = 0; i < own->pointers.count; i++)
		if (own->pointers.at[i].piece == p)
			return own->pointers.at[i];
	struct sieve_pointer one;
	find_pointer(caller, p, &one);
	vec_push(&own->pointers, one);
	return one;
}

static bool pass_symbolic(struct sieve *s, struct sieve *own, const struct formula *caller, const struct formula_piece *p, const struct sieve_hole *below)
{
	bool as_it_did = allows(below->allowed, p->value & 255), null = formula_may_be_null(caller, p) && allows(below->allowed, 0);
	if (!as_it_did && !null)
		return false;
	struct sieve_pointer pointer = pointer_of(own, caller, p);
	uint64_t allowed[4] = {0};
	for (unsigned k = 0; k < 4; k++)
		allowed[k] = (as_it_did ? pointer.same.allowed[k] : 0) | (null ? pointer.null.allowed[k] : 0);
	return !pointer.is_known || narrow(hole_at(s, pointer.same.object, pointer.same.offset), allowed);
}

static bool pass_pointer(struct sieve *s, struct sieve *own, const struct formula *caller, const struct formula_piece *p, const struct sieve_hole *below)
{
	unsigned choice = p->value & 255, targets = (unsigned)(p->value >> 8);
	if (choice != TD_UNIT_ELSEWHERE)
		return p->node ? pass_symbolic(s, own, caller, p, below) : allows(below->allowed, choice);
	bool any = !targets;
	for (unsigned k = 1; k <= targets && k < 256; k++)
		any |= allows(below->allowed, k);
	return any;
}

static bool pass(struct sieve *s, struct sieve *own, const struct formula *caller, const struct sieve_hole *below)
{
	const struct formula_piece *p = formula_piece(caller, below->object, below->offset);
	unsigned at = p ? below->offset - p->offset : 0;
	if (p && p->what == TD_SNAPSHOT_POINTER)
		return at || pass_pointer(s, own, caller, p, below);
	if (!p || at > 7)
		return true;
	if (!p->node)
		return allows(below->allowed, (uint8_t)(p->value >> 8 * at));
	return 8 * at + 8 > caller->terms.nodes[p->node].bits || pass_term(s, caller, p->node, at, below);
}

/* What the byte is in terms of the caller; false: something that is computed, or nobody knows. */
static bool pass_byte(const struct formula *caller, struct sieve_byte *b)
{
	const struct formula_piece *p = formula_piece(caller, b->object, b->offset);
	unsigned at = p ? b->offset - p->offset : 0;
	if (!p || at > 7 || p->what == TD_SNAPSHOT_POINTER || (p->node && 8 * at + 8 > caller->terms.nodes[p->node].bits))
		return false;
	uint32_t part = p->node ? part_at(&caller->terms, p->node, &at) : 0;
	const struct td_node *n = &caller->terms.nodes[part];
	if (!part || n->op == TD_CONST)
		b->value = (uint8_t)((part ? n->lo : p->value) >> 8 * at);
	else if (n->op == TD_INPUT && caller->inputs[n->a].kind == TD_IN_MARK)
		*b = (struct sieve_byte){ caller->inputs[n->a].index, n->b, SIEVE_UNKNOWN };
	else
		return false;
	return true;
}

/* False: all of its bytes are known, and it does not hold. */
static bool pass_number(struct sieve *s, const struct formula *caller, const struct sieve_number *below, uint32_t given)
{
	struct sieve_number n = *below;
	uint8_t bytes[SIEVE_BYTES];
	bool known = true;
	for (size_t i = 0; i < n.shape->cone.inputs_count; i++) {
		if (n.bytes[i].value == SIEVE_UNKNOWN && (n.bytes[i].object >= given || !pass_byte(caller, &n.bytes[i])))
			return true;
		known &= n.bytes[i].value != SIEVE_UNKNOWN;
		bytes[i] = (uint8_t)n.bytes[i].value;
	}
	if (known)
		return holds_with(n.shape->of, &n.shape->cone, &n.shape->demand, bytes);
	vec_push(&s->numbers, n);
	return true;
}

/* Most calls that give something else give it as a constant. */
static bool gives_another(const struct formula *caller, const struct sieve *below, uint32_t given)
{
	for (size_t i = 0; i < below->holes.count; i++) {
		const struct sieve_hole *h = &below->holes.at[i];
		const struct formula_piece *p = h->object < given ? formula_piece(caller, h->object, h->offset) : NULL;
		unsigned at = p ? h->offset - p->offset : 8;
		if (p && !p->node && at < 8 && p->what == TD_SNAPSHOT_BYTES && !allows(h->allowed, (uint8_t)(p->value >> 8 * at)))
			return true;
	}
	return false;
}

bool sieve_through(struct sieve *s, const struct sieve *below, const struct formula *caller, struct sieve *own, bool whole, uint32_t given)
{
	if (gives_another(caller, below, given))
		return false;
	clear(s);
	for (size_t i = 0; whole && i < own->holes.count; i++)
		vec_push(&s->holes, own->holes.at[i]);
	for (size_t i = 0; whole && i < own->numbers.count; i++)
		vec_push(&s->numbers, own->numbers.at[i]);
	for (size_t i = 0; i < below->holes.count; i++)
		if (below->holes.at[i].object < given && !pass(s, own, caller, &below->holes.at[i]))
			return false;
	for (size_t i = 0; i < below->numbers.count; i++)
		if (!pass_number(s, caller, &below->numbers.at[i], given))
			return false;
	return true;
}
