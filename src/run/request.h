/* Tells a traced program what its next run is given (contract/trace.h). */
#ifndef TANDEM_RUN_REQUEST_H
#define TANDEM_RUN_REQUEST_H

#include "testcase/testcase.h"

#include <stdbool.h>

struct err;
struct td_header;

/* The header is the caller's mapping of the trace. False: there is no room, and the header says nothing of it. */
bool request_put(struct td_header *h, const struct testcase *t, struct err *err);

#endif
