/* Every gate is made once: operands are put in order, constants and repetitions go, and what is left is looked up. What is
 * simplified here never becomes a clause, and clauses are what a small query costs.
 *
 * Ands have any number of operands: an equality of n bits is n + 1 clauses and not 3n. Majority is the carry of an adder and
 * one step of a comparison. */
#include "solve/gates.h"

#include "base/rng.h"

#include <string.h>

#define ROOM (1u << 12)

void gates_open(struct gates *g, uint32_t limit)
{
	*g = (struct gates){ .limit = limit };
	gates_clear(g);
}

/* After a large circuit the table is small again: it has to be cleared for every query. */
void gates_clear(struct gates *g)
{
	if (g->room != ROOM) {
		free(g->table);
		g->room = ROOM;
		g->table = mem_alloc(ROOM * sizeof *g->table);
	} else {
		memset(g->table, 0, ROOM * sizeof *g->table);
	}
	g->made += g->at.count;
	vec_clear(&g->at);
	vec_clear(&g->operands);
	vec_push(&g->at, (struct gate){0});
	vec_push(&g->at, (struct gate){ .kind = GATE_CONSTANT });
	g->overflown = false;
}

void gates_close(struct gates *g)
{
	vec_free(&g->at);
	vec_free(&g->operands);
	vec_free(&g->scratch);
	free(g->table);
}

static uint32_t hash(unsigned kind, const lit *x, uint32_t count)
{
	uint64_t h = kind;
	for (uint32_t i = 0; i < count; i++)
		h = (h ^ (uint32_t)x[i]) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
	return (uint32_t)(h * 0xd6e8feb86659fd93u >> 32);
}

static bool same(const struct gates *g, uint32_t v, unsigned kind, const lit *x, uint32_t count)
{
	const struct gate *at = &g->at.at[v];
	return at->kind == kind && at->count == count && memcmp(g->operands.at + at->first, x, count * sizeof *x) == 0;
}

static void grow(struct gates *g)
{
	free(g->table);
	g->room *= 2;
	g->table = mem_alloc(g->room * sizeof *g->table);
	for (uint32_t v = 2; v < g->at.count; v++) {
		const struct gate *at = &g->at.at[v];
		uint32_t i = hash(at->kind, g->operands.at + at->first, at->count) & (g->room - 1);
		while (g->table[i])
			i = (i + 1) & (g->room - 1);
		if (at->kind != GATE_INPUT)
			g->table[i] = v;
	}
}

static bool is_full(struct gates *g)
{
	g->overflown |= g->at.count >= g->limit;
	return g->overflown;
}

/* The literal of the gate; value is what it is on the seed. */
static lit make(struct gates *g, unsigned kind, const lit *x, uint32_t count, bool value)
{
	if (is_full(g))
		return GATE_FALSE;
	if (2 * g->at.count >= g->room)
		grow(g);
	uint32_t i = hash(kind, x, count) & (g->room - 1);
	while (g->table[i] && !same(g, g->table[i], kind, x, count))
		i = (i + 1) & (g->room - 1);
	if (!g->table[i]) {
		g->table[i] = (uint32_t)g->at.count;
		vec_push(&g->at, (struct gate){ (uint8_t)kind, !value, (uint32_t)g->operands.count, count });
		for (uint32_t k = 0; k < count; k++)
			vec_push(&g->operands, x[k]);
	}
	lit v = (lit)g->table[i];
	return g->at.at[v].turned ? -v : v;
}

lit gates_input(struct gates *g, bool value)
{
	if (is_full(g))
		return GATE_FALSE;
	vec_push(&g->at, (struct gate){ .kind = GATE_INPUT, .turned = !value });
	lit v = (lit)g->at.count - 1;
	return value ? v : -v;
}

lit gates_and(struct gates *g, lit x, lit y)
{
	if (x == GATE_FALSE || y == GATE_FALSE || x == -y)
		return GATE_FALSE;
	if (x == GATE_TRUE || x == y)
		return y;
	if (y == GATE_TRUE)
		return x;
	return make(g, GATE_AND, x < y ? (lit[]){ x, y } : (lit[]){ y, x }, 2, x > 0 && y > 0);
}

