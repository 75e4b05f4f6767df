/* An exploration's campaign: begun in a new directory, or gone on with. */
#ifndef TANDEM_CLI_SESSION_H
#define TANDEM_CLI_SESSION_H

#include "engine/engine.h"
#include "store/campaign.h"

struct session {
	struct campaign *campaign;
	struct campaign_past sums;
	struct arena *arena;
	const char *directory, *program;
	VEC(struct testcase) feeds;
	VEC(uint64_t) inputs;
	VEC(struct past_flip) flips;
	VEC(struct past_edge) edges;
	VEC(uint64_t) bugs;
	struct past past;
	bool resumed;
};

/* The inputs it starts from are kept in DIR/seeds. */
bool session_begin(struct session *s, const char *directory, const char *program, const struct testcase *feeds, size_t count, struct err *err);

/* The program and the inputs are those of the campaign: its seeds, and its tests. *program NULL: it is set; else it has to be the same build. */
bool session_resume(struct session *s, const char *directory, const char **program, const struct testcase **feeds, size_t *count, struct err *err);

/* The same without inputs: whoever calls it has his own. */
bool session_reopen(struct session *s, const char *directory, const char *program, struct err *err);

void session_end(struct session *s);

#endif
