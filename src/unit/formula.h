/* What paths of functions demand, kept apart from the traces they come from, and put together along a chain of calls: what one function is called with, in terms of what its caller was called with. */
#ifndef TANDEM_UNIT_FORMULA_H
#define TANDEM_UNIT_FORMULA_H

#include "base/arena.h"
#include "base/digest.h"
#include "solve/path.h"
#include "trace/trace.h"

/* A part of what a function was called with (contract/unit.h): bytes, or a pointer. */
struct formula_piece {
	uint8_t what;         /* enum td_snapshot */
	uint32_t object, offset;
	uint32_t node;
	uint64_t value;
};

/* How large the caller's object is that one of the function's is laid over. */
struct formula_extent {
	uint32_t object;
	uint64_t before, after; /* bytes; after UINT64_MAX: nobody knows */
};

/* The path ends by leaving an object whose size the plan has chosen: if the caller's is larger, that may be no fault at all. */
struct formula_fault {
	uint32_t object;      /* plus 1; 0: it is about no such object */
	bool lower;           /* in front of it, not behind */
	uint64_t start, size; /* as it was in the run */
	uint64_t reach;       /* with so many bytes from its start on (lower: before it) there would have been none */
	uint32_t part;        /* the condition that did not hold, plus 1; 0: it had no term */
};

/* A path, or the beginning of one. All of it in one arena. */
struct formula {
	struct terms terms;
	const struct td_input *inputs;
	const struct content *contents; /* of each input, in the run it comes from */
	uint32_t inputs_count;
	const struct conjunct *parts;
	size_t count;
	const struct formula_piece *pieces; /* of the call it ends with, by object and offset; none: it ends otherwise */
	size_t pieces_count;
	const struct formula_extent *extents; /* likewise */
	size_t extents_count;
	struct formula_fault fault;
	struct digest name;   /* the same for the same demands and pieces */
};

/* Those of the path's first `count` demands that the run did not lose something for, up to the call that is this event. unknown: by object of the callee, the run does not say what is in it; NULL: it says all. */
struct formula formula_until_call(const struct trace *t, const struct path *p, size_t count, uint32_t call, const bool *unknown, struct arena *arena);

/* All of them, of a path that ends with what the report says; NULL: there is none. chosen: the plan has chosen the size of the object it is about. */
struct formula formula_until_fault(const struct trace *t, const struct path *p, const struct td_report *r, bool chosen, struct arena *arena);

/* A pointer that a function is given: where its choice is in which object of the plan (0: the block of arguments), how many targets it has, and how it is expected to be. */
struct formula_pointer {
	uint32_t object, offset, targets;
	uint32_t most;                /* none of the targets behind so many of them */
	bool there;                   /* not null */
};

struct formula_pointers {
	const struct formula_pointer *at; /* by object and offset */
	size_t count;
};

/* The outermost first; each but the last ends with the call of the next, whose plan has that many given objects. */
struct formula_chain {
	const struct formula *const *levels;
	const uint32_t *given;        /* by level */
	size_t count;
	struct formula_pointers *expected; /* by level: of pointers that no caller among these gives; NULL: they may be anyhow */
};

/* All of it together, as something that can be asked: nothing but goals. */
struct formula_joined {
	const struct formula_chain *chain;
	struct path_source from;
	const struct conjunct *goals;
	size_t goals_count;
	uint32_t *const *number;      /* by level: its terms */
	const uint32_t *first;        /* by level: its first input */
};

/* Of the levels from `from` on; the outermost of these has nobody above. False: it cannot be, as an object is too small for what the next function reads. */
bool formula_join(const struct formula_chain *c, size_t from, struct arena *arena, struct formula_joined *out);

/* All that the call at the end of one gives of what the other reads, as a name: calls of one name are the same to it. False: some of it depends on the caller's own input. */
bool formula_gives(const struct formula *caller, const struct formula *callee, uint32_t given, struct digest *out);

/* What the call at its end says of that byte: the last piece that begins there or before, of the same object; NULL: nothing. */
const struct formula_piece *formula_piece(const struct formula *caller, uint32_t object, uint32_t offset);

/* A pointer that the caller's input decides leads where it did in the run that the path is of. One in a variable, or in what is led to, may be null instead: most callers pass it on without a look at it. */
bool formula_may_be_null(const struct formula *caller, const struct formula_piece *p);

/* What the inputs of a level are in a model. */
struct assignment formula_contents(const struct formula_joined *j, size_t level, const struct assignment *model, struct arena *arena);

#endif
