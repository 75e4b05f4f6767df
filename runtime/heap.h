/* The runtime's own allocator (heap.c) and the runs of units below it (span.c). Everything here wants the runtime's lock, but for
 * heap_has. */
#ifndef TANDEM_RUNTIME_HEAP_H
#define TANDEM_RUNTIME_HEAP_H

#include "object.h"

/* heap.c */
TD_HIDDEN bool heap_init(void);                             /* false: no room */
TD_HIDDEN bool heap_has(uint64_t address);                  /* is that its memory? */
TD_HIDDEN uint32_t heap_at(uint64_t address);               /* its large block there; 0: none */
TD_HIDDEN uint32_t heap_take(uint64_t size, uint64_t alignment, bool zero, uint32_t stack); /* a block's number; 0: no memory */
TD_HIDDEN void heap_drop(uint32_t number, uint32_t stack);  /* a live block's */
TD_HIDDEN bool heap_resize(uint32_t number, uint64_t size, uint32_t stack); /* where it is; false: not possible or not wanted */

/* span.c */
TD_HIDDEN bool span_init(void);
TD_HIDDEN bool span_has(uint64_t address);
TD_HIDDEN uint64_t span_take(uint64_t units, uint64_t alignment, uint32_t number, bool *fresh); /* its address, 0: no memory; fresh: it is zero */
TD_HIDDEN void span_give(uint64_t address);                 /* back; numbers stay until it is taken again */
TD_HIDDEN uint64_t span_units(uint64_t address);            /* how many this run has */
TD_HIDDEN uint32_t span_number(uint64_t address);           /* what was said when the unit was taken, last */
TD_HIDDEN void span_fill(uint64_t address, uint64_t end);    /* its unit in the map, up to there */

#endif
