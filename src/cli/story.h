/* A bug of an exploration: its files, and what is said of it. */
#ifndef TANDEM_CLI_STORY_H
#define TANDEM_CLI_STORY_H

#include "cli/told.h"

struct casefile;
struct finding;
struct telling;

/* All of it, in the arena. */
struct told story_of(const struct telling *r, const struct finding *f, struct arena *a);

/* What a test case of the bug says of it: class, place, call stack, how it ends. Texts are in the arena. */
void story_describe(const struct finding *f, struct casefile *c, struct arena *a);

#endif
