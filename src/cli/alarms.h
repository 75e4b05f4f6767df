/* What tandem unit has found, told to people and to programs. */
#ifndef TANDEM_CLI_ALARMS_H
#define TANDEM_CLI_ALARMS_H

#include "cli/systests.h"
#include "cli/testing.h"

#include <stdio.h>

struct alarms_options {
	struct testing *testing;
	struct unit_program *program;
	struct book *book;
	const char *path;                /* of the program */
	const uint32_t *functions;
	size_t count;
	const struct systests *tests;    /* NULL: there are none */
	bool all;                        /* those that were dropped too */
	bool strict;                     /* what was never seen to be called so is dropped */
	double seconds;
};

struct alarm {
	uint32_t function;
	uint32_t tested;                 /* that was tested when it was seen: the function, or a caller */
	const struct summary_failure *failure;
	const struct verdict_row *verdict;
	bool kept;
	size_t order;                    /* of functions, and in each as they were found */
	const char *file;                /* its test case, once it is written */
};

typedef VEC(struct alarm) alarm_list;
/* By verdict. */
void alarms_list(const struct alarms_options *o, alarm_list *out);

/* A test case for each below the directory, in alarms/ or dropped/. */
bool alarms_write(const struct alarms_options *o, alarm_list *all, const char *out, struct arena *arena, struct err *err);

void alarms_text(const struct alarms_options *o, const alarm_list *all, FILE *to);
bool alarms_json(const struct alarms_options *o, const alarm_list *all, FILE *to);

#endif
