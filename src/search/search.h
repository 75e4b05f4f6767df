/* Which branch next. A strategy is one file with the functions of struct strategy and one row in SEARCH_TABLE
 * (docs/adding-a-strategy.md). It is asked to choose and told what came of it; it sees walks, coverage and the static graph, never
 * a trace or a solver. All its randomness comes from the world's generator, so that a seed decides everything. */
#ifndef TANDEM_SEARCH_SEARCH_H
#define TANDEM_SEARCH_SEARCH_H

#include "base/rng.h"
#include "base/str.h"
#include "search/tally.h"
#include "search/walk.h"

struct facts;
struct icfg;
struct dominators;
struct terrain;

/* What a strategy can look at. The engine owns it and keeps it up to date. */
struct world {
	struct walks walks;
	const uint8_t *states;      /* enum choice_state, by the id of a choice */
	struct tally ever;       /* by all runs */
	struct counted counted;
	uint32_t edges;             /* how many there are; grows when libraries turn up */
	const struct facts *facts;  /* NULL in tests: then the next three are given */
	struct icfg *icfg;          /* made when first asked for: world_icfg */
	struct dominators *dominators;
	struct terrain *terrain;
	uint32_t graph_edges;       /* how many there were when they were made */
	uint32_t distance_max;      /* for near; 0: its own */
	uint32_t distance;          /* where near is, for others to look at */
	const uint8_t *own;         /* by edge, so many of them: it is the function's that is tested; NULL: the whole program is */
	uint32_t own_edges;
	const double *weights;      /* for theta, WEIGHTS of them (weights.h); NULL: as weights_clear makes them */
	struct rng rng;
};

struct icfg *world_icfg(struct world *w);             /* NULL: nothing is known */
struct dominators *world_dominators(struct world *w); /* likewise */
struct terrain *world_terrain(struct world *w);       /* likewise */
void world_free(struct world *w);

/* Self-contained: the walk may have been dropped by the time it is tried. */
struct pick {
	uint32_t walk;
	struct walk_choice choice;
};

enum search_move {
	SEARCH_TRY,      /* the pick */
	SEARCH_RESTART,  /* a random input */
	SEARCH_NOTHING   /* all was tried */
};

enum result_kind { RESULT_REFUTED, RESULT_GAVE_UP, RESULT_WALK };

/* What came of a pick. */
struct result {
	enum result_kind kind;
	uint32_t walk;      /* WALK: where it led; may be an old one */
	bool predicted;     /* it took the same decisions up to the choice, and there the other side */
	bool is_new;        /* the walk is */
	uint32_t fresh;     /* edges that no walk had covered before */
	uint32_t effort;    /* what its question cost the solver: about so many short runs */
};

/* Where a walk comes from. */
struct lineage {
	uint32_t test;      /* the input to start from that it goes back to: its walk */
	uint32_t distance;  /* how far from that one's path it was left: see near.c */
	uint32_t depth;     /* decisions before it that could have been taken otherwise, as far as is known */
};

struct strategy {
	const char *name, *text;
	void *(*open)(struct world *w, const struct strategy *self);
	/* A walk that is nobody's flip: the first one, and after each restart. */
	void (*begin)(void *s, uint32_t walk, uint32_t fresh);
	enum search_move (*choose)(void *s, struct pick *out);
	/* Of its own picks only. */
	void (*learn)(void *s, const struct pick *p, const struct result *r);
	/* Any new walk, whatever it was made for, before begin or learn is called; may be NULL. */
	void (*meet)(void *s, uint32_t walk);
	/* Of what a pick of its own leads to; may be NULL. */
	struct lineage (*lineage)(void *s, const struct pick *p);
	void (*close)(void *s);
	int option; /* for files that have several rows */
	bool weighed; /* it is chosen by the name of a file with weights */
	bool steady; /* what a question costs the solver does not count, so that it does not matter who answered it */
	bool leaps; /* what is refuted on its path is tried without the path */
	bool whole; /* nothing is tried but what it chooses, conditions among it: no lengths, no other numbers of arguments, no random inputs. Inputs to start from have risks */
};

/* SEARCH(row): the struct strategy of that name is defined in a file of its own. The first is the default. */
#define SEARCH_TABLE(SEARCH) \
	SEARCH(search_auto) \
	SEARCH(search_random) \
	SEARCH(search_dfs) \
	SEARCH(search_dfs_deep) \
	SEARCH(search_cfds) \
	SEARCH(search_cgs) \
	SEARCH(search_generational) \
	SEARCH(search_own) \
	SEARCH(search_near) \
	SEARCH(search_theta)

#define SEARCH(row) extern const struct strategy row;
SEARCH_TABLE(SEARCH)
#undef SEARCH

extern const struct strategy *const search_table[];
extern const size_t search_count;

const struct strategy *search_find(const char *name); /* NULL: there is none */
bool search_is_file(const char *name);                /* of weights: it ends in .theta or has a slash */
void search_list(struct str *out);                    /* what can be chosen, with commas */

#endif
