/* See edges.h. */
#include "engine/edges.h"

#include "base/mem.h"
#include "trace/coverage.h"

#include <stdlib.h>
#include <string.h>

static void set_bit(uint64_t *words, uint32_t bit)
{
	words[bit / 64] |= 1ull << bit % 64;
}

uint64_t edges_counted(const struct facts *f, struct counted *c)
{
	uint64_t count = 0;
	free(c->words);
	*c = (struct counted){ mem_alloc((f->edges / 64 + 1) * sizeof *c->words), f->edges / 64 + 1 };
	for (size_t i = 0; i < f->modules_count; i++)
		for (size_t k = 0; k < f->modules[i].blocks_count; k++) {
			const struct facts_block *b = &f->modules[i].blocks[k];
			uint32_t n = b->head->flags & TD_FACTS_HIDDEN ? 0 : b->head->edges;
			count += n;
			for (uint32_t edge = b->first_edge; edge < b->first_edge + n; edge++)
				set_bit(c->words, edge);
		}
	return count;
}

static struct chain_count chain_of(const struct facts_place *p, const struct tally *ever)
{
	bool is_switch = p->site->kind == TD_SITE_SWITCH, behind = tally_has(ever, p->first_edge);
	struct chain_count n = { 2ull * (p->site->edges - 1u), 0 };
	for (uint32_t side = p->site->edges; --side > 0;) {
		bool taken = tally_has(ever, p->first_edge + side);
		n.taken += (uint64_t)taken + behind;
		behind |= is_switch && taken;
	}
	return n;
}

struct chain_count edges_chained(const struct facts *f, const struct counted *c, const struct tally *ever)
{
	struct chain_count all = {0};
	for (size_t i = 0; i < f->modules_count; i++)
		for (size_t k = 0; k < f->modules[i].places_count; k++) {
			const struct facts_place *p = &f->modules[i].places[k];
			struct chain_count n = bits_have(c->words, c->count, p->first_edge) ? chain_of(p, ever) : (struct chain_count){0};
			all.sides += n.sides;
			all.taken += n.taken;
		}
	return all;
}

void edges_take(struct walk *w, const struct trace *t, const struct facts *f)
{
	uint8_t *taken = mem_alloc(f->edges + 1u);
	w->words = f->edges / 64 + 1;
	w->covered = mem_alloc(w->words * sizeof *w->covered);
	memcpy(taken, t->edges, t->edges_count < f->edges ? t->edges_count : f->edges);
	for (uint32_t i = 0; i < w->steps_count; i++)
		if (w->steps[i].edge < f->edges)
			taken[w->steps[i].edge] = 1;
	coverage_complete(taken, f->edges, f);
	for (uint32_t i = 0; i < f->edges; i++)
		if (taken[i])
			set_bit(w->covered, i);
	free(taken);
}

void edges_fresh(const struct tally *ever, const struct counted *counted, const struct walk *w, struct edge_list *out)
{
	for (uint32_t i = 0; i < w->words; i++) {
		uint64_t news = w->covered[i] & ~(i < ever->count ? ever->words[i] : 0) & (i < counted->count ? counted->words[i] : 0);
		for (; news; news &= news - 1)
			vec_push(out, i * 64 + (uint32_t)__builtin_ctzll(news));
	}
}

/* An edge by its name, or WALK_NO_EDGE: its library was not met in this session. */
static uint32_t edge_of(const struct facts *f, const struct past_edge *p)
{
	for (size_t i = 0; i < f->modules_count; i++)
		if (f->modules[i].build == p->build && p->edge < f->modules[i].edges)
			return f->modules[i].first_edge + p->edge;
	return WALK_NO_EDGE;
}

void edges_remember(const struct facts *f, const struct past *p, const struct counted *counted, struct tally *ever)
{
	struct walk w = { .words = f->edges / 64 + 1 };
	w.covered = mem_alloc(w.words * sizeof *w.covered);
	for (size_t i = 0; i < p->edges_count; i++) {
		uint32_t edge = edge_of(f, &p->edges[i]);
		if (edge != WALK_NO_EDGE)
			set_bit(w.covered, edge);
	}
	tally_add(ever, &w, counted);
	free(w.covered);
}
