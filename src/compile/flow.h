/* What integers the code of one file puts into parameters, results, variables and members of structs (contract/flow.h), as rows of its facts. */
#ifndef TANDEM_COMPILE_FLOW_H
#define TANDEM_COMPILE_FLOW_H

#include "base/err.h"
#include "compile/facts.h"

/* Of the raw IR, which stays as it is: another copy of it has its locals in registers. */
bool flow_collect(struct facts *facts, struct unit *u, struct err *err);

#endif
