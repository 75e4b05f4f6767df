/* Programs look at bytes one at a time, so most demands of a slice are about one byte: each allows a set of its 256 values, which lanes
 * compute and which is remembered by the demand's name. Where one value is left the byte is known, and what was about two
 * bytes is about one: this goes on until nothing changes. If a set becomes empty there is no model. If no demand is left that is
 * about several bytes, any choice of values is one. Otherwise the circuits have less to do: known bytes are constants, and
 * a byte's demands are one set.
 *
 * Each term is swept at most once: when all but one of the bytes it reads are known. After that its row stays right.
 *
 * A part narrows one variable at most, so who narrowed a variable is found by looking through the parts; a core is the closure of
 * that under "and the known bytes that it read". */
#include "solve/narrow.h"

#include "expr/op.h"

#include <string.h>

enum { KNOWN = 0, MANY = -1 }; /* else: the one variable that is not known, plus one */

struct state {
	struct narrow *n;
	const struct digest *names;
	struct memo *ranges;
	struct sweep sweep;
	unsigned *steps;
	uint64_t dice;
	bool *paid;          /* by node: its row has been counted */
	int32_t *first;      /* by node: what it is about, to begin with */
	int32_t *about;      /* and now */
	VEC(uint32_t) stack;
};

static bool is_choice(const struct variable *v)
{
	return !v->is_length && !v->is_behind;
}

static unsigned size_of(const struct lane_set *s)
{
	unsigned n = 0;
	for (int i = 0; i < 4; i++)
		n += (unsigned)__builtin_popcountll(s->words[i]);
	return n;
}

static int32_t both(int32_t x, int32_t y)
{
	return x == KNOWN ? y : y == KNOWN || x == y ? x : MANY;
}

/* What every node is about, by what is known. */
static void look(const struct state *w, int32_t *about)
{
	const struct problem *p = w->n->p;
	for (uint32_t id = 1; id < p->terms.count; id++) {
		const struct td_node *x = &p->terms.nodes[id];
		const uint32_t children[3] = { x->a, x->b, x->c };
		int32_t is = KNOWN;
		if (x->op == TD_INPUT || x->op == TD_LENGTH)
			is = w->n->fixed[x->c] ? KNOWN : is_choice(&p->variables[x->c]) ? (int32_t)x->c + 1 : MANY;
		for (unsigned k = op_get(x->op)->arity; k-- > 0;)
			is = both(is, about[children[k]]);
		about[id] = is > 0 && !lanes_can(x) ? MANY : is;
	}
}

/* --- rows --- */

/* Of what is known by now: it is a number. */
static void forget_rows(struct state *w)
{
	for (uint32_t id = 1; id < w->n->p->terms.count; id++)
		if (w->about[id] == KNOWN)
			w->sweep.row[id] = 0;
}

/* Below the node, as far as it is about anything and not done; false: all is. */
static bool push_undone(struct state *w, uint32_t id, bool (*done)(const struct state *w, uint32_t id))
{
	const struct td_node *x = &w->n->p->terms.nodes[id];
	const uint32_t children[3] = { x->a, x->b, x->c };
	size_t before = w->stack.count;
	for (unsigned k = op_get(x->op)->arity; k-- > 0;)
		if (w->about[children[k]] != KNOWN && !done(w, children[k]))
			vec_push(&w->stack, children[k]);
	return w->stack.count > before;
}

static bool has_row(const struct state *w, uint32_t id)
{
	return w->sweep.row[id];
}

static bool is_paid(const struct state *w, uint32_t id)
{
	return w->paid[id];
}

/* What the row of a node that is about one byte costs, with all that it needs, whether anybody remembers what comes of it or not: who answers the question must not depend on what was asked before. */
static bool pay(struct state *w, uint32_t node)
{
	vec_clear(&w->stack);
	vec_push(&w->stack, node);
	while (w->stack.count) {
		uint32_t id = w->stack.at[w->stack.count - 1];
		if (!w->paid[id] && push_undone(w, id, is_paid))
			continue;
		if (!w->paid[id] && !*w->steps)
			return false;
		*w->steps -= !w->paid[id];
		w->paid[id] = true;
		w->stack.count--;
	}
	return true;
}

