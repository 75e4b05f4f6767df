/* What trials came to, in a file that grows by a line for each (docs/trials-format.md). Any number of processes add to it, one holds it. A line has a check sum, so one that its writer could not finish, or that was
 * written behind such a one, counts for nothing: that trial is made again. */
#ifndef TANDEM_CLI_LEDGER_H
#define TANDEM_CLI_LEDGER_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

struct ledger;

/* Something new was taken after so many runs; then it was so many sides. */
struct ledger_step {
	uint32_t runs, covered;
};

struct ledger_entry {
	uint64_t key;             /* of the trial */
	double covered;           /* sides of branches; */
	double chained;           /* a switch counted as a chain of comparisons, as the literature does */
	double runs, seconds;
	double made;              /* of these runs: the others were known; and what was run besides them */
	uint64_t inputs;          /* hash of all inputs, in the order in which they ran */
	const struct ledger_step *steps;
	size_t steps_count;
};

/* One that is there is gone on with, if it is about the same: the id. */
struct ledger *ledger_open(const char *directory, uint64_t id, struct err *err);
void ledger_close(struct ledger *l);

/* In one write. */
bool ledger_add(const struct ledger *l, const struct ledger_entry *e, struct err *err);

/* Takes in what was added since, by whomever. */
bool ledger_look(struct ledger *l, struct err *err);

size_t ledger_count(const struct ledger *l);
const struct ledger_entry *ledger_at(const struct ledger *l, size_t i); /* good until the next look, as is: */
const struct ledger_entry *ledger_find(struct ledger *l, uint64_t key); /* NULL: it is not there */

#endif
