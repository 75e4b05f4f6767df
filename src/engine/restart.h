/* A random input of the shape of the first one, for searches that start over. */
#ifndef TANDEM_ENGINE_RESTART_H
#define TANDEM_ENGINE_RESTART_H

#include "base/rng.h"
#include "testcase/testcase.h"
#include "trace/trace.h"

/* The calls in the program that ask for a value, as far as runs have shown them: the longest list so far. */
struct restart_marks {
	struct testcase_mark *at; /* bytes are not set */
	size_t count;
};

void restart_learn(struct restart_marks *m, const struct trace *t);
void restart_free(struct restart_marks *m);

/* The first one with an empty standard input and empty files. */
struct testcase restart_empty(const struct testcase *first, struct arena *arena);

struct testcase restart_input(const struct testcase *first, const struct restart_marks *m, struct rng *r, struct arena *arena);

#endif
