/* Nodes are basic blocks and branch edges. A block leads to its branch's edges at the price of one branch, to the block it jumps to and to the
 * entries of the functions it calls for nothing; an edge leads to its target block for nothing. A call is passed as well as entered, and no way leads back out
 * of a callee: what comes after it is reached from the block itself.
 *
 * Distances are computed backwards from all uncovered edges at once, level by level (0-1 breadth first): every node and link is looked
 * at once, so after new coverage the whole is done anew rather than repaired. A node that was put on the far level and then reached on
 * the near one is on both, and skipped the second time. */
#include "search/icfg.h"

#include "base/mem.h"
#include "base/vec.h"
#include "search/calls.h"
#include "search/flow.h"

#include <stdlib.h>
#include <string.h>

struct link {
	uint32_t from, to; /* nodes */
};

struct icfg {
	uint32_t blocks, edges;       /* node of an edge: blocks + edge */
	VEC(struct link) links;
	bool *is_branch;              /* by edge: it is in the graph */
	uint32_t *first, *sources;    /* links by their end, once `sorted` */
	size_t sorted;                /* links when that was done */
	uint32_t *distance;           /* by node */
	uint32_t *near, *far;         /* the two levels */
};

struct icfg *icfg_new(uint32_t blocks, uint32_t edges)
{
	struct icfg *g = mem_alloc(sizeof *g);
	size_t nodes = (size_t)blocks + edges + 1;
	g->blocks = blocks;
	g->edges = edges;
	g->is_branch = mem_alloc(edges + 1);
	g->first = mem_alloc((nodes + 2) * sizeof *g->first);
	g->distance = mem_alloc(nodes * sizeof *g->distance);
	g->near = mem_alloc(nodes * sizeof *g->near);
	g->far = mem_alloc(nodes * sizeof *g->far);
	return g;
}

void icfg_free(struct icfg *g)
{
	if (!g)
		return;
	vec_free(&g->links);
	free(g->is_branch);
	free(g->first);
	free(g->sources);
	free(g->distance);
	free(g->near);
	free(g->far);
	free(g);
}

void icfg_flow(struct icfg *g, uint32_t from, uint32_t to)
{
	if (from < g->blocks && to < g->blocks)
		vec_push(&g->links, (struct link){ from, to });
}

void icfg_branch(struct icfg *g, uint32_t block, uint32_t edge, uint32_t target)
{
	if (block >= g->blocks || edge >= g->edges || target >= g->blocks)
		return;
	g->is_branch[edge] = true;
	vec_push(&g->links, (struct link){ block, g->blocks + edge });
	vec_push(&g->links, (struct link){ g->blocks + edge, target });
}

/* --- distances --- */

static void sort_links(struct icfg *g)
{
	uint32_t nodes = g->blocks + g->edges;
	memset(g->first, 0, ((size_t)nodes + 2) * sizeof *g->first);
	g->sources = mem_resize_array(g->sources, g->links.count + 1, sizeof *g->sources);
	for (size_t i = 0; i < g->links.count; i++)
		g->first[g->links.at[i].to + 1]++;
	for (uint32_t i = 0; i < nodes; i++)
		g->first[i + 1] += g->first[i];
	uint32_t *next = mem_resize_array(NULL, nodes + 1u, sizeof *next);
	memcpy(next, g->first, (nodes + 1u) * sizeof *next);
	for (size_t i = 0; i < g->links.count; i++)
		g->sources[next[g->links.at[i].to]++] = g->links.at[i].from;
	free(next);
	g->sorted = g->links.count;
}

struct level {
	uint32_t *at, count;
};

/* From an edge back to its block costs a branch; everything else is free. */
static void spread(struct icfg *g, uint32_t node, uint32_t distance, struct level *near, struct level *far)
{
	bool is_edge = node >= g->blocks;
	struct level *to = is_edge ? far : near;
	uint32_t reached = distance + is_edge;
	for (uint32_t i = g->first[node]; i < g->first[node + 1]; i++) {
		uint32_t source = g->sources[i];
		if (g->distance[source] <= reached)
			continue;
		g->distance[source] = reached;
		to->at[to->count++] = source;
	}
}

void icfg_measure(struct icfg *g, const struct tally *c, uint32_t *distance, uint32_t count)
{
	icfg_measure_around(g, c, NULL, distance, count);
}

static bool is_closed(const struct icfg *g, const struct tally *closed, uint32_t node)
{
	return closed && node >= g->blocks && g->distance[node] && tally_has(closed, node - g->blocks);
}

void icfg_measure_around(struct icfg *g, const struct tally *c, const struct tally *closed, uint32_t *distance, uint32_t count)
{
	struct level near = { g->near, 0 }, far = { g->far, 0 };
	uint32_t nodes = g->blocks + g->edges;
	if (g->sorted != g->links.count || !g->sources)
		sort_links(g);
	memset(g->distance, 0xff, (nodes + 1u) * sizeof *g->distance);
	for (uint32_t e = 0; e < g->edges; e++)
		if (g->is_branch[e] && !tally_has(c, e)) {
			g->distance[g->blocks + e] = 0;
			near.at[near.count++] = g->blocks + e;
		}
	for (uint32_t d = 0; near.count; d++) {
		while (near.count) {
			uint32_t node = near.at[--near.count];
			if (g->distance[node] == d && !is_closed(g, closed, node))
				spread(g, node, d, &near, &far);
		}
		struct level empty = near;
		near = far;
		far = empty;
	}
	for (uint32_t e = 0; e < count; e++)
		distance[e] = e < g->edges ? g->distance[g->blocks + e] : ICFG_FAR;
}

/* --- of a program --- */

static void add_function(void *context, const struct flow_function *f)
{
	struct icfg *g = context;
	for (uint32_t i = 0; i < f->arcs_count; i++) {
		const struct flow_arc *a = &f->arcs[i];
		if (a->edge == WALK_NO_EDGE)
			icfg_flow(g, f->first + a->from, f->first + a->to);
		else
			icfg_branch(g, f->first + a->from, a->edge, f->first + a->to);
	}
}

static void add_call(void *context, const struct call *c)
{
	icfg_flow(context, c->block, c->entry);
}

struct icfg *icfg_of(const struct facts *f)
{
	struct icfg *g = icfg_new(flow_blocks(f), f->edges);
	flow_each(f, add_function, g);
	calls_each(f, add_call, g);
	return g;
}
