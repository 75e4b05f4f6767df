/* tandem unit: every function of a program tested on its own. */
#include "cli/alarms.h"
#include "cli/cases.h"
#include "cli/changed.h"
#include "cli/cli.h"
#include "cli/systests.h"
#include "cli/testing.h"

#include "base/clock.h"
#include "base/str.h"
#include "search/search.h"
#include "search/weights.h"

#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OUT "tandem-unit"
#define JOBS_MAX 256
#define LINE_MAX_SHOWN 1000
#define CALLS_SHOWN 3
#define RELEVANT 0.3 /* of all pairs of functions that have to do with each other */

struct request {
	struct probe_options probe;
	double weights[WEIGHTS];      /* of a search that has them */
	struct book_options book_options;
	VEC(const char *) names, files;
	struct cases cases;
	const char *out, *since;
	char **command;               /* that runs tests; NULL: none */
	bool list, json, all, no_filter, strict, nulls, resume, no_progress, no_carving, searched, tested;
	unsigned jobs;
	/* what comes of it */
	struct unit_program program;
	struct systests tests;
	struct carving carving;
	struct book *book;
	VEC(uint32_t) functions;
	struct arena *arena;
	double start, told;
};

enum {
	KEY_TESTS = 256, KEY_FUNCTION, KEY_FILE, KEY_SINCE, KEY_UNIT, KEY_TAU, KEY_LIST, KEY_ALL, KEY_JSON, KEY_NO_FILTER, KEY_STRICT, KEY_NULLS, KEY_RESUME, KEY_NO_PROGRESS, KEY_TIME, KEY_EXECS, KEY_SEED, KEY_SEARCH,
	KEY_NO_SANDBOX, KEY_ELEMENTS, KEY_DEPTH, KEY_NO_ALIAS, KEY_NO_RANGES, KEY_NO_SIZES, KEY_NO_CARVING, KEY_ALL_RULES, KEY_RUN_TIME
};

