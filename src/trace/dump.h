/* A trace for people, and for programs: one line per event, then a summary. */
#ifndef TANDEM_TRACE_DUMP_H
#define TANDEM_TRACE_DUMP_H

#include "base/str.h"
#include "trace/facts.h"
#include "trace/trace.h"

#include <stdio.h>

/* facts may be NULL: sites are then numbers. Both return false if out cannot be written. */
bool dump_text(const struct trace *t, const struct facts *facts, FILE *out, struct err *err);
bool dump_json(const struct trace *t, const struct facts *facts, FILE *out, struct err *err);

/* One event as text has it, without the end of the line. */
void dump_event(const struct trace *t, const struct facts *facts, const struct td_event *e, struct str *out);

#endif
