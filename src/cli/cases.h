/* What the commands about test cases share: which files are meant, and the program. */
#ifndef TANDEM_CLI_CASES_H
#define TANDEM_CLI_CASES_H

#include "base/arena.h"
#include "base/err.h"
#include "testcase/casefile.h"

struct cases {
	const char **at;
	size_t count;
	struct arena *arena;
};

/* Files as they are; of directories all that end in .tcase, also of those in them, by name. */
bool cases_add(struct cases *c, const char *path, struct err *err);
void cases_free(struct cases *c);

/* All regular files of a directory that are not hidden and end so, by name; deep: of those in it too. */
bool cases_list(struct cases *c, const char *directory, const char *suffix, bool deep, struct err *err);

/* What follows "--" on a command line, which is cut off: its first word, or NULL; count words in all. */
char **cases_cut(int *argc, char **argv, size_t *count);

/* The path's last part without the suffix, made fit for a file name. */
const char *cases_stem(const char *path, struct arena *arena);

/* The same, and a number if it has been given before: a name of its own, though there are files of one name in several directories. */
const char *cases_name(struct cases *given, const char *path);

/* For commands that run programs: a test of one function is none for them, and they say so. */
bool cases_is_program(const struct casefile *c, struct err *err);
bool cases_read(struct casefile *c, const char *path, struct arena *arena, struct err *err);

bool cases_make_dir(const char *path, struct err *err); /* with those above it */

#endif
