/* Which functions have changed since a revision: by what git says of their lines. */
#ifndef TANDEM_CLI_CHANGED_H
#define TANDEM_CLI_CHANGED_H

#include "unit/program.h"

/* By function: have its own lines? False: git does not know, and why. */
bool changed_find(const struct unit_program *p, const char *revision, bool *changed, struct err *err);

#endif
