/* Finds a weight vector for a search (ParaDySE's Find, Check, Refine). What a vector is worth is told by trials, which somebody else makes. */
#ifndef TANDEM_LEARN_OPTIMISE_H
#define TANDEM_LEARN_OPTIMISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One exploration with these weights. Equal trials have equal results. */
struct optimise_trial {
	const double *theta;
	uint64_t seed;
};

struct optimise_range {
	double least, most;
};

/* What a round came to. */
struct optimise_round {
	unsigned number;              /* from 1 on */
	double found_mean, found_best;/* of the samples, one trial each */
	double average, spread;       /* of the best, over its trials: mean and standard deviation */
	double second;                /* average of the next best */
	const double *theta;          /* the best */
	const struct optimise_range *ranges; /* from which the next would sample */
	bool is_last;
};

struct optimise_options {
	size_t features;
	size_t samples;    /* n */
	size_t best;       /* K: that are looked at closely */
	size_t trials;     /* of each of these */
	unsigned rounds;   /* at most */
	uint64_t seed;
	/* What these come to, in any order; false: it is to stop. */
	bool (*run)(void *context, const struct optimise_trial *trials, size_t count, double *results);
	void (*told)(void *context, const struct optimise_round *r);
	void *context;
};

/* The best of all rounds; false: it was stopped before there was any. */
bool optimise(const struct optimise_options *o, double *theta, double *average);

#endif
