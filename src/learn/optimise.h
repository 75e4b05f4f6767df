/* Finds a weight vector for a search (ParaDySE's Find, Check, Refine). What a vector is worth is told by trials, which somebody else makes. */
#ifndef TANDEM_LEARN_OPTIMISE_H
#define TANDEM_LEARN_OPTIMISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OPTIMISE_BEGINS 8

/* One exploration with these weights. Equal trials have equal results. */
struct optimise_trial {
	const double *theta;
	uint64_t seed;
	double part;                  /* of a whole trial's runs that are made: up to 1 */
};

struct optimise_range {
	double least, most;
};

/* What a round came to. */
struct optimise_round {
	unsigned number;              /* from 1 on */
	double part;                  /* of a trial that every sample was given */
	double found_mean, found_best;/* of all samples in that part; of those that had a whole trial */
	double average, spread;       /* of the best, over its trials: mean and standard deviation */
	double second;                /* average of the next best */
	bool alike;                   /* all samples covered the same, at first and in the end */
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
	double shortest;   /* part of a trial that is worth making: samples are tried so long at least, then ever fewer of them for longer. 0 or 1: whole trials of all, as in the paper */
	bool no_crosses;   /* all vectors are sampled from ranges, as in the paper */
	bool no_refine;    /* every round samples everywhere, as the paper's naive algorithm does */
	const bool *left_out; /* by feature: its weight is 0; NULL: none is */
	const double *begins; /* vectors that are known to do well, elsewhere at least, one behind the other: the first samples are these. Not if there are no crosses */
	bool crosses_first; /* every other sample of the first round is a cross of them */
	size_t begins_count;  /* at most OPTIMISE_BEGINS */
	bool has_slow;     /* there is a weight of which the beginning of a trial tells nothing: */
	size_t slow;       /* this one. After each race all of its range is tried for the best vector */
	/* What these come to, in any order; false: it is to stop. */
	bool (*run)(void *context, const struct optimise_trial *trials, size_t count, double *results);
	void (*told)(void *context, const struct optimise_round *r);
	void *context;
};

/* The best of all rounds; false: it was stopped before there was any. */
bool optimise(const struct optimise_options *o, double *theta, double *average);

#endif
