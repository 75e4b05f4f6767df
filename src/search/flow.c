/* The compiler writes sites and arcs down in the order of their blocks, arcs as LLVM has the successors: a branch's true side first, though its edge is
 * the second; of a switch the default first, then the cases, like its edges. A block that ends in no branch has at most one arc. */
#include "search/flow.h"

#include "base/vec.h"

typedef VEC(struct flow_arc) arc_list;

static uint32_t edge_of(const struct facts_block *b, const struct td_site *s, uint32_t successor)
{
	uint32_t edge = s->kind == TD_SITE_BRANCH ? 1 - successor : successor;
	return edge < s->edges ? b->first_edge + s->first_edge + edge : WALK_NO_EDGE;
}

/* The site that ends a block; *at goes forward only. */
static const struct td_site *terminator(const struct facts_block *b, const struct td_function_facts *f, uint32_t block, uint32_t *at)
{
	while (*at < f->sites && b->sites[f->first_site + *at].block < block)
		++*at;
	for (uint32_t i = *at; i < f->sites && b->sites[f->first_site + i].block == block; i++)
		if (b->sites[f->first_site + i].kind != TD_SITE_SELECT)
			return &b->sites[f->first_site + i];
	return NULL;
}

static void collect(const struct facts_block *b, const struct td_function_facts *f, arc_list *to)
{
	uint32_t site = 0, successor = 0;
	vec_clear(to);
	for (uint32_t i = 0; i < f->arcs; i++) {
		const struct td_arc *a = &b->arcs[f->first_arc + i];
		successor = i && a->from == a[-1].from ? successor + 1 : 0;
		const struct td_site *s = terminator(b, f, a->from, &site);
		if (a->from < f->blocks && a->to < f->blocks)
			vec_push(to, (struct flow_arc){ a->from, a->to, s && (s->kind == TD_SITE_SWITCH || successor < 2) ? edge_of(b, s, successor) : WALK_NO_EDGE });
	}
}

static bool is_visible(const struct facts_block *b)
{
	return b->head->edges && !(b->head->flags & TD_FACTS_HIDDEN);
}

void flow_each(const struct facts *f, flow_visit *visit, void *context)
{
	arc_list arcs = {0};
	uint32_t first = 0;
	for (size_t m = 0; m < f->modules_count; m++)
		for (size_t k = 0; k < f->modules[m].blocks_count; k++) {
			const struct facts_block *b = &f->modules[m].blocks[k];
			for (uint32_t i = 0; is_visible(b) && i < b->head->functions.count; i++) {
				collect(b, &b->functions[i], &arcs);
				visit(context, &(struct flow_function){ b, &b->functions[i], first, arcs.at, (uint32_t)arcs.count });
				first += b->functions[i].blocks;
			}
		}
	vec_free(&arcs);
}

uint32_t flow_blocks(const struct facts *f)
{
	uint32_t n = 0;
	for (size_t m = 0; m < f->modules_count; m++)
		for (size_t k = 0; k < f->modules[m].blocks_count; k++) {
			const struct facts_block *b = &f->modules[m].blocks[k];
			for (uint32_t i = 0; is_visible(b) && i < b->head->functions.count; i++)
				n += b->functions[i].blocks;
		}
	return n;
}
