/* explore --once: one run, and every flip of it in a file. */
#ifndef TANDEM_CLI_FLIPS_H
#define TANDEM_CLI_FLIPS_H

#include "engine/once.h"

#include <stdio.h>

/* Of every input to start from; o->feed is set here. Returns the exit code. */
int flips_write(const char *out, struct once_options *o, const struct testcase *feeds, size_t count, FILE *to);

#endif
