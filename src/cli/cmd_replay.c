/* tandem replay: runs test cases, on whatever build of the program there is, and says how it ended. A crash, a report of the traced program or one of a
 * sanitizer is a bug.
 *
 * Untraced, unless the trace or the path is asked for, or the test case is for a bug that only a traced run can see. With --expect the question is not
 * whether there is a bug but whether all is as the test case says. What a build cannot show is no answer (status 5). */
#include "cli/cases.h"
#include "cli/cli.h"
#include "cli/unitcase.h"

#include "base/fs.h"
#include "engine/replay.h"
#include "trace/dump.h"
#include "trace/report.h"
#include "trace/tell.h"

#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OUTPUT_MAX ((size_t)256 << 20)
#define MEMORY 1024ull /* MiB that a run may use, if that is the question */

struct request {
	bool expect, update, trace, path, quiet, json, no_sandbox;
	double seconds;
	uint64_t memory; /* MiB */
	const char *program;
	char *gcov;
	char **words;    /* what follows -- */
	size_t words_count;
	struct cases cases;
};

enum { KEY_PROGRAM = 256, KEY_EXPECT, KEY_UPDATE, KEY_TRACE, KEY_PATH, KEY_JSON, KEY_NO_SANDBOX, KEY_TIME, KEY_MEMORY, KEY_GCOV };

