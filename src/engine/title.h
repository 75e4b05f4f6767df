/* The name of a bug: the same for what is the same bug, in whatever run and session. */
#ifndef TANDEM_ENGINE_TITLE_H
#define TANDEM_ENGINE_TITLE_H

#include "trace/facts.h"
#include "trace/report.h"
#include "trace/symbols.h"

struct titles;

struct titles *titles_new(const struct facts *facts); /* borrowed */
void titles_free(struct titles *t);

uint64_t title_of_report(struct titles *t, const struct td_report *r);
uint64_t title_of_signal(const struct facts *facts, int signal, uint32_t edge); /* where it was last seen, or TD_NO_SITE */
uint64_t title_of_hang(const struct facts *facts, uint32_t edge);

/* For those: a class and a call stack as the source has it. */
uint64_t title_of_stack(const char *class, const struct symbols_frames *frames, const struct facts *facts);

#endif
