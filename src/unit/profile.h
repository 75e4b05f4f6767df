/* Who was called while whom was on the stack, run by run: of a suite's traces with TD_CALLS. */
#ifndef TANDEM_UNIT_PROFILE_H
#define TANDEM_UNIT_PROFILE_H

#include "trace/trace.h"
#include "unit/program.h"

struct profile;

struct profile *profile_new(const struct unit_program *p);
void profile_free(struct profile *p);

void profile_add(struct profile *p, const struct trace *t);

uint64_t profile_runs(const struct profile *p);                    /* all */
uint64_t profile_ran(const struct profile *p, uint32_t function);  /* so many of these ran it */

/* How much f depends on g, 0 to 1: of the runs with f, those in which f was there when g was called if g is a successor of f in the static call graph; in which g was there when f was called if a predecessor; either if it is both. 0 if
 * it is neither, or f never ran. */
double profile_dependency(const struct profile *p, uint32_t g, uint32_t f);

/* How much they have to do with each other, 0 to 1: of the runs with f, and of those with g, in how many one was on the stack when the other was called, on average of the two. */
double profile_relevance(const struct profile *p, uint32_t f, uint32_t g);

/* So much of all pairs that have anything to do with each other, 0 to 1, are at least as relevant as what this returns. */
double profile_relevance_of(const struct profile *p, double share);

#endif
