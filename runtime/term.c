/* Hooks that build terms. An operand with shadow 0 is a constant; one whose recorded value disagrees with the value the
 * program computes with is dropped and counted. */
#include "state.h"

struct shape { enum td_op op; unsigned from, to; };

static struct shape shape_of(uint32_t packed)
{
	return (struct shape){(enum td_op)(packed & 255), packed >> 8 & 0xfff, packed >> 20};
}

/* The operand as a node: itself, or a constant. Sets *symbolic if it is a term that holds. */
static uint32_t operand(uint32_t node, unsigned bits, uint64_t lo, uint64_t hi, bool *symbolic)
{
	if (node) {
		const struct td_node *n = &td_state.nodes[node];
		if (n->lo == lo && n->hi == hi && n->bits == bits) {
			*symbolic = true;
			return node;
		}
		state_count(TD_COUNT_MISMATCH);
	}
	return node_const(bits, lo, hi);
}

static uint32_t unary(struct shape s, uint32_t a, uint32_t immediate, uint64_t alo, uint64_t ahi, uint64_t lo, uint64_t hi)
{
	bool symbolic = false;
	uint32_t x = operand(a, s.from, alo, ahi, &symbolic);
	if (!symbolic || !x)
		return 0;
	state_count(TD_COUNT_OPERATIONS);
	if (s.op == TD_EXTRACT)
		return node_extract(x, immediate, s.to);
	return node_make(s.op, s.to, x, immediate, 0, lo, hi);
}

uint32_t __td_unary(uint32_t shape, uint32_t a, uint32_t immediate, uint64_t va, uint64_t vr)
{
	if (!a || !state_enter())
		return 0;
	uint32_t r = unary(shape_of(shape), a, immediate, va, 0, vr, 0);
	state_leave();
	return r;
}

uint32_t __td_unary_wide(uint32_t shape, uint32_t a, uint32_t immediate, uint64_t alo, uint64_t ahi, uint64_t lo, uint64_t hi)
{
	if (!a || !state_enter())
		return 0;
	uint32_t r = unary(shape_of(shape), a, immediate, alo, ahi, lo, hi);
	state_leave();
	return r;
}

static uint32_t binary(struct shape s, uint32_t a, uint32_t b, uint32_t immediate, uint64_t alo, uint64_t ahi, uint64_t blo, uint64_t bhi, uint64_t lo, uint64_t hi)
{
	bool symbolic = false;
	unsigned second = s.op == TD_CONCAT ? s.to - s.from : s.from;
	uint32_t x = operand(a, s.from, alo, ahi, &symbolic), y = operand(b, second, blo, bhi, &symbolic);
	if (!symbolic || !x || !y)
		return 0;
	state_count(TD_COUNT_OPERATIONS);
	return node_make(s.op, s.to, x, y, immediate, lo, hi);
}

uint32_t __td_binary(uint32_t shape, uint32_t a, uint32_t b, uint32_t immediate, uint64_t va, uint64_t vb, uint64_t vr)
{
	if (!(a | b) || !state_enter())
		return 0;
	uint32_t r = binary(shape_of(shape), a, b, immediate, va, 0, vb, 0, vr, 0);
	state_leave();
	return r;
}

uint32_t __td_binary_wide(uint32_t shape, uint32_t a, uint32_t b, uint32_t immediate, uint64_t alo, uint64_t ahi, uint64_t blo, uint64_t bhi, uint64_t lo, uint64_t hi)
{
	if (!(a | b) || !state_enter())
		return 0;
	uint32_t r = binary(shape_of(shape), a, b, immediate, alo, ahi, blo, bhi, lo, hi);
	state_leave();
	return r;
}

static uint32_t ternary(struct shape s, const uint32_t id[3], const uint64_t lo[4], const uint64_t hi[4])
{
	bool symbolic = false;
	uint32_t x[3];
	for (int k = 0; k < 3; k++)
		if (!(x[k] = operand(id[k], s.from, lo[k], hi[k], &symbolic)))
			return 0;
	if (!symbolic)
		return 0;
	state_count(TD_COUNT_OPERATIONS);
	return node_make(s.op, s.to, x[0], x[1], x[2], lo[3], hi[3]);
}

uint32_t __td_ternary(uint32_t shape, uint32_t a, uint32_t b, uint32_t c, uint64_t va, uint64_t vb, uint64_t vc, uint64_t vr)
{
	if (!(a | b | c) || !state_enter())
		return 0;
	uint32_t r = ternary(shape_of(shape), (uint32_t[]){a, b, c}, (uint64_t[]){va, vb, vc, vr}, (uint64_t[4]){0});
	state_leave();
	return r;
}

