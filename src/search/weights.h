/* The file NAME.theta: a weight for each feature, as text. It begins with `tandem theta 1`; then each feature has a line with its number, its name and its weight, in any order. What follows a # is a
 * comment, and empty lines mean nothing. Behind the features are settings of the search itself, numbers from -1 to 1 that are learnt like weights; one that has no line is what it was before there were any. */
#ifndef TANDEM_SEARCH_WEIGHTS_H
#define TANDEM_SEARCH_WEIGHTS_H

#include "base/err.h"
#include "search/feature.h"

struct strategy;

#define WEIGHTS_VERSION 1
#define WEIGHTS_LIMIT 1e6 /* they are from -WEIGHTS_LIMIT to WEIGHTS_LIMIT */

#define SETTINGS 1
#define WEIGHTS (FEATURES + SETTINGS)

enum { WEIGHT_PATIENCE = FEATURES /* how long the search stays away from paths that brought something (theta.c) */ };

const char *weight_name(unsigned i); /* below WEIGHTS */
const char *weight_text(unsigned i);
unsigned weight_find(const char *name); /* WEIGHTS: there is none */
void weights_clear(double *weights);    /* no feature counts; settings are what they are without a line */
void weights_guess(double *weights);    /* what one would begin with before anything is learnt */

/* WEIGHTS of them. Errors name file and line. */
bool weights_read(const char *path, double *weights, struct err *err);

/* A search as people name it: by its name, or as a file of weights, which are read; without one they are as they were. NULL: there is none, and why. */
const struct strategy *weights_choose(const char *name, double *weights, struct err *err);

/* Reading it gives exactly the same numbers. Each line of the comment becomes one; NULL: none. */
bool weights_write(const char *path, const double *weights, const char *comment, struct err *err);

#endif
