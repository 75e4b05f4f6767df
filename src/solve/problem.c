/* Terms are numbered in the order in which a walk from the first part to the last finishes them. So two traces that ask the same get
 * the same problem, number by number, and whatever a solver makes of it is the same too: that is what makes a model a function of
 * the slice, the seed and nothing else.
 *
 * The walk has no recursion: terms may be as deep as a run is long. */
#include "solve/problem.h"

#include "expr/op.h"
#include "solve/naming.h"

#include <stdlib.h>
#include <string.h>

struct builder {
	const struct path_source *from;
	const struct slice *slice;
	struct problem_space *space;
	VEC(struct td_node) nodes;
};

void problem_space_free(struct problem_space *space)
{
	free(space->local);
	free(space->mark);
	vec_free(&space->stack);
}

static void space_begin(struct problem_space *s, uint32_t nodes)
{
	if (s->room < nodes) {
		s->local = mem_resize_array(s->local, nodes, sizeof *s->local);
		s->mark = mem_resize_array(s->mark, nodes, sizeof *s->mark);
		memset(s->mark + s->room, 0, (nodes - s->room) * sizeof *s->mark);
		s->room = nodes;
	}
	if (!++s->serial) {
		memset(s->mark, 0, s->room * sizeof *s->mark);
		s->serial = 1;
	}
}

static bool is_done(const struct builder *b, uint32_t id)
{
	return b->space->mark[id] == b->space->serial;
}

static bool push_children(struct builder *b, const struct td_node *n)
{
	const uint32_t children[3] = { n->a, n->b, n->c };
	size_t before = b->space->stack.count;
	for (unsigned k = op_get(n->op)->arity; k-- > 0;)
		if (!is_done(b, children[k]))
			vec_push(&b->space->stack, children[k]);
	return b->space->stack.count > before;
}

static void copy(struct builder *b, uint32_t id)
{
	struct td_node n = b->from->terms.nodes[id];
	unsigned arity = op_get(n.op)->arity;
	const uint32_t *local = b->space->local;
	if (n.op == TD_INPUT || n.op == TD_LENGTH)
		n.c = path_variable(b->slice, id);
	if (arity > 0)
		n.a = local[n.a];
	if (arity > 1)
		n.b = local[n.b];
	if (arity > 2)
		n.c = local[n.c];
	b->space->mark[id] = b->space->serial;
	b->space->local[id] = (uint32_t)b->nodes.count;
	vec_push(&b->nodes, n);
}

static uint32_t walk(struct builder *b, uint32_t root)
{
	vec_clear(&b->space->stack);
	vec_push(&b->space->stack, root);
	while (b->space->stack.count) {
		uint32_t id = b->space->stack.at[b->space->stack.count - 1];
		if (!is_done(b, id) && push_children(b, &b->from->terms.nodes[id]))
			continue;
		if (!is_done(b, id))
			copy(b, id);
		b->space->stack.count--;
	}
	return b->space->local[root];
}

static void eval_seed(struct problem *p, struct arena *arena)
{
	uint64_t *seed = arena_alloc(arena, (p->variables_count + 1) * sizeof *seed);
	u128 *values = arena_alloc(arena, p->terms.count * sizeof *values);
	for (uint32_t i = 0; i < p->variables_count; i++)
		seed[i] = p->variables[i].seed;
	problem_eval(p, seed, values);
	p->seed = values;
}

static struct problem build(const struct slice *s, size_t first, size_t count, struct problem_space *space, struct arena *arena)
{
	struct builder b = { .from = path_source(s->path), .slice = s, .space = space };
	struct conjunct *parts = arena_alloc(arena, (count + 1) * sizeof *parts);
	space_begin(space, b.from->terms.count);
	vec_push(&b.nodes, (struct td_node){0});
	for (size_t i = 0; i < count; i++) {
		parts[i] = s->parts[first + i];
		parts[i].node = walk(&b, parts[i].node);
	}
	struct problem p = {
		.terms = b.from->terms, .parts = parts, .count = count, .goals = s->goals, .variables = s->variables,
		.variables_count = s->variables_count, .key = s->key, .seed_key = s->seed_key,
	};
	p.terms.nodes = arena_copy(arena, b.nodes.at, b.nodes.count * sizeof *b.nodes.at);
	p.terms.count = (uint32_t)b.nodes.count;
	vec_free(&b.nodes);
	for (uint32_t id = 1; id < p.terms.count; id++)
		p.held |= op_is_float(p.terms.nodes[id].op);
	eval_seed(&p, arena);
	return p;
}

struct problem problem_new(const struct slice *s, struct problem_space *space, struct arena *arena)
{
	return build(s, 0, s->count, space, arena);
}

struct problem problem_of_part(const struct slice *s, size_t part, struct problem_space *space, struct arena *arena)
{
	struct problem p = build(s, part, 1, space, arena);
	p.goals = 1;
	return p;
}

void problem_eval(const struct problem *p, const uint64_t *variables, u128 *values)
{
	static const struct assignment none = { NULL, 0 };
	for (uint32_t id = 1; id < p->terms.count; id++) {
		const struct td_node *n = &p->terms.nodes[id];
		bool is_leaf = n->op == TD_INPUT || n->op == TD_LENGTH;
		values[id] = is_leaf ? variables[n->c] : terms_eval_one(&p->terms, &none, id, values);
	}
}

/* A byte that is not 0 although its object ends before it, or any other value that cannot be. */
static bool is_possible(const struct problem *p, const uint64_t *variables)
{
	const struct variable *v = p->variables;
	for (uint32_t i = p->variables_count, length = p->variables_count; i-- > 0;) {
		if (v[i].is_length && variables[i] > v[i].limit)
			return false;
		if (v[i].is_length)
			length = i;
		else if (variables[i] && (v[i].is_fixed || variables[i] > 255))
			return false;
		else if (length < p->variables_count && v[length].object == v[i].object && variables[i] && v[i].offset >= variables[length])
			return false;
	}
	return true;
}

const struct conjunct *problem_refuted(const struct problem *p, const uint64_t *variables, struct arena *arena)
{
	u128 *values = arena_alloc(arena, p->terms.count * sizeof *values);
	if (p->count && !is_possible(p, variables))
		return &p->parts[0];
	problem_eval(p, variables, values);
	for (size_t i = 0; i < p->count; i++)
		if (!conjunct_holds(&p->parts[i], values))
			return &p->parts[i];
	return NULL;
}

const bool *problem_goal_variables(const struct problem *p, struct arena *arena)
{
	bool *node = arena_alloc(arena, p->terms.count), *variable = arena_alloc(arena, p->variables_count + 1);
	for (size_t i = p->count - p->goals; i < p->count; i++)
		node[p->parts[i].node] = true;
	for (uint32_t id = p->terms.count; id-- > 1;) {
		const struct td_node *n = &p->terms.nodes[id];
		const uint32_t children[3] = { n->a, n->b, n->c };
		for (unsigned k = node[id] ? op_get(n->op)->arity : 0; k-- > 0;)
			node[children[k]] = true;
		if (node[id] && (n->op == TD_INPUT || n->op == TD_LENGTH))
			variable[n->c] = true;
	}
	return variable;
}
