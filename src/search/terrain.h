/* What features of branches want to know about the program: of each edge the function and the site it belongs to, and which functions are called behind it before the next branch; of each
 * function how many sides it has, and how many functions have more. */
#ifndef TANDEM_SEARCH_TERRAIN_H
#define TANDEM_SEARCH_TERRAIN_H

#include "base/vec.h"
#include "search/walk.h"

struct facts;

#define TERRAIN_NOWHERE UINT32_MAX

struct terrain_edge {
	uint32_t function; /* numbered as by flow_each; NOWHERE: a model's, or of a select, which nobody counts */
	uint32_t site;     /* its features: bits of enum td_feature */
	uint32_t side;     /* of a branch 0: false, 1: true; of a switch 0: default, k: the k-th case */
	uint8_t kind;      /* enum td_site_kind */
};

struct terrain_function {
	uint32_t sides;
	uint32_t rank;     /* how many are larger, or as large and come before it */
};

/* An edge leads to a call of the function. */
struct terrain_lead {
	uint32_t function;
	uint32_t next;     /* of the same edge: index + 1, or 0 */
};

struct terrain {
	struct terrain_edge *edges;
	uint32_t edges_count;
	struct terrain_function *functions;
	uint32_t functions_count, ranked; /* all; those that have sides */
	uint32_t *first_lead;             /* by edge: index + 1, or 0 */
	VEC(struct terrain_lead) leads;
};

struct terrain *terrain_of(const struct facts *f);

/* By hand: edges first, then the order of the functions. Edges that are not put are nowhere. */
struct terrain *terrain_new(uint32_t edges, uint32_t functions);
void terrain_put(struct terrain *t, uint32_t edge, const struct terrain_edge *e);
void terrain_lead(struct terrain *t, uint32_t edge, uint32_t function);
void terrain_rank(struct terrain *t);
void terrain_free(struct terrain *t);

#endif
