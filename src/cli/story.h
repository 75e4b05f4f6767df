/* A bug of an exploration: its files, and what is said of it. */
#ifndef TANDEM_CLI_STORY_H
#define TANDEM_CLI_STORY_H

#include "base/err.h"
#include "base/str.h"

#include <stdbool.h>

struct finding;
struct telling;

/* The lines that are told, without the last end of line. False: it could not be saved, and err says why; it is told all the same, but for how to replay it. */
bool story_of(const struct telling *r, const struct finding *f, struct str *lines, struct err *err);

#endif
