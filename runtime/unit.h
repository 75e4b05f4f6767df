/* Plans of unit mode (contract/unit.h), as the runtime looks at them: the one of the run, and those of functions whose calls are watched. */
#ifndef TANDEM_RUNTIME_UNIT_H
#define TANDEM_RUNTIME_UNIT_H

#include "state.h"

#include "contract/facts.h"
#include "contract/unit.h"

struct unit_view {
	const struct td_unit *plan;
	const struct td_unit_object *objects;
	const struct td_unit_slot *slots;
	const struct td_unit_target *targets;
	const struct td_unit_stub *stubs;
	const struct td_unit_range *ranges;
	const char *strings;
};

TD_HIDDEN uint64_t unit_outside(const struct td_unit_target *t); /* where a target is that is no object; 0: nowhere */
TD_HIDDEN uint64_t unit_variable(const struct unit_view *v, const struct td_unit_object *o); /* where a variable is */

TD_HIDDEN bool snapshot_prepare(const struct unit_view *shapes, uint32_t count); /* false: no memory */

#endif
