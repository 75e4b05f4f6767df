/* Is it a bug, and a new one? */
#ifndef TANDEM_ENGINE_BUGS_H
#define TANDEM_ENGINE_BUGS_H

#include "engine/engine.h"
#include "engine/runner.h"

struct bugs;

enum bugs_verdict { BUGS_NEW, BUGS_KNOWN, BUGS_UNCONFIRMED, BUGS_NO_TIME /* to find out */ };

struct bugs_options {
	const struct facts *facts; /* borrowed */
	const uint64_t *known;     /* names that were told in an earlier session */
	size_t known_count;
	int wall_ms;               /* that a run takes which hangs */
	double seconds;            /* of the whole exploration; 0: no limit */
	uint64_t memory;           /* bytes that a run may use; 0: any number */
};

struct bugs *bugs_new(const struct bugs_options *o);
void bugs_free(struct bugs *b);

/* What may be wrong with a traced run: sets kind, name and what goes with them. False: nothing. A report lies in the trace. */
bool bugs_look(struct bugs *b, const struct outcome *out, const struct trace *t, struct finding *f);

/* Is what bugs_look has found a bug? It is if a second run ends in the same way, and of that is the report afterwards, valid until the next call; the class is the same. False: that could not be run. */
bool bugs_judge(struct bugs *b, struct runner *r, struct finding *f, bool at_last, enum bugs_verdict *v, struct err *err);

/* May a hang be looked into now? at_last: nothing else is left to be done. */
bool bugs_have_time(const struct bugs *b, bool at_last);

/* Of a bug that goes back to a test: is the test new to it, or was it never as near to one? Then it is noted. */
bool bugs_is_nearer(struct bugs *b, const struct finding *f);

/* The second run alone. */
bool bugs_confirm(struct bugs *b, struct runner *r, struct finding *f, bool *bug, struct err *err);

#endif
