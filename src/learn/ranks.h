/* Are the results of one search better than those of another, or is it chance? Mann and Whitney's rank test, which asks nothing of how they are distributed. */
#ifndef TANDEM_LEARN_RANKS_H
#define TANDEM_LEARN_RANKS_H

#include <stddef.h>

struct ranks {
	double u;     /* pairs in which the first is greater, and half of those that are equal */
	double share; /* of all pairs: 0.5 is no difference */
	double p;     /* the chance of a difference as large as this, in either direction, if there is none */
};

/* Both at least one. */
struct ranks ranks_compare(const double *a, size_t a_count, const double *b, size_t b_count);

#endif
