/* See session.h. A session that goes on runs the campaign's seeds and tests again: that brings their paths back, and all that the campaign covered. What else ran, and what was solved, is known
 * by its hash and not done again. */
#include "cli/session.h"

#include "cli/cases.h"
#include "cli/cli.h"
#include "base/vec.h"
#include "trace/facts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SEEDS "seeds"

/* --- a new one --- */

static bool keep_seeds(const char *directory, const char *program, uint64_t build, const struct testcase *feeds, size_t count, struct err *err)
{
	struct str path = {0};
	str_printf(&path, "%s/" SEEDS, directory);
	bool ok = cases_make_dir(str_text(&path), err);
	for (size_t i = 0; i < count && ok; i++) {
		struct casefile c = { .input = feeds[i], .kind = CASE_SEED, .purpose = "to start from", .program = program, .build = build };
		str_clear(&path);
		str_printf(&path, "%s/" SEEDS "/%06zu" CASEFILE_SUFFIX, directory, i + 1);
		ok = casefile_write(str_text(&path), &c, err);
	}
	str_free(&path);
	return ok;
}

static bool build_of(const char *program, uint64_t *build, struct err *err)
{
	struct facts f;
	if (!facts_open(&f, program, err))
		return false;
	*build = f.modules[0].build;
	facts_close(&f);
	return true;
}

bool session_begin(struct session *s, const char *directory, const char *program, const struct testcase *feeds, size_t count, struct err *err)
{
	uint64_t build;
	*s = (struct session){ .directory = directory };
	char *absolute = realpath(program, NULL); /* whoever goes on may be elsewhere */
	bool ok = build_of(program, &build, err) && cases_make_dir(directory, err) && (s->campaign = campaign_create(directory, absolute ? absolute : program, build, err)) &&
	          keep_seeds(directory, program, build, feeds, count, err);
	free(absolute);
	return ok;
}

/* --- an old one --- */

static bool add_input(void *context, uint64_t hash)
{
	vec_push(&((struct session *)context)->inputs, hash);
	return true;
}

static bool add_flip(void *context, const struct campaign_flip *f)
{
	vec_push(&((struct session *)context)->flips, (struct past_flip){ f->key, f->state });
	return true;
}

static bool add_edge(void *context, const struct campaign_edge *e)
{
	vec_push(&((struct session *)context)->edges, (struct past_edge){ e->build, e->edge });
	return true;
}

static bool add_bug(void *context, const struct campaign_bug *b)
{
	vec_push(&((struct session *)context)->bugs, b->name);
	return true;
}

struct gathering {
	struct session *s;
	struct cases files;
};

static bool add_test(void *context, const struct campaign_test *t)
{
	struct gathering *g = context;
	struct err err = {0};
	if (!cases_add(&g->files, arena_printf(g->s->arena, "%s/%s", g->s->directory, t->file), &err))
		fprintf(stderr, "tandem: a test is gone: %s\n", err.text);
	return true;
}

/* For the program by the name it has now. */
static void add_feed(struct session *s, struct testcase t)
{
	const char **args = arena_copy(s->arena, t.args, t.args_count * sizeof *args);
	if (t.args_count)
		args[0] = s->program;
	t.args = args;
	vec_push(&s->feeds, t);
}

static bool add_left(void *context, const void *input, size_t size)
{
	struct session *s = context;
	struct casefile c;
	if (casefile_parse(&c, arena_copy(s->arena, input, size), size, s->arena, NULL))
		add_feed(s, c.input);
	return true;
}

/* The seeds, the tests, and those from which something was left to be tried. One that is gone or damaged is told and left out. */
static bool read_feeds(struct session *s, struct err *err)
{
	struct gathering g = { .s = s };
	bool ok = cases_list(&g.files, arena_printf(s->arena, "%s/" SEEDS, s->directory), CASEFILE_SUFFIX, false, err) && campaign_tests(s->campaign, add_test, &g, err);
	for (size_t i = 0; i < g.files.count && ok; i++) {
		struct casefile c;
		struct err why = {0};
		if (casefile_read(&c, g.files.at[i], s->arena, &why))
			add_feed(s, c.input);
		else
			fprintf(stderr, "tandem: %s is left out: %s\n", g.files.at[i], why.text);
	}
	cases_free(&g.files);
	return ok && campaign_left(s->campaign, add_left, s, err) && (s->feeds.count || err_set(err, "%s: none of its inputs can be read", s->directory));
}

static bool check_build(const struct session *s, const char *program, struct err *err)
{
	uint64_t build;
	if (!build_of(program, &build, err))
		return false;
	return build == campaign_build(s->campaign) ||
	       err_set(err, "%s is another build than the one %s is about; to start anew from its inputs: explore --seeds %s --out OTHER", program, s->directory, s->directory);
}

bool session_reopen(struct session *s, const char *directory, const char *program, struct err *err)
{
	*s = (struct session){ .directory = directory, .arena = arena_new(), .resumed = true };
	if (!(s->campaign = campaign_open(directory, err)))
		return false;
	s->program = program ? program : campaign_program(s->campaign);
	if (!check_build(s, s->program, err) || !campaign_past(s->campaign, &s->sums, err) || !campaign_runs(s->campaign, add_input, s, err) ||
	    !campaign_flips(s->campaign, add_flip, s, err) || !campaign_edges(s->campaign, add_edge, s, err) || !campaign_bugs(s->campaign, add_bug, s, err))
		return false;
	s->past = (struct past){ s->inputs.at, s->inputs.count, s->flips.at, s->flips.count, s->edges.at, s->edges.count, s->bugs.at, s->bugs.count, s->sums.runs };
	return true;
}

bool session_resume(struct session *s, const char *directory, const char **program, const struct testcase **feeds, size_t *count, struct err *err)
{
	if (!session_reopen(s, directory, *program, err) || !read_feeds(s, err))
		return false;
	*program = s->program;
	*feeds = s->feeds.at;
	*count = s->feeds.count;
	return true;
}

void session_end(struct session *s)
{
	campaign_close(s->campaign);
	vec_free(&s->feeds);
	vec_free(&s->inputs);
	vec_free(&s->flips);
	vec_free(&s->edges);
	vec_free(&s->bugs);
	if (s->arena)
		arena_free(s->arena);
	*s = (struct session){0};
}
