/* A trace for people, and for programs: one line per event, then a summary. */
#ifndef TANDEM_TRACE_DUMP_H
#define TANDEM_TRACE_DUMP_H

#include "trace/facts.h"
#include "trace/trace.h"

#include <stdio.h>

/* facts may be NULL: sites are then numbers. Both return false if out cannot be written. */
bool dump_text(const struct trace *t, const struct facts *facts, FILE *out, struct err *err);
bool dump_json(const struct trace *t, const struct facts *facts, FILE *out, struct err *err);

#endif
