/* What becomes of something that may be a bug: it is confirmed, made smaller and told, once. */
#ifndef TANDEM_ENGINE_JUDGE_H
#define TANDEM_ENGINE_JUDGE_H

#include "engine/bugs.h"
#include "engine/suspects.h"

struct judge {
	const struct engine_options *o;
	struct engine_stats *stats;
	struct bugs *bugs;
	struct runner *runner;
	struct suspects *suspects;
	struct arena *scratch;
};

/* Of what bugs_look has found; what there is no time for becomes a suspect. *bug: it is one, known or new. ended: some run of this program did, by itself; one that never does is no hang. */
bool judge_finding(const struct judge *j, struct finding *f, bool ended, bool *bug, struct err *err);

/* The suspects, as far as there is time. */
bool judge_suspects(const struct judge *j, bool at_last, struct err *err);

#endif
