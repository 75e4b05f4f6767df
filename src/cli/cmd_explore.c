/* tandem explore: tells the engine what to do, and people what it found. A bug is a line, a test case, and the command that replays it. */
#include "cli/cases.h"
#include "cli/cli.h"
#include "cli/inputs.h"

#include "base/mem.h"
#include "engine/engine.h"
#include "engine/flip.h"
#include "search/search.h"
#include "trace/facts.h"
#include "trace/report.h"
#include "trace/tell.h"

#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GROW_MAX 256 /* bytes */

struct request {
	uint64_t seed, execs, stdin_size;
	double seconds;
	const char *out, *stdin_file, *log_file, *dump;
	FILE *log;
	const struct strategy *search;
	bool no_sandbox, conditions_first, go_on, leaks, uninitialised;
	char **program;
	size_t argc;
	struct inputs inputs;
};

enum { KEY_SEED = 256, KEY_TIME, KEY_EXECS, KEY_STDIN, KEY_STDIN_FILE, KEY_NO_SANDBOX, KEY_CONDITIONS, KEY_LEAKS, KEY_UNINITIALISED, KEY_DUMP, KEY_SEARCH, KEY_GO_ON, KEY_LOG };

static const struct argp_option options[] = {
	{ "time", KEY_TIME, "S", 0, "stop after S seconds (default 60; 0: never)", 0 },
	{ "execs", KEY_EXECS, "N", 0, "stop after N runs", 0 },
	{ "search", KEY_SEARCH, "NAME", 0, "which branch to try next, see below (default auto)", 0 },
	{ "go-on", KEY_GO_ON, NULL, 0, "do not stop at the first bug; each is told once", 0 },
	{ "log-inputs", KEY_LOG, "FILE", 0, "write the hash of each input to FILE, in the order of the runs", 0 },
	{ "seed", KEY_SEED, "N", 0, "of the random numbers (default 1)", 0 },
	{ "stdin", KEY_STDIN, "N", 0, "the first standard input is N times the letter A (default: empty)", 0 },
	{ "stdin-file", KEY_STDIN_FILE, "FILE", 0, "the first standard input is the content of FILE", 0 },
	{ "conditions-first", KEY_CONDITIONS, NULL, 0, "violate what must hold before other branches are taken", 0 },
	{ "leaks", KEY_LEAKS, NULL, 0, "memory that nothing points to any more when the program exits is a bug", 0 },
	{ "uninitialised", KEY_UNINITIALISED, NULL, 0, "so are decisions and addresses that depend on memory that was never set", 0 },
	{ "out", 'o', "DIR", 0, "where crashing inputs are put (default tandem-out)", 0 },
	{ "dump-queries", KEY_DUMP, "DIR", 0, "write what the solver is asked to DIR, as SMT-LIB", 0 },
	{ "no-sandbox", KEY_NO_SANDBOX, NULL, 0, "run in the current directory, without containment", 0 },
	{ 0 },
};

