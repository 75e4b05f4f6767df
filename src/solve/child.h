/* Z3 in a process of its own, which may hang, eat memory and die without harm. */
#ifndef TANDEM_SOLVE_CHILD_H
#define TANDEM_SOLVE_CHILD_H

#include "solve/smt.h"

#include <sys/types.h>

struct child {
	pid_t pid;             /* 0: not running; it is started when it is asked */
	int fd;
	uint64_t started, killed, died; /* how often */
};

/* True if it answered in time. Otherwise nothing is known, and the next query gets a new process. */
bool child_ask(struct child *c, const struct problem *p, const struct smt_limits *limits, struct arena *arena, enum verdict *verdict,
               uint64_t *model);

void child_stop(struct child *c);

#endif
