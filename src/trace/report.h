/* A violation, as the runtime wrote it down: is the record sound, what class is it of, how does one say it in a line. */
#ifndef TANDEM_TRACE_REPORT_H
#define TANDEM_TRACE_REPORT_H

#include "base/str.h"
#include "contract/report.h"

#include <stdbool.h>

/* All counts and kinds are in range, texts are terminated, terms exist; nobody checks again. */
bool report_check(const struct td_report *r, uint32_t terms, uint32_t events);

const char *report_name(unsigned violation);                 /* enum td_violation: "overflow" */
const char *report_key(const struct td_report *r);           /* of the violation: "overflow" */
void report_class(const struct td_report *r, struct str *out); /* with the storage where that says more: "heap-overflow" */
bool report_same_violation(const char *class, const char *other); /* whatever the storage is */
bool report_is_crash(const struct td_report *r);             /* the program would be ended by it, sooner or later, or has other data destroyed; else it is what C does not define, or not nice */
const char *report_library(const struct td_report *r);       /* the library function without a model that it would happen in, or NULL */
const char *report_kind(const struct td_report *r);          /* what the object is: "heap block" */

/* heap-overflow: write of 4 bytes at 0x5010, 0 bytes past the end of a 40-byte heap block */
void report_headline(const struct td_report *r, struct str *out);

/* block of 40 bytes [0x4fe8,0x5010), or variable 'name' ... */
void report_object(const struct td_report *r, struct str *out);

#endif
