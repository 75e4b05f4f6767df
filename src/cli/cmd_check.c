/* tandem check: a suite is run as it is, and every run of an instrumented program in it recorded; then the recordings are checked against all inputs on their paths, and near them. */
#include "cli/cases.h"
#include "cli/checking.h"
#include "cli/cli.h"
#include "cli/recordings.h"
#include "cli/telling.h"

#include "base/clock.h"
#include "contract/trace.h"
#include "run/suite.h"

#include <argp.h>
#include <inttypes.h>
#include <jansson.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define OUT "tandem-check"
#define LOG "recording.log"
#define FILES_MAX 10000

struct request {
	struct checking_options checking;
	bool record_only, resume, all_env, fail_on_bug, json, quiet;
	VEC(const char *) env;
	uint64_t megabytes;
	char **command;
};

enum { KEY_ENV = 256, KEY_ALL_ENV, KEY_RECORD_ONLY, KEY_RESUME, KEY_SIZE, KEY_TIME, KEY_DISTANCE, KEY_SAMPLE, KEY_SEED, KEY_EXECS, KEY_FAIL, KEY_JSON, KEY_NO_PROGRESS, KEY_RUN_TIME, KEY_RUN_MEMORY, KEY_LEAKS, KEY_HANGS };

static const struct argp_option options[] = {
	{ "out", 'o', "DIR", 0, "where recordings and bugs are put (default: " OUT ", or " OUT "-2 and so on if there is one). Recordings are added to those that are there", 0 },
	{ "record-only", KEY_RECORD_ONLY, NULL, 0, "run and record the suite, and no more", 0 },
	{ "resume", KEY_RESUME, NULL, 0, "go on with what was recorded in the directory of --out; no COMMAND is run", 0 },
	{ "time", KEY_TIME, "S", 0, "check for S seconds, after the suite (default 600; 0: until nothing is left)", 0 },
	{ "execs", KEY_EXECS, "N", 0, "at most N runs of each program", 0 },
	{ "max-distance", KEY_DISTANCE, "D", 0, "leave a test's path at most D branches before what could go wrong (default 32)", 0 },
	{ "sample", KEY_SAMPLE, "K", 0, "check only K of the recordings of each program, drawn at random", 0 },
	{ "seed", KEY_SEED, "N", 0, "of the random numbers (default 1)", 0 },
	{ "jobs", 'j', "N", 0, "check with N processes (default 1)", 0 },
	{ "run-time", KEY_RUN_TIME, "S", 0, "stop each run after S seconds; with --hangs, one that takes as long untraced is a bug (default 5)", 0 },
	{ "run-memory", KEY_RUN_MEMORY, "M", 0, "with --hangs, a run that uses more than M MiB untraced is a bug; twice as much is refused to any (default 1024; 0: no limit)", 0 },
	{ "hangs", KEY_HANGS, NULL, 0, "a run that does not end, or has too much memory, is a bug too; often that is what the test's input asks for", 0 },
	{ "leaks", KEY_LEAKS, NULL, 0, "memory that nothing points to any more when the program exits is a bug", 0 },
	{ "fail-on-bug", KEY_FAIL, NULL, 0, "exit with 10 if there is a bug; otherwise the suite's own status is kept", 0 },
	{ "json", KEY_JSON, NULL, 0, "at the end, everything as JSON in DIR/report.json", 0 },
	{ "quiet", 'q', NULL, 0, "say nothing but bugs and errors, for suites that compare standard error; what there is to say of the recording goes to DIR/" LOG, 0 },
	{ "no-progress", KEY_NO_PROGRESS, NULL, 0, "do not tell how it is going", 0 },
	{ "env", KEY_ENV, "NAME", 0, "keep this variable of the environment too, besides those of language and time zone and those that the program's file has the name of", 0 },
	{ "env-all", KEY_ALL_ENV, NULL, 0, "keep the whole environment", 0 },
	{ "files-size", KEY_SIZE, "M", 0, "at most M MiB of files for each run; what needs more is left out (default 16)", 0 },
	{ 0 },
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct request *r = state->input;
	struct checking_options *c = &r->checking;
	size_t ignored;
	switch (key) {
	case 'o': c->out = arg; break;
	case 'j': c->jobs = (unsigned)cli_number(state, arg, 256); c->jobs += !c->jobs; break;
	case KEY_RECORD_ONLY: r->record_only = true; break;
	case KEY_RESUME: r->resume = true; break;
	case KEY_TIME: c->seconds = cli_seconds(state, arg); break;
	case KEY_EXECS: c->execs = cli_number(state, arg, UINT64_MAX); break;
	case KEY_DISTANCE: c->distance_max = (uint32_t)cli_number(state, arg, 200); break;
	case KEY_SAMPLE: c->sample = cli_number(state, arg, UINT32_MAX); break;
	case KEY_SEED: c->seed = cli_number(state, arg, UINT64_MAX); break;
	case KEY_RUN_TIME: c->run_seconds = cli_seconds(state, arg); break;
	case KEY_RUN_MEMORY: c->run_memory = cli_number(state, arg, 1 << 24); break;
	case KEY_HANGS: c->hangs = true; break;
	case KEY_LEAKS: c->flags |= TD_LEAKS; break;
	case KEY_FAIL: r->fail_on_bug = true; break;
	case KEY_JSON: r->json = true; break;
	case 'q': r->quiet = c->quiet = c->no_progress = true; break;
	case KEY_NO_PROGRESS: c->no_progress = true; break;
	case KEY_ENV: vec_push(&r->env, arg); break;
	case KEY_ALL_ENV: r->all_env = true; break;
	case KEY_SIZE: r->megabytes = cli_number(state, arg, 1 << 14); break;
	case ARGP_KEY_ARG: r->command = cli_program(state, &ignored); break;
	case ARGP_KEY_END:
		if (!r->command && !r->resume)
			argp_error(state, "which command runs the tests?");
		if (r->command && r->resume)
			argp_error(state, "--resume runs no command");
		break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp parser = {
	.options = options, .parser = parse_option, .args_doc = "[--] COMMAND [ARGUMENT...]",
	.doc = "Runs COMMAND, which runs tests, as if it were called without tandem, and records every run of a program in it that was built with tandem cc. Then each of these runs is checked: is there an "
	       "input that takes the same path and breaks a rule, or one that leaves the path a little before something could go wrong? All is told on standard error; the end is that of COMMAND, its exit status or its signal.",
};

/* --- recording --- */

struct listening {
	struct recordings all;
	FILE *to; /* what is told; NULL: nothing */
};

static void recorded(void *context, struct recording *r)
{
	struct listening *l = context;
	recordings_add(&l->all, r);
}

static void note(void *context, const char *text)
{
	const struct listening *l = context;
	if (l->to)
		fprintf(l->to, "tandem: note: %s\n", text);
}

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

static void tell_recordings(const struct recordings *r, double seconds, FILE *to)
{
	fprintf(to, "tandem: the suite took %.1f s; %" PRIu64 " run%s of %zu program%s: %" PRIu64 " recorded (%" PRIu64 " KiB), %" PRIu64 " the same as others", seconds,
	        r->runs, plural(r->runs), r->programs.count, plural(r->programs.count), r->kept, (r->bytes + 1023) >> 10, r->merged);
	if (r->troubled)
		fprintf(to, ", %" PRIu64 " left out", r->troubled);
	fputc('\n', to);
	for (size_t i = 0; i < r->troubles.count; i++)
		fprintf(to, "tandem: %" PRIu64 " left out: %s\n", r->troubles.at[i].count, r->troubles.at[i].why);
	if (!r->runs)
		fputs("tandem: no run of a program that was built with tandem cc was seen\n", to);
}

/* Several of us may write to it at a time; each has so little to say that it is written at once, when it is closed. */
static FILE *open_log(const struct request *r)
{
	struct str text = {0};
	str_printf(&text, "%s/" LOG, r->checking.out);
	FILE *log = fopen(str_text(&text), "ae");
	str_clear(&text);
	for (char **word = r->command; *word; word++) {
		str_add_char(&text, ' ');
		cli_quote_shell(*word, &text);
	}
	if (log)
		fprintf(log, "$%s\n", str_text(&text));
	str_free(&text);
	return log;
}

static bool record(const struct request *r, int *status, struct err *err)
{
	struct str directory = {0};
	struct listening l = { .all = { .rule = { .all = r->all_env, .names = r->env.at, .names_count = r->env.count } } };
	struct suite_spec spec = { .argv = r->command, .limits = { FILES_MAX, (size_t)r->megabytes << 20 }, .recorded = recorded, .note = note, .context = &l };
	double start = clock_seconds();
	str_printf(&directory, "%s/recordings", r->checking.out);
	bool ok = recordings_open(&l.all, str_text(&directory), err);
	if (ok)
		l.to = r->quiet ? open_log(r) : stderr;
	ok = ok && suite_run(&spec, status, err);
	if (ok && l.to)
		tell_recordings(&l.all, clock_seconds() - start, l.to);
	if (l.all.failed)
		fprintf(stderr, "tandem: %" PRIu64 " recordings could not be written: %s\n", l.all.failed, l.all.error.text);
	if (l.to && l.to != stderr)
		fclose(l.to);
	recordings_close(&l.all);
	str_free(&directory);
	return ok;
}

/* --- checking --- */

static void tell_chances(size_t all, size_t sample)
{
	static const unsigned shares[] = { 6, 10, 30 };
	if (sample >= all)
		return;
	fprintf(stderr, "  %zu of %zu tests: a bug that", sample, all);
	for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
		size_t exposing = (all * shares[i] + 50) / 100;
		fprintf(stderr, "%s %u %% of them expose is found with a chance of %.0f %%", i ? ", one that" : "", shares[i], 100 * checking_chance(all, exposing ? exposing : 1, sample));
	}
	fputc('\n', stderr);
}

static void tell_bug(const struct request *r, const struct checked_bug *b)
{
	fprintf(stderr, "  %s%s%s: distance %" PRIu32 ", depth %" PRIu32 "; %zu test%s to it, the nearest is %s/recordings/%s\n", b->class, *b->place ? " in " : "", b->place, b->distance, b->depth, b->tests,
	        b->tests == 1 ? " leads" : "s lead", r->checking.out, b->test ? b->test : "?");
}

static void tell_checks(const struct engine_stats *s)
{
	fprintf(stderr, "  %" PRIu64 " place%s where something could go wrong; ", s->risky_places, plural(s->risky_places));
	if (!s->checks && !s->checks_left)
		fputs("none of it depends on an input\n", stderr);
	else
		fprintf(stderr, "%" PRIu64 " check%s at %" PRIu64 " of them: %" PRIu64 " proved, %" PRIu64 " broken, %" PRIu64 " not decided; %" PRIu64 " more were the same as these, %" PRIu64 " there was no time for\n", s->checks,
		        plural(s->checks), s->checked_places, s->checks_proved, s->checks_broken, s->checks_unmet + s->checks_unknown, s->checks_same, s->checks_left);
	fprintf(stderr, "  distance %" PRIu64 "%s; %" PRIu64 " run%s in %.1f s\n", s->distance, s->exhausted ? ", nothing left" : "", s->runs + s->reruns, plural(s->runs + s->reruns), s->seconds);
	if (s->choices_dropped)
		fprintf(stderr, "  there was no room for %" PRIu64 " other sides of branches on these paths: they were not tried\n", s->choices_dropped);
}

static void tell_program(const struct request *r, const struct checked *p)
{
	const struct engine_stats *s = &p->stats;
	if (r->quiet && p->failed)
		fprintf(stderr, "tandem: %s could not be checked: %s\n", p->program, p->error.text);
	if (r->quiet)
		return;
	fprintf(stderr, "%s: %zu test%s, %zu bug%s\n", p->program, p->tests.count, plural(p->tests.count), p->bugs.count, plural(p->bugs.count));
	for (size_t i = 0; i < p->bugs.count; i++)
		tell_bug(r, &p->bugs.at[i]);
	if (p->left_out)
		fprintf(stderr, "  %zu test%s cannot be replayed: %s\n", p->left_out, plural(p->left_out), p->why);
	tell_chances(p->tests_all, p->tests.count);
	if (s->unbegun)
		fprintf(stderr, "  there was no time to run %" PRIu64 " of them\n", s->unbegun);
	if (p->failed)
		fprintf(stderr, "  could not be checked: %s\n", p->error.text);
	else if (!s->runs && !s->reruns)
		fputs(p->tests.count ? "  there was no time to check it\n" : "", stderr);
	else
		tell_checks(s);
}

static json_t *json_of_bugs(const struct checked *p)
{
	json_t *bugs = json_array();
	for (size_t i = 0; i < p->bugs.count; i++) {
		const struct checked_bug *b = &p->bugs.at[i];
		json_array_append_new(bugs, json_pack("{s:s,s:s,s:s,s:I,s:s,s:I,s:I}", "class", b->class, "place", b->place, "file", b->file, "tests", (json_int_t)b->tests, "test", b->test ? b->test : "",
		                                      "distance", (json_int_t)b->distance, "depth", (json_int_t)b->depth));
	}
	return bugs;
}

static void write_report(const struct request *r, const struct checking *c, struct err *err)
{
	json_t *programs = json_array(), *top = json_pack("{s:o}", "programs", programs);
	struct str path = {0};
	for (size_t i = 0; i < c->programs.count; i++) {
		const struct checked *p = &c->programs.at[i];
		json_array_append_new(programs, json_pack("{s:s,s:s,s:I,s:I,s:I,s:o,s:o}", "program", p->program, "directory", p->directory, "recordings", (json_int_t)p->tests_all, "tests",
		                                          (json_int_t)p->tests.count, "left_out", (json_int_t)p->left_out, "bugs", json_of_bugs(p), "stats", telling_stats(&p->stats)));
	}
	str_printf(&path, "%s/report.json", r->checking.out);
	if (json_dump_file(top, str_text(&path), JSON_INDENT(1) | JSON_PRESERVE_ORDER))
		err_set(err, "%s: cannot be written", str_text(&path));
	json_decref(top);
	str_free(&path);
}

/* Is there a bug? */
static bool check(const struct request *r, struct err *err)
{
	struct checking c = {0};
	uint64_t bugs = 0;
	if (checking_load(&c, &r->checking, err)) {
		cli_catch_signals();
		checking_run(&c, &r->checking);
		for (size_t i = 0; i < c.programs.count; i++) {
			tell_program(r, &c.programs.at[i]);
			bugs += c.programs.at[i].bugs.count + c.programs.at[i].stats.bugs; /* those that were told now may not be listed, for lack of room to write */
		}
		if (r->json)
			write_report(r, &c, err);
	}
	checking_close(&c);
	return bugs > 0;
}

/* --- all together --- */

static bool is_used(const char *directory)
{
	struct str path = {0};
	str_printf(&path, "%s/recordings", directory);
	bool used = access(str_text(&path), F_OK) == 0;
	str_free(&path);
	return used;
}

/* Part of a suite that is recorded already: there is nothing to do but to be the command. */
static int step_aside(const struct request *r, struct err *err)
{
	execvp(r->command[0], r->command);
	err_errno(err, "%s: cannot execute", r->command[0]);
	return cli_fail(CLI_USAGE, err);
}

/* As the command did: a signal is no exit status, and who waits for a test may want to know. */
static int end_as(int status)
{
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	sigset_t one;
	sigemptyset(&one);
	sigaddset(&one, WTERMSIG(status));
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); /* the core is the command's */
	signal(WTERMSIG(status), SIG_DFL);
	sigprocmask(SIG_UNBLOCK, &one, NULL);
	raise(WTERMSIG(status));
	return 128 + WTERMSIG(status);
}

