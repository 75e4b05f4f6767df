/* tandem cov: what test cases cover. Each is run once more, traced and in the sandbox, and the sides of all branches it took are counted: what was found when
 * a test was made may have been another build's. A test case that cannot be run is told and left out. */
#include "cli/cases.h"
#include "cli/cli.h"

#include "engine/runner.h"
#include "trace/coverage.h"

#include <argp.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct request {
	const char *lcov, *minset;
	bool json, each, missed, no_sandbox;
	char **program;   /* NULL: the one a test case names */
	size_t argc;
	struct cases cases;
};

enum { KEY_LCOV = 256, KEY_MINSET, KEY_JSON, KEY_EACH, KEY_MISSED, KEY_NO_SANDBOX };

static const struct argp_option options[] = {
	{ "lcov", KEY_LCOV, "FILE", 0, "write it in lcov's format, for genhtml and editors", 0 },
	{ "each", KEY_EACH, NULL, 0, "show also what each test case adds", 0 },
	{ "missed", KEY_MISSED, NULL, 0, "show also the sides never taken of branches that were reached", 0 },
	{ "minset", KEY_MINSET, "DIR", 0, "copy the test cases that add something to DIR: those first that add most", 0 },
	{ "json", KEY_JSON, NULL, 0, "write the table as JSON", 0 },
	{ "no-sandbox", KEY_NO_SANDBOX, NULL, 0, "run in the current directory, without containment", 0 },
	{ 0 },
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct request *r = state->input;
	struct err err = {0};
	switch (key) {
	case KEY_LCOV: r->lcov = arg; break;
	case KEY_MINSET: r->minset = arg; break;
	case KEY_JSON: r->json = true; break;
	case KEY_EACH: r->each = true; break;
	case KEY_MISSED: r->missed = true; break;
	case KEY_NO_SANDBOX: r->no_sandbox = true; break;
	case ARGP_KEY_ARG:
		if (!cases_add(&r->cases, arg, &err))
			argp_failure(state, CLI_USAGE, 0, "%s", err.text);
		break;
	case ARGP_KEY_NO_ARGS: argp_error(state, "which test cases?"); break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp parser = {
	.options = options, .parser = parse_option, .args_doc = "CASE... [-- PROGRAM]",
	.doc = "Runs test cases (files, or directories of *.tcase) on a program built with tandem cc and says which sides of its branches they take. "
	       "The program is the one the first test case names, unless another one is given.",
};

/* --- running --- */

struct run {
	struct casefile c;
	const char *path;
	uint32_t *edges;  /* those it took, for --minset */
	uint32_t count;
};

struct cov {
	const struct request *r;
	const char *program;
	struct facts facts;
	struct runner *runner;
	struct arena *arena;
	struct run *runs;
	size_t runs_count;
	struct coverage coverage;
};

static void remember_edges(struct cov *v, struct run *run, const uint8_t *taken, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		run->count += taken[i] != 0;
	run->edges = arena_alloc(v->arena, (run->count + 1) * sizeof *run->edges);
	for (uint32_t i = 0, n = 0; i < count; i++)
		if (taken[i])
			run->edges[n++] = i;
}

static void left_out(const char *path, const struct err *why)
{
	fprintf(stderr, "tandem: %s is left out: %s\n", path, why->text);
}

static void run_case(struct cov *v, const char *path)
{
	struct run run = { .path = path };
	struct outcome out;
	struct trace t;
	struct err err = {0};
	bool ran = cases_read(&run.c, path, v->arena, &err) && runner_run(v->runner, &run.c.input, &out, &t, &err);
	if (ran)
		outcome_free(&out);
	if (!ran || !t.header) {
		left_out(path, &err);
		return;
	}
	facts_learn(&v->facts, &t, cli_note, NULL);
	uint8_t *taken = coverage_taken(&t, &v->facts);
	uint32_t new = coverage_add(&v->coverage, taken, t.edges_count);
	if (v->r->minset)
		remember_edges(v, &run, taken, t.edges_count);
	free(taken);
	if (v->r->each)
		printf("%s: %" PRIu32 " new\n", path, new);
	v->runs[v->runs_count++] = run;
}

static bool open_all(struct cov *v, struct err *err)
{
	struct casefile first;
	v->program = v->r->program ? v->r->program[0] : NULL;
	if (!v->program && !cases_read(&first, v->r->cases.at[0], v->arena, err))
		return false;
	if (!v->program && !(v->program = first.program))
		return err_set(err, "%s does not name its program: say it behind --", v->r->cases.at[0]);
	struct runner_options o = { .program = v->program, .sandbox = !v->r->no_sandbox, .wall_ms = 10000, .nodes_max = 1 << 16, .events_max = 1 << 16 };
	return facts_open(&v->facts, v->program, err) && (v->runner = runner_open(&o, err));
}

/* --- telling --- */

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 100.0;
}

static void print_row(const char *name, const struct coverage_sum *s)
{
	printf("%8" PRIu64 " %8" PRIu64 " %6.1f%%  %6" PRIu64 "/%-6" PRIu64 " %6" PRIu64 "/%-6" PRIu64 " %s\n", s->sides_taken, s->sides, percent(s->sides_taken, s->sides),
	       s->selects_taken, s->selects, s->functions_reached, s->functions, name);
}

static void print_file(void *context, const char *path, const struct coverage_sum *s)
{
	(void)context;
	print_row(path, s);
}

static json_t *json_of(const struct coverage_sum *s)
{
	return json_pack("{s:I,s:I,s:I,s:I,s:I,s:I}", "branches", (json_int_t)s->sides, "branches_covered", (json_int_t)s->sides_taken, "selects", (json_int_t)s->selects,
	                 "selects_covered", (json_int_t)s->selects_taken, "functions", (json_int_t)s->functions, "functions_covered", (json_int_t)s->functions_reached);
}

static void add_file(void *context, const char *path, const struct coverage_sum *s)
{
	json_t *files = context, *file = json_of(s);
	json_t *name = json_string(path);
	json_object_set_new(file, "file", name ? name : json_null()); /* it need not be UTF-8 */
	json_array_append_new(files, file);
}

static void tell_json(struct cov *v)
{
	json_t *files = json_array();
	struct coverage_sum all = coverage_files(&v->coverage, &v->facts, add_file, files);
	json_t *top = json_of(&all);
	json_object_set_new(top, "cases", json_integer((json_int_t)v->runs_count));
	json_object_set_new(top, "files", files);
	json_dumpf(top, stdout, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
	putchar('\n');
	json_decref(top);
}

static bool tell(struct cov *v, struct err *err)
{
	if (v->r->json) {
		tell_json(v);
		return true;
	}
	printf("%8s %8s %7s  %13s %13s\n", "taken", "sides", "", "selects", "functions");
	struct coverage_sum all = coverage_files(&v->coverage, &v->facts, print_file, NULL);
	print_row("all", &all);
	printf("%zu of %zu test cases run\n", v->runs_count, v->r->cases.count);
	return !v->r->missed || coverage_missed(&v->coverage, &v->facts, stdout, err);
}

static bool write_lcov(struct cov *v, struct err *err)
{
	FILE *out = fopen(v->r->lcov, "w");
	if (!out)
		return err_errno(err, "cannot write %s", v->r->lcov);
	bool ok = coverage_lcov(&v->coverage, &v->facts, out, err);
	return (fclose(out) == 0 || err_errno(err, "cannot write %s", v->r->lcov)) && ok;
}

/* --- the smallest set, about --- */

static uint32_t adds(const struct run *run, const bool *seen)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < run->count; i++)
		n += !seen[run->edges[i]];
	return n;
}

