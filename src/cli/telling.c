/* What explore tells: bugs (story.c) and tests, each in a file as soon as it is found, and the sums at the end. */
#include "cli/telling.h"

#include "cli/cases.h"
#include "cli/cli.h"
#include "cli/status.h"
#include "cli/story.h"
#include "cli/told.h"

#include "run/target.h"
#include "store/campaign.h"
#include "trace/facts.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* --- findings --- */

void telling_put_input(const struct testcase *f, struct str *out)
{
	str_add(out, "stdin = ");
	cli_quote_c(f->bytes, f->size, 120, out);
	for (size_t i = 1; i < f->args_count; i++) {
		str_printf(out, ", argv[%zu] = ", i);
		cli_quote_c(f->args[i], strlen(f->args[i]), 60, out);
	}
	for (size_t i = 0; i < f->env_count; i++) {
		size_t name = strcspn(f->env[i], "=");
		str_printf(out, ", $%.*s", (int)name, f->env[i]);
		str_add(out, f->env[i][name] ? " = " : " not set");
		if (f->env[i][name])
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

void telling_bug(void *context, const struct finding *f)
{
	struct telling *r = context;
	struct arena *a = arena_new();
	struct told t = story_of(r, f, a);
	r->take(r, &t);
	arena_free(a);
}

const char *telling_test_file(const struct telling *r, const struct testcase *t)
{
	return t && r->tests ? r->test_files[t - r->tests] : NULL;
}

void telling_again(void *context, const struct finding *f)
{
	struct telling *r = context;
	r->take(r, &(struct told){ .kind = TOLD_AGAIN, .name = f->name, .test = telling_test_file(r, f->test), .distance = f->distance, .depth = f->depth });
}

/* --- tests --- */

/* An edge as other sessions know it: libraries may turn up in another order. */
static struct campaign_edge edge_name(const struct facts *f, uint32_t edge)
{
	const struct facts_module *m = facts_module(f, edge);
	return (struct campaign_edge){ .build = m->build, .edge = edge - m->first_edge };
}

void telling_test(void *context, const struct novelty *n)
{
	struct telling *r = context;
	struct arena *a = arena_new();
	struct str content = {0};
	struct campaign_edge *edges = arena_alloc(a, (n->sides + 1) * sizeof *edges);
	for (uint32_t i = 0; i < n->sides; i++)
		edges[i] = edge_name(n->facts, n->edges[i]);
	struct casefile c = {
		.input = *n->feed, .kind = CASE_PATH, .program = r->program, .build = n->facts->modules[0].build, .parent = n->parent_hash,
		.purpose = arena_printf(a, "the first to take %" PRIu32 " side%s of branches, run %" PRIu64, n->sides, n->sides == 1 ? "" : "s", n->runs),
	};
	if (n->bug)
		story_describe(n->bug, &c, a);
	if (n->end) {
		c.end = n->end->kind == OUTCOME_EXIT ? CASE_END_EXIT : CASE_END_SIGNAL;
		c.code = n->end->kind == OUTCOME_EXIT ? n->end->code : n->end->signal;
	}
	casefile_print(&c, &content);
	struct told t = { .hash = testcase_hash(n->feed), .parent = n->parent_hash, .run = n->runs, .content = str_text(&content), .size = content.length, .edges = edges, .edges_count = n->sides };
	t.file = arena_printf(a, "tests/%06" PRIu64 "-%016" PRIx64 CASEFILE_SUFFIX, t.run, t.hash);
	r->take(r, &t);
	str_free(&content);
	arena_free(a);
}

/* --- keeping --- */

/* What was found is found all the same. */
static void not_saved(struct telling *r, const struct err *why)
{
	if (!r->unsaved)
		cli_fail(CLI_INTERNAL, why);
	r->unsaved = true;
}

void telling_keep(struct telling *r, const struct told *t)
{
	struct err err = {0};
	bool kept = told_keep(t, r->out, r->campaign, &err);
	if (!kept)
		not_saved(r, &err);
	if (t->kind != TOLD_BUG)
		return;
	status_clear(r->status);
	fprintf(r->to, "%s\n", t->line);
	if (kept)
		fprintf(r->to, "%s\n", t->more);
	fflush(r->to);
}

/* --- on the way --- */

void telling_run(void *context, uint64_t hash)
{
	struct telling *r = context;
	struct err err = {0};
	if (r->log)
		fprintf(r->log, "%016" PRIx64 "\n", hash);
	if (!campaign_add_run(r->campaign, hash, &err))
		not_saved(r, &err);
}

void telling_answer(void *context, uint64_t key, uint8_t state)
{
	struct telling *r = context;
	struct err err = {0};
	if (!campaign_add_flip(r->campaign, &(struct campaign_flip){ key, state }, &err))
		not_saved(r, &err);
}

void telling_left(void *context, const struct testcase *t)
{
	struct telling *r = context;
	struct err err = {0};
	struct str text = {0};
	if (t)
		casefile_print(&(struct casefile){ .input = *t, .kind = CASE_SEED }, &text);
	if (!campaign_leave(r->campaign, t ? str_text(&text) : NULL, text.length, &err))
		not_saved(r, &err);
	str_free(&text);
}

static char *text_of(json_t *value)
{
	char *text = json_dumps(value, JSON_PRESERVE_ORDER | JSON_COMPACT);
	json_decref(value);
	return text;
}

static void keep_counts(struct telling *r, const struct engine_stats *s)
{
	struct err err = {0};
	char *text = text_of(telling_stats(s));
	if (!campaign_set_session(r->campaign, s->runs, s->seconds, text ? text : "{}", &err) || !campaign_flush(r->campaign, &err))
		not_saved(r, &err);
	free(text);
}

void telling_tick(void *context, const struct engine_stats *s)
{
	struct telling *r = context;
	keep_counts(r, s);
	status_show(r->status, s);
}

void telling_end(struct telling *r, const struct engine_stats *s)
{
	status_clear(r->status);
	keep_counts(r, s);
}

/* --- the end --- */

static void put_if(const char *text, uint64_t n)
{
	if (n)
		printf(", %" PRIu64 " %s", n, text);
}

/* What the search did, besides running. */
static void summary_of_search(const char *search, const struct engine_stats *s)
{
	printf("search %s: %" PRIu64 " restarts, %" PRIu64 " flips refuted, %" PRIu64 " given up, %" PRIu64 " divergences, %" PRIu64 " repeats, %" PRIu64
	       " known, %" PRIu64 " not tried", search, s->restarts, s->unsat, s->unknown, s->divergences, s->repeats, s->known, s->open);
	put_if("leaps", s->leaps);
	put_if("of them good", s->leaps_fresh);
	put_if("runs repeated for their trace", s->reruns);
	put_if("traces dropped", s->traces_dropped);
	put_if("paths dropped", s->walks_dropped);
	put_if("inputs dropped", s->inputs_dropped);
	put_if("flips left out", s->choices_dropped);
	putchar('\n');
}

static void summary_of_solver(const struct solver_stats *s)
{
	if (!s->queries)
		return;
	printf("solver: %" PRIu64 " queries", s->queries);
	for (unsigned i = 0; i < SOLVER_STAGES; i++)
		put_if(solver_stage_name((enum solver_stage)i), s->stages[i].sat + s->stages[i].unsat);
	putchar('\n');
}

void telling_summary(const struct engine_stats *s, const char *search)
{
	printf("%" PRIu64 " runs in %.2f s (%.0f runs/s), %" PRIu64 " of %" PRIu64 " sides of branches taken, %" PRIu64
	       " solver calls, %" PRIu64 " divergences", s->runs, s->seconds, (double)s->runs / (s->seconds > 1e-9 ? s->seconds : 1e-9),
	       s->edges_seen, s->edges, s->solver_calls, s->divergences);
	put_if("of them of uncertain models", s->strays);
	put_if("conditions violated on purpose", s->violations);
	put_if("of them unreported", s->unmet);
	put_if("flips given up", s->unknown);
	put_if("optimistic models", s->optimistic);
	put_if("bugs", s->bugs > 1 ? s->bugs : 0);
	put_if("runs into a known bug", s->same_bugs);
	put_if("runs to make inputs of bugs smaller", s->minimising);
	put_if("timeouts", s->timeouts);
	put_if("that may hang were not looked into for lack of time", s->suspects);
	put_if("unreadable traces", s->garbled);
	put_if("findings that a second run did not repeat", s->unconfirmed);
	putchar('\n');
	summary_of_solver(&s->solver);
	summary_of_search(search, s);
	if (!s->sat && !s->unsat && !s->unknown && !s->open)
		puts("nothing to be solved: no branch of these runs depended on the input. Does the program read what it was given (--stdin, --file, --args)? `tandem trace` shows what becomes of it");
	if (s->solver_errors)
		fprintf(stderr, "tandem: %" PRIu64 " queries failed, the first one: %s\n", s->solver_errors, s->trouble);
}

/* --- for programs --- */

static json_t *json_of_stages(const struct solver_stats *s)
{
	json_t *stages = json_object();
	for (unsigned i = 0; i < SOLVER_STAGES; i++)
		json_object_set_new(stages, solver_stage_name((enum solver_stage)i),
		                    json_pack("{s:I,s:I,s:I}", "asked", (json_int_t)s->stages[i].asked, "sat", (json_int_t)s->stages[i].sat, "unsat", (json_int_t)s->stages[i].unsat));
	return stages;
}

json_t *telling_stats(const struct engine_stats *s)
{
	json_t *top = json_object();
#define STAT(name, text) json_object_set_new(top, #name, json_integer((json_int_t)s->name));
	ENGINE_STAT_TABLE(STAT)
#undef STAT
	json_object_set_new(top, "branches_covered", json_integer((json_int_t)s->edges_seen));
	json_object_set_new(top, "branches_total", json_integer((json_int_t)s->edges));
	json_object_set_new(top, "seconds", json_real(s->seconds));
	json_object_set_new(top, "exhausted", json_boolean(s->exhausted));
	json_object_set_new(top, "queries", json_integer((json_int_t)s->solver.queries));
	json_object_set_new(top, "stages", json_of_stages(&s->solver));
	return top;
}

void telling_json(const struct engine_stats *s, const char *search)
{
	json_t *top = telling_stats(s);
	json_object_set_new(top, "search", json_string(search));
	json_dumpf(top, stdout, JSON_PRESERVE_ORDER);
	putchar('\n');
	json_decref(top);
}
