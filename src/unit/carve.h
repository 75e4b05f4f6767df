/* What a function was called with in a run of the whole program (snapshots, contract/unit.h), as an input for a test of it alone. */
#ifndef TANDEM_UNIT_CARVE_H
#define TANDEM_UNIT_CARVE_H

#include "testcase/testcase.h"
#include "trace/trace.h"
#include "unit/plan.h"

enum { CARVE_NULL = 1, CARVE_THERE = 2, CARVE_OTHER = 4 /* where another pointer or a variable is as well */ };

/* What the call tells of the plan's pointers is added to these, by slot. */
void carve_pointers(const struct plan *p, const struct trace *t, uint32_t call, uint8_t *seen);

/* A mark for each given object of the plan, in the arena. call: the event of a call of its function, in a run where nothing has a term but what was never set. *strangers: so many integers are outside of what the program's ranges
 * allow. There are none, if those are right. */
struct testcase_mark *carve_marks(const struct plan *p, const struct trace *t, uint32_t call, struct arena *arena, size_t *strangers);

#endif
