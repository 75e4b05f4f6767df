/* One process of a suite that is recorded: what its run was fed with, seen from outside (/proc) before its main begins, and what it names and reads from then on. */
#ifndef TANDEM_RUN_RECORDING_H
#define TANDEM_RUN_RECORDING_H

#include "run/names.h"
#include "testcase/snapshot.h"
#include "testcase/testcase.h"

#include <sys/types.h>

struct err;

struct recording {
	pid_t pid;
	struct recording *parent;  /* that started it, itself or by others; NULL: none */
	uint64_t pipe;             /* inode of the pipe, socket or device that is its standard input; 0: it is none, or /dev/null */
	const char *program;       /* its file, */
	uint64_t stamp;            /* and which one that was: recording_stamp() of it */
	struct testcase input;     /* borrowed from the recording; complete when it was finished */
	const char *trouble;       /* why a replay may be another run; NULL: nothing is known that speaks for it */
	struct recorded *rest;
};

#define RECORDING_TERMINAL "it read from a terminal or another device"
#define RECORDING_ELSEWHERE "it has another root directory, or sees other file systems"

/* Another number for another file of that name; 0: there is none. */
uint64_t recording_stamp(const char *path);

/* NULL: the process is gone, or not ours to look at. */
struct recording *recording_open(pid_t pid, struct snapshot_limits limits, struct err *err);
void recording_named(struct recording *r, const char *path, enum name_use use);
void recording_fed(struct recording *r, const void *bytes, size_t size);
void recording_trouble(struct recording *r, const char *text); /* a literal; the first is kept */
void recording_finish(struct recording *r);
void recording_close(struct recording *r);

#endif
