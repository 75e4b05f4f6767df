/* The solver pipeline: a question in, a verdict and a checked model out. */
#ifndef TANDEM_SOLVE_SOLVER_H
#define TANDEM_SOLVE_SOLVER_H

#include "base/err.h"
#include "solve/blast.h"
#include "solve/path.h"
#include "solve/smt.h"

struct problem;

/* The stages, in the order in which they are asked. STAGE(name, word, text) */
#define SOLVER_STAGE_TABLE(STAGE) \
	STAGE(CACHE, "cache", "asked before") \
	STAGE(CORES, "cores", "impossible by a known core") \
	STAGE(LANES, "lanes", "all values of one byte") \
	STAGE(BITS, "bits", "circuits and CaDiCaL") \
	STAGE(Z3, "z3", "Z3")

enum solver_stage {
#define STAGE(name, word, text) STAGE_##name,
	SOLVER_STAGE_TABLE(STAGE)
#undef STAGE
	SOLVER_STAGES
};

struct answer;

struct solver_options {
	uint32_t stages;          /* bit s: stage s is asked */
	uint64_t seed;            /* other seeds, other models where there is a choice; 0: as close to the parent as can be */
	size_t memory;            /* bytes for what is remembered, about */
	unsigned lane_steps;      /* terms that may be tried with all values of a byte, per query */
	unsigned range_steps;     /* likewise, to find out what demands on single bytes allow; most of that is remembered from other queries, and counts all the same */
	struct blast_limits bits;
	struct smt_limits z3;
	bool z3_inside;           /* Z3 in this process, where nobody can stop it: for tests and measurements */
	bool self_check;          /* hold every model against the whole prefix too, and every cached one against its query */
	bool timed;               /* measure stages */
	const char *dump;         /* a directory for queries as SMT-LIB files; NULL: none */
	/* Called for every problem that was answered, and what the answer was. */
	void (*observe)(void *context, const struct problem *p, enum verdict verdict);
	void *context;
};

struct answer {
	enum verdict verdict;
	bool optimistic;          /* found, or refuted, without what the run had lost */
	bool goal_alone;          /* found without anything that came before: the path itself is refuted, or nobody knows */
	bool incomplete;          /* floating point was held at its recorded values: an UNSAT is no proof */
	enum solver_stage stage;  /* that gave the verdict; SOLVER_STAGES: nobody */
	struct assignment model;  /* SAT: the new input; lives in the arena or is the seed's */
	unsigned asked;           /* how many queries were made of the question */
};

struct stage_stats {
	uint64_t asked, sat, unsat;
	double seconds; /* CPU time of this process, if measured */
};

struct solver_stats {
	struct stage_stats stages[SOLVER_STAGES];
	uint64_t queries;
	uint64_t dropped;   /* things remembered that were forgotten for lack of memory */
	uint64_t lost;      /* queries that Z3's process did not answer */
	uint64_t gates;     /* that circuits were made of: what questions cost, whatever the machine's load */
	uint64_t refuted;   /* models that the evaluator did not agree with, since floating point was held or a length changed */
};

struct solver;

struct solver_options solver_options_default(void);

/* "no-z3,no-lanes", or "only-z3": changes the set of stages. */
bool solver_parse_stages(const char *text, uint32_t *stages, struct err *err);
const char *solver_stage_name(enum solver_stage s);

struct solver *solver_new(const struct solver_options *o);
void solver_free(struct solver *s);
struct solver_stats solver_stats(const struct solver *s);

/* A pure function of the question's slice, the seed's bytes in it and the options: what was asked before may make it faster, and
 * may turn an UNKNOWN into an UNSAT, but never decides a model. False: an internal error, such as a model that our
 * evaluator refutes. */
bool solver_check(struct solver *s, const struct question *q, struct arena *arena, struct answer *out, struct err *err);

/* The goals without what came before them: a model may leave the path on the way. Likewise a pure function. */
bool solver_check_goals(struct solver *s, const struct question *q, struct arena *arena, struct answer *out, struct err *err);

#endif