static const struct argp_option options[] = {
	{ 0, 0, 0, 0, "What is tested", 1 },
	{ "tests", KEY_TESTS, "PATH", 0, "system tests: a test case, or a directory of them (recordings of tandem check). They say which functions depend on each other. May be repeated", 1 },
	{ "function", KEY_FUNCTION, "NAME", 0, "this function alone, FUNCTION or FILE.c:FUNCTION. May be repeated", 1 },
	{ "file", KEY_FILE, "FILE.c", 0, "functions of this file alone. May be repeated", 1 },
	{ "changed-since", KEY_SINCE, "REV", 0, "functions alone in whose units git says something has changed since this revision", 1 },
	{ "list", KEY_LIST, NULL, 0, "test nothing; tell which functions there are, what belongs to each and what cannot be tested, and why", 1 },
	{ 0, 0, 0, 0, "How", 2 },
	{ "time", KEY_TIME, "S", 0, "seconds for each function (default 180; 0: no limit)", 2 },
	{ "execs", KEY_EXECS, "N", 0, "runs for each function (default: no limit)", 2 },
	{ "run-time", KEY_RUN_TIME, "S", 0, "stop each run after S seconds (default 1)", 2 },
	{ "jobs", 'j', "N", 0, "test N functions at a time (default 1)", 2 },
	{ "seed", KEY_SEED, "N", 0, "of the random numbers (default 1)", 2 },
	{ "search", KEY_SEARCH, "NAME", 0, "which branch to try next (default auto); FILE.theta: by the weights in that file", 2 },
	{ "no-sandbox", KEY_NO_SANDBOX, NULL, 0, "run in the current directory, without containment", 2 },
	{ 0, 0, 0, 0, "Units, and what they are called with", 3 },
	{ "unit", KEY_UNIT, "KIND", 0, "what is run with a function: dependency (default), those it depends on; relevance, the 30 % that have most to do with it; distance:N, those up to N calls away; random, each with one half; alone, none, without heuristics or filter. All others are stubs", 3 },
	{ "tau", KEY_TAU, "P", 0, "a function depends on another if so much of the tests that run it say so (default 0.7)", 3 },
	{ "elements", KEY_ELEMENTS, "N", 0, "of what a pointer to characters or numbers leads to (default 16)", 3 },
	{ "depth", KEY_DEPTH, "N", 0, "pointers behind each other that lead to new objects (default 3)", 3 },
	{ "no-alias", KEY_NO_ALIAS, NULL, 0, "no two pointers lead to one object", 3 },
	{ "no-ranges", KEY_NO_RANGES, NULL, 0, "integers may be anything; else only what all of the program could ever put there", 3 },
	{ "no-pointer-sizes", KEY_NO_SIZES, NULL, 0, "integers that say by their name how many elements are behind a pointer need not be right, nor pointers that say that they are the end of another", 3 },
	{ "no-carving", KEY_NO_CARVING, NULL, 0, "begin with nothing, not with what functions are called with in system tests", 3 },
	{ 0, 0, 0, 0, "Alarms", 4 },
	{ "no-filter", KEY_NO_FILTER, NULL, 0, "do not hold failures against the callers: all are alarms", 4 },
	{ "strict-filter", KEY_STRICT, NULL, 0, "a failure is dropped too if a caller was never seen to make the call", 4 },
	{ "null-arguments", KEY_NULLS, NULL, 0, "where nobody was seen to make the call, a failure is kept too if it takes a null argument, or a pointer that is null or leads where another one does, though tests never saw it so", 4 },
	{ "all-rules", KEY_ALL_RULES, NULL, 0, "failures are also what is no crash: shifts by too much, absurd sizes of allocations, signed overflow (tandem cc --tandem-signed)", 4 },
	{ "all", KEY_ALL, NULL, 0, "tell what was dropped too, and why", 4 },
	{ "json", KEY_JSON, NULL, 0, "all of it as JSON on standard output", 4 },
	{ "out", 'o', "DIR", 0, "what comes of each function is kept there (default: " OUT ", or " OUT "-2 and so on if there is one)", 4 },
	{ "resume", KEY_RESUME, NULL, 0, "go on in that directory: what is known there is not done again", 4 },
	{ "no-progress", KEY_NO_PROGRESS, NULL, 0, "do not tell how it is going", 4 },
	{ 0 },
};

/* --- options --- */

/* As tools do it that know nothing of the program. */
static void choose_alone(struct request *r)
{
	r->book_options.scope.kind = SCOPE_ALONE;
	r->no_filter = r->no_carving = r->probe.plain = r->book_options.plan.no_ranges = r->book_options.plan.no_sizes = r->book_options.plan.no_ends = true;
	if (!r->searched)
		r->probe.search = search_find("dfs");
}

static void parse_kind(struct request *r, struct argp_state *state, const char *text)
{
	struct scope_options *scope = &r->book_options.scope;
	if (strcmp(text, "dependency") == 0) {
		scope->kind = SCOPE_DEPENDENCY;
	} else if (strcmp(text, "alone") == 0) {
		choose_alone(r);
	} else if (strncmp(text, "distance:", 9) == 0) {
		scope->kind = SCOPE_DISTANCE;
		scope->distance = (unsigned)cli_number(state, text + 9, 1000);
	} else if (strcmp(text, "relevance") == 0) {
		scope->kind = SCOPE_RELEVANCE;
	} else if (strcmp(text, "random") == 0) {
		scope->kind = SCOPE_RANDOM;
	} else {
		argp_error(state, "--unit %s: dependency, relevance, distance:N, random or alone", text);
	}
}

static void parse_tau(struct request *r, struct argp_state *state, const char *text)
{
	char *end;
	double *tau = &r->book_options.scope.tau;
	*tau = strtod(text, &end);
	if (end == text || *end || !(*tau > 0 && *tau <= 1))
		argp_error(state, "--tau %s: more than 0 and at most 1", text);
}

