/* Dominators by Cooper, Harvey and Kennedy's iteration over blocks in reverse postorder; then an interval for each block in its function's tree, so
 * that a question is two comparisons.
 *
 * An edge from u to v dominates what v dominates, if it is the only way into v apart from those that come from below v (loops). Two cases of a
 * switch that share a target dominate nothing, alone. */
#include "search/dominate.h"

#include "base/mem.h"

#include <stdlib.h>

struct place {
	uint32_t from, to; /* blocks of an edge, numbered throughout; WALK_NONE: not in the graph */
	bool is_only;      /* way into `to`, from above */
};

struct dominators {
	struct place *edges;
	uint32_t edges_count;
	uint32_t *begin, *end; /* interval, by block; 0, 0: cannot be reached */
};

struct dominators *dominators_new(uint32_t blocks, uint32_t edges)
{
	struct dominators *d = mem_alloc(sizeof *d);
	d->edges = mem_alloc((edges + 1) * sizeof *d->edges);
	d->edges_count = edges;
	d->begin = mem_alloc((blocks + 1) * sizeof *d->begin);
	d->end = mem_alloc((blocks + 1) * sizeof *d->end);
	for (uint32_t i = 0; i < edges; i++)
		d->edges[i] = (struct place){ WALK_NONE, WALK_NONE, false };
	return d;
}

void dominators_free(struct dominators *d)
{
	if (!d)
		return;
	free(d->edges);
	free(d->begin);
	free(d->end);
	free(d);
}

/* --- one function --- */

struct graph {
	uint32_t count;
	uint32_t *first;         /* arcs by their start */
	uint32_t *order;         /* blocks, in postorder */
	uint32_t *number;        /* of a block in it, from 1 on; 0: cannot be reached */
	uint32_t reached;
	uint32_t *idom;          /* by block; WALK_NONE */
	uint32_t *stack, *at;
};

/* Arcs come in the order of their start. */
static void depth_first(struct graph *g, const struct flow_arc *arcs, uint32_t arcs_count)
{
	uint32_t depth = 1;
	for (uint32_t i = 0; i < arcs_count; i++)
		g->first[arcs[i].from + 1] = i + 1;
	for (uint32_t i = 0; i < g->count; i++)
		if (g->first[i + 1] < g->first[i])
			g->first[i + 1] = g->first[i];
	g->stack[0] = 0;
	g->at[0] = g->first[0];
	g->number[0] = WALK_NONE;
	while (depth) {
		uint32_t b = g->stack[depth - 1];
		if (g->at[b] == g->first[b + 1]) {
			g->order[g->reached] = b;
			g->number[b] = ++g->reached;
			depth--;
			continue;
		}
		uint32_t to = arcs[g->at[b]++].to;
		if (g->number[to])
			continue;
		g->number[to] = WALK_NONE;
		g->at[to] = g->first[to];
		g->stack[depth++] = to;
	}
}

static uint32_t meet(const struct graph *g, uint32_t a, uint32_t b)
{
	while (a != b)
		if (g->number[a] < g->number[b])
			a = g->idom[a];
		else
			b = g->idom[b];
	return a;
}

/* Along the arcs rather than block by block: the result is the same, it only may take a round more. */
static void iterate(struct graph *g, const struct flow_arc *arcs)
{
	for (uint32_t i = 0; i < g->count; i++)
		g->idom[i] = WALK_NONE;
	g->idom[0] = 0;
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t k = g->reached; k-- > 0;) {
			uint32_t from = g->order[k];
			for (uint32_t i = g->first[from]; i < g->first[from + 1]; i++) {
				uint32_t to = arcs[i].to, old = g->idom[to];
				if (g->idom[from] == WALK_NONE || to == 0)
					continue;
				g->idom[to] = old == WALK_NONE ? from : meet(g, old, from);
				changed |= g->idom[to] != old;
			}
		}
	}
}

/* Sizes of subtrees first, in postorder, which has children before their dominators; then places, the other way round. */
static void number_tree(const struct graph *g, uint32_t *begin, uint32_t *end)
{
	uint32_t *free_at = g->stack;
	for (uint32_t k = 0; k < g->reached; k++) {
		uint32_t b = g->order[k];
		end[b]++;
		if (b)
			end[g->idom[b]] += end[b];
	}
	for (uint32_t k = g->reached; k-- > 0;) {
		uint32_t b = g->order[k], size = end[b], parent = g->idom[b];
		begin[b] = b ? free_at[parent] : 1;
		if (b)
			free_at[parent] += size;
		end[b] = begin[b] + size;
		free_at[b] = begin[b] + 1;
	}
}

static bool covers(const struct dominators *d, uint32_t a, uint32_t b)
{
	return d->begin[a] && d->begin[a] <= d->begin[b] && d->end[b] <= d->end[a];
}

static void add_edges(struct dominators *d, uint32_t first, uint32_t blocks, const struct flow_arc *arcs, uint32_t count)
{
	uint32_t *ways = mem_alloc((blocks + 1) * sizeof *ways);
	ways[0] = 1; /* the call */
	for (uint32_t i = 0; i < count; i++)
		ways[arcs[i].to] += d->begin[first + arcs[i].from] && !covers(d, first + arcs[i].to, first + arcs[i].from);
	for (uint32_t i = 0; i < count; i++)
		if (arcs[i].edge < d->edges_count)
			d->edges[arcs[i].edge] = (struct place){
				first + arcs[i].from, first + arcs[i].to, ways[arcs[i].to] == 1 && !covers(d, first + arcs[i].to, first + arcs[i].from) };
	free(ways);
}

void dominators_add(struct dominators *d, uint32_t first, uint32_t blocks, const struct flow_arc *arcs, uint32_t arcs_count)
{
	if (!blocks)
		return;
	uint32_t *memory = mem_alloc((size_t)(6 * (blocks + 2)) * sizeof *memory), room = blocks + 2;
	struct graph g = { .count = blocks, .first = memory, .order = memory + room, .number = memory + 2 * room, .idom = memory + 3 * room,
	                   .stack = memory + 4 * room, .at = memory + 5 * room };
	depth_first(&g, arcs, arcs_count);
	iterate(&g, arcs);
	number_tree(&g, d->begin + first, d->end + first);
	add_edges(d, first, blocks, arcs, arcs_count);
	free(memory);
}

static void add_function(void *context, const struct flow_function *f)
{
	dominators_add(context, f->first, f->facts->blocks, f->arcs, f->arcs_count);
}

struct dominators *dominators_of(const struct facts *f)
{
	struct dominators *d = dominators_new(flow_blocks(f), f->edges);
	flow_each(f, add_function, d);
	return d;
}

bool dominators_has(const struct dominators *d, uint32_t earlier, uint32_t edge)
{
	if (earlier >= d->edges_count || edge >= d->edges_count)
		return false;
	const struct place *a = &d->edges[earlier], *b = &d->edges[edge];
	return a->is_only && b->from != WALK_NONE && covers(d, a->to, b->from);
}
