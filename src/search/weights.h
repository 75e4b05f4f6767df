/* The file NAME.theta: a weight for each feature, as text. It begins with `tandem theta 1`; then each feature has a line with its number, its name and its weight, in any order. What follows a # is a
 * comment, and empty lines mean nothing. */
#ifndef TANDEM_SEARCH_WEIGHTS_H
#define TANDEM_SEARCH_WEIGHTS_H

#include "base/err.h"

#define WEIGHTS_VERSION 1
#define WEIGHTS_LIMIT 1e6 /* they are from -WEIGHTS_LIMIT to WEIGHTS_LIMIT */

/* FEATURES weights (feature.h). Errors name file and line. */
bool weights_read(const char *path, double *weights, struct err *err);

/* Reading it gives exactly the same numbers. Each line of the comment becomes one; NULL: none. */
bool weights_write(const char *path, const double *weights, const char *comment, struct err *err);

#endif
