/* Only what the literals depend on becomes clauses, and of each gate only the half that is looked at (Plaisted and Greenbaum): a gate
 * that must be true needs no clauses that make it true. An and that must be true is no gate at all, but its operands.
 *
 * An instance per query, thrown away afterwards: what was learnt before would decide which model is found. Making one costs
 * 14 us, and each clause a third of one. CaDiCaL sets a variable it has to decide to true first, which by the way
 * variables are turned (gates.h) is the seed's value: so models stay close to the seed.
 *
 * The number of conflicts is the only limit: it does not depend on the machine's load. A conflict takes the longer the more variables there are, so beyond WIDE they are counted
 * accordingly: without that, one question about a million gates took minutes. */
#include "solve/sat.h"

#include <ccadical.h>
#include <string.h>

enum { SAT = 10, UNSAT = 20 };

enum { WIDE = 10000 };

enum { TRUE_MATTERS = 1, FALSE_MATTERS = 2, BOTH_MATTER = 3 };

struct writer {
	const struct gates *g;
	CCaDiCaL *solver;
	uint8_t *needed;      /* by variable: which values of the gate's output matter */
	int *number;          /* by variable: CaDiCaL's; 0: none */
	int numbers;
	struct arena *arena;
	VEC(lit) roots;       /* with ands taken apart */
};

/* --- what is needed --- */

/* What the gate computes, as a literal. */
static lit output_of(const struct gates *g, uint32_t v)
{
	return g->at.at[v].turned ? -(lit)v : (lit)v;
}

static unsigned swapped(unsigned matters)
{
	return (matters & 1) << 1 | matters >> 1;
}

static void need(struct writer *w, lit x, unsigned matters)
{
	uint32_t v = gates_variable(x);
	w->needed[v] |= (uint8_t)(x == output_of(w->g, v) ? matters : swapped(matters));
}

static void need_operands(struct writer *w, uint32_t v)
{
	const struct gate *gate = &w->g->at.at[v];
	const lit *x = w->g->operands.at + gate->first;
	for (uint32_t i = 0; i < gate->count; i++) {
		bool both = gate->kind == GATE_XOR || (gate->kind == GATE_MUX && i == 0);
		need(w, x[i], both ? BOTH_MATTER : w->needed[v]);
	}
}

/* Operands come before their gates. */
static void need_all(struct writer *w)
{
	for (size_t i = 0; i < w->roots.count; i++)
		need(w, w->roots.at[i], TRUE_MATTERS);
	for (uint32_t v = (uint32_t)w->g->at.count; v-- > 2;)
		if (w->needed[v])
			need_operands(w, v);
}

/* --- clauses --- */

static int number_of(const struct writer *w, lit x)
{
	int n = w->number[gates_variable(x)];
	return x < 0 ? -n : n;
}

static void add(struct writer *w, lit x)
{
	ccadical_add(w->solver, number_of(w, x));
}

static void clause(struct writer *w, lit x, lit y, lit z)
{
	add(w, x);
	add(w, y);
	if (z)
		add(w, z);
	ccadical_add(w->solver, 0);
}

static void write_and(struct writer *w, lit out, const lit *x, uint32_t count, unsigned matters)
{
	for (uint32_t i = 0; matters & TRUE_MATTERS && i < count; i++)
		clause(w, -out, x[i], 0);
	if (!(matters & FALSE_MATTERS))
		return;
	add(w, out);
	for (uint32_t i = 0; i < count; i++)
		add(w, -x[i]);
	ccadical_add(w->solver, 0);
}

static void write_xor(struct writer *w, lit out, const lit *x, unsigned matters)
{
	if (matters & TRUE_MATTERS) {
		clause(w, -out, x[0], x[1]);
		clause(w, -out, -x[0], -x[1]);
	}
	if (matters & FALSE_MATTERS) {
		clause(w, out, -x[0], x[1]);
		clause(w, out, x[0], -x[1]);
	}
}

/* The last clause of each half follows from the others, but helps to see that both choices agree. */
static void write_mux(struct writer *w, lit out, const lit *x, unsigned matters)
{
	if (matters & TRUE_MATTERS) {
		clause(w, -out, -x[0], x[1]);
		clause(w, -out, x[0], x[2]);
		clause(w, -out, x[1], x[2]);
	}
	if (matters & FALSE_MATTERS) {
		clause(w, out, -x[0], -x[1]);
		clause(w, out, x[0], -x[2]);
		clause(w, out, -x[1], -x[2]);
	}
}

static void write_majority(struct writer *w, lit out, const lit *x, unsigned matters)
{
	for (int i = 0; i < 3; i++) {
		lit a = x[i], b = x[(i + 1) % 3];
		if (matters & TRUE_MATTERS)
			clause(w, -out, a, b);
		if (matters & FALSE_MATTERS)
			clause(w, out, -a, -b);
	}
}

static void write_gate(struct writer *w, uint32_t v)
{
	const struct gate *gate = &w->g->at.at[v];
	const lit *x = w->g->operands.at + gate->first;
	lit out = output_of(w->g, v);
	switch (gate->kind) {
	case GATE_AND: write_and(w, out, x, gate->count, w->needed[v]); break;
	case GATE_XOR: write_xor(w, out, x, w->needed[v]); break;
	case GATE_MUX: write_mux(w, out, x, w->needed[v]); break;
	case GATE_MAJORITY: write_majority(w, out, x, w->needed[v]); break;
	default: break;
	}
}

