/* The loop: choose a decision of some path, solve for the other side, run, learn. */
#ifndef TANDEM_ENGINE_ENGINE_H
#define TANDEM_ENGINE_ENGINE_H

#include "base/err.h"
#include "engine/feed.h"
#include "solve/solver.h"

#include <signal.h>
#include <stdint.h>

struct engine_stats;
struct facts;
struct flip;
struct hoard;
struct outcome;
struct runner;
struct strategy;
struct td_report;

enum finding_kind {
	FINDING_REPORT, /* of a rule that was broken */
	FINDING_CRASH,  /* a signal, and nothing is known about it */
	FINDING_HANG,   /* it does not end */
	FINDING_MEMORY, /* it has more memory than it may */
};

struct finding {
	enum finding_kind kind;
	uint64_t name;   /* the same for what is the same bug */
	struct testcase feed; /* the smallest that is known to do it */
	const struct testcase *original; /* what did it first; NULL: that */
	bool given_up;   /* it might be smaller still: there was no time to try */
	int signal;      /* CRASH */
	const struct td_report *report; /* what rule was broken; NULL: that is not known */
	uint32_t edge;   /* the last branch that depended on the input, or TD_NO_SITE */
	const struct facts *facts;
	uint64_t runs;   /* how many it took */
	const struct flip *flip; /* what the input was made for; NULL: it is the first one, or random */
	uint64_t parent; /* and of which run, counted from 1 */
	const struct testcase *parent_feed; /* what that was fed with; NULL: there is none, or it is gone */
	uint64_t parent_hash; /* of that, or 0 */
	const struct testcase *test; /* of the inputs to start from, the one it goes back to; NULL: the search does not say */
	uint32_t distance, depth;    /* then: struct lineage (search.h) */
};

/* An input that covered something new. */
struct novelty {
	const struct testcase *feed;
	const struct facts *facts;
	uint64_t runs;         /* how many it took */
	uint32_t sides;        /* of branches that are new */
	const uint32_t *edges; /* these */
	uint64_t parent_hash;  /* as above */
	const struct finding *bug; /* it is the input of one; NULL: it is not */
	const struct outcome *end; /* if not: of an untraced run, which the traced one agreed with; NULL: it did not, or that may be chance */
};

/* What earlier sessions of a campaign knew. */
struct past_flip {
	uint64_t key;
	uint8_t state;  /* enum choice_state */
};

struct past_edge {
	uint64_t build; /* of its module */
	uint32_t edge;  /* within that */
};

struct past {
	const uint64_t *inputs;        /* hashes of what ran */
	size_t inputs_count;
	const struct past_flip *flips; /* what was asked, and what came of it */
	size_t flips_count;
	const struct past_edge *edges; /* what was covered */
	size_t edges_count;
	const uint64_t *bugs;          /* names */
	size_t bugs_count;
	uint64_t runs;
};

/* What others who explore the same program have found since the last time. */
struct news {
	const struct testcase *feeds;  /* inputs that covered something */
	size_t feeds_count;
	struct past past;
	bool stop;                     /* it is over */
};

struct engine_options {
	const char *program;
	const struct testcase *feeds; /* the inputs to start from, at least one */
	size_t feeds_count;
	const struct past *past;    /* NULL: it begins here */
	const volatile sig_atomic_t *stop; /* NULL; or ends it when it is no longer 0 */
	uint64_t seed;
	double seconds;         /* by the clock, rests included; 0: no limit */
	uint64_t execs;         /* 0: no limit */
	uint32_t flags;         /* enum td_flag: what counts as a violation besides the usual */
	const struct strategy *search; /* NULL: the default */
	struct runner *runner;  /* of engine_runner, for these options: several explorations one after the other need start the program only once. NULL: one of its own */
	struct hoard *hoard;    /* of runs and answers that all explorations of the program share; NULL: none. For searches that are steady */
	const double *weights;  /* for one that has them (search/weights.h) */
	uint32_t distance_max;  /* for one that leaves paths: how far; 0: its own */
	bool go_on;             /* after a bug; each is told once */
	const uint8_t *own;     /* by edge, so many of them: for searches that prefer one function; NULL: none does */
	uint32_t own_edges;
	bool conditions_first;  /* violate what must hold before other branches are taken */
	bool fresh;             /* every run in a process of its own */
	bool sandbox;
	int wall_ms;            /* of one run; what takes longer may hang */
	bool endless_is_fine;   /* a run that does not end, or has too much memory, is no bug */
	bool hurried;           /* a run that takes much longer than the inputs to start from is stopped before that */
	uint64_t memory;        /* bytes that a run may use; twice as many it cannot have. 0: no limit */
	size_t grow_max;        /* bytes by which standard input or a file is ever made longer than at first */
	uint32_t window;        /* bytes of a file that are symbolic; 0: all */
	const char *const *outside; /* absolute names of files that inputs may have otherwise than they are */
	size_t outside_count;
	const char *directory;  /* where those were run that have such files; NULL: nowhere */
	const void *unit;       /* a plan (contract/unit.h): explored is that function, whose inputs are marks. NULL: the program */
	size_t unit_size;
	size_t kept_max;        /* bytes of traces, paths and inputs that are kept; 0: as many as are good for one exploration */
	struct solver_options solver;
	void (*found)(void *context, const struct finding *f); /* a bug: it happened twice */
	bool (*knows)(void *context, uint64_t name); /* it has been told of this bug before: it is not made smaller, nor told again; or NULL */
	void (*again)(void *context, const struct finding *f); /* a known bug, from an input to start from that had not led to it, or nearer to one; or NULL */
	void (*covered)(void *context, const struct novelty *n); /* an input took sides of branches that none had taken before; or NULL */
	bool (*wants)(void *context, const uint32_t *edges, uint32_t count); /* is it worth a run to find out how an input that took these ends untraced? NULL: always */
	void (*ran)(void *context, uint64_t hash);             /* an input ran for the first time; or NULL */
	/* Likewise, with its trace, as long as it is there, and how it failed (NULL: it did not), which happened once so far; or NULL. */
	void (*traced)(void *context, const struct testcase *feed, const struct trace *t, const struct facts *facts, const struct finding *failure);
	void (*answered)(void *context, uint64_t key, uint8_t state); /* a flip was asked for; or NULL */
	void (*tick)(void *context, const struct engine_stats *s);   /* now and then; or NULL */
	void (*rest)(void *context);                                 /* as often: for as long as it likes, which is none of the exploration's time; or NULL */
	void (*leave)(void *context, const struct testcase *t);      /* an input from which something is left to be tried, of all that are told now; NULL: these follow. Seldom, and at the end; or NULL */
	/* Called after every `epoch` runs, and when there is nothing left to be tried, which news may change; or NULL. */
	bool (*exchange)(void *context, const struct engine_stats *s, struct news *n, struct err *err);
	uint64_t epoch;
	unsigned member, members;   /* of all who explore: of what every one of them runs, each tries its own share of branches; 0: alone */
	void (*note)(void *context, const char *text);         /* something to know that is no error */
	void *context;
};

