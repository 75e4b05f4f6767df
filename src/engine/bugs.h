/* Is it a bug, and a new one? */
#ifndef TANDEM_ENGINE_BUGS_H
#define TANDEM_ENGINE_BUGS_H

#include "engine/engine.h"
#include "engine/runner.h"

struct bugs;

enum bugs_verdict { BUGS_NEW, BUGS_KNOWN, BUGS_UNCONFIRMED };

struct bugs *bugs_new(const uint64_t *known, size_t count); /* names that were told in an earlier session */
void bugs_free(struct bugs *b);

/* A run that crashed or left a report, which may lie in the runner's trace: f->report is a copy afterwards, valid until the next call. It is a bug
 * if a second run ends in the same way. False: that could not be run. */
bool bugs_judge(struct bugs *b, struct runner *r, struct finding *f, enum bugs_verdict *v, struct err *err);

#endif
