/* What was recorded of a suite, in a directory: a test case for each run that is not the same as one before. Several processes may add to one directory. */
#ifndef TANDEM_CLI_RECORDINGS_H
#define TANDEM_CLI_RECORDINGS_H

#include "base/arena.h"
#include "base/vec.h"
#include "cli/environment.h"
#include "run/recording.h"
#include "testcase/casefile.h"

/* A program of the suite, as its runs name it. A suite may build several under one name, one after the other. */
struct recorded_program {
	const char *path;
	uint64_t stamp;
	uint64_t build;         /* of its facts; 0: it has none */
	struct literals *literals;
};

/* Why runs are left out. What follows a colon is of one of them. */
struct recorded_trouble {
	const char *why;        /* the first */
	uint64_t count;
};

struct recordings {
	const char *directory;
	struct environment_rule rule;
	struct arena *arena;
	VEC(struct recorded_program) programs;
	VEC(uint64_t) known;    /* hashes of what is there, sorted */
	/* told at the end */
	uint64_t runs, kept, merged, troubled, failed, bytes;
	VEC(struct recorded_trouble) troubles;
	struct err error;       /* the first */
};

/* directory is made if it is not there. */
bool recordings_open(struct recordings *r, const char *directory, struct err *err);
void recordings_add(struct recordings *r, const struct recording *one);
void recordings_close(struct recordings *r);

#endif
