/* Terms to literals, each bit that matters once. expr/eval.c says what every operator means; the tests hold one against the other.
 *
 * What narrowing has decided is no circuit any more: known bytes are constants, and the sets of others are trees over their bits.
 * Goals are hard; other parts and the sets are assumed, so that CaDiCaL says which of them it is due to if there is no model. Together
 * with what the known bytes and the sets are due to, that is a core. */
#include "solve/blast.h"

#include "base/rng.h"
#include "expr/op.h"
#include "solve/circuits.h"
#include "solve/demand.h"
#include "solve/operators.h"
#include "solve/sat.h"

#include <string.h>

#define FEW_PARTS 32u        /* are all made circuits of at once */
#define TABLE_BITS 16u       /* of all tables, for each gate that there may be: past that the circuit is too large, as with too many gates */

struct blaster {
	const struct problem *p;
	const struct narrow *n;
	const u128 *wanted;
	struct gates *g;
	struct arena *arena;
	lit **bits;          /* by node */
	uint64_t table_bits; /* of the tables so far */
	lit **variables;
};

/* --- terms --- */

/* Bits of the index past the array's end, all together, choose 0. */
static void table(struct blaster *z, uint32_t id, const lit *index, unsigned index_bits, lit *out)
{
	const struct terms *t = &z->p->terms;
	const struct td_node *n = &t->nodes[id];
	uint32_t count = t->arrays[n->b].count;
	z->table_bits += (uint64_t)count * n->bits;
	if (z->table_bits > (uint64_t)TABLE_BITS * z->g->limit) {
		z->g->overflown = true;
		return;
	}
	unsigned inner = operators_width(count - 1u), used = inner < index_bits ? inner : index_bits;
	lit *values = arena_alloc(z->arena, sizeof *values << used), inside[CIRCUIT_BITS];
	for (unsigned i = used; i < index_bits; i++)
		inside[i - used] = -index[i];
	lit is_inside = gates_and_all(z->g, inside, index_bits - used);
	for (unsigned k = 0; k < n->bits; k++) {
		if (!(z->wanted[id] >> k & 1))
			continue;
		for (uint32_t i = 0; i < 1u << used; i++)
			values[i] = operators_bit(terms_element(t, n->b, i), k);
		out[k] = gates_and(z->g, is_inside, circuits_choose(z->g, used, index, values));
	}
}

static void operate(struct blaster *z, uint32_t id, lit *out)
{
	const struct td_node *n = &z->p->terms.nodes[id], *nodes = z->p->terms.nodes;
	const uint32_t children[3] = { n->a, n->b, n->c };
	struct bits x[3] = {{0}};
	for (unsigned k = 0; k < op_get(n->op)->arity; k++)
		x[k] = (struct bits){ z->bits[children[k]], nodes[children[k]].bits };
	if (n->op == TD_CONST || op_is_float(n->op)) /* which is held */
		operators_constant(z->n->base[id], n->bits, out);
	else if (n->op == TD_TABLE)
		table(z, id, x[0].at, x[0].count, out);
	else
		operators_apply(z->g, n, z->wanted[id], x, out);
}

/* Bits that nobody wants are false, which is as good as anything. */
static void blast_nodes(struct blaster *z)
{
	lit *nothing = arena_alloc(z->arena, 128 * sizeof *nothing);
	operators_constant(0, 128, nothing);
	z->bits = arena_alloc(z->arena, z->p->terms.count * sizeof *z->bits);
	for (uint32_t id = 1; id < z->p->terms.count && !z->g->overflown; id++) {
		const struct td_node *n = &z->p->terms.nodes[id];
		bool is_leaf = n->op == TD_INPUT || n->op == TD_LENGTH;
		z->bits[id] = nothing;
		if (!z->wanted[id])
			continue;
		z->bits[id] = is_leaf ? z->variables[n->c] : arena_alloc(z->arena, n->bits * sizeof(lit));
		if (is_leaf)
			continue;
		operators_constant(0, n->bits, z->bits[id]);
		operate(z, id, z->bits[id]);
	}
}

/* --- variables --- */

/* A length has no more bits than its limit. */
static unsigned bits_of(const struct variable *v)
{
	return v->is_fixed ? 0 : v->is_length ? operators_width(v->limit) : 8;
}

