/* Which sides of the source's branches runs took, symbolic or not. */
#ifndef TANDEM_TRACE_COVERAGE_H
#define TANDEM_TRACE_COVERAGE_H

#include "trace/facts.h"

#include <stdio.h>

/* Of many runs: how many took each edge. Zero-initialised it is empty. */
struct coverage {
	uint32_t *runs;   /* by edge */
	uint32_t count;
};

/* What a run took, a byte for each of the edges that its trace tells of: those it has marked, and those that others tell of. The caller frees it. */
uint8_t *coverage_taken(const struct trace *t, const struct facts *facts);
void coverage_complete(uint8_t *taken, uint32_t count, const struct facts *facts); /* the second step alone */

uint32_t coverage_add(struct coverage *c, const uint8_t *taken, uint32_t count); /* how many edges were new */
void coverage_free(struct coverage *c);

/* Sides of branches and cases of switches; selects apart; functions that have any, and of these the ones something was reached in. Models do not count. */
struct coverage_sum {
	uint64_t sides, sides_taken;
	uint64_t selects, selects_taken;
	uint64_t functions, functions_reached;
};

/* A file of the source, however many compiled ones it is part of. `path` is absolute if that is known. */
typedef void coverage_visit(void *context, const char *path, const struct coverage_sum *sum);
struct coverage_sum coverage_files(const struct coverage *c, const struct facts *facts, coverage_visit *visit, void *context); /* visit may be NULL; the sum of all */

/* A line per site that was reached: place, function, the sides that were taken. Both: false, out cannot be written. */
bool coverage_text(const struct coverage *c, const struct facts *facts, FILE *out, struct err *err);
bool coverage_missed(const struct coverage *c, const struct facts *facts, FILE *out, struct err *err); /* of sites that were reached, the sides that were not taken */
bool coverage_lcov(const struct coverage *c, const struct facts *facts, FILE *out, struct err *err);

#endif
