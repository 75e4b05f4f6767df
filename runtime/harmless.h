/* What a run may do in a process that will be used again. */
#ifndef TANDEM_RUNTIME_HARMLESS_H
#define TANDEM_RUNTIME_HARMLESS_H

#include "state.h"

/* From now on exit_group and exit become SIGSYS, and system calls that are not known to be harmless kill the process with it; all but the runtime's own, which pages_call makes. */
TD_HIDDEN bool harmless_only(void);

#endif
