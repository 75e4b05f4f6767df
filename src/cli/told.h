/* Something that was found, ready to be kept and told: by this process, or by the one that a worker sends it to. */
#ifndef TANDEM_CLI_TOLD_H
#define TANDEM_CLI_TOLD_H

#include "base/arena.h"
#include "base/str.h"
#include "store/campaign.h"

enum told_kind {
	TOLD_TEST,
	TOLD_BUG,
	TOLD_AGAIN, /* a bug that was told: another test leads to it, or one is nearer */
};

struct told {
	enum told_kind kind;
	uint64_t name;             /* of the bug */
	const char *test;          /* of a suite, that leads to the bug; empty: none. Then: */
	uint32_t distance, depth;
	uint64_t hash, parent;     /* of inputs */
	uint64_t run;
	const char *class, *place; /* of a bug */
	const char *file;          /* within the directory */
	const char *content;       /* of that: a test case */
	size_t size;
	const char *original;      /* of the file of that name in originals/: what the input of a bug was before it was made smaller; or nothing */
	size_t original_size;
	const char *line;          /* what is told of a bug */
	const char *more;          /* and what else if it could be saved */
	const struct campaign_edge *edges; /* that a test was the first to take */
	size_t edges_count;
};

/* To bytes and back; false: these are none. What is unpacked is in the arena. */
void told_pack(const struct told *t, struct str *out);
bool told_unpack(struct told *t, const void *bytes, size_t size, struct arena *arena);

/* In the directory and in the campaign. */
bool told_keep(const struct told *t, const char *directory, struct campaign *c, struct err *err);

#endif
