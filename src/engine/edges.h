/* Coverage as the engine keeps it: which edges count, which a run took and which of them nobody took before. */
#ifndef TANDEM_ENGINE_EDGES_H
#define TANDEM_ENGINE_EDGES_H

#include "base/vec.h"
#include "engine/engine.h"
#include "search/tally.h"
#include "trace/facts.h"

struct edge_list {
	uint32_t *at; /* dense indices */
	size_t count, room;
};

/* Sides of branches inside models are of interest to a search, but nobody wants to see them counted. Returns how many count. */
uint64_t edges_counted(const struct facts *f, struct counted *c);

/* The same as tools count that make a chain of comparisons of a switch: two sides for each case, of which the second was taken if any case behind it was, or none. */
struct chain_count {
	uint64_t sides, taken;
};

struct chain_count edges_chained(const struct facts *f, const struct counted *c, const struct tally *ever);

/* All edges that a run took: its map has those of the program, symbolic or not; the path also those in models. */
void edges_take(struct walk *w, const struct trace *t, const struct facts *f);

/* Those of a walk that count and are not there yet. */
void edges_fresh(const struct tally *ever, const struct counted *counted, const struct walk *w, struct edge_list *out);

/* Adds what others, or earlier sessions, covered. */
void edges_remember(const struct facts *f, const struct past *p, const struct counted *counted, struct tally *ever);

#endif
