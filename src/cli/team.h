/* explore -j N: several processes explore one program, each its own way, and tell each other what they found. */
#ifndef TANDEM_CLI_TEAM_H
#define TANDEM_CLI_TEAM_H

#include "cli/telling.h"

/* As engine_explore, by so many. The options' calls are for one process and are replaced; what is found is given to r->take, in the same order for the same seed. */
bool team_explore(struct telling *r, const struct engine_options *o, unsigned members, enum engine_end *end, struct engine_stats *stats, struct err *err);

#endif
