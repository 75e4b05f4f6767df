/* What is kept of the runs of a function in unit mode: paths that end in a failure, and paths that end in a call of another function. */
#ifndef TANDEM_CLI_HARVEST_H
#define TANDEM_CLI_HARVEST_H

#include "trace/facts.h"
#include "unit/plan.h"
#include "unit/program.h"
#include "unit/summary.h"

struct harvest;

/* Of that function, with its plan, in runs that tell of calls of others (plan_pack). What is kept is in the arena. */
struct harvest *harvest_new(const struct unit_program *p, uint32_t function, const struct plan *plan, struct arena *arena);
void harvest_free(struct harvest *h);

/* failure: the name of how the run failed; 0: it did not. */
void harvest_run(struct harvest *h, const struct testcase *feed, const struct trace *t, const struct facts *facts, uint64_t failure);

/* Of a failure: paths that end in it. */
const struct formula *harvest_paths(const struct harvest *h, uint64_t failure, size_t *count, uint64_t *seen);

/* Of all runs. */
const struct summary_call *harvest_calls(const struct harvest *h, size_t *count, bool *left_out);

#endif
