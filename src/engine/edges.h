/* Coverage as the engine keeps it: which edges count, which a run took and which of them nobody took before. */
#ifndef TANDEM_ENGINE_EDGES_H
#define TANDEM_ENGINE_EDGES_H

#include "base/vec.h"
#include "search/tally.h"
#include "trace/facts.h"

struct edge_list {
	uint32_t *at; /* dense indices */
	size_t count, room;
};

/* Sides of branches inside models are of interest to a search, but nobody wants to see them counted. Returns how many count. */
uint64_t edges_counted(const struct facts *f, struct counted *c);

/* All edges that a run took: its map has those of the program, symbolic or not; the path also those in models. */
void edges_take(struct walk *w, const struct trace *t, const struct facts *f);

/* Those of a walk that count and are not there yet. */
void edges_fresh(const struct tally *ever, const struct counted *counted, const struct walk *w, struct edge_list *out);

#endif
