/* What could go wrong on the path of an input, whether or not it depends on the input: from a run of its own, in which all of that is recorded. */
#ifndef TANDEM_ENGINE_RISKS_H
#define TANDEM_ENGINE_RISKS_H

#include "engine/runner.h"
#include "search/walk.h"

struct risks;

/* As for any other run. */
struct risks *risks_open(const struct runner_options *o, struct err *err);
void risks_close(struct risks *m);

/* Those of a walk; none if the run cannot be had. */
void risks_find(struct risks *m, const struct testcase *input, struct walk *w);

uint32_t risks_place(const struct td_event *e); /* names the place of a risk, or of a condition, in the program */
uint64_t risks_places(const struct risks *m); /* how many there are in the program, as far as they were met */

#endif
