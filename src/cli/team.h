/* Several processes explore one program, each its own way, and tell each other what they found: explore -j N. One alone is a team too, if it is to work in turns with those of other programs: check. */
#ifndef TANDEM_CLI_TEAM_H
#define TANDEM_CLI_TEAM_H

#include "cli/telling.h"

struct team;

/* As engine_explore, by so many. The options' calls are for one process and are replaced; what is found is given to r->take, in the same order for the same seed. */
bool team_explore(struct telling *r, const struct engine_options *o, unsigned members, enum engine_end *end, struct engine_stats *stats, struct err *err);

/* The same in turns. r and o are used until the end. */
struct team *team_open(struct telling *r, const struct engine_options *o, unsigned members, struct err *err);
/* It works until then (clock_seconds), or until all of it are beyond this distance (engine_stats), and rests afterwards. False: it is over. */
bool team_go(struct team *t, double until, uint64_t distance);
/* Ends it, also if it is not over. False: it could not go on, and why. */
bool team_close(struct team *t, enum engine_end *end, struct engine_stats *stats, struct err *err);

#endif
