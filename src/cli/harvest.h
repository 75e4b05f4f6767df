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

/* Which bytes of the marks, as many as these, decide that the path goes there: by mark, flags for as many bytes as it has. NULL where nothing of the failure is known. In the arena. */
const uint8_t *const *harvest_read(const struct harvest *h, uint64_t failure, const struct testcase *feed);

/* Of all runs. */
const struct summary_call *harvest_calls(const struct harvest *h, size_t *count, bool *left_out);

#endif
