/* A test case: everything a run is fed with. All of it is borrowed, in most cases from one arena. */
#ifndef TANDEM_TESTCASE_TESTCASE_H
#define TANDEM_TESTCASE_TESTCASE_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

enum testcase_type { TESTCASE_REGULAR, TESTCASE_DIRECTORY, TESTCASE_LINK };

/* A file that is there when the program starts. */
struct testcase_file {
	const char *path;      /* relative to the working directory, without ".."; or absolute */
	const uint8_t *bytes;  /* of a link: where it points to */
	size_t size;
	uint32_t mode;         /* permissions */
	int64_t mtime;         /* seconds since 1970 */
	enum testcase_type type;
	bool fixed;            /* no search changes its contents */
};

#define TESTCASE_MODES 01777u /* of a mode: no program becomes someone else by a test case */

/* For files of which nothing is known but what is in them. */
#define TESTCASE_MODE 0644u
#define TESTCASE_MTIME 1577836800 /* 2020 */

/* What a call in the program (tandem_symbolic, klee_make_symbolic, ...) puts into its variable; in the order of the calls. */
struct testcase_mark {
	const char *name;
	const uint8_t *bytes;
	size_t size;
};

/* What standard input is. */
enum testcase_stdin { TESTCASE_FILE, TESTCASE_PIPE, TESTCASE_NULL, TESTCASE_CLOSED };

#define TESTCASE_UMASK 01000u /* with the umask: it is said */

struct testcase {
	const char *const *args;      /* the program's name first, args_count in all */
	size_t args_count;
	const uint8_t *bytes;         /* standard input */
	size_t size;
	enum testcase_stdin input;
	const char *const *env;       /* NAME=VALUE: what the program gets besides a small fixed environment; NAME alone: is not set */
	size_t env_count;
	const struct testcase_file *files;
	size_t files_count;
	const struct testcase_mark *marks;
	size_t marks_count;
	const char *directory;        /* where it was recorded, absolute; NULL: nowhere. A replay has a directory of its own */
	uint32_t umask;               /* TESTCASE_UMASK and the mask; 0: that of the sandbox */
};

struct testcase testcase_copy(const struct testcase *t, struct arena *arena);
uint64_t testcase_hash(const struct testcase *t);
size_t testcase_size(const struct testcase *t); /* bytes of standard input and files */

#endif