static void write_gates(struct writer *w)
{
	for (uint32_t v = 2; v < w->g->at.count; v++)
		if (w->needed[v])
			w->number[v] = ++w->numbers;
	for (uint32_t v = 2; v < w->g->at.count; v++)
		if (w->needed[v])
			write_gate(w, v);
}

/* --- literals that must be true --- */

/* Appends what makes the literal true: itself, or the operands of an and. */
static void take_apart(struct writer *w, lit x)
{
	size_t at = w->roots.count, kept = at;
	vec_push(&w->roots, x);
	for (; at < w->roots.count; at++) {
		x = w->roots.at[at];
		const struct gate *gate = &w->g->at.at[gates_variable(x)];
		if (gate->kind != GATE_AND || x != output_of(w->g, gates_variable(x))) {
			w->roots.at[kept++] = x;
			continue;
		}
		for (uint32_t i = 0; i < gate->count; i++)
			vec_push(&w->roots, w->g->operands.at[gate->first + i]);
	}
	w->roots.count = kept;
}

static void assume(struct writer *w, const size_t *from, size_t soft, lit wish)
{
	for (size_t i = from[0]; i < from[soft]; i++)
		ccadical_assume(w->solver, number_of(w, w->roots.at[i]));
	if (wish)
		ccadical_assume(w->solver, number_of(w, wish));
}

static const bool *blame(struct writer *w, const size_t *from, size_t soft)
{
	bool *to_blame = arena_alloc(w->arena, soft + 1);
	for (size_t i = 0; i < soft; i++)
		for (size_t k = from[i]; k < from[i + 1] && !to_blame[i]; k++)
			to_blame[i] = ccadical_failed(w->solver, number_of(w, w->roots.at[k]));
	return to_blame;
}

static const int8_t *values(struct writer *w)
{
	int8_t *value = arena_alloc(w->arena, w->g->at.count + 1);
	for (uint32_t v = 2; v < w->g->at.count; v++)
		if (w->number[v])
			value[v] = ccadical_val(w->solver, w->number[v]) > 0 ? 1 : -1;
	return value;
}

static int conflicts_of(const struct writer *w, int conflicts)
{
	return w->numbers > WIDE ? (int)((int64_t)conflicts * WIDE / w->numbers) + 1 : conflicts;
}

static struct sat_answer solve(struct writer *w, const struct sat_request *r, const size_t *from)
{
	lit wish = r->wish;
	for (;;) {
		assume(w, from, r->soft_count, wish);
		ccadical_limit(w->solver, "conflicts", conflicts_of(w, r->conflicts));
		int result = ccadical_solve(w->solver);
		if (result == SAT)
			return (struct sat_answer){ VERDICT_SAT, NULL, values(w) };
		if (result == UNSAT && !wish)
			return (struct sat_answer){ VERDICT_UNSAT, blame(w, from, r->soft_count), NULL };
		if (!wish)
			return (struct sat_answer){ VERDICT_UNKNOWN, NULL, NULL };
		wish = 0;
	}
}

/* Some literal is the constant: no solver is needed to see that. */
static bool is_plain(const struct sat_request *r, struct sat_answer *out, struct arena *arena)
{
	bool *to_blame = arena_alloc(arena, r->soft_count + 1);
	*out = (struct sat_answer){ VERDICT_UNSAT, to_blame, NULL };
	for (size_t i = 0; i < r->hard_count; i++)
		if (r->hard[i] == GATE_FALSE)
			return true;
	for (size_t i = 0; i < r->soft_count; i++)
		if (r->soft[i] == GATE_FALSE)
			return to_blame[i] = true;
	return false;
}

struct sat_answer sat_solve(const struct sat_request *r, struct arena *arena)
{
	struct sat_answer out;
	struct writer w = { .g = r->gates, .arena = arena };
	size_t variables = r->gates->at.count, *from = arena_alloc(arena, (r->soft_count + 2) * sizeof *from);
	if (is_plain(r, &out, arena))
		return out;
	w.needed = arena_alloc(arena, variables);
	w.number = arena_alloc(arena, variables * sizeof *w.number);
	for (size_t i = 0; i < r->hard_count; i++)
		if (r->hard[i] != GATE_TRUE)
			take_apart(&w, r->hard[i]);
	from[0] = w.roots.count;
	for (size_t i = 0; i < r->soft_count; i++) {
		if (r->soft[i] != GATE_TRUE)
			take_apart(&w, r->soft[i]);
		from[i + 1] = w.roots.count;
	}
	lit wish = gates_is_constant(r->wish) ? 0 : r->wish;
	if (wish)
		vec_push(&w.roots, wish);
	need_all(&w);
	w.solver = ccadical_init();
	ccadical_set_option(w.solver, "quiet", 1);
	write_gates(&w);
	for (size_t i = 0; i < from[0]; i++) {
		add(&w, w.roots.at[i]);
		ccadical_add(w.solver, 0);
	}
	struct sat_request request = *r;
	request.wish = wish;
	out = solve(&w, &request, from);
	ccadical_release(w.solver);
	vec_free(&w.roots);
	return out;
}
