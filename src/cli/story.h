/* A bug of an exploration: its files, and what is said of it. */
#ifndef TANDEM_CLI_STORY_H
#define TANDEM_CLI_STORY_H

#include "base/err.h"
#include "base/str.h"

#include <stdbool.h>

struct arena;
struct casefile;
struct finding;
struct telling;

/* The lines that are told, without the last end of line. False: it could not be saved, and err says why; it is told all the same, but for how to replay it. */
bool story_of(const struct telling *r, const struct finding *f, struct str *lines, struct err *err);

/* What a test case of the bug says of it: class, place, call stack, how it ends. Texts are in the arena. */
void story_describe(const struct finding *f, struct casefile *c, struct arena *a);

#endif
