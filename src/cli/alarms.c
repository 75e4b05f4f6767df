/* See alarms.h. */
#include "cli/alarms.h"

#include "base/fs.h"
#include "base/str.h"
#include "cli/cases.h"
#include "cli/cli.h"
#include "cli/unitcase.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static bool is_kept(const struct alarms_options *o, const struct verdict_row *v)
{
	return v->kind != VERDICT_DROPPED && !(o->strict && v->kind == VERDICT_NO_CALL);
}

/* What is best founded comes first. */
static int by_verdict(const void *x, const void *y)
{
	const struct alarm *a = x, *b = y;
	if (a->verdict->kind != b->verdict->kind)
		return a->verdict->kind < b->verdict->kind ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

void alarms_list(const struct alarms_options *o, alarm_list *out)
{
	for (size_t i = 0; i < o->count; i++) {
		size_t count;
		const struct testing_row *rows = testing_rows(o->testing, o->functions[i], &count);
		for (size_t k = 0; k < count; k++) {
			size_t order = out->count;
			vec_push(out, (struct alarm){ .function = o->functions[i], .tested = rows[k].tested, .failure = rows[k].failure, .verdict = rows[k].verdict, .kept = is_kept(o, rows[k].verdict), .order = order });
		}
	}
	if (out->count)
		qsort(out->at, out->count, sizeof *out->at, by_verdict);
}

/* --- test cases --- */

static bool write_case(const struct alarms_options *o, struct alarm *a, const char *directory, struct arena *arena, struct err *err)
{
	const struct summary_failure *f = a->failure;
	struct recipe r = book_recipe(o->book, a->tested);
	struct casefile c = { .input = f->feed, .kind = CASE_BUG, .program = o->path, .bug = f->class, .place = *f->place ? f->place : NULL, .frames = f->frames, .frames_count = f->frames_count,
		.purpose = arena_printf(arena, "%s of tandem unit: %s", a->kept ? "an alarm" : "a failure that was dropped,", f->input) };
	struct str name = {0};
	str_printf(&name, "%.60s-%s-%016" PRIx64, o->program->functions[a->function].name, f->class, f->name);
	a->file = arena_printf(arena, "%s/%s" CASEFILE_SUFFIX, directory, cases_stem(str_text(&name), arena));
	str_free(&name);
	if (unit_program_is_main(o->program, a->tested))
		c.build = o->program->facts.modules[0].build;
	else
		unitcase_describe(&r, &c, arena);
	return casefile_write(a->file, &c, err);
}

bool alarms_write(const struct alarms_options *o, alarm_list *all, const char *out, struct arena *arena, struct err *err)
{
	const char *directories[] = { arena_printf(arena, "%s/dropped", out), arena_printf(arena, "%s/alarms", out) };
	for (size_t i = 0; i < all->count; i++)
		if (!cases_make_dir(directories[all->at[i].kept], err) || !write_case(o, &all->at[i], directories[all->at[i].kept], arena, err))
			return false;
	return true;
}

/* --- sums --- */

struct sums {
	uint64_t tested, untested, unreached, runs;
	uint64_t sides, by_tests, by_all;   /* of branches */
	double seconds, started_most;       /* of the processor, about; until the first run was over */
};

static uint64_t sides_taken(const struct coverage *c, const struct unit_program *p, uint64_t *sides)
{
	struct coverage_sum sum = coverage_files(c, &p->facts, NULL, NULL);
	*sides = sum.sides;
	return sum.sides_taken;
}

static void add_edges(struct coverage *c, const struct unit_program *p, const struct summary *s)
{
	uint8_t *taken = mem_alloc(p->facts.edges + 1u);
	for (size_t i = 0; i < s->edges_count; i++)
		if (s->edges[i] < p->facts.edges)
			taken[s->edges[i]] = 1;
	coverage_add(c, taken, p->facts.edges);
	free(taken);
}

static struct sums sum_up(const struct alarms_options *o)
{
	struct sums sums = {0};
	struct coverage units = {0};
	uint8_t *none = mem_alloc(o->program->facts.edges + 1u);
	coverage_add(&units, none, o->program->facts.edges);
	if (o->tests) {
		sums.by_tests = sides_taken(&o->tests->coverage, o->program, &sums.sides);
		for (uint32_t e = 0; e < o->tests->coverage.count && e < o->program->facts.edges; e++)
			none[e] = o->tests->coverage.runs[e] != 0;
		coverage_add(&units, none, o->program->facts.edges);
	}
	free(none);
	for (size_t i = 0; i < o->count; i++) {
		const struct summary *s = testing_summary(o->testing, o->functions[i]);
		if (!s)
			continue;
		sums.tested += !s->trouble;
		sums.untested += s->trouble != NULL;
		sums.unreached += o->tests && !profile_ran(o->tests->profile, o->functions[i]);
		sums.runs += s->runs;
		sums.seconds += s->seconds;
		sums.started_most = s->started > sums.started_most ? s->started : sums.started_most;
		add_edges(&units, o->program, s);
	}
	sums.by_all = sides_taken(&units, o->program, &sums.sides);
	coverage_free(&units);
	return sums;
}

struct class_count { const char *class; uint64_t before, after; };
typedef VEC(struct class_count) class_list;

static void count_classes(const alarm_list *all, class_list *out)
{
	for (size_t i = 0; i < all->count; i++) {
		const struct alarm *a = &all->at[i];
		size_t k = 0;
		while (k < out->count && strcmp(out->at[k].class, a->failure->class) != 0)
			k++;
		if (k == out->count)
			vec_push(out, (struct class_count){ .class = a->failure->class });
		out->at[k].before++;
		out->at[k].after += a->kept;
	}
}

/* --- text --- */

static const char *const words[VERDICT_KINDS] = {
	[VERDICT_SEEN] = "a caller's own run fails so",
	[VERDICT_POSSIBLE] = "it can be called so",
	[VERDICT_CONTEXTLESS] = "no context: it depends on nobody who calls it",
	[VERDICT_NO_CALL] = "not known whether it can be called so",
	[VERDICT_UNDECIDED] = "not decided whether it can be called so",
	[VERDICT_UNFILTERED] = "not held against its callers",
	[VERDICT_DROPPED] = "dropped: it is not called so",
};

static void tell_alarm(const struct alarm *a, FILE *to)
{
	const struct summary_failure *f = a->failure;
	fprintf(to, "%s: %s in %s\n  %s\n", a->kept ? "alarm" : "dropped", f->class, f->place, f->what);
	if (a->tested == a->function)
		fprintf(to, "  input: %s\n", f->input);
	if (*a->verdict->context)
		fprintf(to, "  context: %s\n", a->verdict->context);
	fprintf(to, "  %s", words[a->verdict->kind]);
	if (f->paths_seen)
		fprintf(to, "; %" PRIu64 " failing path%s", f->paths_seen, f->paths_seen == 1 ? "" : "s");
	fputc('\n', to);
	for (size_t i = 0; i < a->verdict->reasons_count && (a->verdict->kind >= VERDICT_NO_CALL); i++)
		fprintf(to, "    %s\n", a->verdict->reasons[i]);
	if (a->file) {
		struct str line = {0};
		cli_quote_shell(program_invocation_name, &line);
		str_add(&line, " replay ");
		cli_quote_shell(a->file, &line);
		fprintf(to, "  replay: %s\n", str_text(&line));
		str_free(&line);
	}
}

static void tell_troubles(const struct alarms_options *o, FILE *to)
{
	for (size_t i = 0; i < o->count; i++) {
		const struct summary *s = testing_summary(o->testing, o->functions[i]);
		const struct unit_function *f = &o->program->functions[o->functions[i]];
		if (s && s->trouble)
			fprintf(to, "not tested: %s at %s:%" PRIu32 ": %s\n", f->name, f->file, f->line, s->trouble);
	}
}

static void tell_sums(const struct alarms_options *o, const alarm_list *all, FILE *to)
{
	struct sums s = sum_up(o);
	uint64_t kept = 0;
	class_list classes = {0};
	for (size_t i = 0; i < all->count; i++)
		kept += all->at[i].kept;
	fprintf(to, "functions: %" PRIu64 " tested, %" PRIu64 " not", s.tested, s.untested);
	if (o->tests)
		fprintf(to, "; %" PRIu64 " that no test reaches: their units go by distance", s.unreached);
	fprintf(to, "\nunit tests: %" PRIu64 " in %.1f s\n", s.runs, o->seconds);
	fprintf(to, "branches: %" PRIu64 " of %" PRIu64 " sides", s.by_all, s.sides);
	if (o->tests)
		fprintf(to, ", by %" PRIu64 " system tests alone %" PRIu64, o->tests->runs, s.by_tests);
	fprintf(to, "\nalarms: %" PRIu64 " of %zu\n", kept, all->count);
	count_classes(all, &classes);
	for (size_t i = 0; i < classes.count; i++)
		fprintf(to, "  %s: %" PRIu64 " of %" PRIu64 "\n", classes.at[i].class, classes.at[i].after, classes.at[i].before);
	vec_free(&classes);
}

void alarms_text(const struct alarms_options *o, const alarm_list *all, FILE *to)
{
	for (size_t i = 0; i < all->count; i++)
		if (all->at[i].kept || o->all)
			tell_alarm(&all->at[i], to);
	tell_troubles(o, to);
	tell_sums(o, all, to);
}

/* --- JSON --- */

static json_t *json_of_texts(const char *const *texts, size_t count)
{
	json_t *list = json_array();
	for (size_t i = 0; i < count; i++)
		json_array_append_new(list, json_string_nocheck(texts[i]));
	return list;
}

static json_t *json_of_alarm(const struct alarms_options *o, const struct alarm *a)
{
	const struct unit_function *u = &o->program->functions[a->function];
	const struct summary_failure *f = a->failure;
	json_t *row = json_object();
	const char *const texts[][2] = {
		{ "class", f->class }, { "place", f->place }, { "function", u->name }, { "file", u->file }, { "what", f->what }, { "input", f->input },
		{ "verdict", verdict_names[a->verdict->kind] }, { "context", a->verdict->context }, { "case", a->file ? a->file : "" },
	};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		json_object_set_new_nocheck(row, texts[i][0], json_string_nocheck(texts[i][1]));
	json_object_set_new_nocheck(row, "kept", json_boolean(a->kept));
	json_object_set_new_nocheck(row, "paths", json_integer((json_int_t)f->paths_seen));
	json_object_set_new_nocheck(row, "run", json_integer((json_int_t)f->run));
	json_object_set_new_nocheck(row, "stack", json_of_texts(f->frames, f->frames_count));
	json_object_set_new_nocheck(row, "reasons", json_of_texts(a->verdict->reasons, a->verdict->reasons_count));
	return row;
}

/* By the name of whom it calls: how many paths that end there are known. */
static json_t *json_of_calls(const struct alarms_options *o, const struct summary *s)
{
	json_t *calls = json_object();
	for (size_t i = 0; i < s->calls_count; i++) {
		const char *callee = s->calls[i].callee < o->program->count ? o->program->functions[s->calls[i].callee].name : "?";
		json_int_t before = json_integer_value(json_object_get(calls, callee));
		json_object_set_new_nocheck(calls, callee, json_integer(before + 1));
	}
	return calls;
}

static json_t *json_of_function(const struct alarms_options *o, uint32_t function)
{
	const struct unit_function *u = &o->program->functions[function];
	const struct summary *s = testing_summary(o->testing, function);
	json_t *row = json_object();
	json_object_set_new_nocheck(row, "function", json_string_nocheck(u->name));
	json_object_set_new_nocheck(row, "file", json_string_nocheck(u->file));
	json_object_set_new_nocheck(row, "line", json_integer(u->line));
	if (!s)
		return row;
	json_object_set_new_nocheck(row, "runs", json_integer((json_int_t)s->runs));
	json_object_set_new_nocheck(row, "seconds", json_real(s->seconds));
	json_object_set_new_nocheck(row, "started", json_real(s->started));
	json_object_set_new_nocheck(row, "exhausted", json_boolean(s->exhausted));
	json_object_set_new_nocheck(row, "calls", json_of_calls(o, s));
	json_object_set_new_nocheck(row, "failures", json_integer((json_int_t)s->failures_count));
	if (s->trouble)
		json_object_set_new_nocheck(row, "trouble", json_string_nocheck(s->trouble));
	return row;
}

static json_t *json_of_sums(const struct alarms_options *o, const alarm_list *all)
{
	struct sums s = sum_up(o);
	class_list classes = {0};
	json_t *top = json_pack("{s:I,s:I,s:I,s:I,s:I,s:I,s:f,s:f,s:f}", "tested", (json_int_t)s.tested, "untested", (json_int_t)s.untested, "unreached", (json_int_t)s.unreached, "runs", (json_int_t)s.runs,
	                        "sides", (json_int_t)s.sides, "covered", (json_int_t)s.by_all, "seconds", o->seconds, "exploring", s.seconds, "start", s.started_most);
	if (o->tests) {
		json_object_set_new_nocheck(top, "tests", json_integer((json_int_t)o->tests->runs));
		json_object_set_new_nocheck(top, "covered_by_tests", json_integer((json_int_t)s.by_tests));
	}
	count_classes(all, &classes);
	json_t *kinds = json_object();
	for (size_t i = 0; i < classes.count; i++)
		json_object_set_new_nocheck(kinds, classes.at[i].class, json_pack("{s:I,s:I}", "before", (json_int_t)classes.at[i].before, "after", (json_int_t)classes.at[i].after));
	json_object_set_new_nocheck(top, "classes", kinds);
	vec_free(&classes);
	return top;
}

bool alarms_json(const struct alarms_options *o, const alarm_list *all, FILE *to)
{
	json_t *top = json_of_sums(o, all), *alarms = json_array(), *functions = json_array();
	for (size_t i = 0; i < all->count; i++)
		if (all->at[i].kept || o->all)
			json_array_append_new(alarms, json_of_alarm(o, &all->at[i]));
	for (size_t i = 0; i < o->count; i++)
		json_array_append_new(functions, json_of_function(o, o->functions[i]));
	json_object_set_new_nocheck(top, "alarms", alarms);
	json_object_set_new_nocheck(top, "functions", functions);
	int failed = json_dumpf(top, to, JSON_INDENT(1) | JSON_PRESERVE_ORDER | JSON_ENSURE_ASCII);
	json_decref(top);
	return !failed && fputc('\n', to) != EOF;
}