static void sort(lit *x, size_t count)
{
	for (size_t i = 1; i < count; i++)
		for (size_t k = i; k > 0 && x[k - 1] > x[k]; k--) {
			lit swap = x[k];
			x[k] = x[k - 1];
			x[k - 1] = swap;
		}
}

/* At most 128 operands, and usually 8. */
lit gates_and_all(struct gates *g, const lit *x, unsigned count)
{
	size_t kept = 0;
	bool value = true;
	vec_clear(&g->scratch);
	for (unsigned i = 0; i < count; i++) {
		if (x[i] == GATE_FALSE)
			return GATE_FALSE;
		if (x[i] != GATE_TRUE)
			vec_push(&g->scratch, x[i]);
	}
	lit *at = g->scratch.at;
	sort(at, g->scratch.count);
	for (size_t i = 0; i < g->scratch.count; i++) {
		value &= at[i] > 0;
		if (!kept || at[kept - 1] != at[i])
			at[kept++] = at[i];
	}
	for (size_t low = 0, high = kept; low < high && at[low] < 0;) { /* x and not x: negative ones come first */
		lit sum = at[low] + at[high - 1];
		if (sum == 0)
			return GATE_FALSE;
		if (sum > 0)
			high--;
		else
			low++;
	}
	if (kept <= 1)
		return kept ? at[0] : GATE_TRUE;
	return make(g, GATE_AND, at, (uint32_t)kept, value);
}

lit gates_xor(struct gates *g, lit x, lit y)
{
	if (gates_is_constant(x))
		return x == GATE_TRUE ? -y : y;
	if (gates_is_constant(y))
		return y == GATE_TRUE ? -x : x;
	if (x == y || x == -y)
		return x == y ? GATE_FALSE : GATE_TRUE;
	lit a = x < 0 ? -x : x, b = y < 0 ? -y : y;
	lit r = make(g, GATE_XOR, a < b ? (lit[]){ a, b } : (lit[]){ b, a }, 2, false);
	return (x < 0) == (y < 0) ? r : -r;
}

lit gates_mux(struct gates *g, lit choice, lit x, lit y)
{
	if (choice < 0) {
		lit swap = x;
		choice = -choice;
		x = y;
		y = swap;
	}
	if (choice == GATE_TRUE || x == y)
		return x;
	if (x == -y)
		return gates_xor(g, choice, y);
	if (x == GATE_TRUE || x == choice)
		return gates_or(g, choice, y);
	if (x == GATE_FALSE || x == -choice)
		return gates_and(g, -choice, y);
	if (y == GATE_TRUE || y == -choice)
		return gates_or(g, -choice, x);
	if (y == GATE_FALSE || y == choice)
		return gates_and(g, choice, x);
	if (x < 0)
		return -make(g, GATE_MUX, (lit[]){ choice, -x, -y }, 3, true); /* the choice is true on the seed, and x with it */
	return make(g, GATE_MUX, (lit[]){ choice, x, y }, 3, true);
}

lit gates_majority(struct gates *g, lit x, lit y, lit z)
{
	lit at[3] = { x, y, z };
	sort(at, 3);
	for (int i = 0; i < 3; i++) {
		lit a = at[(i + 1) % 3], b = at[(i + 2) % 3];
		if (a == b)
			return a;
		if (a == -b)
			return at[i];
		if (gates_is_constant(at[i]))
			return at[i] == GATE_TRUE ? gates_or(g, a, b) : gates_and(g, a, b);
	}
	if (at[1] < 0) { /* of an expression and its negation, one is made */
		lit turned[3] = { -at[2], -at[1], -at[0] };
		return -make(g, GATE_MAJORITY, turned, 3, true);
	}
	return make(g, GATE_MAJORITY, at, 3, true);
}
