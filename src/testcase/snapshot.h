/* Files as they are now, collected for a test case: each name once, when it is first heard of. */
#ifndef TANDEM_TESTCASE_SNAPSHOT_H
#define TANDEM_TESTCASE_SNAPSHOT_H

#include "testcase/testcase.h"

#include <stddef.h>

struct snapshot;

struct snapshot_limits {
	size_t files, bytes; /* in all */
};

/* directory: absolute; what lies in it gets a relative name. */
struct snapshot *snapshot_new(const char *directory, struct snapshot_limits limits);
void snapshot_free(struct snapshot *s);

/* Of a directory: nothing else; the names in it, which stand for empty files until they are heard of themselves; all that is in it. */
enum snapshot_depth { SNAPSHOT_ITSELF, SNAPSHOT_NAMES, SNAPSHOT_ENTRIES };

/* path: absolute. Names of the system's own (/usr, /proc, ...) are left out. */
void snapshot_take(struct snapshot *s, const char *path, enum snapshot_depth depth);

/* A file of the directory that was taken, and called by its absolute name: by that one too. A program that makes its own names absolute finds it in the directory it is in then, one that was given such a name where it
 * was. */
void snapshot_take_absolute(struct snapshot *s, const char *path);

/* By name, in the snapshot's own memory. left_out: what there was no room for, or NULL. */
const struct testcase_file *snapshot_files(struct snapshot *s, size_t *count, const char **left_out);

#endif
