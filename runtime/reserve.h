/* Address space that is reserved at once and opened for writing from its start on, as it is needed. What is not open reads as zero
 * and costs neither memory nor, since it cannot be written, any of RLIMIT_DATA. So a table can grow without ever moving. */
#ifndef TANDEM_RUNTIME_RESERVE_H
#define TANDEM_RUNTIME_RESERVE_H

#include "state.h"

struct reserve {
	char *base;
	uint64_t size, open; /* bytes */
};

enum { TD_STEP = 1 << 18 }; /* opened at once, at least */

TD_HIDDEN bool reserve_take(struct reserve *r, uint64_t wish, uint64_t size); /* at that address, if it is free */
TD_HIDDEN bool reserve_has(uint64_t address); /* is it in anything that was ever taken? */
TD_HIDDEN bool reserve_open(struct reserve *r, uint64_t bytes); /* the first so many can be written; false: there is no memory */

#endif
