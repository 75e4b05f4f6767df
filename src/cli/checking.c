/* Each program is a campaign of its own, in a directory of its own, explored by the search `near` from its recordings. Those with the fewest tests come first, and what time they leave is for the others. Who goes
 * on runs the recordings again; what was refuted then is not asked again, and bugs are not told again. */
#include "cli/checking.h"

#include "cli/cases.h"
#include "cli/cli.h"
#include "cli/session.h"
#include "cli/status.h"
#include "cli/team.h"
#include "cli/telling.h"
#include "base/clock.h"
#include "base/rng.h"
#include "contract/trace.h"
#include "search/search.h"
#include "search/walk.h"
#include "testcase/casefile.h"
#include "testcase/realise.h"
#include "trace/facts.h"

#include <stdlib.h>
#include <string.h>

/* Inputs of bugs are not longer than those of tests: nobody asks for other lengths. */
#define GROW_MAX 0

/* --- what is recorded --- */

static struct checked *program_of(struct checking *c, const char *path)
{
	for (size_t i = 0; i < c->programs.count; i++)
		if (strcmp(c->programs.at[i].program, path) == 0)
			return &c->programs.at[i];
	vec_push(&c->programs, (struct checked){ .program = path });
	return &c->programs.at[c->programs.count - 1];
}

static void leave_out(struct checked *p, const char *file, const char *why, struct arena *a)
{
	if (!p->left_out++)
		p->why = arena_printf(a, "%s: %s", file, why);
}

/* Files outside of the test's directory are where they were, or the test is another one now. They are not symbolic. */
static bool keep_inner_files(struct testcase *t, struct arena *a)
{
	struct testcase_file *files = arena_alloc(a, (t->files_count + 1) * sizeof *files);
	size_t n = 0;
	if (realise_misnamed(t) || realise_missing(t))
		return false;
	for (size_t i = 0; i < t->files_count; i++)
		if (t->files[i].path[0] != '/')
			files[n++] = t->files[i];
	t->files = files;
	t->files_count = n;
	return true;
}

/* NULL: it is the program that was recorded. */
static const char *why_other(struct checked *p, uint64_t build, struct arena *a)
{
	struct facts facts;
	struct err why = {0};
	if (!p->looked_at && facts_open(&facts, p->program, &why)) {
		p->build = facts.modules[0].build;
		facts_close(&facts);
	}
	if (!p->looked_at && why.text[0])
		p->unusable = arena_strdup(a, why.text);
	p->looked_at = true;
	return p->unusable ? p->unusable : build && build != p->build ? "the program was built anew since" : NULL;
}

static void load_one(struct checking *c, const char *file)
{
	struct casefile one;
	struct err err = {0};
	if (!casefile_read(&one, file, c->arena, &err) || !one.program) {
		if (!c->unreadable++)
			fprintf(stderr, "tandem: %s is left out: %s\n", file, err.text[0] ? err.text : "it says nothing of a program");
		return;
	}
	struct checked *p = program_of(c, one.program);
	const char *why = why_other(p, one.build, c->arena);
	if (!why && !keep_inner_files(&one.input, c->arena))
		why = "a file outside of its directory is not there any more, or not as it was";
	if (why) {
		leave_out(p, file, why, c->arena);
	} else {
		vec_push(&p->tests, one.input);
		vec_push(&p->files, arena_strdup(c->arena, file));
	}
}

static int by_tests(const void *a, const void *b)
{
	const struct checked *x = a, *y = b;
	int order = (x->tests.count > y->tests.count) - (x->tests.count < y->tests.count);
	return order ? order : strcmp(x->program, y->program);
}

bool checking_load(struct checking *c, const struct checking_options *o, struct err *err)
{
	struct cases files = {0}, names = {0};
	c->arena = arena_new();
	bool ok = cases_list(&files, arena_printf(c->arena, "%s/recordings", o->out), CASEFILE_SUFFIX, false, err);
	for (size_t i = 0; i < files.count && ok; i++)
		load_one(c, files.at[i]);
	if (c->programs.count)
		qsort(c->programs.at, c->programs.count, sizeof *c->programs.at, by_tests);
	for (size_t i = 0; i < c->programs.count; i++)
		c->programs.at[i].directory = arena_printf(c->arena, "%s/%s", o->out, cases_name(&names, c->programs.at[i].program));
	cases_free(&files);
	cases_free(&names);
	return ok;
}

void checking_close(struct checking *c)
{
	for (size_t i = 0; i < c->programs.count; i++) {
		vec_free(&c->programs.at[i].tests);
		vec_free(&c->programs.at[i].files);
	}
	vec_free(&c->programs);
	if (c->arena)
		arena_free(c->arena);
}

