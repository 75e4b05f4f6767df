/* Runs that may be a hang, or have eaten memory, and wait until there is time to find out: that takes as long as thousands of runs. One of each name. */
#ifndef TANDEM_ENGINE_SUSPECTS_H
#define TANDEM_ENGINE_SUSPECTS_H

#include "engine/engine.h"

struct suspects;

struct suspects *suspects_new(void);
void suspects_free(struct suspects *s);
void suspects_add(struct suspects *s, const struct finding *f); /* all of it is copied but for the facts */
size_t suspects_count(const struct suspects *s);
bool suspects_take(struct suspects *s, struct finding *out);    /* the oldest; valid until the suspects are freed */

#endif
