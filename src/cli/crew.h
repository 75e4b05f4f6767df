/* Pieces of work that do not depend on each other, each in a process of its own, some at a time: what one does to its memory, or how it dies, is nothing to the others. */
#ifndef TANDEM_CLI_CREW_H
#define TANDEM_CLI_CREW_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

struct crew_work {
	size_t count;
	unsigned jobs;
	const volatile sig_atomic_t *stop;                        /* once it is not 0 nothing more is begun, and what is under way is told to end */
	void (*work)(void *context, size_t item);                 /* in its own process: what it wants to leave behind it writes to a file */
	void (*died)(void *context, size_t item, int signal);     /* here: it was ended by a signal */
	void (*over)(void *context, size_t item, size_t finished);/* here, in any order: so many are over now */
	void *context;
};

void crew_run(const struct crew_work *w);

#endif
