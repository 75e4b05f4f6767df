/* tandem trace: one run, shown. The program's output comes first, then the trace; the exit status is the
 * program's own, so that a test suite can be run through it, unless --verify finds that the trace disagrees with itself. A violation is told
 * on standard error, after the trace, however quiet the run is to be; it ends the program by SIGABRT, a crash by its own signal.
 *
 * Contained by default, in an empty scratch directory. With --no-sandbox the program is started directly, on our own
 * descriptors: that is also the fast way, in which nothing but what was asked for is looked at afterwards. With --transparent it is
 * started in our own place, for a test suite that must not notice: what came of it is told in a log, by a process that waits for the
 * end of this one. A run that cannot be traced is a run all the same, and the log says why. */
#include "cli/cli.h"

#include "base/fs.h"
#include "cli/inputs.h"
#include "engine/direct.h"
#include "expr/op.h"
#include "run/request.h"
#include "run/scratch.h"
#include "run/target.h"
#include "trace/coverage.h"
#include "trace/dump.h"
#include "trace/predict.h"
#include "trace/tell.h"
#include "trace/trace.h"

#include <argp.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define OUTPUT_MAX ((size_t)256 << 20)
#define LOG_LINE_MAX 4000 /* bytes of a command that are told */

struct request {
	bool json, verify, globals, quiet, nothing_symbolic, no_sandbox, all_branches, go_on, leaks, uninitialised, sensitive, stats, transparent, coverage;
	const char *stdin_file, *save, *log;
	char *argv0;
	double seconds;   /* negative: not said */
	char **argv;      /* with its arguments; NULL-terminated */
	char *program;    /* the file */
	size_t argc;
	int log_fd;       /* -1: reports go to standard error */
	bool stopped;     /* its time was over */
	struct inputs inputs;
	struct testcase given; /* files, variables */
	struct arena *arena;   /* theirs */
};

enum { KEY_GLOBALS = 256, KEY_NOTHING, KEY_NO_SANDBOX, KEY_ALL, KEY_STDIN, KEY_SAVE, KEY_STATS, KEY_TIME, KEY_JSON, KEY_VERIFY, KEY_GO_ON, KEY_LEAKS,
       KEY_UNINITIALISED, KEY_SENSITIVE, KEY_LOG, KEY_ARGV0, KEY_TRANSPARENT, KEY_SYM_FILE, KEY_COVERAGE };

static const struct argp_option options[] = {
	{ "json", KEY_JSON, NULL, 0, "write the trace as JSON; the program's own output goes to standard error", 0 },
	{ "quiet", 'q', NULL, 0, "do not show the trace", 0 },
	{ "stats", KEY_STATS, NULL, 0, "write counts to standard error: terms, events, what was lost", 0 },
	{ "coverage", KEY_COVERAGE, NULL, 0, "show which sides of branches were taken, whether or not they depend on the input", 0 },
	{ "save", KEY_SAVE, "FILE", 0, "keep the trace in FILE", 0 },
	{ "verify", KEY_VERIFY, NULL, 0, "check every term against the value it had; exit 70 if one disagrees", 0 },
	{ "stdin", KEY_STDIN, "FILE", 0, "the program's standard input (default: that of tandem, unless it is a terminal)", 0 },
	{ "all-branches", KEY_ALL, NULL, 0, "record branches that do not depend on the input too", 0 },
	{ "go-on", KEY_GO_ON, NULL, 0, "a violation does not end the run: each is reported once per place", 0 },
	{ "leaks", KEY_LEAKS, NULL, 0, "report memory that nothing points to any more when the program exits", 0 },
	{ "sensitive", KEY_SENSITIVE, NULL, 0, "show also what could go wrong but does not depend on the input, once between two symbolic branches", 0 },
	{ "uninitialised", KEY_UNINITIALISED, NULL, 0, "decisions and addresses that depend on memory that was never set are violations", 0 },
	{ "globals", KEY_GLOBALS, NULL, 0, "initialised globals are symbolic, and nothing else (a test mode)", 0 },
	{ "nothing-symbolic", KEY_NOTHING, NULL, 0, "nothing is symbolic", 0 },
	{ "sym-file", KEY_SYM_FILE, "PATH", 0, "the content of the file PATH is symbolic where it is; for what the program reads in place. May be repeated", 0 },
	{ "no-sandbox", KEY_NO_SANDBOX, NULL, 0, "run in the current directory, without containment", 0 },
	{ "log", KEY_LOG, "FILE", 0, "append a line for this run, and its reports, to FILE; nothing of it goes to standard error", 0 },
	{ "argv0", KEY_ARGV0, "NAME", 0, "what the program is told its name is", 0 },
	{ "transparent", KEY_TRANSPARENT, NULL, 0,
	  "become the program: process, descriptors, signals, status and time are its own, as without tandem. Implies --quiet --no-sandbox, needs --log, "
	  "on which a shared lock (flock) is held until the run is in it; what cannot be traced runs untraced", 0 },
	{ "time", KEY_TIME, "S", 0, "stop the program after S seconds (default 60, with --transparent 0; 0: never)", 0 },
	{ 0 },
};