enum engine_end { ENGINE_BUG, ENGINE_BUDGET, ENGINE_EXHAUSTED };

/* ENGINE_STAT(name, text) */
#define ENGINE_STAT_TABLE(STAT) \
	STAT(runs, "runs") \
	STAT(solver_calls, "solver calls") \
	STAT(sat, "flips solved") \
	STAT(unsat, "flips refuted") \
	STAT(unknown, "flips given up") \
	STAT(optimistic, "optimistic models") \
	STAT(leaps, "leaps") \
	STAT(leaps_fresh, "leaps that covered something new") \
	STAT(solver_errors, "internal errors of the solver") \
	STAT(divergences, "divergences") \
	STAT(strays, "divergences of models that were known to be uncertain") \
	STAT(violations, "conditions violated on purpose") \
	STAT(unmet, "such violations that were not reported") \
	STAT(checks, "conditions asked") \
	STAT(checks_proved, "of these proved to hold on their path") \
	STAT(checks_broken, "of these with an input that breaks them") \
	STAT(checks_unmet, "of these with an input that should break them and does not") \
	STAT(checks_unknown, "of these not decided") \
	STAT(checks_same, "conditions that were asked before, on the same path") \
	STAT(checks_left, "conditions not asked") \
	STAT(checked_places, "places in the program whose conditions were asked") \
	STAT(risky_places, "places on the first inputs' paths where something could go wrong") \
	STAT(distance, "distance that was reached") \
	STAT(known_runs, "runs known from other explorations") \
	STAT(known_answers, "questions whose answers were known from these") \
	STAT(repeats, "inputs known already") \
	STAT(known, "flips known already") \
	STAT(unbegun, "first inputs that there was no time to run") \
	STAT(restarts, "restarts") \
	STAT(reused, "runs in a process that had run before") \
	STAT(reruns, "runs repeated for their trace") \
	STAT(traces_dropped, "traces dropped") \
	STAT(walks_dropped, "paths dropped") \
	STAT(inputs_dropped, "inputs dropped") \
	STAT(choices_dropped, "flips left out") \
	STAT(open, "flips not tried") \
	STAT(bugs, "bugs") \
	STAT(same_bugs, "runs into a known bug") \
	STAT(untraced, "runs to see how tests end untraced") \
	STAT(minimising, "runs to make inputs of bugs smaller") \
	STAT(timeouts, "runs that were stopped") \
	STAT(suspects, "of these not known whether they hang: there was no time") \
	STAT(garbled, "unreadable traces") \
	STAT(unconfirmed, "findings that a second run did not repeat") \
	STAT(edges_seen, "sides of branches taken") \
	STAT(edges, "sides of all branches") \
	STAT(chained_seen, "sides taken, a switch counted as a chain of comparisons") \
	STAT(chained, "all sides, likewise")

struct engine_stats {
#define STAT(name, text) uint64_t name;
	ENGINE_STAT_TABLE(STAT)
#undef STAT
	struct solver_stats solver;
	double seconds;
	bool exhausted;     /* the search has nothing left to try */
	char trouble[200];  /* the first internal error of the solver, or empty */
};

struct runner *engine_runner(const struct engine_options *o, struct err *err); /* to be closed by runner_close */

bool engine_explore(const struct engine_options *o, enum engine_end *end, struct engine_stats *stats, struct err *err);

#endif
