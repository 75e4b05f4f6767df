/* What a run is fed with: arguments and standard input; and how that relates to the input objects of a trace. */
#ifndef TANDEM_ENGINE_FEED_H
#define TANDEM_ENGINE_FEED_H

#include "base/arena.h"
#include "trace/trace.h"

struct feed {
	const char *const *args;     /* the program's name first, args_count in all */
	size_t args_count;
	const uint8_t *bytes;        /* standard input */
	size_t size;
};

struct feed feed_copy(const struct feed *f, struct arena *arena);
uint64_t feed_hash(const struct feed *f);

/* What the input objects of a trace contain if a run gets this feed. Objects that come from elsewhere (marks, globals)
 * keep the bytes they had in the trace. */
struct assignment feed_assignment(const struct feed *f, const struct trace *t, struct arena *arena);

/* The feed that gives the objects of a trace this content. An argument ends at its first NUL. */
struct feed feed_from(const struct feed *seed, const struct trace *t, const struct assignment *content, struct arena *arena);

/* The same with standard input cut, or filled up, to a size. */
struct feed feed_resized(const struct feed *f, size_t size, struct arena *arena);

#endif
