/* What clang would do for a command line: the list of processes it would start (`clang -###`). Taking clang's own word for
 * it makes tandem-cc accept whatever clang accepts. */
#ifndef TANDEM_COMPILE_JOBS_H
#define TANDEM_COMPILE_JOBS_H

#include "base/err.h"
#include "compile/memory.h"

#include <sys/types.h>

struct job {
	char **argv; /* NULL-terminated */
	int argc;
};

struct jobs {
	LIST(struct job) list;
	char *said;     /* the plan as clang prints it, warnings included */
	bool failed;    /* clang refused the command line: let it say so itself */
};

bool jobs_plan(struct jobs *jobs, char *const *command, struct err *err);
bool jobs_parse(struct jobs *jobs, const char *text); /* the output of -###; false: not understood */
int jobs_run(char *const *argv, struct err *err);       /* exit status, 128 + signal; -1: cannot start */
int jobs_wait(pid_t pid);                               /* likewise */

/* Being told to end ends the job under way; whoever runs jobs tidies up and then obeys. */
void jobs_catch_signals(void);
int jobs_interrupted(void);                             /* the signal, or 0 */

#endif
