/* The reports of a trace, for people and for programs. */
#ifndef TANDEM_TRACE_TELL_H
#define TANDEM_TRACE_TELL_H

#include "base/str.h"
#include "trace/facts.h"
#include "trace/trace.h"

#include <jansson.h>

/* facts may be NULL: then the program's own file is not known. */
void tell_text(const struct trace *t, const struct facts *facts, struct str *out);
json_t *tell_json(const struct trace *t, const struct facts *facts);

/* In a few words: the class, and the innermost place in the program: "assert in check at a.c:4:66". */
void tell_briefly(const struct td_report *r, const struct facts *facts, struct str *out);

/* The call stack, or where a leak came from: a line each, innermost first. */
void tell_stack(const struct td_report *r, const struct facts *facts, struct str *out);

#endif
