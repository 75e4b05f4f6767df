/* tandem unit: which functions, in what order, and what is told; probe.c tests one of them. */
#include "cli/cases.h"
#include "cli/cli.h"
#include "cli/probe.h"
#include "engine/runner.h"
#include "search/search.h"

#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct request {
	const char *path;
	struct cases tests;
	VEC(const char *) functions;
	struct scope_options scope;
	struct probe_options probe;
	bool list, tested;
	struct unit_program program;
	struct profile *profile;
	struct arena *arena;
	/* sums */
	uint64_t functions_tested, functions_failed, alarms, others, runs;
};

enum { KEY_TESTS = 256, KEY_FUNCTION, KEY_UNIT, KEY_TAU, KEY_LIST, KEY_TIME, KEY_EXECS, KEY_SEED, KEY_SEARCH, KEY_NO_SANDBOX, KEY_ELEMENTS, KEY_DEPTH, KEY_NO_ALIAS, KEY_RUN_TIME };

static const struct argp_option options[] = {
	{ "tests", KEY_TESTS, "PATH", 0, "system tests: a test case, or a directory of them (a recording of tandem check). They say which functions depend on each other. May be repeated", 0 },
	{ "function", KEY_FUNCTION, "NAME", 0, "test this function alone, FUNCTION or FILE.c:FUNCTION. May be repeated", 0 },
	{ "unit", KEY_UNIT, "KIND", 0, "what is run with a function: dependency (default), those it depends on; distance:N, those up to N calls away; alone, none. All others are stubs", 0 },
	{ "tau", KEY_TAU, "P", 0, "a function depends on another if so much of the tests that run it say so (default 0.7)", 0 },
	{ "list", KEY_LIST, NULL, 0, "test nothing; tell which functions there are, what belongs to each and what cannot be tested, and why", 0 },
	{ "time", KEY_TIME, "S", 0, "seconds for each function (default 180; 0: no limit)", 0 },
	{ "execs", KEY_EXECS, "N", 0, "runs for each function (default: no limit)", 0 },
	{ "run-time", KEY_RUN_TIME, "S", 0, "stop each run after S seconds (default 1)", 0 },
	{ "seed", KEY_SEED, "N", 0, "of the random numbers (default 1)", 0 },
	{ "search", KEY_SEARCH, "NAME", 0, "which branch to try next (default auto)", 0 },
	{ "elements", KEY_ELEMENTS, "N", 0, "of what a pointer to characters or numbers leads to (default 16)", 0 },
	{ "depth", KEY_DEPTH, "N", 0, "pointers behind each other that lead to new objects (default 3)", 0 },
	{ "no-alias", KEY_NO_ALIAS, NULL, 0, "no two pointers lead to one object", 0 },
	{ "no-sandbox", KEY_NO_SANDBOX, NULL, 0, "run in the current directory, without containment", 0 },
	{ 0 },
};

/* --- options --- */

