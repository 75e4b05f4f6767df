/* A unit test as one file of C that needs no Tandem: tandem export --format c. */
#ifndef TANDEM_CLI_DRIVERFILE_H
#define TANDEM_CLI_DRIVERFILE_H

#include "cli/unitrun.h"

/* name: of the file, without .c. False: the function, or what it takes, has no name that a file of C could use. */
bool driverfile_print(struct unitcase *u, const struct unitrun *run, const struct casefile *c, const char *name, struct str *out, struct err *err);

#endif
