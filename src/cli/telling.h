/* What explore tells and keeps of what it finds. The context of the engine's calls is a struct telling, or begins with one. What is told has been kept before. */
#ifndef TANDEM_CLI_TELLING_H
#define TANDEM_CLI_TELLING_H

#include "base/str.h"
#include "engine/engine.h"

#include <stdio.h>

struct campaign;
struct status;
struct told;

struct telling {
	const char *out;      /* the directory */
	struct campaign *campaign; /* in it */
	struct status *status;
	void (*take)(struct telling *r, const struct told *t); /* what was found */
	const struct testcase *tests;   /* of a suite, which are the inputs to start from; NULL: they are none. */
	const char *const *test_files;  /* where each is */
	const char *program;
	bool no_sandbox;      /* a replay needs that too */
	double run_seconds;   /* a traced run has; a replay of a hang needs that */
	uint64_t run_memory;  /* MiB, likewise */
	FILE *to;             /* where bugs are told */
	FILE *log;            /* of inputs; NULL: none */
	bool unsaved;         /* something could not be saved, and that was told: it will not be the last */
};

void telling_keep(struct telling *r, const struct told *t); /* keeps and tells it here */

void telling_bug(void *context, const struct finding *f);
void telling_again(void *context, const struct finding *f);
void telling_test(void *context, const struct novelty *n);
void telling_run(void *context, uint64_t hash);
void telling_answer(void *context, uint64_t key, uint8_t state);
void telling_left(void *context, const struct testcase *t);
void telling_tick(void *context, const struct engine_stats *s);
void telling_end(struct telling *r, const struct engine_stats *s); /* the last of all */

void telling_summary(const struct engine_stats *s, const char *search);
struct json_t *telling_stats(const struct engine_stats *s); /* as JSON */
void telling_json(const struct engine_stats *s, const char *search);

const char *telling_test_file(const struct telling *r, const struct testcase *t); /* of a suite; NULL: it is none */
void telling_put_input(const struct testcase *t, struct str *out); /* stdin = "...", argv[1] = "..." */

#endif