static void make_row(struct state *w, uint32_t node)
{
	vec_clear(&w->stack);
	vec_push(&w->stack, node);
	while (w->stack.count) {
		uint32_t id = w->stack.at[w->stack.count - 1];
		if (!w->sweep.row[id] && push_undone(w, id, has_row))
			continue;
		if (!w->sweep.row[id])
			lanes_compute(&w->sweep, id);
		w->stack.count--;
	}
}

/* The values with which a part holds that is about one byte; false: it would cost too much. */
static bool range_of(struct state *w, size_t part, struct lane_set *out)
{
	const struct conjunct *c = &w->n->p->parts[part];
	bool at_once = w->first[c->node] > 0; /* it depends on nothing else, so what comes out may be remembered */
	if (!pay(w, c->node))
		return false;
	const struct lane_set *known = at_once ? memo_find(w->ranges, w->names[part]) : NULL;
	if (known) {
		*out = *known;
		return true;
	}
	make_row(w, c->node);
	*out = lanes_where(&w->sweep, c);
	if (at_once)
		*(struct lane_set *)memo_put(w->ranges, w->names[part]) = *out;
	return true;
}

/* --- parts --- */

static void refute(struct state *w, size_t part, uint32_t variable, struct arena *arena)
{
	struct narrow *n = w->n;
	bool *core = arena_alloc(arena, n->p->count + 1), *variables = arena_alloc(arena, n->p->variables_count + 1);
	core[part] = true;
	if (variable < n->p->variables_count)
		variables[variable] = true;
	n->refuted = true;
	narrow_blame(n, core, variables, arena);
	n->core = core;
}

static void close_part(struct narrow *n, size_t part)
{
	n->open[part] = false;
	n->open_count--;
}

/* Takes a part into account if it is about one byte, or about none any more. */
static void take_part(struct state *w, size_t part, struct arena *arena)
{
	struct narrow *n = w->n;
	const struct conjunct *c = &n->p->parts[part];
	struct lane_set set;
	int32_t about = w->about[c->node];
	if (about == KNOWN) {
		close_part(n, part);
		if (!conjunct_holds(c, n->base))
			refute(w, part, UINT32_MAX, arena);
	} else if (about > 0 && range_of(w, part, &set)) {
		uint32_t v = (uint32_t)about - 1;
		close_part(n, part);
		n->narrowed[part] = v + 1;
		n->ranges[part] = set;
		lanes_intersect(&n->sets[v], &set);
		if (lanes_is_empty(&n->sets[v]))
			refute(w, part, v, arena);
	}
}

/* Goals first: a set that becomes empty does so at the demand that contradicts them. */
static void take_parts(struct state *w, struct arena *arena)
{
	struct narrow *n = w->n;
	for (size_t k = 0; k < n->p->count && !n->refuted; k++) {
		size_t part = n->p->count - 1 - k;
		if (n->open[part])
			take_part(w, part, arena);
	}
}

/* True if some byte is known that was not. */
static bool fix_variables(struct state *w)
{
	struct narrow *n = w->n;
	bool news = false, differs = false;
	for (uint32_t i = 0; i < n->p->variables_count; i++) {
		const struct variable *v = &n->p->variables[i];
		if (n->fixed[i] || !is_choice(v) || size_of(&n->sets[i]) > 1)
			continue;
		n->fixed[i] = news = true;
		n->value[i] = lanes_choose(&n->sets[i], 0, 0);
		differs |= n->value[i] != v->seed;
	}
	if (differs)
		problem_eval(n->p, n->value, n->base);
	return news;
}

struct narrow narrow_nothing(const struct problem *p, struct arena *arena)
{
	struct narrow n = { .p = p, .open_count = p->count };
	n.sets = arena_alloc(arena, (p->variables_count + 1) * sizeof *n.sets);
	n.fixed = arena_alloc(arena, p->variables_count + 1);
	n.value = arena_alloc(arena, (p->variables_count + 1) * sizeof *n.value);
	n.base = arena_copy(arena, p->seed, p->terms.count * sizeof *n.base);
	n.open = arena_alloc(arena, p->count + 1);
	n.narrowed = arena_alloc(arena, (p->count + 1) * sizeof *n.narrowed);
	n.ranges = arena_alloc(arena, (p->count + 1) * sizeof *n.ranges);
	memset(n.open, true, p->count);
	memset(n.sets, 0xff, p->variables_count * sizeof *n.sets);
	for (uint32_t i = 0; i < p->variables_count; i++) {
		n.fixed[i] = p->variables[i].is_fixed;
		n.value[i] = p->variables[i].seed;
	}
	return n;
}

