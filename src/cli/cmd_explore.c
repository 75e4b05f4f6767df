/* tandem explore: tells the engine what to do; telling.c tells people what it found. */
#include "cli/cases.h"
#include "cli/cli.h"
#include "cli/flips.h"
#include "cli/seeds.h"
#include "cli/session.h"
#include "cli/status.h"
#include "cli/team.h"
#include "cli/telling.h"

#include "engine/engine.h"
#include "search/feature.h"
#include "search/search.h"
#include "search/weights.h"

#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define GROW_MAX 256 /* bytes */
#define OUT "tandem-out"
#define JOBS_MAX 64

struct request {
	struct telling telling;
	uint64_t seed, execs, jobs;
	uint32_t stages;
	double seconds;
	const char *log_file, *dump;
	const struct strategy *search;
	double weights[WEIGHTS]; /* of a search that has them */
	bool conditions_first, go_on, leaks, uninitialised, json, fresh, resume, no_progress, once, patient /* as it was told */;
	char **program;
	size_t argc;
	struct seeds seeds;
};

enum { KEY_SEED = 256, KEY_TIME, KEY_EXECS, KEY_NO_SANDBOX, KEY_CONDITIONS, KEY_LEAKS, KEY_UNINITIALISED, KEY_DUMP, KEY_SEARCH, KEY_GO_ON, KEY_UNTIL_BUG, KEY_LOG, KEY_JSON, KEY_RESUME, KEY_NO_PROGRESS, KEY_SOLVER, KEY_ONCE, KEY_RUN_TIME, KEY_RUN_MEMORY, KEY_FRESH };

static const struct argp_option options[] = {
	{ "time", KEY_TIME, "S", 0, "stop after S seconds (default 60; 0: never)", 0 },
	{ "execs", KEY_EXECS, "N", 0, "stop after N runs", 0 },
	{ "run-time", KEY_RUN_TIME, "S", 0, "stop each run after S seconds; one that takes as long untraced is told as a hang (default 5, and runs that take 50 times as long as the first inputs, and half a second, are stopped before that)", 0 },
	{ "run-memory", KEY_RUN_MEMORY, "M", 0, "a run that uses more than M MiB untraced is told as a bug; twice as much is refused (default 1024; 0: no limit)", 0 },
	{ "jobs", 'j', "N", 0, "explore with N processes, which tell each other what they found (default 1)", 0 },
	{ "search", KEY_SEARCH, "NAME", 0, "which branch to try next, see below (default auto); FILE.theta: by the weights in that file", 0 },
	{ "go-on", KEY_GO_ON, NULL, 0, "do not stop at the first bug; each is told once", 0 },
	{ "until-bug", KEY_UNTIL_BUG, NULL, 0, "stop at the first bug (default)", 0 },
	{ "resume", KEY_RESUME, NULL, 0, "go on with the exploration in the directory of --out; PROGRAM may be left out", 0 },
	{ "once", KEY_ONCE, NULL, 0, "run what there is to start from once, and write an input for every other decision on its path to DIR/flips", 0 },
	{ "no-progress", KEY_NO_PROGRESS, NULL, 0, "do not tell how it is going", 0 },
	{ "solver", KEY_SOLVER, "LIST", 0, "leave stages of the solver out, or take only these: no-lanes, only-z3,bits", 0 },
	{ "log-inputs", KEY_LOG, "FILE", 0, "write the hash of each input to FILE, in the order of the runs", 0 },
	{ "json", KEY_JSON, NULL, 0, "at the end, all counts as JSON on standard output; what is found is told on standard error", 0 },
	{ "seed", KEY_SEED, "N", 0, "of the random numbers (default 1)", 0 },
	{ "conditions-first", KEY_CONDITIONS, NULL, 0, "violate what must hold before other branches are taken", 0 },
	{ "leaks", KEY_LEAKS, NULL, 0, "memory that nothing points to any more when the program exits is a bug", 0 },
	{ "uninitialised", KEY_UNINITIALISED, NULL, 0, "so are decisions and addresses that depend on memory that was never set", 0 },
	{ "out", 'o', "DIR", 0, "where inputs are put as they are found (default: tandem-out, or tandem-out-2 and so on if there is one): in DIR/tests those that cover something new, in DIR/crashes and DIR/hangs those of bugs, in DIR/originals what they were before they were made smaller; and what --resume needs", 0 },
	{ "dump-queries", KEY_DUMP, "DIR", 0, "write what the solver is asked to DIR, as SMT-LIB", 0 },
	{ "fresh", KEY_FRESH, NULL, 0, "every run in a process of its own; otherwise, if a run does only what can be undone, its process is put back to how it was and used again", 0 },
	{ "no-sandbox", KEY_NO_SANDBOX, NULL, 0, "run in the current directory, without containment", 0 },
	{ 0 },
};

