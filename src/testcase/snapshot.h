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

/* path: absolute. entries: of a directory, also what is in it. Names of the system's own (/usr, /proc, ...) are left out. */
void snapshot_take(struct snapshot *s, const char *path, bool entries);

/* By name, in the snapshot's own memory. left_out: what there was no room for, or NULL. */
const struct testcase_file *snapshot_files(struct snapshot *s, size_t *count, const char **left_out);

#endif