/* What follows from the options together. */
static void settle(const struct argp_state *state, struct request *r)
{
	if (r->transparent && !r->log)
		argp_error(state, "--transparent needs --log");
	if (r->transparent && (r->json || r->verify || r->stats || r->coverage || r->save || r->stdin_file))
		argp_error(state, "--transparent does not go with --json, --verify, --stats, --coverage, --save and --stdin");
	if (r->no_sandbox && r->inputs.files.count)
		argp_error(state, "--file needs the sandbox; --sym-file takes a file where it is");
	if (r->transparent && (r->inputs.files.count || r->inputs.env.count))
		argp_error(state, "--transparent does not go with --file and --env");
	if (r->seconds < 0)
		r->seconds = r->transparent ? 0 : 60;
	if (!r->argv)
		return;
	r->program = r->argv[0];
	if (r->argv0)
		r->argv[0] = r->argv0;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct request *r = state->input;
	switch (key) {
	case KEY_JSON: r->json = true; break;
	case 'q': r->quiet = true; break;
	case KEY_STATS: r->stats = true; break;
	case KEY_COVERAGE: r->coverage = true; break;
	case KEY_SAVE: r->save = arg; break;
	case KEY_VERIFY: r->verify = true; break;
	case KEY_STDIN: r->stdin_file = arg; break;
	case KEY_ALL: r->all_branches = true; break;
	case KEY_GO_ON: r->go_on = true; break;
	case KEY_LEAKS: r->leaks = true; break;
	case KEY_UNINITIALISED: r->uninitialised = true; break;
	case KEY_SENSITIVE: r->sensitive = true; break;
	case KEY_GLOBALS: r->globals = true; break;
	case KEY_NOTHING: r->nothing_symbolic = true; break;
	case KEY_NO_SANDBOX: r->no_sandbox = true; break;
	case KEY_LOG: r->log = arg; break;
	case KEY_ARGV0: r->argv0 = arg; break;
	case KEY_TRANSPARENT: r->transparent = true; break;
	case KEY_TIME: r->seconds = cli_seconds(state, arg); break;
	case KEY_SYM_FILE: vec_push(&r->inputs.places, arg); break;
	case ARGP_KEY_INIT: state->child_inputs[0] = &r->inputs; break;
	case ARGP_KEY_ARG: r->argv = cli_program(state, &r->argc); break;
	case ARGP_KEY_END: settle(state, r); break;
	case ARGP_KEY_NO_ARGS: argp_error(state, "which program?"); break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp_child children[] = { { &inputs_parser, 0, NULL, 0 }, { 0 } };

static const struct argp parser = {
	.options = options, .children = children, .parser = parse_option, .args_doc = "PROGRAM [ARGUMENT...]",
	.doc = "Runs PROGRAM, which was built with tandem cc, once and shows how its branches depend on its input.",
};

/* --- running --- */

static uint32_t flags_of(const struct request *r)
{
	uint32_t flags = r->globals ? TD_SYM_GLOBALS : r->nothing_symbolic ? 0 : TD_SYM_STDIN | TD_SYM_ARGV | TD_SYM_GIVEN;
	return flags | (r->all_branches ? TD_ALL_BRANCHES : 0) | (r->go_on ? TD_GO_ON : 0) | (r->leaks ? TD_LEAKS : 0) |
	       (r->uninitialised ? TD_UNINITIALISED : 0) | (r->transparent ? TD_REAL_WORLD : 0) | (r->sensitive ? TD_SENSITIVE : 0);
}

/* Standard input as a descriptor; a terminal is taken for no input. */
static int input_fd(const struct request *r, struct err *err)
{
	const char *path = r->stdin_file ? r->stdin_file : isatty(0) ? "/dev/null" : NULL;
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : dup(0);
	if (fd < 0 && path)
		err_errno(err, "cannot open %s", path);
	if (fd < 0 && !path)
		fd = open("/dev/null", O_RDONLY | O_CLOEXEC); /* it is closed */
	return fd;
}

static bool run_directly(const struct request *r, const struct live *live, struct outcome *out, struct err *err)
{
	int in = input_fd(r, err);
	struct direct_spec spec = {
		.program = r->program, .argv = r->argv, .stdio = { in, r->json ? 2 : 1, 2 }, .trace_fd = live->fd,
		.wall_ms = (int)(r->seconds * 1000),
	};
	bool ok = in >= 0 && direct_run(&spec, out, err);
	if (in >= 0)
		close(in);
	return ok;
}

static bool run_in(const struct request *r, const struct live *live, const struct scratch *scratch, const char *input,
                   size_t size, struct outcome *out, struct err *err)
{
	struct target_spec spec = {
		.program = r->program, .argv = (const char *const *)r->argv, .argc = r->argc, .input = input,
		.input_size = size, .policy = sandbox_policy_default(scratch->path), .wall_ms = (int)(r->seconds * 1000),
		.output_max = OUTPUT_MAX, .trace_fd = live->fd, .more_env = r->given.env, .more_env_count = r->given.env_count,
	};
	return target_run(&spec, out, err);
}

static bool run_contained(const struct request *r, const struct live *live, struct outcome *out, struct err *err)
{
	struct scratch scratch;
	size_t size = 0;
	int fd = input_fd(r, err);
	char *input = fd >= 0 ? cli_slurp(fd, &size, err) : NULL;
	if (fd >= 0)
		close(fd);
	if (!input)
		return false;
	bool ok = scratch_open(&scratch, NULL, err);
	if (ok) {
		ok = scratch_put(&scratch, r->given.files, r->inputs.files.count, err) && run_in(r, live, &scratch, input, size, out, err);
		scratch_close(&scratch, NULL);
	}
	free(input);
	if (!ok)
		return false;
	fs_write_fd(r->json ? 2 : 1, out->out.bytes, out->out.size);
	fs_write_fd(2, out->err.bytes, out->err.size);
	return true;
}

/* --- afterwards --- */

static int status_of(const struct request *r, const struct outcome *out)
{
	if (out->kind == OUTCOME_EXIT)
		return out->code;
	if (out->kind == OUTCOME_TIMEOUT)
		fprintf(stderr, "tandem: %s was stopped after %g seconds\n", r->program, r->seconds);
	return 128 + out->signal;
}

static bool verify(const struct trace *t)
{
	uint32_t bad = 0, wrong = terms_verify(&t->terms, &bad);
	uint64_t dropped = t->header->counters[TD_COUNT_MISMATCH];
	struct prediction self = predict_self(t);
	const struct td_node *n = &t->terms.nodes[bad];
	if (wrong)
		fprintf(stderr, "tandem: verify: %" PRIu32 " terms have a wrong value, the first is node %" PRIu32 " (%s, %u bits)\n",
		        wrong, bad, op_get(n->op)->name, n->bits);
	if (dropped)
		fprintf(stderr, "tandem: verify: %" PRIu64 " terms were dropped because their value disagreed\n", dropped);
	if (self.result == PREDICT_WRONG)
		fprintf(stderr, "tandem: verify: event %" PRIu32 ": %s\n", self.a, self.text);
	return !wrong && !dropped && self.result != PREDICT_WRONG;
}

/* What the source calls and nobody here knows: no source, no model, no row of effects. */
static void show_externals(const struct facts *facts)
{
	const char **names;
	size_t count = facts_externals(facts, &names);
	if (count)
		fprintf(stderr, "functions without a model: %zu:", count);
	for (size_t i = 0; i < count; i++)
		fprintf(stderr, " %s", names[i]);
	fputs(count ? "\n" : "", stderr);
	free(names);
}

static void show_stats(const struct trace *t, const struct facts *facts)
{
	static const char *const counters[] = {
#define COUNTER(name, text) text,
		TD_COUNTER_TABLE(COUNTER)
#undef COUNTER
	};
	static const char *const lost[] = {
#define LOST(name, text) text,
		TD_LOST_TABLE(LOST)
#undef LOST
	};
	uint64_t kinds[TD_EV_KINDS] = {0};
	for (uint32_t i = 0; i < t->events_count; i++)
		kinds[t->events[i].kind]++;
	fprintf(stderr, "terms %" PRIu32 "\nevents %" PRIu32 "\nincomplete %" PRIu32 "\n", t->terms.count - 1, t->events_count,
	        t->header->incomplete);
	for (unsigned k = 1; k < TD_EV_KINDS; k++)
		if (kinds[k])
			fprintf(stderr, "%s %" PRIu64 "\n", trace_kind_names[k], kinds[k]);
	for (unsigned k = 0; k < TD_COUNTER_KINDS; k++)
		fprintf(stderr, "%s: %" PRIu64 "\n", counters[k], t->header->counters[k]);
	for (unsigned k = 0; k < TD_LOST_KINDS; k++)
		if (t->header->lost[k])
			fprintf(stderr, "lost, %s: %" PRIu64 "\n", lost[k], t->header->lost[k]);
	for (uint32_t i = 0; i < t->foreign_count; i++)
		fprintf(stderr, "symbolic data went to %s: calls %" PRIu64 ", values %" PRIu64 ", bytes %" PRIu64 "\n", t->foreign[i].name,
		        t->foreign[i].calls, t->foreign[i].values, t->foreign[i].bytes);
	show_externals(facts);
}

static bool show_coverage(const struct trace *t, const struct facts *facts, struct err *err)
{
	struct coverage c = {0};
	uint8_t *taken = coverage_taken(t, facts);
	coverage_add(&c, taken, t->edges_count);
	free(taken);
	printf("--- coverage ---\n");
	bool ok = coverage_text(&c, facts, stdout, err);
	coverage_free(&c);
	return ok;
}

static bool show(const struct request *r, const struct trace *t, struct facts *facts, int status, struct err *err)
{
	if (!r->quiet || r->coverage || t->reports_count)
		facts_learn(facts, t, cli_note, NULL);
	if (r->json && !r->quiet)
		return dump_json(t, facts, stdout, err);
	if (!r->quiet)
		printf("--- trace of %s (status %d) ---\n", r->program, status);
	if (!r->quiet && !dump_text(t, facts, stdout, err))
		return false;
	return !r->coverage || show_coverage(t, facts, err);
}

/* --- the log --- */

/* "--- run in /where: ./program argument", or why it was not traced. */
static void put_run(const struct request *r, const char *trouble, struct str *out)
{
	char *where = getcwd(NULL, 0);
	str_printf(out, "--- %s%s%s in %s:", trouble ? "not traced (" : "run", trouble ? trouble : "", trouble ? ")" : "", where ? where : "?");
	struct str command = {0};
	for (size_t i = 0; i < r->argc && command.length < LOG_LINE_MAX; i++) {
		str_add_char(&command, ' ');
		cli_quote_shell(r->argv[i], &command);
	}
	bool cut = command.length > LOG_LINE_MAX;
	str_add_bytes(out, str_text(&command), cut ? LOG_LINE_MAX : command.length);
	str_add(out, cut ? "...\n" : "\n");
	str_free(&command);
	free(where);
}

/* In one piece: others may be writing to it too. */
static void log_run(const struct request *r, const char *trouble, const struct trace *t, const struct facts *facts)
{
	struct str text = {0};
	put_run(r, trouble, &text);
	if (t)
		tell_text(t, facts, &text);
	if (r->stopped)
		str_printf(&text, "--- stopped after %g seconds\n", r->seconds);
	fs_write_fd(r->log_fd, text.text, text.length);
	str_free(&text);
}

static bool log_open(struct request *r, struct err *err)
{
	r->log_fd = r->log ? open(r->log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666) : -1;
	return !r->log || r->log_fd >= 0 || err_errno(err, "cannot open %s", r->log);
}

static void show_reports(const struct request *r, const struct trace *t, const struct facts *facts)
{
	struct str text = {0};
	if (r->log) {
		log_run(r, NULL, t, facts);
		return;
	}
	tell_text(t, facts, &text);
	fputs(str_text(&text), stderr);
	str_free(&text);
}

static int after(const struct request *r, const struct live *live, struct facts *facts, int status)
{
	struct trace t;
	struct err err = {0};
	if (live->header->state == TD_STATE_NEW)
		return err_set(&err, "%s wrote no trace", r->program), cli_fail(CLI_INTERNAL, &err);
	if (r->quiet && !r->verify && !r->stats && !r->coverage && !r->save && !r->log && !live->header->reports)
		return status;
	if (!trace_view(&t, live->header, live->size, &err) || (r->save && !trace_save(&t, r->save, &err)))
		return cli_fail(CLI_INTERNAL, &err);
	if (!show(r, &t, facts, status, &err))
		return cli_fail(CLI_INTERNAL, &err);
	if (!r->json || r->quiet)
		show_reports(r, &t, facts);
	if (r->stats)
		show_stats(&t, facts);
	return r->verify && !verify(&t) ? CLI_MISMATCH : status;
}

/* The file that the run writes to, with what it is given in it. */
static bool open_trace(const struct request *r, struct live *live, struct err *err)
{
	struct trace_request request = { .flags = flags_of(r), .window = r->inputs.window };
	if (!trace_create(live, &request, err))
		return false;
	if (request_put(live->header, &r->given, err))
		return true;
	trace_destroy(live);
	return false;
}

static int run(const struct request *r, struct facts *facts)
{
	struct live live;
	struct outcome out = {0};
	struct err err = {0};
	if (!open_trace(r, &live, &err))
		return cli_fail(CLI_INTERNAL, &err);
	bool ok = r->no_sandbox ? run_directly(r, &live, &out, &err) : run_contained(r, &live, &out, &err);
	int status = ok ? after(r, &live, facts, status_of(r, &out)) : cli_fail(CLI_INTERNAL, &err);
	outcome_free(&out);
	trace_destroy(&live);
	return status;
}

/* --- in our place --- */

struct witness {
	struct request *request;
	const struct live *live;
};

/* NULL: nothing to tell. The program's file is read only now: most runs have no reports. */
static const struct trace *reports_of(const struct witness *w, struct trace *t, struct facts *facts, struct err *err)
{
	const struct live *live = w->live;
	if (live->header->state == TD_STATE_NEW)
		err_set(err, "it wrote no trace");
	if (err->text[0] || !live->header->reports)
		return NULL;
	if (!trace_view(t, live->header, live->size, err) || !facts_open(facts, w->request->program, err))
		return NULL;
	facts_learn(facts, t, cli_note, NULL);
	return t;
}

/* When the program has ended; standard output is the log. */
static void testify(void *context, bool killed)
{
	struct witness *w = context;
	struct trace t;
	struct facts facts = {0};
	struct err err = {0};
	w->request->log_fd = 1;
	w->request->stopped = killed;
	const struct trace *reports = reports_of(w, &t, &facts, &err);
	log_run(w->request, err.text[0] ? err.text : NULL, reports, &facts);
}

/* Returns only if there is no such program. */
static int become(struct request *r)
{
	struct live live;
	struct err err = {0};
	struct witness witness = { r, &live };
	flock(r->log_fd, LOCK_SH | LOCK_NB);
	bool traced = open_trace(r, &live, &err) && direct_watch(r->log_fd, (int)(r->seconds * 1000), testify, &witness, &err);
	if (!traced)
		log_run(r, err.text, NULL, NULL);
	direct_become(r->program, r->argv, traced ? live.fd : -1, &err);
	return cli_fail(CLI_INTERNAL, &err);
}

/* A wrong name is the user's mistake, not a failed run. */
static bool input_is_readable(const struct request *r, struct err *err)
{
	char byte;
	if (!r->stdin_file)
		return true;
	int fd = open(r->stdin_file, O_RDONLY | O_CLOEXEC);
	bool ok = fd >= 0 && read(fd, &byte, 1) >= 0;
	if (!ok)
		err_errno(err, "cannot read %s", r->stdin_file);
	if (fd >= 0)
		close(fd);
	return ok;
}

static int trace(struct request *r, struct err *err)
{
	struct facts facts;
	if (!log_open(r, err) || !inputs_read(&r->inputs, &r->given, r->arena, err))
		return cli_fail(CLI_USAGE, err);
	if (r->transparent)
		return become(r);
	if (!input_is_readable(r, err) || !facts_open(&facts, r->program, err))
		return cli_fail(CLI_USAGE, err);
	int status = run(r, &facts);
	facts_close(&facts);
	return status;
}

int cmd_trace(int argc, char **argv)
{
	struct request r = { .seconds = -1, .inputs = INPUTS_DEFAULT };
	struct err err = {0};
	argp_parse(&parser, argc, argv, ARGP_IN_ORDER, NULL, &r);
	r.arena = arena_new();
	int status = trace(&r, &err);
	arena_free(r.arena);
	inputs_free(&r.inputs);
	return status;
}