static int run(const struct request *r, struct err *err)
{
	int status = 0;
	if (r->command && !record(r, &status, err))
		return cli_fail(CLI_USAGE, err);
	bool interrupted = WIFSIGNALED(status) && (WTERMSIG(status) == SIGINT || WTERMSIG(status) == SIGTERM);
	bool bug = !r->record_only && !interrupted && check(r, err);
	if (err->text[0])
		cli_fail(CLI_INTERNAL, err);
	if (err->text[0] && !r->command)
		return CLI_USAGE;
	return r->fail_on_bug && bug ? CLI_BUG : end_as(status);
}

int cmd_check(int argc, char **argv)
{
	struct request r = { .megabytes = 16, .checking = { .seconds = 600, .seed = 1, .jobs = 1, .run_seconds = 5, .run_memory = 1024, .to = stderr, .stop = &cli_stopped } };
	struct err err = {0};
	struct str out = {0};
	argp_parse(&parser, argc, argv, ARGP_IN_ORDER, NULL, &r);
	if (r.command && suite_is_recorded())
		return step_aside(&r, &err);
	if (!r.checking.out)
		r.checking.out = cli_directory(OUT, is_used, r.resume, &out);
	int status = run(&r, &err);
	vec_free(&r.env);
	str_free(&out);
	return status;
}
