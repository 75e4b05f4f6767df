/* The second half of tandem check: what was recorded is explored, all programs in turns. */
#ifndef TANDEM_CLI_CHECKING_H
#define TANDEM_CLI_CHECKING_H

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "engine/engine.h"
#include "testcase/testcase.h"

#include <signal.h>
#include <stdio.h>

struct checking_options {
	const char *out;        /* recordings are in recordings/ below it; of each program there is a directory beside that */
	double seconds;         /* for all of it; 0: no limit */
	uint64_t seed, execs;   /* execs: of each program; 0: no limit */
	uint64_t sample;        /* of the tests of each program; 0: all */
	uint32_t distance_max;
	unsigned jobs;
	double run_seconds;
	uint64_t run_memory;    /* MiB */
	uint32_t flags;         /* as in struct engine_options */
	bool hangs;             /* runs that do not end, or have too much memory, are bugs too */
	bool no_progress;
	bool quiet;             /* nothing is told but bugs and errors */
	const volatile sig_atomic_t *stop;
	FILE *to;               /* where bugs are told */
};

/* A bug, and what leads to it: the nearest test, by distance and then by depth, and how many there are. */
struct checked_bug {
	uint64_t name;
	const char *class, *place;
	const char *file;       /* its test case, in the program's directory */
	size_t tests;           /* of the suite, that are known to lead to it; */
	const char *test;       /* the nearest: the name of its recording */
	uint32_t distance, depth;
};

/* A program of the suite. */
struct checked {
	const char *program;    /* its file */
	bool looked_at;         /* at the file as it is now: */
	uint64_t build;
	const char *unusable;   /* why it cannot be run; NULL: it can */
	const char *directory;  /* what was found */
	size_t tests_all;       /* that can be replayed; of these, all or those that were drawn: */
	VEC(struct testcase) tests;
	VEC(const char *) files;     /* of each */
	VEC(const char *) outside;   /* absolute names of files that they have, and where those ran that have any */
	const char *outside_directory;
	size_t left_out;        /* tests that cannot be replayed; */
	const char *why;        /* the first, and why */
	struct engine_stats stats;
	VEC(struct checked_bug) bugs; /* in all sessions */
	bool failed;            /* it could not be explored; */
	struct err error;
};

struct checking {
	VEC(struct checked) programs;
	struct arena *arena;
	size_t unreadable;
};

bool checking_load(struct checking *c, const struct checking_options *o, struct err *err); /* what is recorded */
void checking_run(struct checking *c, const struct checking_options *o);
void checking_close(struct checking *c);

/* The chance that a sample has one of the tests that expose a bug: so many are in it, of all, of which so many do. */
double checking_chance(size_t all, size_t exposing, size_t sample);

#endif
