/* Whether what is demanded of single bytes of a function's input can come from any of the calls further out, through all callers of a chain: before a solver is asked about any of them. */
#ifndef TANDEM_UNIT_OUTLOOK_H
#define TANDEM_UNIT_OUTLOOK_H

#include "unit/sieve.h"
#include "unit/summary.h"

struct outlook_options {
	const uint32_t *functions;              /* the outermost first */
	const struct summary *const *summaries; /* of each; NULL: none is known */
	const uint32_t *given;                  /* objects of its plan */
	size_t count;
};

struct outlook;

/* All is borrowed, also the summaries' paths. */
struct outlook *outlook_new(const struct outlook_options *o);
void outlook_free(struct outlook *o);

/* What a path demands itself; it stays as long as the outlook. */
struct sieve *outlook_sieve(struct outlook *o, const struct formula *path);

/* Is there anything against it? It may be true because there was too much to look at. Where nobody was seen to call there is nothing. farthest: becomes the outermost level that anything went together with, if that is farther out. */
bool outlook_is_open(struct outlook *o, size_t level, const struct sieve *s, size_t *farthest);

#endif
