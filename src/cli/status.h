/* How it is going: a few lines that are drawn over on a terminal, one line now and then elsewhere. */
#ifndef TANDEM_CLI_STATUS_H
#define TANDEM_CLI_STATUS_H

#include "engine/engine.h"

#include <stdio.h>

struct status {
	FILE *to;          /* NULL: nothing is told */
	bool live;         /* it is a terminal */
	const char *program, *search;
	bool checks;       /* tandem check: what was asked of conditions counts, and there may be other programs */
	uint64_t runs_before;
	unsigned drawn;    /* lines that stand on the screen */
	double next;       /* seconds: when to tell again */
	double last_news;  /* when something was covered */
	uint64_t covered;
	uint64_t runs;     /* at the last time, and when that was */
	double then, rate;
};

void status_open(struct status *s, const char *program, const char *search, bool wanted);
void status_show(struct status *s, const struct engine_stats *e);
void status_clear(struct status *s); /* before anything else is written */

#endif
