/* One run of a test case, on any build of a program. */
#ifndef TANDEM_ENGINE_REPLAY_H
#define TANDEM_ENGINE_REPLAY_H

#include "run/target.h"
#include "testcase/casefile.h"
#include "trace/facts.h"
#include "trace/trace.h"

enum replay_build { REPLAY_INSTRUMENTED, REPLAY_SANITISED, REPLAY_PLAIN };

struct replay_spec {
	const char *program;
	enum replay_build build;
	const struct testcase *input;
	bool sandbox;          /* false: in a directory of its own too, but without containment */
	int wall_ms;           /* 0: no limit */
	uint64_t memory;       /* bytes of data; 0: no limit */
	size_t output_max;
	const char *gcov;      /* absolute; a build of gcc --coverage counts below this directory, which it may write to. NULL: it does not */
	const struct live *live; /* where an instrumented program writes its trace; NULL: untraced */
};

/* What a file is built for: facts are open if it is instrumented. False: it cannot be read. */
bool replay_build_of(const char *program, enum replay_build *build, struct facts *facts, struct err *err);
const char *replay_build_name(enum replay_build build);

/* Can it be run at all, here and so? Says what is in the way. */
bool replay_possible(const struct replay_spec *spec, struct err *err);
bool replay_run(const struct replay_spec *spec, struct outcome *out, struct err *err);

/* So many times what a run may use it cannot have. Between the two is what tells one that wants more from one that has just enough. */
#define REPLAY_HARD 2

/* Did an untraced run use more memory than that? Not known, and so not, if we do ourselves: it began as our copy. */
bool replay_is_over(const struct outcome *out, uint64_t memory);

/* What a sanitizer has said on standard error, as a class: "AddressSanitizer: heap-buffer-overflow". False: nothing. */
bool replay_sanitizer(const struct output *err, struct str *class);

/* The sides of all branches, in order, up to a second thread; by the sites' stable names, so that it outlives a new build that leaves them alone. Never 0. The
 * trace was recorded with TD_ALL_BRANCHES. */
uint64_t replay_path(const struct trace *t, const struct facts *facts);

struct casefile_sum replay_sum(const struct output *o);

#endif