uint32_t __td_ternary_wide(uint32_t shape, uint32_t a, uint32_t b, uint32_t c, uint64_t alo, uint64_t ahi, uint64_t blo, uint64_t bhi, uint64_t clo, uint64_t chi, uint64_t lo, uint64_t hi)
{
	if (!(a | b | c) || !state_enter())
		return 0;
	uint32_t r = ternary(shape_of(shape), (uint32_t[]){a, b, c}, (uint64_t[]){alo, blo, clo, lo}, (uint64_t[]){ahi, bhi, chi, hi});
	state_leave();
	return r;
}

static uint32_t choose(unsigned bits, uint32_t c, uint32_t a, uint32_t b, uint64_t vc, uint64_t alo, uint64_t ahi, uint64_t blo, uint64_t bhi)
{
	bool symbolic = false, ignored = false;
	uint32_t x = operand(c, 1, vc, 0, &symbolic);
	uint32_t y = operand(a, bits, alo, ahi, &ignored), z = operand(b, bits, blo, bhi, &ignored);
	if (!x || !y || !z || !(symbolic || ignored))
		return 0;
	state_count(TD_COUNT_OPERATIONS);
	if (!symbolic) { /* a concrete choice: that side's term, if it has one */
		uint32_t chosen = vc ? a : b, checked = vc ? y : z;
		return chosen == checked ? chosen : 0;
	}
	return node_make(TD_ITE, bits, x, y, z, vc ? alo : blo, vc ? ahi : bhi);
}

uint32_t __td_select(uint32_t bits, uint32_t c, uint32_t a, uint32_t b, uint64_t vc, uint64_t va, uint64_t vb)
{
	if (!(a | b | c) || !state_enter())
		return 0;
	uint32_t r = choose(bits, c, a, b, vc, va, 0, vb, 0);
	state_leave();
	return r;
}

uint32_t __td_select_wide(uint32_t bits, uint32_t c, uint32_t a, uint32_t b, uint64_t vc, uint64_t alo, uint64_t ahi, uint64_t blo, uint64_t bhi)
{
	if (!(a | b | c) || !state_enter())
		return 0;
	uint32_t r = choose(bits, c, a, b, vc, alo, ahi, blo, bhi);
	state_leave();
	return r;
}

/* pointer + sign-extended index * scale */
static uint32_t indexed(uint32_t pointer, uint64_t address, uint32_t index, uint64_t value, unsigned bits, uint64_t scale)
{
	uint32_t offset = index;
	if (index) {
		uint64_t narrow = bits < 64 ? value & ((1ull << bits) - 1) : value;
		bool symbolic = false;
		operand(index, bits, narrow, bits > 64 ? td_state.nodes[index].hi : 0, &symbolic);
		if (!symbolic)
			return 0;
		if (bits < 64)
			offset = node_make(TD_SEXT, 64, index, 0, 0, value, 0);
		else if (bits > 64)
			offset = node_extract(index, 0, 64);
		if (scale != 1)
			offset = node_make(TD_MUL, 64, offset, node_const(64, scale, 0), 0, value * scale, 0);
	} else {
		offset = node_const(64, value * scale, 0);
	}
	bool ignored;
	uint32_t base = operand(pointer, 64, address, 0, &ignored);
	if (!offset || !base)
		return 0;
	return node_make(TD_ADD, 64, base, offset, 0, address + value * scale, 0);
}

uint32_t __td_index(uint32_t pointer, uint64_t address, uint32_t index, uint64_t value, uint32_t bits, uint64_t scale)
{
	if (!(pointer | index) || !state_enter())
		return 0;
	state_count(TD_COUNT_OPERATIONS);
	uint32_t r = indexed(pointer, address, index, value, bits, scale);
	state_leave();
	return r;
}

/* An argument or result that came through the slots, where it is wanted: checked against its value. Without prototypes the two sides may not be of one mind
 * about its width: of a wider one the low bits are what is taken; what is above a narrower one nobody knows. */
uint32_t term_passed(uint32_t node, unsigned bits, uint64_t lo, uint64_t hi)
{
	if (!node || !state_enter())
		return 0;
	if (td_state.nodes[node].bits > bits)
		node = node_extract(node, 0, bits);
	if (td_state.nodes[node].bits < bits) {
		event_lose(TD_NO_SITE, TD_LOST_ARGUMENT, node);
		node = 0;
	}
	const struct td_node *n = &td_state.nodes[node];
	if (node && (n->lo != lo || n->hi != hi)) {
		state_count(TD_COUNT_MISMATCH);
		node = 0;
	}
	state_leave();
	return node;
}
