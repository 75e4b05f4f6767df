/* Threads in which traced code has run: who they are, and where their stacks are while they stand still. */
#ifndef TANDEM_RUNTIME_THREAD_H
#define TANDEM_RUNTIME_THREAD_H

#include "state.h"

enum { TD_MAX_THREADS = 256 }; /* that are remembered at the same time */

struct thread {
	long id;           /* 0: none */
	char *memory;      /* fault.c: a stack for handlers; a later thread in this place has it too */
	uint64_t sp, block; /* while it stands still: stack pointer, and the thread's control block */
	bool stopped;
};

/* All with the lock. The first thread is number 0, whatever the system calls it. */
TD_HIDDEN struct thread *thread_get(unsigned number);
TD_HIDDEN struct thread *thread_here(void);     /* this one is remembered; NULL: there is no room */
TD_HIDDEN bool thread_is_live(unsigned number);
TD_HIDDEN bool thread_stop_others(void);        /* false: one of them did not hear, or is not known */
TD_HIDDEN void thread_release(void);            /* those that stand still */
TD_HIDDEN uint64_t thread_block(void);          /* this one's control block */

#endif