/* What is not known but cannot stay as it was. */
static void choose_values(struct state *w)
{
	struct narrow *n = w->n;
	bool differs = false;
	for (uint32_t i = 0; i < n->p->variables_count; i++) {
		const struct variable *v = &n->p->variables[i];
		if (n->fixed[i] || !is_choice(v) || lanes_has(&n->sets[i], (unsigned)v->seed))
			continue;
		n->value[i] = lanes_choose(&n->sets[i], (unsigned)v->seed, w->dice ? w->dice + i : 0);
		differs = true;
	}
	if (differs)
		problem_eval(n->p, n->value, n->base);
}

struct narrow narrow_problem(const struct problem *p, const struct digest *names, struct memo *ranges, struct lanes *l, unsigned *steps,
                             uint64_t dice, struct arena *arena)
{
	struct narrow n = narrow_nothing(p, arena);
	struct state w = { .n = &n, .names = names, .ranges = ranges, .steps = steps, .dice = dice };
	w.paid = arena_alloc(arena, p->terms.count);
	w.first = arena_alloc(arena, p->terms.count * sizeof *w.first);
	look(&w, w.first);
	w.about = arena_copy(arena, w.first, p->terms.count * sizeof *w.about);
	lanes_start(&w.sweep, p, n.base, l, arena);
	take_parts(&w, arena);
	while (!n.refuted && n.open_count && *steps && fix_variables(&w)) {
		look(&w, w.about);
		forget_rows(&w);
		take_parts(&w, arena);
	}
	if (!n.refuted)
		choose_values(&w);
	vec_free(&w.stack);
	return n;
}

/* --- who is to blame --- */

/* The variables that a part reads, into a set. */
static void read_variables(const struct problem *p, uint32_t node, bool *mark, bool *variables)
{
	VEC(uint32_t) stack = {0};
	vec_push(&stack, node);
	while (stack.count) {
		uint32_t id = stack.at[--stack.count];
		const struct td_node *x = &p->terms.nodes[id];
		const uint32_t children[3] = { x->a, x->b, x->c };
		if (mark[id])
			continue;
		mark[id] = true;
		if (x->op == TD_INPUT || x->op == TD_LENGTH)
			variables[x->c] = true;
		for (unsigned k = op_get(x->op)->arity; k-- > 0;)
			vec_push(&stack, children[k]);
	}
	vec_free(&stack);
}

/* Of the parts that narrowed a variable, enough to leave no more of it than is left. */
static void blame_variable(const struct narrow *n, uint32_t variable, bool *parts)
{
	struct lane_set left, next;
	memset(&left, 0xff, sizeof left);
	for (size_t i = n->p->count; i-- > 0 && memcmp(&left, &n->sets[variable], sizeof left) != 0;) {
		if (n->narrowed[i] != variable + 1)
			continue;
		next = left;
		lanes_intersect(&next, &n->ranges[i]);
		parts[i] |= memcmp(&left, &next, sizeof left) != 0;
		left = next;
	}
}

void narrow_blame(const struct narrow *n, bool *parts, const bool *variables, struct arena *arena)
{
	const struct problem *p = n->p;
	bool *mark = arena_alloc(arena, p->terms.count), *read = arena_alloc(arena, p->variables_count + 1), *seen = arena_alloc(arena, p->count + 1), more = true;
	bool *guilty = arena_alloc(arena, p->variables_count + 1);
	while (more) {
		more = false;
		for (uint32_t v = 0; v < p->variables_count; v++)
			if (!guilty[v] && ((variables && variables[v]) || (read[v] && n->fixed[v]))) {
				guilty[v] = true;
				blame_variable(n, v, parts);
			}
		for (size_t i = 0; i < p->count; i++)
			if (parts[i] && !seen[i]) {
				seen[i] = more = true;
				read_variables(p, p->parts[i].node, mark, read);
			}
	}
}