/* One bit of every fourth byte or so is pulled. */
static uint64_t pull(const struct blaster *z, uint32_t i, uint64_t seed)
{
	uint64_t dice = rng_mix(seed ^ rng_mix(z->p->key.a + i));
	return dice & 3 || z->p->variables[i].is_length ? 0 : 1ull << (dice >> 8 & 7);
}

static void blast_variables(struct blaster *z, uint64_t seed)
{
	const bool *pulled = seed ? problem_goal_variables(z->p, z->arena) : NULL;
	z->variables = arena_alloc(z->arena, (z->p->variables_count + 1) * sizeof *z->variables);
	for (uint32_t i = 0; i < z->p->variables_count; i++) {
		const struct variable *v = &z->p->variables[i];
		unsigned all = v->is_length ? 64 : 8, used = bits_of(v);
		uint64_t value = z->n->value[i] ^ (pulled && pulled[i] ? pull(z, i, seed) : 0);
		z->variables[i] = arena_alloc(z->arena, all * sizeof(lit));
		operators_constant(z->n->value[i], all, z->variables[i]);
		for (unsigned k = 0; k < all && !z->n->fixed[i]; k++)
			z->variables[i][k] = k < used ? gates_input(z->g, value >> k & 1) : GATE_FALSE;
	}
}

/* What nothing depends on is as narrowing has left it. */
static void read_model(const struct blaster *z, const int8_t *values, uint64_t *model)
{
	for (uint32_t i = 0; i < z->p->variables_count; i++) {
		const struct variable *v = &z->p->variables[i];
		model[i] = z->n->value[i];
		for (unsigned k = 0; k < bits_of(v) && !z->n->fixed[i]; k++) {
			lit x = z->variables[i][k];
			int8_t value = values[gates_variable(x)];
			if (value)
				model[i] = (model[i] & ~(1ull << k)) | (uint64_t)((value > 0) == (x > 0)) << k;
		}
	}
}

/* --- what must be true --- */

static lit part(struct blaster *z, const struct conjunct *c)
{
	lit value[CIRCUIT_BITS];
	unsigned bits = z->p->terms.nodes[c->node].bits;
	operators_constant(c->value, bits, value);
	lit is = circuits_equal(z->g, bits, z->bits[c->node], value);
	return c->differs ? -is : is;
}

/* A byte is there or 0; no length is above its limit. Lengths come behind the bytes of their object. near: no object grows much. */
static size_t ties(struct blaster *z, lit *out, lit *near)
{
	const struct variable *v = z->p->variables;
	uint32_t count = z->p->variables_count, length = count;
	lit bound[64];
	size_t n = 0;
	*near = GATE_TRUE;
	for (uint32_t i = count; i-- > 0;)
		if (v[i].is_length) {
			length = i;
			operators_constant(v[i].limit, 64, bound);
			out[n++] = circuits_less(z->g, 64, false, true, z->variables[i], bound);
			operators_constant(v[i].near, 64, bound);
			*near = gates_and(z->g, *near, circuits_less(z->g, 64, false, true, z->variables[i], bound));
		} else if (length < count && v[length].object == v[i].object) {
			lit zero[8];
			operators_constant(0, 8, zero);
			operators_constant(v[i].offset, 64, bound);
			lit is_there = circuits_less(z->g, 64, false, false, bound, z->variables[length]);
			out[n++] = gates_or(z->g, is_there, circuits_equal(z->g, 8, z->variables[i], zero));
		}
	return n;
}

/* A byte's set as a tree over its bits. */
static lit membership(struct blaster *z, uint32_t variable)
{
	lit values[LANES];
	for (unsigned i = 0; i < LANES; i++)
		values[i] = lanes_has(&z->n->sets[variable], i) ? GATE_TRUE : GATE_FALSE;
	return circuits_choose(z->g, 8, z->variables[variable], values);
}

/* --- asking --- */

/* What is assumed, and on whose account: a part, or a variable's set. */
struct assumed {
	lit *at;
	size_t *account; /* the part; p->count and above: the variable */
	size_t count;
};

static void assume(struct assumed *a, lit x, size_t account)
{
	a->at[a->count] = x;
	a->account[a->count++] = account;
}