static const struct argp_option options[] = {
	{ "program", KEY_PROGRAM, "PROGRAM", 0, "the program (default: the one that the test case names)", 0 },
	{ "expect", KEY_EXPECT, NULL, 0, "exit 0 if all is as the test case says, a crash too", 0 },
	{ "update", KEY_UPDATE, NULL, 0, "write down in the test case what came of it: end, outputs, path", 0 },
	{ "trace", KEY_TRACE, NULL, 0, "show the trace, as tandem trace does (instrumented builds)", 0 },
	{ "path", KEY_PATH, NULL, 0, "show the hash of the path (instrumented builds)", 0 },
	{ "quiet", 'q', NULL, 0, "do not show the program's output", 0 },
	{ "json", KEY_JSON, NULL, 0, "a line of JSON for each test case; the programs' output is not shown", 0 },
	{ "time", KEY_TIME, "S", 0, "stop each run after S seconds (default 20; 0: never)", 0 },
	{ "memory", KEY_MEMORY, "M", 0, "at most M MiB of data (default: no limit); of a test case for memory that is used up, what counts as too much (default 1024)", 0 },
	{ "gcov", KEY_GCOV, "DIR", 0, "programs built with gcc --coverage add their counts to the files below DIR; nothing else there is safe from them", 0 },
	{ "no-sandbox", KEY_NO_SANDBOX, NULL, 0, "without containment; files with absolute names are made for as long as the run takes", 0 },
	{ 0 },
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct request *r = state->input;
	struct err err = {0};
	switch (key) {
	case KEY_PROGRAM: r->program = arg; break;
	case KEY_EXPECT: r->expect = true; break;
	case KEY_UPDATE: r->update = true; break;
	case KEY_TRACE: r->trace = true; break;
	case KEY_PATH: r->path = true; break;
	case 'q': r->quiet = true; break;
	case KEY_JSON: r->json = r->quiet = true; break;
	case KEY_TIME: r->seconds = cli_seconds(state, arg); break;
	case KEY_MEMORY: r->memory = cli_number(state, arg, 1 << 20); break;
	case KEY_GCOV:
		free(r->gcov);
		r->gcov = realpath(arg, NULL);
		if (!r->gcov)
			argp_failure(state, CLI_USAGE, errno, "%s", arg);
		break;
	case KEY_NO_SANDBOX: r->no_sandbox = true; break;
	case ARGP_KEY_ARG:
		if (!cases_add(&r->cases, arg, &err))
			argp_failure(state, CLI_USAGE, 0, "%s", err.text);
		break;
	case ARGP_KEY_NO_ARGS: argp_error(state, "which test case?"); break;
	case ARGP_KEY_END:
		if (r->trace && r->json)
			argp_error(state, "--trace does not go with --json");
		break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp parser = {
	.options = options, .parser = parse_option, .args_doc = "CASE... [-- PROGRAM [ARGUMENT...]]",
	.doc = "Runs test cases (files, or directories of *" CASEFILE_SUFFIX ") on an instrumented, a plain or a sanitized build of their program, in the sandbox. "
	       "ARGUMENTs take the place of the test case's own.",
};

/* --- one run --- */

enum answer { ANSWER_UNKNOWN, ANSWER_SAME, ANSWER_DIFFERENT };

struct replay {
	const struct request *r;
	const char *name;
	struct casefile c;
	struct replay_spec spec;
	struct facts facts;      /* open if it is instrumented */
	struct unitcase unit;    /* open if it is a test of one function: traced then, since stubs are there in traced code alone */
	struct outcome out;
	bool traced;
	bool bug;
	struct str class, report; /* of the bug; what a traced run has told */
	uint64_t path;
	enum answer answer;
	char why[160];           /* it is different, or not known */
};

static bool is_signal(const char *class)
{
	return strncmp(class, "SIG", 3) == 0;
}

/* Neither a signal nor a report. */
static bool is_hang(const struct casefile *c)
{
	return c->bug && strcmp(c->bug, CASEFILE_HANG) == 0;
}

static bool is_blow_up(const struct casefile *c)
{
	return c->bug && strcmp(c->bug, CASEFILE_MEMORY) == 0;
}

static uint32_t flags_of(const struct casefile *c, bool all)
{
	uint32_t flags = TD_SYM_STDIN | (c->unit ? 0 : TD_SYM_ARGV | TD_SYM_GIVEN) | (all ? TD_ALL_BRANCHES : 0);
	if (c->bug && strcmp(c->bug, report_name(TD_VIOLATION_LEAK)) == 0)
		flags |= TD_LEAKS;
	if (c->bug && strcmp(c->bug, report_name(TD_VIOLATION_UNINITIALISED)) == 0)
		flags |= TD_UNINITIALISED;
	return flags;
}

static bool show_trace(const struct trace *t, const struct facts *facts, struct err *err)
{
	printf("--- trace ---\n");
	return dump_text(t, facts, stdout, err);
}

static bool look(struct replay *p, const struct live *live, bool all, bool first, struct err *err)
{
	struct trace t;
	if (live->header->state == TD_STATE_NEW)
		return err_set(err, "%s wrote no trace", p->spec.program);
	if (!trace_view(&t, live->header, live->size, err))
		return false;
	facts_learn(&p->facts, &t, cli_note, NULL);
	if (all)
		p->path = replay_path(&t, &p->facts);
	if (!first)
		return true;
	if (t.reports_count) {
		p->bug = true;
		str_clear(&p->class);
		report_class(t.reports, &p->class);
		tell_text(&t, &p->facts, &p->report);
	}
	return !p->r->trace || show_trace(&t, &p->facts, err);
}

static void show_output(const struct replay *p, const struct outcome *out)
{
	if (p->r->quiet)
		return;
	fs_write_fd(1, out->out.bytes, out->out.size);
	fs_write_fd(2, out->err.bytes, out->err.size);
}

static bool run_traced(struct replay *p, bool all, bool first, struct outcome *out, struct err *err)
{
	struct trace_request request = { .flags = flags_of(&p->c, all), .unit = p->unit.packed.text, .unit_size = p->unit.packed.length };
	struct live live;
	if (!trace_create(&live, &request, err))
		return false;
	p->spec.live = &live;
	bool ok = replay_run(&p->spec, out, err);
	p->spec.live = NULL;
	if (ok && first)
		show_output(p, out);
	ok = ok && look(p, &live, all, first, err);
	trace_destroy(&live);
	return ok;
}

static bool run_untraced(struct replay *p, struct err *err)
{
	if (!replay_run(&p->spec, &p->out, err))
		return false;
	show_output(p, &p->out);
	return true;
}

static void put_signal_class(struct replay *p)
{
	if (p->out.kind != OUTCOME_SIGNAL || p->bug)
		return;
	p->bug = true;
	casefile_put_signal(p->out.signal, &p->class);
}

/* That a run does not end, or wants that much, is a bug if it is known that it should not. */
static void put_excess_class(struct replay *p)
{
	bool hangs = is_hang(&p->c) && p->out.kind == OUTCOME_TIMEOUT, eats = is_blow_up(&p->c) && replay_is_over(&p->out, p->spec.memory / REPLAY_HARD);
	if ((!hangs && !eats) || p->bug)
		return;
	p->bug = true;
	str_add(&p->class, p->c.bug);
}

/* The run that counts, and if that has not told the path, another one. */
static bool run(struct replay *p, struct err *err)
{
	const struct request *r = p->r;
	bool can = p->spec.build == REPLAY_INSTRUMENTED;
	bool wants_path = can && (r->path || r->update || (r->expect && p->c.path));
	bool unseen = can && p->c.bug && !is_signal(p->c.bug) && !is_hang(&p->c) && !is_blow_up(&p->c); /* by an untraced run */
	p->traced = can && (p->c.unit || (!r->update && (r->trace || unseen || wants_path)));
	bool all = p->traced && wants_path && !r->trace;
	if (!(p->traced ? run_traced(p, all, true, &p->out, err) : run_untraced(p, err)))
		return false;
	if (p->spec.build == REPLAY_SANITISED)
		p->bug = replay_sanitizer(&p->out.err, &p->class);
	put_excess_class(p);
	put_signal_class(p); /* a crash because memory was refused is not another bug */
	struct outcome again = {0};
	bool ok = !wants_path || all || run_traced(p, true, false, &again, err);
	outcome_free(&again);
	return ok;
}

/* --- as expected? --- */

static bool same_end(const struct casefile *c, const struct outcome *out)
{
	switch (c->end) {
	case CASE_END_EXIT: return out->kind == OUTCOME_EXIT && out->code == c->code;
	case CASE_END_SIGNAL: return out->kind == OUTCOME_SIGNAL && out->signal == c->code;
	case CASE_END_TIMEOUT: return out->kind == OUTCOME_TIMEOUT;
	default: return true;
	}
}

static bool same_sum(const struct casefile_sum *s, const struct output *o)
{
	struct casefile_sum is = replay_sum(o);
	return !s->known || !is.known || (s->size == is.size && s->crc == is.crc);
}

static bool same_build(const struct replay *p)
{
	return !p->c.build || (p->spec.build == REPLAY_INSTRUMENTED && p->c.build == p->facts.modules[0].build);
}

static void different(struct replay *p, const char *why)
{
	p->answer = ANSWER_DIFFERENT;
	snprintf(p->why, sizeof p->why, "%s", why);
}

static void judge_run(struct replay *p)
{
	const struct casefile *c = &p->c;
	struct str why = {0};
	if (!same_end(c, &p->out)) {
		str_printf(&why, "%s ", casefile_end_name(c->end));
		if (c->end == CASE_END_EXIT)
			str_printf(&why, "%d ", c->code);
		if (c->end == CASE_END_SIGNAL)
			casefile_put_signal(c->code, &why);
		str_add(&why, c->end == CASE_END_SIGNAL ? " was expected" : "was expected");
		different(p, str_text(&why));
	} else if (c->end == CASE_END_SIGNAL) {
		p->answer = ANSWER_SAME;
	} else if (p->bug) {
		different(p, "no bug was expected");
	} else if (!same_sum(&c->out, &p->out.out)) {
		different(p, "another standard output");
	} else if (p->spec.build != REPLAY_SANITISED && !same_sum(&c->err, &p->out.err)) { /* a sanitizer may have a word there */
		different(p, "another standard error");
	} else if (c->end != CASE_END_UNKNOWN) {
		p->answer = ANSWER_SAME;
	} else {
		snprintf(p->why, sizeof p->why, "the test case does not say what is expected (see --update)");
	}
	str_free(&why);
}

static void judge_bug(struct replay *p)
{
	const struct casefile *c = &p->c;
	bool same_signal = c->end == CASE_END_SIGNAL && same_end(c, &p->out);
	if (p->bug)
		p->answer = p->spec.build != REPLAY_INSTRUMENTED || same_signal || strcmp(str_text(&p->class), c->bug) == 0 ? ANSWER_SAME : ANSWER_DIFFERENT;
	else if (is_signal(c->bug) || is_blow_up(c) || p->traced)
		p->answer = ANSWER_DIFFERENT;
	else if (c->end != CASE_END_UNKNOWN)
		judge_run(p);
	else
		snprintf(p->why, sizeof p->why, "%.60s does not show on a %s build", c->bug, replay_build_name(p->spec.build));
	if (p->answer == ANSWER_DIFFERENT && !p->why[0])
		snprintf(p->why, sizeof p->why, "%.60s was expected", c->bug);
}

static void judge(struct replay *p)
{
	if (p->c.bug)
		judge_bug(p);
	else
		judge_run(p);
	if (p->answer != ANSWER_DIFFERENT && p->c.path && p->path && p->c.path != p->path && same_build(p))
		different(p, "another path");
}

/* --- telling --- */

static void put_end(const struct replay *p, struct str *out)
{
	if (p->out.kind == OUTCOME_EXIT)
		str_printf(out, "exit %d", p->out.code);
	else if (p->out.kind == OUTCOME_TIMEOUT)
		str_printf(out, "stopped after %.1f s", (double)p->out.wall_us / 1e6);
	else
		casefile_put_signal(p->out.signal, out);
	if (p->bug && strcmp(str_text(&p->class), str_text(out)) != 0)
		str_printf(out, ", %s", str_text(&p->class));
}

static void tell_unit(const struct replay *p)
{
	struct str text = {0};
	unitcase_print(&p->unit, &text);
	fprintf(stderr, "tandem: %s\n", str_text(&text));
	str_free(&text);
}

static void tell(const struct replay *p, bool only)
{
	struct str line = {0}, end = {0};
	put_end(p, &end);
	str_printf(&line, "%s: %s%s (%s build%s)", p->name, p->bug ? "bug: " : "", str_text(&end), replay_build_name(p->spec.build), p->traced ? ", traced" : "");
	if (p->path && p->r->path)
		str_printf(&line, ", path %016" PRIx64, p->path);
	if (p->r->expect)
		str_printf(&line, "%s%s", p->answer == ANSWER_SAME ? ", as expected" : p->answer == ANSWER_DIFFERENT ? ", different: " : ", no answer: ", p->why);
	if (!p->r->quiet && p->c.unit)
		tell_unit(p);
	if (!p->r->quiet)
		fputs(str_text(&p->report), stderr);
	if (only && !p->r->quiet)
		fprintf(stderr, "tandem: %s\n", str_text(&line));
	else
		puts(str_text(&line));
	str_free(&line);
	str_free(&end);
}

static void tell_as_json(const struct replay *p)
{
	static const char *const ends[] = {
		[OUTCOME_FAILED_TO_START] = "failed", [OUTCOME_EXIT] = "exit", [OUTCOME_SIGNAL] = "signal", [OUTCOME_TIMEOUT] = "timeout" };
	static const char *const answers[] = { [ANSWER_UNKNOWN] = "unknown", [ANSWER_SAME] = "same", [ANSWER_DIFFERENT] = "different" };
	const struct outcome *o = &p->out;
	json_t *line = json_pack("{s:s, s:s, s:s, s:s, s:i, s:b, s:I, s:I, s:f}", "case", p->name, "program", p->spec.program, "build",
	                         replay_build_name(p->spec.build), "end", ends[o->kind], "code", o->kind == OUTCOME_EXIT ? o->code : o->signal, "traced",
	                         (int)p->traced, "stdout_bytes", (json_int_t)o->out.size, "stderr_bytes", (json_int_t)o->err.size, "seconds", (double)o->wall_us / 1e6);
	if (!line) /* a name that is no text */
		return;
	if (p->bug)
		json_object_set_new(line, "bug", json_string(str_text(&p->class)));
	if (p->path)
		json_object_set_new(line, "path", json_sprintf("%016" PRIx64, p->path));
	if (p->r->expect) {
		json_object_set_new(line, "expected", json_string(answers[p->answer]));
		if (p->why[0])
			json_object_set_new(line, "why", json_string(p->why));
	}
	json_dumpf(line, stdout, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(6));
	putchar('\n');
	json_decref(line);
}

static bool update(struct replay *p, struct err *err)
{
	struct casefile c = p->c;
	c.end = p->out.kind == OUTCOME_EXIT ? CASE_END_EXIT : p->out.kind == OUTCOME_SIGNAL ? CASE_END_SIGNAL : CASE_END_TIMEOUT;
	c.code = c.end == CASE_END_EXIT ? p->out.code : c.end == CASE_END_SIGNAL ? p->out.signal : 0;
	if (c.end == CASE_END_SIGNAL && !c.bug) {
		c.kind = CASE_BUG;
		c.bug = str_text(&p->class);
	}
	bool whole = c.end == CASE_END_EXIT && !p->bug;
	c.out = whole ? replay_sum(&p->out.out) : (struct casefile_sum){0};
	c.err = whole ? replay_sum(&p->out.err) : (struct casefile_sum){0};
	if (p->path) {
		c.path = p->path;
		c.build = p->facts.modules[0].build;
	}
	return casefile_write(p->name, &c, err);
}

static int status_of(const struct replay *p)
{
	if (p->r->expect && p->answer == ANSWER_SAME)
		return CLI_CLEAN;
	if (p->bug)
		return CLI_BUG;
	if (p->r->expect)
		return p->answer == ANSWER_DIFFERENT ? CLI_MISMATCH : CLI_BUDGET;
	return p->out.kind == OUTCOME_TIMEOUT ? CLI_BUDGET : CLI_CLEAN;
}

/* --- one test case --- */

static const char *program_of(const struct replay *p)
{
	const struct request *r = p->r;
	const char *name = r->words ? r->words[0] : r->program ? r->program : p->c.program;
	return name ? name : p->c.input.args[0];
}

static void prepare(struct replay *p)
{
	const struct request *r = p->r;
	p->spec = (struct replay_spec){
		.program = program_of(p), .input = &p->c.input, .sandbox = !r->no_sandbox, .wall_ms = (int)(r->seconds * 1000), .memory = r->memory << 20,
		.output_max = OUTPUT_MAX, .gcov = r->gcov,
	};
	if (is_blow_up(&p->c))
		p->spec.memory = REPLAY_HARD * (r->memory ? p->spec.memory : MEMORY << 20);
	if (r->words_count > 1) {
		p->c.input.args = (const char *const *)r->words;
		p->c.input.args_count = r->words_count;
	}
}

static bool open_unit(struct replay *p, struct err *err)
{
	if (!p->c.unit)
		return true;
	if (p->spec.build != REPLAY_INSTRUMENTED)
		return err_set(err, "it is a test of one function, which only a build of tandem cc can be started with; for others there is tandem export --format c");
	if (!unitcase_open(&p->unit, &p->c, p->spec.program, err))
		return false;
	p->spec.input = &p->unit.feed;
	return true;
}

static int replay_one(struct replay *p, struct err *err)
{
	prepare(p);
	if (!replay_build_of(p->spec.program, &p->spec.build, &p->facts, err) || !open_unit(p, err))
		return CLI_USAGE;
	if ((p->r->trace || p->r->path) && p->spec.build != REPLAY_INSTRUMENTED)
		return err_set(err, "%s is a %s build: only one of tandem cc has a trace", p->spec.program, replay_build_name(p->spec.build)), CLI_USAGE;
	if (p->r->update && p->spec.build == REPLAY_SANITISED)
		return err_set(err, "%s is a sanitized build: what comes of it is not to be expected of others", p->spec.program), CLI_USAGE;
	if (!replay_possible(&p->spec, err))
		return CLI_USAGE;
	if (!run(p, err))
		return CLI_INTERNAL;
	if (p->spec.build == REPLAY_INSTRUMENTED && !same_build(p))
		fprintf(stderr, "tandem: note: %s was made for another program, or another build of it\n", p->name);
	if (p->r->expect)
		judge(p);
	if (p->r->update && !update(p, err))
		return CLI_INTERNAL;
	if (p->r->json)
		tell_as_json(p);
	else
		tell(p, p->r->cases.count == 1);
	return status_of(p);
}

static int replay_file(const struct request *r, const char *name)
{
	struct replay p = { .r = r, .name = name };
	struct arena *a = arena_new();
	struct err err = {0};
	int status = casefile_read(&p.c, name, a, &err) ? replay_one(&p, &err) : CLI_USAGE;
	if (err.text[0] && (status == CLI_USAGE || status == CLI_INTERNAL))
		fprintf(stderr, "tandem: %s%s%s\n", strstr(err.text, name) ? "" : name, strstr(err.text, name) ? "" : ": ", err.text);
	fflush(stdout);
	outcome_free(&p.out);
	str_free(&p.class);
	str_free(&p.report);
	unitcase_close(&p.unit);
	facts_close(&p.facts);
	arena_free(a);
	return status;
}

/* What all of them come to: the first of these that one of them has. */
static const struct rank {
	int status;
	const char *text;
} ranks[] = {
	{ CLI_INTERNAL, "failed to run" }, { CLI_USAGE, "not usable" }, { CLI_BUG, "with a bug" }, { CLI_MISMATCH, "different" },
	{ CLI_BUDGET, "without an answer" }, { CLI_CLEAN, NULL },
};

enum { RANKS = sizeof ranks / sizeof *ranks };

static int summary(const struct request *r, const size_t *counts)
{
	int worst = RANKS - 1;
	printf("%zu test cases: %zu %s", r->cases.count, counts[RANKS - 1], r->expect ? "as expected" : "without a bug");
	for (int i = RANKS - 2; i >= 0; i--) {
		if (counts[i])
			printf(", %zu %s", counts[i], ranks[i].text);
		worst = counts[i] ? i : worst;
	}
	putchar('\n');
	return ranks[worst].status;
}

int cmd_replay(int argc, char **argv)
{
	struct request r = { .seconds = 20 };
	size_t counts[RANKS] = {0};
	int status = CLI_CLEAN;
	r.words = cases_cut(&argc, argv, &r.words_count);
	argp_parse(&parser, argc, argv, 0, NULL, &r);
	bool several = r.cases.count > 1;
	r.quiet |= several;
	for (size_t i = 0; i < r.cases.count; i++) {
		status = replay_file(&r, r.cases.at[i]);
		for (int k = 0; k < RANKS; k++)
			counts[k] += ranks[k].status == status;
	}
	if (several && !r.json)
		status = summary(&r, counts);
	for (int k = 0; several && r.json && k < RANKS; k++)
		if (counts[k]) {
			status = ranks[k].status;
			break;
		}
	cases_free(&r.cases);
	free(r.gcov);
	return status;
}
