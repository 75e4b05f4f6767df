/* A test case in a file: what a run is fed with, what it is for and what is known to come of it. docs/testcase-format.md has the format. */
#ifndef TANDEM_TESTCASE_CASEFILE_H
#define TANDEM_TESTCASE_CASEFILE_H

#include "base/err.h"
#include "base/str.h"
#include "testcase/testcase.h"

#define CASEFILE_SUFFIX ".tcase"

/* Classes of bugs that no signal and no report tells of. */
#define CASEFILE_HANG "hang"
#define CASEFILE_MEMORY "memory-blow-up"

enum casefile_kind { CASE_SEED, CASE_PATH, CASE_BUG, CASE_KINDS };
enum casefile_end { CASE_END_UNKNOWN, CASE_END_EXIT, CASE_END_SIGNAL, CASE_END_TIMEOUT, CASE_ENDS };

/* Of an output. */
struct casefile_sum {
	bool known;
	uint32_t crc;
	uint64_t size;
};

/* Texts are NULL and numbers 0 if nothing is known. */
struct casefile {
	struct testcase input;
	enum casefile_kind kind;
	const char *purpose;
	const char *program;      /* a path, as it was given */
	uint64_t build;           /* of its facts (contract/facts.h) */
	uint64_t parent;          /* testcase_hash of what it was made from */
	const char *bug, *place;  /* class ("heap-overflow", "SIGSEGV"); the innermost place in the source */
	const char *const *frames;
	size_t frames_count;
	enum casefile_end end;    /* of an untraced run */
	int code;                 /* exit status or signal */
	struct casefile_sum out, err;
	uint64_t path;            /* hash of the sides of all branches */
	const char *unit;         /* the function that is called in place of main, "a.c:f"; NULL: the program runs */
	const char *plan;         /* with which options it was decided what the function is given, as unit/plan.h writes them */
	const char *const *reals; /* functions that are really called with it; others are stubs */
	size_t reals_count;
	const char *unknown;      /* lines that this version does not know: kept */
};

/* Equal content is equal text. */
void casefile_print(const struct casefile *c, struct str *out);
bool casefile_is(const char *bytes, size_t size); /* does it begin like one? */
bool casefile_parse(struct casefile *c, const char *bytes, size_t size, struct arena *arena, struct err *err);

bool casefile_write(const char *path, const struct casefile *c, struct err *err); /* all of it, or nothing */
bool casefile_read(struct casefile *c, const char *path, struct arena *arena, struct err *err);

const char *casefile_kind_name(enum casefile_kind kind);
const char *casefile_end_name(enum casefile_end end);
void casefile_put_signal(int signal, struct str *out); /* "SIGSEGV" */

#endif
