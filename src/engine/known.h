/* What runs and questions came to in other explorations of the same program (store/hoard.h), so that nothing is run or solved twice by any of them. An exploration with it is the same as one without: a run is
 * decided by its input, and an answer by the parent's input, the question and the seed of the solver. */
#ifndef TANDEM_ENGINE_KNOWN_H
#define TANDEM_ENGINE_KNOWN_H

#include "engine/flip.h"
#include "run/target.h"
#include "search/walk.h"

struct hoard;
struct known;

struct known *known_new(struct hoard *h, uint64_t seed);
void known_free(struct known *k);

/* A run that nothing went wrong in. The trace has no terms, but all that a walk is made of; until the next call. */
bool known_run(struct known *k, const struct testcase *input, struct outcome *out, struct trace *t);
void known_add_run(struct known *k, const struct testcase *input, const struct outcome *out, const struct trace *t);

#define REPLY_UNASKED 3

/* What a pick of a walk came to. */
struct reply {
	uint8_t kind;              /* enum result_kind */
	uint8_t verdict;           /* of the solver; or REPLY_UNASKED */
	uint32_t asked;            /* so many queries, */
	bool optimistic, sure;     /* and what its model is worth */
	uint32_t place;            /* of a condition, or 0 */
	struct flip flip;
	struct td_event condition; /* that should not hold; kind 0: none */
	struct testcase feed;      /* of kind WALK */
};

bool known_reply(struct known *k, const struct testcase *parent, const struct walk_choice *c, bool leap, struct reply *out, struct arena *arena);
void known_add_reply(struct known *k, const struct testcase *parent, const struct walk_choice *c, bool leap, const struct reply *r);

#endif
