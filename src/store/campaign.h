/* What an exploration leaves behind, so that it can go on: a database beside the files of its tests and bugs. What was told is on disk, whatever happens to
 * the process afterwards. docs/campaign-format.md has the tables. */
#ifndef TANDEM_STORE_CAMPAIGN_H
#define TANDEM_STORE_CAMPAIGN_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

struct campaign;

#define CAMPAIGN_FILE "campaign.db"

/* An input that was kept, in a file of the campaign's directory. */
struct campaign_test {
	uint64_t hash, parent; /* testcase_hash; 0: none */
	uint64_t run;          /* number of the run, in the whole campaign */
	uint32_t sides;        /* that it was the first to take */
	const char *file;
};

struct campaign_bug {
	uint64_t name;         /* the same for what is the same bug */
	uint64_t hash, parent, run;
	const char *class, *place, *file;
};

/* A test of a suite that leads to a bug, and how near to its path. */
struct campaign_sighting {
	uint64_t bug;          /* name */
	const char *test;      /* of a file */
	uint32_t distance, depth;
};

/* What became of a flip; the states are those of enum choice_state. */
struct campaign_flip {
	uint64_t key;
	uint8_t state;
};

/* An edge of a module. */
struct campaign_edge {
	uint64_t build;
	uint32_t edge;  /* within the module */
};

/* A new one, in a directory that is there. False: there is one already, or somebody else is at work on it. */
struct campaign *campaign_create(const char *directory, const char *program, uint64_t build, struct err *err);
/* One to go on with. */
struct campaign *campaign_open(const char *directory, struct err *err);
/* One to look at: nothing can be added, and somebody may be at work on it. */
struct campaign *campaign_look(const char *directory, struct err *err);
bool campaign_is(const char *directory); /* is there one? */
void campaign_close(struct campaign *c); /* NULL is allowed */

const char *campaign_program(const struct campaign *c);
uint64_t campaign_build(const struct campaign *c);

/* At once: when they return, it is on disk. */
bool campaign_add_test(struct campaign *c, const struct campaign_test *t, const struct campaign_edge *edges, size_t count, struct err *err);
bool campaign_add_bug(struct campaign *c, const struct campaign_bug *b, struct err *err);
/* With the next of those, or when campaign_flush is called: what a later session need not do again. */
bool campaign_add_sighting(struct campaign *c, const struct campaign_sighting *s, struct err *err);
bool campaign_add_run(struct campaign *c, uint64_t hash, struct err *err);
bool campaign_add_flip(struct campaign *c, const struct campaign_flip *f, struct err *err);
bool campaign_leave(struct campaign *c, const void *input, size_t size, struct err *err); /* an input to go on from; NULL: those that were left are forgotten */
bool campaign_set_session(struct campaign *c, uint64_t runs, double seconds, const char *stats, struct err *err); /* of this session so far; the statistics as JSON */
bool campaign_flush(struct campaign *c, struct err *err);

/* Everything, in the order in which it was added. A visitor that returns false ends it. */
typedef bool campaign_visit_test(void *context, const struct campaign_test *t);
typedef bool campaign_visit_bug(void *context, const struct campaign_bug *b);
typedef bool campaign_visit_sighting(void *context, const struct campaign_sighting *s);
typedef bool campaign_visit_run(void *context, uint64_t hash);
typedef bool campaign_visit_flip(void *context, const struct campaign_flip *f);
typedef bool campaign_visit_edge(void *context, const struct campaign_edge *e);
typedef bool campaign_visit_left(void *context, const void *input, size_t size);
bool campaign_tests(struct campaign *c, campaign_visit_test *visit, void *context, struct err *err);
bool campaign_bugs(struct campaign *c, campaign_visit_bug *visit, void *context, struct err *err);
bool campaign_sightings(struct campaign *c, campaign_visit_sighting *visit, void *context, struct err *err);
bool campaign_runs(struct campaign *c, campaign_visit_run *visit, void *context, struct err *err);
bool campaign_flips(struct campaign *c, campaign_visit_flip *visit, void *context, struct err *err);
bool campaign_edges(struct campaign *c, campaign_visit_edge *visit, void *context, struct err *err);
bool campaign_left(struct campaign *c, campaign_visit_left *visit, void *context, struct err *err);

/* Of the sessions before this one. */
struct campaign_past {
	uint64_t sessions, runs, tests, bugs, edges;
	double seconds;
};
bool campaign_past(struct campaign *c, struct campaign_past *p, struct err *err);

#endif