static void parse_kind(struct request *r, struct argp_state *state, const char *text)
{
	if (strcmp(text, "dependency") == 0) {
		r->scope.kind = SCOPE_DEPENDENCY;
	} else if (strcmp(text, "alone") == 0) {
		r->scope.kind = SCOPE_ALONE;
	} else if (strncmp(text, "distance:", 9) == 0) {
		r->scope.kind = SCOPE_DISTANCE;
		r->scope.distance = (unsigned)cli_number(state, text + 9, 1000);
	} else {
		argp_error(state, "--unit %s: dependency, distance:N or alone", text);
	}
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct request *r = state->input;
	struct err err = {0};
	char *end;
	switch (key) {
	case KEY_TESTS:
		if (!cases_add(&r->tests, arg, &err))
			argp_failure(state, CLI_USAGE, 0, "%s", err.text);
		r->tested = true;
		break;
	case KEY_FUNCTION: vec_push(&r->functions, arg); break;
	case KEY_UNIT: parse_kind(r, state, arg); break;
	case KEY_TAU:
		r->scope.tau = strtod(arg, &end);
		if (end == arg || *end || !(r->scope.tau > 0 && r->scope.tau <= 1))
			argp_error(state, "--tau %s: more than 0 and at most 1", arg);
		break;
	case KEY_LIST: r->list = true; break;
	case KEY_TIME: r->probe.seconds = cli_seconds(state, arg); break;
	case KEY_EXECS: r->probe.execs = cli_number(state, arg, UINT64_MAX); break;
	case KEY_RUN_TIME: r->probe.wall_ms = (int)(cli_seconds(state, arg) * 1000); break;
	case KEY_SEED: r->probe.seed = cli_number(state, arg, UINT64_MAX); break;
	case KEY_SEARCH:
		r->probe.search = search_find(arg);
		if (!r->probe.search || r->probe.search->weighed)
			argp_error(state, "no search is called '%s'", arg);
		break;
	case KEY_ELEMENTS: r->probe.plan.elements = cli_number(state, arg, 4096); break;
	case KEY_DEPTH: r->probe.plan.depth = (unsigned)cli_number(state, arg, 16); break;
	case KEY_NO_ALIAS: r->probe.plan.no_alias = true; break;
	case KEY_NO_SANDBOX: r->probe.sandbox = false; break;
	case ARGP_KEY_ARG:
		if (r->path)
			argp_error(state, "one program, without arguments");
		r->path = arg;
		break;
	case ARGP_KEY_NO_ARGS: argp_error(state, "which program?"); break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp parser = {
	.options = options, .parser = parse_option, .args_doc = "PROGRAM",
	.doc = "Tests every function of PROGRAM, which was built with tandem cc -g, on its own: it is called with all that its types allow. What fails is an alarm, with the input that does it.",
};

/* --- the profile --- */

static bool profile_case(struct request *r, struct runner *runner, const char *path, struct err *err)
{
	struct casefile c;
	struct outcome out;
	struct trace t;
	if (!casefile_read(&c, path, r->arena, err) || !runner_run(runner, &c.input, &out, &t, err))
		return false;
	outcome_free(&out);
	if (t.header)
		profile_add(r->profile, &t);
	return true;
}

static bool make_profile(struct request *r, struct err *err)
{
	struct runner_options o = { .program = r->path, .flags = TD_CALLS, .sandbox = r->probe.sandbox, .wall_ms = 10000 };
	struct runner *runner = runner_open(&o, err);
	bool ok = runner;
	r->profile = profile_new(&r->program);
	for (size_t i = 0; ok && i < r->tests.count && !cli_stopped; i++)
		ok = profile_case(r, runner, r->tests.at[i], err);
	runner_close(runner);
	r->scope.profile = r->profile;
	return ok;
}

/* --- telling --- */

static void put_names(const struct request *r, const uint32_t *functions, size_t count, const char *between)
{
	for (size_t i = 0; i < count; i++)
		printf("%s%s", i ? between : "", r->program.functions[functions[i]].name);
}

static void list_scope(const struct request *r, uint32_t function, const struct scope *s)
{
	printf("  unit:");
	for (uint32_t i = 0; i < r->program.count; i++)
		if (s->members[i])
			printf(" %s", r->program.functions[i].name);
	if (s->stubs_count) {
		printf("; stubs: ");
		put_names(r, s->stubs, s->stubs_count, " ");
	}
	puts(s->kind == SCOPE_DISTANCE && r->scope.kind != SCOPE_DISTANCE ? " (by distance: no test runs it)" : "");
	for (size_t i = 0; i < s->contexts_count; i++) {
		printf("  context: ");
		put_names(r, s->contexts[i].functions, s->contexts[i].count, " -> ");
		printf(" -> %s\n", r->program.functions[function].name);
	}
	if (s->contexts_cut)
		puts("  context: and more");
}

static void list_function(struct request *r, uint32_t function)
{
	const struct unit_function *f = &r->program.functions[function];
	struct scope s = scope_find(&r->program, function, &r->scope, r->arena);
	struct recipe recipe = { .program = &r->program, .function = function, .members = s.members, .options = r->probe.plan };
	struct plan plan;
	struct err err = {0};
	printf("%s:%" PRIu32 ": %s", f->file, f->line, f->name);
	if (recipe_plan(&recipe, r->arena, &plan, &err))
		printf(": %zu objects, %zu pointers\n", plan.objects_count, plan.slots_count);
	else
		printf(": cannot be tested: %s\n", err.text);
	list_scope(r, function, &s);
}

static void tell_alarm(const struct alarm_row *a)
{
	printf("alarm: %s in %s\n  %s\n  input: %s\n", a->class, a->place, a->what, a->input);
}

static void tell_function(const struct request *r, uint32_t function, const struct probe_result *p)
{
	const struct unit_function *f = &r->program.functions[function];
	for (size_t i = 0; i < p->alarms.count; i++)
		tell_alarm(&p->alarms.at[i]);
	printf("%s:%" PRIu32 ": %s: %" PRIu64 " runs in %.1f s, %zu alarms%s\n", f->file, f->line, f->name, p->stats.runs, p->stats.seconds, p->alarms.count, p->stats.exhausted ? ", all was tried" : "");
	fflush(stdout);
}

/* --- all of them --- */

static void test_function(struct request *r, uint32_t function)
{
	struct arena *arena = arena_new();
	struct scope s = scope_find(&r->program, function, &r->scope, arena);
	const struct unit_function *f = &r->program.functions[function];
	struct probe_result p = {0};
	struct err err = {0};
	if (probe(&r->probe, function, &s, arena, &p, &err)) {
		tell_function(r, function, &p);
		r->functions_tested++;
		r->alarms += p.alarms.count;
		r->others += p.others;
		r->runs += p.stats.runs;
	} else {
		printf("%s:%" PRIu32 ": %s: cannot be tested: %s\n", f->file, f->line, f->name, err.text);
		r->functions_failed++;
	}
	probe_free(&p);
	arena_free(arena);
}

static bool is_main(const struct unit_function *f)
{
	return strcmp(f->name, "__td_main") == 0 || strcmp(f->name, "main") == 0;
}

static bool each(struct request *r, void (*visit)(struct request *r, uint32_t function), struct err *err)
{
	for (uint32_t i = 0; !r->functions.count && i < r->program.count && !cli_stopped; i++)
		if (r->program.functions[i].block && !is_main(&r->program.functions[i]))
			visit(r, i);
	for (size_t k = 0; k < r->functions.count && !cli_stopped; k++) {
		uint32_t i = 0;
		if (!unit_program_find(&r->program, r->functions.at[k], &i))
			return err_set(err, "%s has no function '%s'", r->path, r->functions.at[k]);
		for (; unit_program_find(&r->program, r->functions.at[k], &i); i++)
			visit(r, i);
	}
	return true;
}

static int run(struct request *r)
{
	struct err err = {0};
	if (!unit_program_open(&r->program, r->path, &err))
		return cli_fail(CLI_USAGE, &err);
	r->probe.path = r->path;
	r->probe.program = &r->program;
	r->probe.stop = &cli_stopped;
	cli_catch_signals();
	if (r->tested && !make_profile(r, &err))
		return cli_fail(CLI_USAGE, &err);
	if (r->profile)
		printf("profile: %" PRIu64 " runs\n", profile_runs(r->profile));
	if (!each(r, r->list ? list_function : test_function, &err))
		return cli_fail(CLI_USAGE, &err);
	if (!r->list)
		printf("functions: %" PRIu64 " tested, %" PRIu64 " not; %" PRIu64 " runs; %" PRIu64 " alarms\n", r->functions_tested, r->functions_failed, r->runs, r->alarms);
	return r->alarms ? CLI_BUG : CLI_CLEAN;
}

int cmd_unit(int argc, char **argv)
{
	struct request r = {
		.scope = { .tau = 0.7, .distance = 3 },
		.probe = { .search = search_table[0], .plan = PLAN_DEFAULT, .seed = 1, .seconds = 180, .wall_ms = 1000, .memory = 512ull << 20, .sandbox = true },
		.arena = arena_new(),
	};
	argp_parse(&parser, argc, argv, 0, NULL, &r);
	int status = run(&r);
	profile_free(r.profile);
	unit_program_close(&r.program);
	cases_free(&r.tests);
	vec_free(&r.functions);
	arena_free(r.arena);
	return status;
}