static void parse_search(struct request *r, struct argp_state *state, const char *text)
{
	struct err err = {0};
	r->probe.search = weights_choose(text, r->weights, &err);
	r->probe.weights = r->weights;
	r->searched = true;
	if (!r->probe.search)
		argp_failure(state, CLI_USAGE, 0, "%s", err.text);
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct request *r = state->input;
	struct err err = {0};
	switch (key) {
	case KEY_TESTS:
		r->tested = true;
		if (!cases_add(&r->cases, arg, &err))
			argp_failure(state, CLI_USAGE, 0, "%s", err.text);
		break;
	case KEY_FUNCTION: vec_push(&r->names, arg); break;
	case KEY_FILE: vec_push(&r->files, arg); break;
	case KEY_SINCE: r->since = arg; break;
	case KEY_UNIT: parse_kind(r, state, arg); break;
	case KEY_TAU: parse_tau(r, state, arg); break;
	case KEY_LIST: r->list = true; break;
	case KEY_ALL: r->all = true; break;
	case KEY_JSON: r->json = true; break;
	case KEY_NO_FILTER: r->no_filter = true; break;
	case KEY_STRICT: r->strict = true; break;
	case KEY_NULLS: r->nulls = true; break;
	case KEY_RESUME: r->resume = true; break;
	case KEY_NO_PROGRESS: r->no_progress = true; break;
	case KEY_TIME: r->probe.seconds = cli_seconds(state, arg); break;
	case KEY_EXECS: r->probe.execs = cli_number(state, arg, UINT64_MAX); break;
	case KEY_RUN_TIME: r->probe.wall_ms = (int)(cli_seconds(state, arg) * 1000); break;
	case KEY_SEED: r->probe.seed = cli_number(state, arg, UINT64_MAX); break;
	case KEY_SEARCH: parse_search(r, state, arg); break;
	case KEY_ELEMENTS: r->book_options.plan.elements = cli_number(state, arg, 4096); break;
	case KEY_DEPTH: r->book_options.plan.depth = (unsigned)cli_number(state, arg, 16); break;
	case KEY_NO_ALIAS: r->book_options.plan.no_alias = true; break;
	case KEY_NO_RANGES: r->book_options.plan.no_ranges = true; break;
	case KEY_NO_SIZES: r->book_options.plan.no_sizes = r->book_options.plan.no_ends = true; break;
	case KEY_ALL_RULES: r->probe.all_rules = true; break;
	case KEY_NO_CARVING: r->no_carving = true; break;
	case KEY_NO_SANDBOX: r->probe.sandbox = false; break;
	case 'j': r->jobs = (unsigned)cli_number(state, arg, JOBS_MAX); r->jobs += !r->jobs; break;
	case 'o': r->out = arg; break;
	case ARGP_KEY_ARG:
		if (r->probe.path)
			argp_error(state, "one program, without arguments; a command that runs its tests follows --");
		r->probe.path = arg;
		break;
	case ARGP_KEY_NO_ARGS: argp_error(state, "which program?"); break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp parser = {
	.options = options, .parser = parse_option, .args_doc = "PROGRAM [-- COMMAND...]",
	.doc = "Tests every function of PROGRAM, which was built with tandem cc -g, on its own: it is called with all that its types allow. What fails is held against the functions that call it; if they can call it so, it is an alarm. "
	       "COMMAND runs system tests, such as make check; they are recorded and used as with --tests.",
};

/* --- which functions --- */

static bool is_in_files(const struct request *r, const struct unit_function *f)
{
	for (size_t i = 0; i < r->files.count; i++) {
		size_t n = strlen(r->files.at[i]), length = strlen(f->file);
		if (length >= n && strcmp(f->file + length - n, r->files.at[i]) == 0 && (length == n || f->file[length - n - 1] == '/'))
			return true;
	}
	return !r->files.count;
}

static bool add_named(struct request *r, const char *name, struct err *err)
{
	uint32_t i = 0;
	if (!unit_program_find(&r->program, name, &i))
		return err_set(err, "%s has no function '%s'", r->probe.path, name);
	for (; unit_program_find(&r->program, name, &i); i++)
		vec_push(&r->functions, i);
	return true;
}

/* One that changed may be any that is really called. */
static bool is_wanted(struct request *r, uint32_t function, const bool *changed)
{
	const struct unit_function *f = &r->program.functions[function];
	bool wanted = f->block && !unit_program_is_main(&r->program, function) && is_in_files(r, f);
	if (!wanted || !r->since)
		return wanted;
	const bool *members = book_scope(r->book, function)->members;
	for (uint32_t i = 0; i < r->program.count; i++)
		if (members[i] && changed[i])
			return true;
	return false;
}

/* main is no unit: that is what tandem explore is for. */
static bool choose_functions(struct request *r, struct err *err)
{
	bool *changed = mem_alloc(r->program.count + 1u), ok = !r->since || changed_find(&r->program, r->since, changed, err);
	for (size_t i = 0; ok && i < r->names.count; i++)
		ok = add_named(r, r->names.at[i], err);
	for (uint32_t i = 0; ok && !r->names.count && i < r->program.count; i++)
		if (is_wanted(r, i, changed))
			vec_push(&r->functions, i);
	free(changed);
	if (ok && !r->functions.count && r->files.count && !r->since)
		return err_set(err, "%s has no functions of such a file", r->probe.path);
	return ok;
}

/* --- listing --- */

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
	puts(s->kind != r->book_options.scope.kind ? " (by distance: no test runs it)" : "");
	for (size_t i = 0; i < s->contexts_count; i++) {
		printf("  context: ");
		put_names(r, s->contexts[i].functions, s->contexts[i].count, " -> ");
		printf(" -> %s\n", r->program.functions[function].name);
	}
	if (s->contexts_cut)
		puts("  context: and more");
}

static const char *leaf_name(const struct plan_object *o, uint32_t offset)
{
	for (size_t i = 0; i < o->leaves_count; i++)
		if (o->leaves[i].offset == offset)
			return o->leaves[i].name;
	return o->name;
}

static void list_ranges(const struct plan *plan)
{
	bool any = false;
	for (size_t i = 0; i < plan->objects_count; i++)
		for (size_t k = 0; k < plan->objects[i].is.ranges; k++) {
			const struct td_unit_range *range = &plan->ranges[plan->objects[i].is.first_range + k];
			if (range->flags & TD_UNIT_NOT && range->lo) /* of a format */
				continue;
			printf("%s %s", any ? "," : "  values:", leaf_name(&plan->objects[i], range->offset));
			if (range->flags & TD_UNIT_NOT)
				printf(" not NULL");
			else
				printf(" %" PRId64 "..%" PRId64, range->lo, range->hi);
			any = true;
		}
	printf("%s", any ? "\n" : "");
}

static void put_called(const struct plan *plan, const char *function, const struct testcase *feed)
{
	struct str text = {0};
	struct plan_value *values = mem_alloc((feed->marks_count + 1) * sizeof *values);
	for (size_t i = 0; i < feed->marks_count; i++)
		values[i] = (struct plan_value){ feed->marks[i].bytes, feed->marks[i].size, feed->marks[i].name, NULL };
	plan_print(plan, function, values, feed->marks_count, &text);
	printf("  called: %.*s%s\n", LINE_MAX_SHOWN, str_text(&text), text.length > LINE_MAX_SHOWN ? "..." : "");
	free(values);
	str_free(&text);
}

/* What tests call it with. */
static void list_calls(const struct request *r, uint32_t function, const struct plan *plan)
{
	const struct carved *carved = r->carving.functions ? &r->carving.functions[function] : NULL;
	for (size_t i = 0; carved && i < carved->feeds.count && i < CALLS_SHOWN; i++)
		put_called(plan, r->program.functions[function].name, &carved->feeds.at[i]);
}

static void list_functions(struct request *r)
{
	for (size_t i = 0; i < r->functions.count; i++) {
		const struct unit_function *f = &r->program.functions[r->functions.at[i]];
		const char *why;
		const struct plan *plan = book_plan(r->book, r->functions.at[i], &why);
		printf("%s:%" PRIu32 ": %s", f->file, f->line, f->name);
		if (plan)
			printf(": %zu objects, %zu pointers\n", plan->objects_count, plan->slots_count);
		else
			printf(": cannot be tested: %s\n", why);
		if (plan)
			list_ranges(plan);
		list_scope(r, r->functions.at[i], book_scope(r->book, r->functions.at[i]));
		if (plan)
			list_calls(r, r->functions.at[i], plan);
	}
}

/* --- all of it --- */

static bool is_used(const char *directory)
{
	return access(directory, F_OK) == 0;
}

static void progress(void *context, const char *what, size_t done, size_t count)
{
	struct request *r = context;
	double now = clock_seconds();
	if (r->no_progress || (done < count && now < r->told + (isatty(STDERR_FILENO) ? 0.2 : 10)))
		return;
	r->told = now;
	fprintf(stderr, isatty(STDERR_FILENO) ? "\r%zu of %zu %s%s" : "%zu of %zu %s%s", done, count, what, isatty(STDERR_FILENO) && done < count ? "" : "\n");
}

/* All that decides what comes of a function, besides its code and plan. */
static struct digest options_key(const struct request *r)
{
	const struct probe_options *p = &r->probe;
	const uint64_t numbers[] = { p->seed, p->execs, (uint64_t)(p->seconds * 1000), (uint64_t)p->wall_ms, p->memory, p->sandbox, p->plain, p->all_rules, r->no_carving, TD_VERSION };
	struct digest d = digest_bytes(digest_of('o'), p->search->name, strlen(p->search->name));
	if (p->search->weighed)
		d = digest_bytes(d, r->weights, sizeof r->weights);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		d = digest_add(d, numbers[i]);
	for (size_t i = 0; i < r->tests.feeds.count; i++)
		d = digest_add(d, testcase_hash(&r->tests.feeds.at[i]));
	return d;
}

static int test_all(struct request *r, struct err *err)
{
	r->probe.wanted = r->functions.at;
	r->probe.wanted_count = r->functions.count;
	struct testing_options o = { .probe = r->probe, .directory = r->out, .jobs = r->jobs, .filter = !r->no_filter, .nulls = r->nulls, .key = options_key(r), .progress = progress, .context = r };
	struct testing *t = testing_new(&o, err);
	if (!t)
		return cli_fail(CLI_USAGE, err);
	bool ok = testing_run(t, r->functions.at, r->functions.count, err);
	struct alarms_options a = {
		.testing = t, .program = &r->program, .book = r->book, .path = r->probe.path, .functions = r->functions.at, .count = r->functions.count, .tests = r->tested ? &r->tests : NULL,
		.all = r->all, .strict = r->strict, .seconds = clock_seconds() - r->start,
	};
	alarm_list alarms = {0};
	size_t kept = 0;
	if (ok)
		alarms_list(&a, &alarms);
	ok = ok && alarms_write(&a, &alarms, r->out, r->arena, err);
	for (size_t i = 0; i < alarms.count; i++)
		kept += alarms.at[i].kept;
	if (ok && r->json)
		alarms_json(&a, &alarms, stdout);
	else if (ok)
		alarms_text(&a, &alarms, stdout);
	vec_free(&alarms);
	testing_free(t);
	return !ok ? cli_fail(CLI_INTERNAL, err) : kept ? CLI_BUG : cli_stopped ? CLI_BUDGET : CLI_CLEAN;
}

static bool prepare(struct request *r, struct err *err)
{
	if (!unit_program_open(&r->program, r->probe.path, err))
		return false;
	r->probe.program = &r->program;
	r->probe.stop = &cli_stopped;
	if (r->command) {
		const char *to = arena_printf(r->arena, "%s/suite", r->out);
		if (!cases_make_dir(r->out, err) || !systests_record(r->command, to, err) || !cases_add(&r->cases, to, err))
			return false;
		r->tested = true;
	}
	if (r->tested && !systests_run(&r->tests, &r->program, r->probe.path, &r->cases, r->probe.sandbox, r->arena, err))
		return false;
	r->book_options.scope.profile = r->tests.profile;
	r->book_options.scope.seed = r->probe.seed;
	if (r->book_options.scope.kind == SCOPE_RELEVANCE && r->tested)
		r->book_options.scope.relevance = profile_relevance_of(r->tests.profile, RELEVANT);
	r->probe.tests = r->tests.feeds.at;
	r->probe.tests_count = r->tests.feeds.count;
	r->probe.book = r->book = book_new(&r->program, &r->book_options);
	return choose_functions(r, err);
}

/* Of all functions: their callers begin so too. */
static bool carve(struct request *r, struct err *err)
{
	VEC(uint32_t) own = {0};
	struct carving_options o = { .program = &r->program, .book = r->book, .tests = &r->tests, .path = r->probe.path, .sandbox = r->probe.sandbox, .arena = r->arena };
	for (uint32_t i = 0; i < r->program.count; i++)
		if (r->program.functions[i].block && profile_ran(r->tests.profile, i))
			vec_push(&own, i);
	bool ok = carving_run(&r->carving, &o, own.at, own.count, err);
	vec_free(&own);
	r->probe.carving = &r->carving;
	if (r->carving.strangers)
		fprintf(stderr, "tandem unit: note: %" PRIu64 " integers in system tests are not within what was computed of them (--no-ranges does without)\n", r->carving.strangers);
	return ok;
}

static int run(struct request *r)
{
	struct err err = {0};
	struct str out = {0};
	if (!r->out)
		r->out = arena_strdup(r->arena, cli_directory(OUT, is_used, r->resume, &out));
	str_free(&out);
	cli_catch_signals();
	if (!prepare(r, &err))
		return cli_fail(CLI_USAGE, &err);
	if (r->tested && !r->json)
		printf("profile: %" PRIu64 " runs\n", r->tests.runs);
	if (r->tests.failed || r->tests.others)
		fprintf(stderr, "tandem unit: note: of the test cases %" PRIu64 " are another program's, and %" PRIu64 " could not be run\n", r->tests.others, r->tests.failed);
	if (r->tested && !r->no_carving && !carve(r, &err))
		return cli_fail(CLI_USAGE, &err);
	if (r->list) {
		list_functions(r);
		return CLI_CLEAN;
	}
	return test_all(r, &err);
}

int cmd_unit(int argc, char **argv)
{
	size_t words;
	struct request r = {
		.book_options = { .scope = { .tau = 0.7, .distance = 3 }, .plan = PLAN_DEFAULT },
		.probe = { .search = search_table[0], .seed = 1, .seconds = 180, .wall_ms = 1000, .memory = 512ull << 20, .sandbox = true },
		.arena = arena_new(), .jobs = 1, .start = clock_seconds(),
	};
	r.command = cases_cut(&argc, argv, &words);
	argp_parse(&parser, argc, argv, 0, NULL, &r);
	int status = run(&r);
	book_free(r.book);
	carving_free(&r.carving);
	systests_free(&r.tests);
	unit_program_close(&r.program);
	cases_free(&r.cases);
	vec_free(&r.names);
	vec_free(&r.files);
	vec_free(&r.functions);
	arena_free(r.arena);
	return status;
}