static bool copy_case(struct cov *v, const struct run *run, struct cases *names, struct err *err)
{
	const char *path = arena_printf(v->arena, "%s/%s" CASEFILE_SUFFIX, v->r->minset, cases_name(names, run->path));
	return casefile_write(path, &run->c, err);
}

static bool write_minset(struct cov *v, struct err *err)
{
	bool *seen = arena_alloc(v->arena, v->coverage.count + 1), ok = cases_make_dir(v->r->minset, err);
	struct cases names = {0};
	while (ok) {
		struct run *best = NULL;
		uint32_t most = 0;
		for (size_t i = 0; i < v->runs_count; i++) {
			uint32_t n = adds(&v->runs[i], seen);
			best = n > most ? &v->runs[i] : best;
			most = n > most ? n : most;
		}
		if (!best)
			break;
		ok = copy_case(v, best, &names, err);
		for (uint32_t i = 0; i < best->count; i++)
			seen[best->edges[i]] = true;
	}
	if (ok && !v->r->json)
		printf("%zu test cases in %s\n", names.count, v->r->minset);
	cases_free(&names);
	return ok;
}

/* --- all together --- */

static int cover(struct cov *v)
{
	struct err err = {0};
	if (!open_all(v, &err))
		return cli_fail(CLI_USAGE, &err);
	v->runs = arena_alloc(v->arena, v->r->cases.count * sizeof *v->runs);
	for (size_t i = 0; i < v->r->cases.count; i++)
		run_case(v, v->r->cases.at[i]);
	bool ok = tell(v, &err) && (!v->r->lcov || write_lcov(v, &err)) && (!v->r->minset || write_minset(v, &err));
	if (!ok)
		return cli_fail(CLI_INTERNAL, &err);
	return v->runs_count == v->r->cases.count ? CLI_CLEAN : CLI_MISMATCH;
}

int cmd_cov(int argc, char **argv)
{
	struct request r = {0};
	struct cov v = { .r = &r, .arena = arena_new() };
	r.program = cases_cut(&argc, argv, &r.argc);
	argp_parse(&parser, argc, argv, 0, NULL, &r);
	int status = cover(&v);
	runner_close(v.runner);
	facts_close(&v.facts);
	coverage_free(&v.coverage);
	cases_free(&r.cases);
	arena_free(v.arena);
	return status;
}
