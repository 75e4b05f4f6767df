/* A test case: everything a run is fed with. All of it is borrowed, in most cases from one arena. */
#ifndef TANDEM_TESTCASE_TESTCASE_H
#define TANDEM_TESTCASE_TESTCASE_H

#include "base/arena.h"

#include <stdint.h>

/* A file that is there when the program starts. */
struct testcase_file {
	const char *path;      /* relative to the working directory, without ".."; or absolute */
	const uint8_t *bytes;
	size_t size;
	uint32_t mode;         /* permissions */
	int64_t mtime;         /* seconds since 1970 */
};

/* What a call in the program (tandem_symbolic, klee_make_symbolic, ...) puts into its variable; in the order of the calls. */
struct testcase_mark {
	const char *name;
	const uint8_t *bytes;
	size_t size;
};

struct testcase {
	const char *const *args;      /* the program's name first, args_count in all */
	size_t args_count;
	const uint8_t *bytes;         /* standard input */
	size_t size;
	const char *const *env;       /* NAME=VALUE; what the program gets besides a small fixed environment */
	size_t env_count;
	const struct testcase_file *files;
	size_t files_count;
	const struct testcase_mark *marks;
	size_t marks_count;
};

struct testcase testcase_copy(const struct testcase *t, struct arena *arena);
uint64_t testcase_hash(const struct testcase *t);

#endif
