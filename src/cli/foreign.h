/* Inputs that others made: raw files, AFL++'s queues, KLEE's .ktest; and test cases, which are ours. For import and for what explore starts from. */
#ifndef TANDEM_CLI_FOREIGN_H
#define TANDEM_CLI_FOREIGN_H

#include "cli/cases.h"

/* What a raw file is to the program. */
struct foreign {
	const char *file;             /* the content of a file of this name; NULL: of FOREIGN_FILE if an argument is @@, else standard input */
	bool force_stdin;
	bool with_arguments;          /* it begins with arguments */
	char **words;                 /* program and arguments; NULL: not known */
	size_t words_count;
	struct arena *arena;
};

#define FOREIGN_FILE "input"

/* A file; or, of a directory, what looks like inputs in it. */
bool foreign_list(struct cases *to, const char *path, struct err *err);

/* The test case of a file, whose kind is seen by its first bytes. *left: what of it cannot be had, or NULL. */
bool foreign_read(const struct foreign *f, const char *path, struct casefile *c, const char **left, struct err *err);

#endif