/* --- a sample --- */

double checking_chance(size_t all, size_t exposing, size_t sample)
{
	double none = 1;
	if (sample + exposing > all)
		return 1;
	for (size_t i = 0; i < sample; i++)
		none *= (double)(all - exposing - i) / (double)(all - i);
	return 1 - none;
}

/* The first so many of them, in a random order. */
static void draw(struct checked *p, const struct checking_options *o)
{
	struct rng rng;
	rng_seed(&rng, o->seed);
	if (!o->sample || o->sample >= p->tests.count)
		return;
	for (size_t i = 0; i < o->sample; i++) {
		size_t k = i + (size_t)rng_below(&rng, p->tests.count - i);
		struct testcase t = p->tests.at[i];
		const char *file = p->files.at[i];
		p->tests.at[i] = p->tests.at[k];
		p->files.at[i] = p->files.at[k];
		p->tests.at[k] = t;
		p->files.at[k] = file;
	}
	p->tests.count = p->files.count = (size_t)o->sample;
}

/* --- a program --- */

struct check {
	struct telling telling; /* first: the engine's calls get the whole */
	const struct checked *program;
};

static const char *name_test(const struct telling *r, const struct testcase *t)
{
	const struct checked *p = ((const struct check *)(const void *)r)->program;
	return p->files.at[t - p->tests.at];
}

/* What ran then runs again, so that its paths are known; what was refuted is known. */
static void forget_runs(struct session *s)
{
	size_t n = 0;
	for (size_t i = 0; i < s->flips.count; i++)
		if (s->flips.at[i].state == CHOICE_REFUTED)
			s->flips.at[n++] = s->flips.at[i];
	s->past.flips_count = n;
	s->past.inputs_count = 0;
}

static bool open_session(struct session *s, struct checked *p, struct engine_options *o, struct err *err)
{
	if (!campaign_is(p->directory))
		return session_begin(s, p->directory, p->program, NULL, 0, err);
	if (!session_reopen(s, p->directory, p->program, err))
		return false;
	forget_runs(s);
	o->past = &s->past;
	return true;
}

static void explore(struct checked *p, const struct checking_options *options, double seconds)
{
	struct session s = {0};
	struct status status;
	enum engine_end end;
	struct check c = { .telling = { .out = p->directory, .take = telling_keep, .name_test = name_test, .program = p->program, .run_seconds = options->run_seconds,
	                                .run_memory = options->run_memory, .to = options->to, .status = &status }, .program = p };
	struct engine_options o = {
		.program = p->program, .feeds = p->tests.at, .feeds_count = p->tests.count, .seed = options->seed, .seconds = seconds, .execs = options->execs, .search = &search_near,
		.distance_max = options->distance_max, .flags = TD_CONTENTS | options->flags, .go_on = true, .sandbox = true, .wall_ms = (int)(options->run_seconds * 1000), .hurried = true, .endless_is_fine = !options->hangs,
		.memory = options->run_memory << 20, .grow_max = GROW_MAX, .solver = solver_options_default(), .stop = options->stop,
		.found = telling_bug, .ran = telling_run, .answered = telling_answer, .tick = telling_tick, .note = cli_note, .context = &c,
	};
	o.solver.seed = options->seed;
	status_open(&status, p->program, search_near.name, !options->no_progress);
	bool ok = open_session(&s, p, &o, &p->error);
	c.telling.campaign = s.campaign;
	if (ok) {
		ok = options->jobs > 1 ? team_explore(&c.telling, &o, options->jobs, &end, &p->stats, &p->error) : engine_explore(&o, &end, &p->stats, &p->error);
		telling_end(&c.telling, &p->stats);
	}
	p->failed = !ok;
	session_end(&s);
}

void checking_run(struct checking *c, const struct checking_options *o)
{
	double end = clock_seconds() + o->seconds;
	size_t tests = 0;
	for (size_t i = 0; i < c->programs.count; i++) {
		c->programs.at[i].tests_all = c->programs.at[i].tests.count;
		draw(&c->programs.at[i], o);
		tests += c->programs.at[i].tests.count;
	}
	for (size_t i = 0; i < c->programs.count && !(o->stop && *o->stop); i++) {
		struct checked *p = &c->programs.at[i];
		double left = end - clock_seconds(), share = left * (double)p->tests.count / (double)(tests ? tests : 1);
		tests -= p->tests.count;
		if (p->tests.count && (o->seconds <= 0 || left > 0))
			explore(p, o, o->seconds > 0 ? share : 0);
	}
}
