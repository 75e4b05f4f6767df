/* Client of the fork server in a traced program (contract/server.h): starts once, runs many inputs. */
#ifndef TANDEM_RUN_SERVER_H
#define TANDEM_RUN_SERVER_H

#include <stdbool.h>

struct err;
struct outcome;
struct scratch;
struct server;
struct target_spec;
struct td_header;
struct testcase;

/* header: the caller's mapping of spec->trace_fd, its request filled in but for the server's part.
 * scratch: spec's, put back to its first state after each run; NULL: it is left alone. Both are borrowed, and
 * so are the strings of spec. spec's CPU limit is not used (it would hit the server), its wall limit is per run. */
struct server *server_open(const struct target_spec *spec, struct td_header *header, struct scratch *scratch,
	struct err *err);
/* False: the server is dead or mute, open another one; or there is no room for what it is given, and nothing was run.
 * fresh: in a process of its own. Otherwise it may be in one that was used before, and put back to how it was; if that cannot be done with what this run
 * does, it has not ended, and the outcome is OUTCOME_AGAIN: the request is to be put back, and it is to be run fresh. */
bool server_run(struct server *s, const struct testcase *given, bool fresh, struct outcome *out, struct err *err);
void server_patience(struct server *s, int wall_ms); /* of each run from now on */
void server_close(struct server *s);

#endif
