/* Reports of uses of memory that was never set, and which of them are right. */
#ifndef TANDEM_TRACE_UNSET_H
#define TANDEM_TRACE_UNSET_H

#include "trace/trace.h"

/* The trace loses those that are not. Its reports are in the result then, which the caller frees; NULL: they are where they were. */
struct td_report *unset_confirm(struct trace *t);

#endif
