/* What one run demanded of its input, in order, put so that any prefix of it can be asked about at the price of what matters. */
#ifndef TANDEM_SOLVE_PATH_H
#define TANDEM_SOLVE_PATH_H

#include "base/arena.h"
#include "base/digest.h"
#include "solve/query.h"

struct path;

/* All of it is borrowed, and must stay as it is while the path is there. */
struct path_source {
	struct terms terms;               /* checked (terms_check) */
	const struct td_input *inputs;    /* how objects are called; NULL: by their numbers */
	uint32_t inputs_count;
	struct assignment seed;           /* what the run was given */
	const struct conjunct *demands;   /* PATH and LOSS, in the order of the run */
	size_t count;
};

struct path *path_new(const struct path_source *from);
void path_free(struct path *p);
size_t path_size(const struct path *p); /* bytes, about */

const struct path_source *path_source(const struct path *p);

/* Of one path: the first so many demands, and goals. */
struct question {
	struct path *path;
	size_t prefix;
	const struct conjunct *goals;
	size_t goals_count;
};

/* Something the solver may choose: a byte, or a length. */
struct variable {
	uint32_t object, offset;
	bool is_length;
	bool is_behind;        /* a byte behind the end of its object in the seed */
	bool is_fixed;         /* such a byte, and the length is not asked for: it is 0 */
	uint64_t name;         /* of the object, the same in every run */
	uint64_t seed;         /* what it was */
	uint64_t near, limit;  /* a length: what it should not exceed, and must not */
};

/* What of a question matters: demands that share input bytes, directly or through others, with a goal. Lives in the arena. */
struct slice {
	struct path *path;
	const struct conjunct *parts;     /* normal (conjunct_normal), in the order of the run; goals come last */
	const struct digest *names;       /* of the parts */
	size_t count, goals;
	const struct variable *variables; /* by name, then offset */
	uint32_t variables_count;
	bool losses;                      /* there are some among the parts */
	bool behind;                      /* some byte it reads is behind the end of the seed's object */
	struct digest key;                /* of what is asked */
	struct digest seed_key;           /* of the seed, as far as it matters */
};

/* with_losses: false leaves out what the run had lost. */
struct slice path_slice(const struct question *q, bool with_losses, struct arena *arena);

/* Just the goals, as if nothing had come before. */
struct slice path_slice_goals(const struct question *q, struct arena *arena);

/* The number of the variable that a leaf of the slice stands for. */
uint32_t path_variable(const struct slice *s, uint32_t node);

/* The first demand of the prefix, or goal, that an input does not satisfy, or NULL: all of them, whether they matter or not. */
const struct conjunct *path_refuted(const struct question *q, bool with_losses, const struct assignment *in, struct arena *arena);

#endif
