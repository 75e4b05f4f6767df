/* Which sides of the source's branches a run took, symbolic or not. */
#ifndef TANDEM_TRACE_COVERAGE_H
#define TANDEM_TRACE_COVERAGE_H

#include "trace/facts.h"

#include <stdio.h>

/* A line per site that was reached: place, function, the sides that were taken. False: out cannot be written. */
bool coverage_text(const struct trace *t, const struct facts *facts, FILE *out, struct err *err);

#endif