static const bool *core_of(const struct blaster *z, const struct assumed *a, const bool *to_blame)
{
	const struct problem *p = z->p;
	bool *core = arena_alloc(z->arena, p->count + 1), *variables = arena_alloc(z->arena, p->variables_count + 1);
	for (size_t i = p->count - p->goals; i < p->count; i++)
		core[i] = z->n->open[i];
	for (size_t i = 0; i < a->count; i++) {
		if (!to_blame[i])
			continue;
		if (a->account[i] < p->count)
			core[a->account[i]] = true;
		else
			variables[a->account[i] - p->count] = true;
	}
	narrow_blame(z->n, core, variables, z->arena);
	return core;
}

static struct blast_answer solve(struct blaster *z, const struct blast_limits *limits, uint64_t *model)
{
	const struct problem *p = z->p;
	size_t goals = p->count - p->goals, most = p->count + p->variables_count + 1;
	struct assumed a = { arena_alloc(z->arena, most * sizeof *a.at), arena_alloc(z->arena, most * sizeof *a.account), 0 };
	lit *hard = arena_alloc(z->arena, most * sizeof *hard);
	struct sat_request r = { .gates = z->g, .hard = hard, .conflicts = limits->conflicts };
	for (size_t i = 0; i < p->count; i++)
		if (z->n->open[i] && i < goals)
			assume(&a, part(z, &p->parts[i]), i);
		else if (z->n->open[i])
			hard[r.hard_count++] = part(z, &p->parts[i]);
	for (uint32_t i = 0; i < p->variables_count; i++)
		if (!z->n->fixed[i] && !p->variables[i].is_length)
			assume(&a, membership(z, i), p->count + i);
	r.hard_count += ties(z, hard + r.hard_count, &r.wish);
	r.soft = a.at;
	r.soft_count = a.count;
	if (z->g->overflown)
		return (struct blast_answer){ VERDICT_UNKNOWN, NULL };
	struct sat_answer s = sat_solve(&r, z->arena);
	if (s.verdict == VERDICT_SAT)
		read_model(z, s.values, model);
	return (struct blast_answer){ s.verdict, s.verdict == VERDICT_UNSAT ? core_of(z, &a, s.to_blame) : NULL };
}

static struct blast_answer ask(const struct narrow *n, const struct blast_limits *limits, uint64_t seed, struct gates *gates,
                               struct arena *arena, uint64_t *model)
{
	struct blaster z = { .p = n->p, .n = n, .g = gates, .arena = arena, .wanted = demand_bits(n->p, n->open, arena) };
	gates_clear(gates);
	gates->limit = limits->gates;
	blast_variables(&z, seed);
	blast_nodes(&z);
	if (gates->overflown)
		return (struct blast_answer){ VERDICT_UNKNOWN, NULL };
	return solve(&z, limits, model);
}

/* Opens parts that the model does not satisfy, the latest first, some at most; false: it satisfies all. */
static bool open_violated(const struct narrow *n, const uint64_t *model, bool *open, size_t most, u128 *values)
{
	bool any = false;
	problem_eval(n->p, model, values);
	for (size_t i = n->p->count; i-- > 0 && most;)
		if (n->open[i] && !open[i] && !conjunct_holds(&n->p->parts[i], values)) {
			open[i] = any = true;
			most--;
		}
	return any;
}

/* Of a hundred thousand parts, most are so that whoever meets the few that matter meets them too: `i < n` for every i. So the goals
 * come first, and then what their models violate. If some parts are impossible, all of them are. */
struct blast_answer blast_ask(const struct narrow *n, const struct blast_limits *limits, uint64_t seed, struct gates *gates,
                              struct arena *arena, uint64_t *model)
{
	const struct problem *p = n->p;
	if (n->open_count <= FEW_PARTS)
		return ask(n, limits, seed, gates, arena, model);
	struct narrow some = *n;
	u128 *values = arena_alloc(arena, p->terms.count * sizeof *values);
	some.open = arena_alloc(arena, p->count + 1);
	for (size_t i = p->count - p->goals; i < p->count; i++)
		some.open[i] = n->open[i];
	for (size_t most = FEW_PARTS;; most *= 2) {
		struct blast_answer a = ask(&some, limits, seed, gates, arena, model);
		if (a.verdict != VERDICT_SAT || !open_violated(n, model, some.open, most, values))
			return a;
	}
}
