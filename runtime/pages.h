/* The runtime's own memory, by whole pages. All of this may happen inside of hooks: errno is the program's, and stays as it is. */
#ifndef TANDEM_RUNTIME_PAGES_H
#define TANDEM_RUNTIME_PAGES_H

#include "state.h"

#include <stdbool.h>
#include <stdint.h>

/* Any system call, made at the only place in the process from which rewind.c lets through those for memory and for the end. */
TD_HIDDEN long pages_call(long number, long a, long b, long c, long d);
extern TD_HIDDEN const char pages_called[]; /* what is behind that place */

TD_HIDDEN void *pages_map(uint64_t wish, uint64_t bytes, int protection); /* NULL: there is no memory. wish 0: anywhere */
TD_HIDDEN void pages_unmap(void *start, uint64_t bytes);
TD_HIDDEN void *pages_grow(void *start, uint64_t bytes, uint64_t more);  /* the same, with room behind; NULL: as it was */
TD_HIDDEN bool pages_open(void *start, uint64_t bytes);    /* can be written and read */
TD_HIDDEN void pages_empty(void *start, uint64_t bytes);   /* they are zero again */

/* ---- undoing ---- */

enum { PAGES_CHANGES = 256 };

struct pages_change {
	uint64_t start, end;
	bool opened;  /* or mapped */
	bool gone;    /* it is not as it was made */
};

/* Changes since a run began, in their order. They are not taken back at once: most runs make the same, and then find them made. */
struct pages_ledger {
	struct pages_change changes[PAGES_CHANGES];
	unsigned count;  /* of this run */
	unsigned made;   /* of this run or an earlier one */
	bool lost;       /* not all are written down */
};

TD_HIDDEN void pages_watch(struct pages_ledger *l); /* from now on changes are written down there; NULL: no more */
/* The first `count` are of this run, and are to be made zero. false: not all changes are known. */
TD_HIDDEN bool pages_settle(struct pages_ledger *l, uint64_t most);

#endif
