/* How a test case relates to the input objects of a trace. */
#ifndef TANDEM_ENGINE_FEED_H
#define TANDEM_ENGINE_FEED_H

#include "testcase/testcase.h"
#include "trace/trace.h"

/* What the input objects of a trace contain if a run gets this test case. Objects that come from elsewhere (globals; marks that the
 * test case has no value for) keep the bytes they had in the trace. */
struct assignment feed_assignment(const struct testcase *f, const struct trace *t, struct arena *arena);

/* The test case that gives the objects of a trace this content. Arguments and variables end at their first NUL. */
struct testcase feed_from(const struct testcase *seed, const struct trace *t, const struct assignment *content, struct arena *arena);

/* Are arguments and variables as long in both? */
bool feed_keeps_lengths(const struct testcase *a, const struct testcase *b);

/* How long an input is, standard input or a file; other kinds have no length of their own. */
size_t feed_length(const struct testcase *f, const struct td_input *in);

/* The same with that input cut, or filled up, to a size. */
struct testcase feed_resized(const struct testcase *f, const struct td_input *in, size_t size, struct arena *arena);

/* What an argument, standard input or marks of one name have that others of the same length do not is put in front of what those had in its place: of 12 and -2, -12; but marks do not become
 * more. False: none differs in that way. */
bool feed_inserted(const struct testcase *from, const struct testcase *to, struct arena *arena, struct testcase *out);

#endif
