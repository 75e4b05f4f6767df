/* The static interprocedural control flow graph, for one question: how many branches away is the nearest uncovered one? */
#ifndef TANDEM_SEARCH_ICFG_H
#define TANDEM_SEARCH_ICFG_H

#include "search/tally.h"

struct facts;
struct icfg;

#define ICFG_FAR UINT32_MAX

/* Of a program. Models and selects are left out: nobody counts the first, and nobody can flip the second. */
struct icfg *icfg_of(const struct facts *f);

/* By hand. Blocks and edges are numbers below these. */
struct icfg *icfg_new(uint32_t blocks, uint32_t edges);
void icfg_branch(struct icfg *g, uint32_t block, uint32_t edge, uint32_t target); /* the edge leaves the block and leads to the target */
void icfg_flow(struct icfg *g, uint32_t from, uint32_t to);                        /* without a branch: a jump, or a call to the callee's entry */
void icfg_free(struct icfg *g);

/* For each edge below `count`: 0 if it is uncovered; else how many branches it takes from behind it to take an uncovered one, at least 1; ICFG_FAR if there is no way. */
void icfg_measure(struct icfg *g, const struct tally *c, uint32_t *distance, uint32_t count);

/* The same without ways that pass an edge in between which is among the closed ones. */
void icfg_measure_around(struct icfg *g, const struct tally *c, const struct tally *closed, uint32_t *distance, uint32_t count);

#endif
