/* What explore tells of what it finds. The context of the first two is a struct telling, or begins with one. */
#ifndef TANDEM_CLI_TELLING_H
#define TANDEM_CLI_TELLING_H

#include "engine/engine.h"

#include <stdio.h>

struct telling {
	const char *out;      /* the directory */
	const char *program;
	bool no_sandbox;      /* a replay needs that too */
	FILE *to;             /* where bugs are told */
	bool unsaved;         /* something could not be saved, and that was told: it will not be the last */
};

void telling_bug(void *context, const struct finding *f);
void telling_test(void *context, const struct novelty *n);

void telling_summary(const struct engine_stats *s, const char *search);
void telling_json(const struct engine_stats *s, const char *search);

#endif
