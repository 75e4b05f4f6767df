/* What is kept of the runs of a function in unit mode: paths that end in a failure, and paths that end in a call of another function. */
#ifndef TANDEM_CLI_HARVEST_H
#define TANDEM_CLI_HARVEST_H

#include "trace/facts.h"
#include "unit/book.h"
#include "unit/summary.h"

struct harvest;

/* Of that function, in runs by its plan that tell of calls of others (book_pack). What is kept is in the arena. */
struct harvest *harvest_new(struct unit_program *p, struct book *book, uint32_t function, struct arena *arena);
void harvest_free(struct harvest *h);

/* failure: the name of how the run failed; 0: it did not. */
void harvest_run(struct harvest *h, const struct testcase *feed, const struct trace *t, const struct facts *facts, uint64_t failure);

/* Of a failure: paths that end in it. */
const struct formula *harvest_paths(const struct harvest *h, uint64_t failure, size_t *count, uint64_t *seen);

/* What the marks of an input that leads to the failure are, as far as the path there depends on them; variables that they do not tell of have what the run found there. In the arena. */
const struct plan_value *harvest_values(const struct harvest *h, uint64_t failure, const struct testcase *feed);

/* Of all runs. */
const struct summary_call *harvest_calls(const struct harvest *h, size_t *count, bool *left_out);

#endif