static void choose_search(struct request *r, struct argp_state *state, const char *name)
{
	struct err err = {0};
	r->search = weights_choose(name, r->weights, &err);
	if (!r->search)
		argp_failure(state, CLI_USAGE, 0, "%s", err.text);
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct request *r = state->input;
	struct err err = {0};
	switch (key) {
	case KEY_SEED: r->seed = cli_number(state, arg, UINT64_MAX); break;
	case KEY_EXECS: r->execs = cli_number(state, arg, UINT64_MAX); break;
	case KEY_TIME: r->seconds = cli_seconds(state, arg); break;
	case KEY_RUN_TIME:
		r->patient = true;
		r->telling.run_seconds = cli_seconds(state, arg);
		if (r->telling.run_seconds < 0.01 || r->telling.run_seconds > 3600)
			argp_error(state, "--run-time %s: between 0.01 and 3600 seconds", arg);
		break;
	case KEY_RUN_MEMORY: r->telling.run_memory = cli_number(state, arg, 1 << 20); break;
	case KEY_CONDITIONS: r->conditions_first = true; break;
	case KEY_SEARCH: choose_search(r, state, arg); break;
	case KEY_GO_ON: r->go_on = true; break;
	case KEY_UNTIL_BUG: r->go_on = false; break;
	case KEY_RESUME: r->resume = true; break;
	case KEY_ONCE: r->once = true; break;
	case KEY_NO_PROGRESS: r->no_progress = true; break;
	case KEY_SOLVER:
		if (!solver_parse_stages(arg, &r->stages, &err))
			argp_error(state, "--solver %s: %s", arg, err.text);
		break;
	case KEY_LOG: r->log_file = arg; break;
	case KEY_LEAKS: r->leaks = true; break;
	case KEY_UNINITIALISED: r->uninitialised = true; break;
	case KEY_JSON: r->json = true; break;
	case 'j': r->jobs = cli_number(state, arg, JOBS_MAX); break;
	case 'o': r->telling.out = arg; break;
	case KEY_DUMP: r->dump = arg; break;
	case KEY_FRESH: r->fresh = true; break;
	case KEY_NO_SANDBOX: r->telling.no_sandbox = true; break;
	case ARGP_KEY_INIT: state->child_inputs[0] = &r->seeds; break;
	case ARGP_KEY_ARG: r->program = cli_program(state, &r->argc); break;
	case ARGP_KEY_NO_ARGS:
		if (!r->resume || r->once)
			argp_error(state, "which program?");
		break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp_child children[] = { { &seeds_parser, 0, NULL, 0 }, { 0 } };

/* The searches, after the options. */
static char *filter_help(int key, const char *text, void *input)
{
	struct str out = {0};
	(void)input;
	if (key != ARGP_KEY_HELP_POST_DOC)
		return (char *)text;
	str_add(&out, "Searches:\n");
	for (size_t i = 0; i < search_count; i++)
		str_printf(&out, "  %-14s %s\n", search_table[i]->name, search_table[i]->text);
	return out.text;
}

static const struct argp parser = {
	.help_filter = filter_help,
	.options = options, .children = children, .parser = parse_option, .args_doc = "PROGRAM [ARGUMENT...]",
	.doc = "Runs PROGRAM, which was built with tandem cc, on ever new inputs until it crashes. "
	       "The search starts from the given arguments, standard input, files and variables, and changes all of them.\v",
};

/* --- all together --- */

static bool start_from(const struct request *r, struct engine_options *o, struct arena *arena, struct err *err)
{
	if (!seeds_read(&r->seeds, r->program, r->argc, &o->feeds, &o->feeds_count, arena, err))
		return false;
	for (size_t i = 0; i < o->feeds_count && r->telling.no_sandbox; i++)
		if (o->feeds[i].files_count)
			return err_set(err, "--file needs the sandbox");
	return true;
}

/* A new campaign, or the old one; sets the program and the inputs to start from. */
static bool open_session(struct request *r, struct session *s, struct engine_options *o, struct arena *arena, struct err *err)
{
	if (!r->resume) {
		o->program = r->program[0];
		return start_from(r, o, arena, err) && session_begin(s, r->telling.out, o->program, o->feeds, o->feeds_count, err);
	}
	if (r->argc > 1 || seeds_are_given(&r->seeds))
		return err_set(err, "with --resume, the program's inputs are those of the exploration that goes on");
	o->program = r->program ? r->program[0] : NULL;
	if (!session_resume(s, r->telling.out, &o->program, &o->feeds, &o->feeds_count, err))
		return false;
	o->past = &s->past;
	o->seed = r->seed + s->sums.sessions; /* else it would try the same random inputs again */
	return true;
}

static bool open_log(struct request *r, struct err *err)
{
	if (r->log_file && !(r->telling.log = fopen(r->log_file, "we")))
		return err_errno(err, "%s", r->log_file);
	return true;
}

static void tell_resumed(const struct request *r, const struct session *s)
{
	if (s->resumed)
		fprintf(r->telling.to, "going on with %s: %" PRIu64 " runs in %.1f s so far, %" PRIu64 " tests, %" PRIu64 " bugs, %" PRIu64 " sides of branches taken, %zu inputs to go on from\n", s->directory, s->sums.runs,
		        s->sums.seconds, s->sums.tests, s->sums.bugs, s->sums.edges, s->feeds.count);
	fflush(r->telling.to);
}

static int run_session(struct request *r, const struct session *s, struct engine_options *o)
{
	struct engine_stats stats;
	struct status status;
	enum engine_end end;
	struct err err = {0};
	status_open(&status, o->program, r->search->name, !r->no_progress);
	status.runs_before = s->sums.runs;
	r->telling.campaign = s->campaign;
	r->telling.status = &status;
	r->telling.program = o->program;
	tell_resumed(r, s);
	cli_catch_signals();
	bool ok = r->jobs > 1 ? team_explore(&r->telling, o, (unsigned)r->jobs, &end, &stats, &err) : engine_explore(o, &end, &stats, &err);
	telling_end(&r->telling, &stats);
	if (!ok)
		return cli_fail(CLI_INTERNAL, &err);
	if (r->json)
		telling_json(&stats, r->search->name);
	else
		telling_summary(&stats, r->search->name);
	return end == ENGINE_BUG ? CLI_BUG : end == ENGINE_BUDGET ? CLI_BUDGET : CLI_CLEAN;
}

static int explore_once(struct request *r, struct engine_options *o, struct arena *arena)
{
	struct err err = {0};
	struct once_options q = {
		.program = r->program[0], .flags = o->flags, .sandbox = o->sandbox, .wall_ms = o->wall_ms, .window = o->window, .grow_max = o->grow_max, .seconds = o->seconds,
		.stop = o->stop, .solver = o->solver, .note = o->note,
	};
	if (!start_from(r, o, arena, &err))
		return cli_fail(CLI_USAGE, &err);
	cli_catch_signals();
	return flips_write(r->telling.out, &q, o->feeds, o->feeds_count, r->telling.to);
}

static int explore(struct request *r, struct arena *arena)
{
	struct err err = {0};
	struct session s = {0};
	struct engine_options o = {
		.seed = r->seed, .seconds = r->seconds, .execs = r->execs,
		.flags = (r->leaks ? TD_LEAKS : 0) | (r->uninitialised ? TD_UNINITIALISED : 0), .conditions_first = r->conditions_first, .fresh = r->fresh,
		.sandbox = !r->telling.no_sandbox, .wall_ms = (int)(r->telling.run_seconds * 1000), .hurried = !r->patient, .memory = r->telling.run_memory << 20, .grow_max = GROW_MAX, .window = r->seeds.inputs.window, .solver = solver_options_default(),
		.found = telling_bug, .covered = telling_test, .ran = telling_run, .answered = telling_answer, .tick = telling_tick, .leave = telling_left, .note = cli_note, .context = r,
		.search = r->search, .weights = r->weights, .go_on = r->go_on, .stop = &cli_stopped,
	};
	o.solver.seed = r->seed;
	o.solver.dump = r->dump;
	o.solver.stages = r->stages;
	if (r->once)
		return explore_once(r, &o, arena);
	bool ok = (!r->dump || cases_make_dir(r->dump, &err)) && open_log(r, &err) && open_session(r, &s, &o, arena, &err);
	int status = ok ? run_session(r, &s, &o) : cli_fail(CLI_USAGE, &err);
	session_end(&s);
	if (r->telling.log)
		fclose(r->telling.log);
	return status;
}

int cmd_explore(int argc, char **argv)
{
	struct request r = {
		.seed = 1, .seconds = 60, .telling = { .to = stdout, .take = telling_keep, .run_seconds = 5, .run_memory = 1024 }, .search = search_table[0], .seeds = SEEDS_DEFAULT, .stages = solver_options_default().stages,
	};
	argp_parse(&parser, argc, argv, ARGP_IN_ORDER, NULL, &r);
	struct str out = {0};
	r.telling.to = r.json ? stderr : stdout;
	if (!r.telling.out)
		r.telling.out = cli_directory(OUT, campaign_is, r.resume, &out);
	struct arena *arena = arena_new();
	int status = explore(&r, arena);
	arena_free(arena);
	seeds_free(&r.seeds);
	str_free(&out);
	return status;
}