static const struct strategy *find_search(struct argp_state *state, const char *name)
{
	const struct strategy *s = search_find(name);
	struct str names = {0};
	search_list(&names);
	if (!s)
		argp_error(state, "no search is called '%s'; there are %s", name, str_text(&names));
	str_free(&names);
	return s;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct request *r = state->input;
	switch (key) {
	case KEY_SEED: r->seed = cli_number(state, arg, UINT64_MAX); break;
	case KEY_EXECS: r->execs = cli_number(state, arg, UINT64_MAX); break;
	case KEY_TIME: r->seconds = cli_seconds(state, arg); break;
	case KEY_STDIN: r->stdin_size = cli_number(state, arg, 1 << 20); break;
	case KEY_STDIN_FILE: r->stdin_file = arg; break;
	case KEY_CONDITIONS: r->conditions_first = true; break;
	case KEY_SEARCH: r->search = find_search(state, arg); break;
	case KEY_GO_ON: r->go_on = true; break;
	case KEY_LOG: r->log_file = arg; break;
	case KEY_LEAKS: r->leaks = true; break;
	case KEY_UNINITIALISED: r->uninitialised = true; break;
	case 'o': r->out = arg; break;
	case KEY_DUMP: r->dump = arg; break;
	case KEY_NO_SANDBOX: r->no_sandbox = true; break;
	case ARGP_KEY_INIT: state->child_inputs[0] = &r->inputs; break;
	case ARGP_KEY_ARG: r->program = cli_program(state, &r->argc); break;
	case ARGP_KEY_NO_ARGS: argp_error(state, "which program?"); break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp_child children[] = { { &inputs_parser, 0, NULL, 0 }, { 0 } };

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

/* --- findings --- */

static void put_input(const struct testcase *f, struct str *out)
{
	str_add(out, "stdin = ");
	cli_quote_c(f->bytes, f->size, 120, out);
	for (size_t i = 1; i < f->args_count; i++) {
		str_printf(out, ", argv[%zu] = ", i);
		cli_quote_c(f->args[i], strlen(f->args[i]), 60, out);
	}
	for (size_t i = 0; i < f->env_count; i++) {
		int name = (int)strcspn(f->env[i], "=");
		str_printf(out, ", $%.*s = ", name, f->env[i]);
		cli_quote_c(f->env[i] + name + 1, strlen(f->env[i] + name + 1), 60, out);
	}
	for (size_t i = 0; i < f->files_count; i++) {
		str_printf(out, ", %s (mode %04o, %zu bytes) = ", f->files[i].path, (unsigned)f->files[i].mode, f->files[i].size);
		cli_quote_c(f->files[i].bytes, f->files[i].size, 60, out);
	}
	for (size_t i = 0; i < f->marks_count; i++) {
		str_printf(out, ", %s = ", f->marks[i].name);
		cli_quote_c(f->marks[i].bytes, f->marks[i].size, 60, out);
	}
}

/* What kind of bug: the rule that was broken, or the signal. */
static void put_class(const struct finding *f, struct str *out)
{
	if (f->report)
		report_class(f->report, out);
	else
		casefile_put_signal(f->signal, out);
}

/* Where the input came from. */
static void put_origin(const struct finding *f, struct str *out)
{
	static const char *const origins[] = {
		[FLIP_BRANCH] = "a branch", [FLIP_CASE] = "a branch", [FLIP_DEFAULT] = "a branch", [FLIP_OUTSIDE] = "a condition",
		[FLIP_LONGER] = "the length", [FLIP_SHORTER] = "the length",
	};
	if (f->flip)
		str_printf(out, "%s of run %" PRIu64, origins[f->flip->kind], f->parent);
	else
		str_add(out, "nothing, it is the first input");
}

/* The call stack as the test case has it: its lines, and the innermost one that is in the source. */
static void set_stack(const struct finding *f, struct casefile *c, struct arena *a)
{
	struct str text = {0}, briefly = {0}, class = {0};
	size_t n = 0;
	if (!f->report)
		return;
	tell_stack(f->report, f->facts, &text);
	tell_briefly(f->report, f->facts, &briefly);
	report_class(f->report, &class);
	const char **frames = arena_alloc(a, (text.length + 1) * sizeof *frames);
	for (char *line = strtok(arena_strdup(a, str_text(&text)), "\n"); line; line = strtok(NULL, "\n"))
		frames[n++] = line;
	c->frames = frames;
	c->frames_count = n;
	if (briefly.length > class.length + 4)
		c->place = arena_strdup(a, briefly.text + class.length + 4); /* "CLASS in PLACE" */
	str_free(&text);
	str_free(&briefly);
	str_free(&class);
}

static bool save(const struct request *r, const char *path, const struct finding *f, struct err *err)
{
	struct arena *a = arena_new();
	struct str class = {0}, origin = {0};
	put_class(f, &class);
	str_add(&origin, "made from ");
	put_origin(f, &origin);
	bool died = !f->report || f->report->violation == TD_VIOLATION_STACK; /* untraced too */
	struct casefile c = {
		.input = f->feed, .kind = CASE_BUG, .purpose = str_text(&origin), .program = r->program[0], .build = f->facts->modules[0].build,
		.parent = f->parent_hash, .bug = str_text(&class), .end = died ? CASE_END_SIGNAL : CASE_END_UNKNOWN, .code = died ? f->signal : 0,
	};
	set_stack(f, &c, a);
	bool ok = casefile_write(path, &c, err);
	str_free(&class);
	str_free(&origin);
	arena_free(a);
	return ok;
}

static void found(void *context, const struct finding *f)
{
	const struct request *r = context;
	struct str path = {0}, line = {0};
	struct err err = {0};
	str_printf(&path, "%s/crashes", r->out);
	bool ok = cases_make_dir(str_text(&path), &err);
	str_add_char(&path, '/');
	put_class(f, &path);
	str_printf(&path, "-%016" PRIx64 CASEFILE_SUFFIX, testcase_hash(&f->feed));
	str_add(&line, "bug: ");
	if (f->report)
		tell_briefly(f->report, f->facts, &line);
	else
		put_class(f, &line);
	str_printf(&line, " after %" PRIu64 " runs: ", f->runs);
	put_input(&f->feed, &line);
	if (ok && save(r, str_text(&path), f, &err)) {
		str_add(&line, "\n  replay: ");
		cli_quote_shell(program_invocation_name, &line);
		str_add(&line, r->no_sandbox ? " replay --no-sandbox " : " replay ");
		cli_quote_shell(str_text(&path), &line);
		str_add(&line, "\n  made from: ");
		put_origin(f, &line);
	} else {
		cli_fail(CLI_INTERNAL, &err);
	}
	puts(str_text(&line));
	fflush(stdout);
	str_free(&path);
	str_free(&line);
}

/* --- the end --- */

static void put_if(const char *text, uint64_t n)
{
	if (n)
		printf(", %" PRIu64 " %s", n, text);
}

/* What the search did, besides running. */
static void summary_of_search(const struct strategy *search, const struct engine_stats *s)
{
	printf("search %s: %" PRIu64 " restarts, %" PRIu64 " flips refuted, %" PRIu64 " given up, %" PRIu64 " divergences, %" PRIu64 " repeats, %" PRIu64
	       " known, %" PRIu64 " not tried", search->name, s->restarts, s->unsat, s->unknown, s->divergences, s->repeats, s->known, s->open);
	put_if("runs repeated for their trace", s->reruns);
	put_if("traces dropped", s->traces_dropped);
	put_if("paths dropped", s->walks_dropped);
	put_if("inputs dropped", s->inputs_dropped);
	put_if("flips left out", s->choices_dropped);
	putchar('\n');
}

static void summary(const struct engine_stats *s)
{
	printf("%" PRIu64 " runs in %.2f s (%.0f runs/s), %" PRIu64 " of %" PRIu64 " sides of branches taken, %" PRIu64
	       " solver calls, %" PRIu64 " divergences", s->runs, s->seconds, (double)s->runs / (s->seconds > 1e-9 ? s->seconds : 1e-9),
	       s->edges_seen, s->edges, s->solver_calls, s->divergences);
	put_if("conditions violated on purpose", s->violations);
	put_if("of them unreported", s->unmet);
	put_if("flips given up", s->unknown);
	put_if("optimistic models", s->optimistic);
	put_if("bugs", s->bugs > 1 ? s->bugs : 0);
	put_if("runs into a known bug", s->same_bugs);
	put_if("timeouts", s->timeouts);
	put_if("unreadable traces", s->garbled);
	put_if("crashes that a second run did not repeat", s->unconfirmed);
	putchar('\n');
	if (s->solver_errors)
		fprintf(stderr, "tandem: %" PRIu64 " queries failed, the first one: %s\n", s->solver_errors, s->trouble);
}

static bool first_input(const struct request *r, struct testcase *to, struct arena *arena, struct err *err)
{
	*to = (struct testcase){ .args = (const char *const *)r->program, .args_count = r->argc, .size = r->stdin_size };
	char *bytes = r->stdin_file ? cli_slurp_file(r->stdin_file, &to->size, err) : mem_alloc(to->size + 1);
	if (!bytes)
		return false;
	if (!r->stdin_file)
		memset(bytes, 'A', to->size);
	to->bytes = arena_copy(arena, bytes, to->size + 1);
	free(bytes);
	return inputs_read(&r->inputs, to, arena, err) && (!to->files_count || !r->no_sandbox || err_set(err, "--file needs the sandbox"));
}

static void log_input(void *context, uint64_t hash)
{
	const struct request *r = context;
	fprintf(r->log, "%016" PRIx64 "\n", hash);
}

static bool open_log(struct request *r, struct err *err)
{
	if (r->log_file && !(r->log = fopen(r->log_file, "we")))
		return err_errno(err, "%s", r->log_file);
	return true;
}

static int explore(struct request *r, struct arena *arena)
{
	struct engine_stats stats;
	enum engine_end end;
	struct err err = {0};
	struct engine_options o = {
		.program = r->program[0], .seed = r->seed, .seconds = r->seconds, .execs = r->execs,
		.flags = (r->leaks ? TD_LEAKS : 0) | (r->uninitialised ? TD_UNINITIALISED : 0), .conditions_first = r->conditions_first,
		.sandbox = !r->no_sandbox, .wall_ms = 5000, .grow_max = GROW_MAX, .window = r->inputs.window, .solver = solver_options_default(),
		.found = found, .note = cli_note, .context = r, .search = r->search, .go_on = r->go_on, .ran = r->log_file ? log_input : NULL,
	};
	o.solver.seed = r->seed;
	o.solver.dump = r->dump;
	if ((r->dump && !cases_make_dir(r->dump, &err)) || !first_input(r, &o.feed, arena, &err) || !open_log(r, &err))
		return cli_fail(CLI_USAGE, &err);
	bool ok = engine_explore(&o, &end, &stats, &err);
	if (r->log)
		fclose(r->log);
	if (!ok)
		return cli_fail(CLI_INTERNAL, &err);
	summary(&stats);
	summary_of_search(r->search, &stats);
	return end == ENGINE_BUG ? CLI_BUG : end == ENGINE_BUDGET ? CLI_BUDGET : CLI_CLEAN;
}

int cmd_explore(int argc, char **argv)
{
	struct request r = { .seed = 1, .seconds = 60, .out = "tandem-out", .search = search_table[0], .inputs = INPUTS_DEFAULT };
	struct err err = {0};
	struct facts facts;
	argp_parse(&parser, argc, argv, ARGP_IN_ORDER, NULL, &r);
	if (!facts_open(&facts, r.program[0], &err))
		return cli_fail(CLI_USAGE, &err);
	facts_close(&facts);
	struct arena *arena = arena_new();
	int status = explore(&r, arena);
	arena_free(arena);
	inputs_free(&r.inputs);
	return status;
}
