/* Each program is a campaign of its own, in a directory of its own, explored by the search `near` from its recordings, by a team of its own (team.h). They go deeper together: in each round every program goes
 * one distance further, or as far as it comes in its share of half the time that is left; those with the fewest tests first. A program that has its turn works where it stopped, so nothing is done twice.
 * Who goes on with an earlier check runs the recordings again; what was refuted then is not asked again, and bugs are not told again. */
#include "cli/checking.h"

#include "cli/cases.h"
#include "cli/cli.h"
#include "cli/session.h"
#include "cli/status.h"
#include "cli/team.h"
#include "cli/telling.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/rng.h"
#include "contract/trace.h"
#include "run/standin.h"
#include "search/search.h"
#include "search/walk.h"
#include "testcase/casefile.h"
#include "testcase/realise.h"
#include "trace/facts.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Inputs of bugs are not longer than those of tests: nobody asks for other lengths. */
#define GROW_MAX 0

#define KEPT ((size_t)4 << 30)         /* bytes that all programs together may keep of what was run; */
#define KEPT_LEAST ((size_t)64 << 20)  /* and each of their processes */
#define OUTSIDE_MAX 256                /* files outside of their directories that the tests of a program may have */
#define TURN_LEAST 0.5                 /* seconds */

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

/* One outside of the test's directory that something can stand in for. */
static bool take_outside(struct checked *p, const struct testcase_file *f)
{
	size_t i = 0;
	if (!standin_possible(f))
		return false;
	while (i < p->outside.count && strcmp(p->outside.at[i], f->path) != 0)
		i++;
	if (i < OUTSIDE_MAX && i == p->outside.count)
		vec_push(&p->outside, f->path);
	return i < p->outside.count;
}

/* It was called by two names, or may have been. */
static bool is_inside(const struct testcase *t, const struct testcase_file *f)
{
	size_t n = t->directory ? strlen(t->directory) : 0;
	return n && strncmp(f->path, t->directory, n) == 0 && f->path[n] == '/';
}

/* Files outside of the test's directory can be made what they were and what they might be, or they have to be as they were, or the test is another one now. Those that only have to be are no inputs. */
static bool keep_files(struct checked *p, struct testcase *t, struct arena *a)
{
	struct testcase_file *files = arena_copy(a, t->files, t->files_count * sizeof *files);
	size_t n = 0;
	for (size_t i = 0; i < t->files_count; i++)
		if (!is_inside(t, &files[i]) || standin_possible(&files[i]))
			files[n++] = files[i];
	t->files = files;
	t->files_count = n;
	if (realise_misnamed(t) || realise_missing(t, standin_possible))
		return false;
	t->files_count = 0;
	for (size_t i = 0; i < n; i++)
		if (files[i].path[0] != '/' || take_outside(p, &files[i]))
			files[t->files_count++] = files[i];
	return true;
}

static bool has_outside(const struct testcase *t)
{
	for (size_t i = 0; i < t->files_count; i++)
		if (t->files[i].path[0] == '/')
			return true;
	return false;
}

/* The directory where most of those ran that have files outside; NULL: none is there any more. */
static const char *usual_directory(const struct checked *p)
{
	const char *usual = NULL;
	size_t most = 0;
	for (size_t i = 0; i < p->tests.count; i++) {
		const char *directory = has_outside(&p->tests.at[i]) ? p->tests.at[i].directory : NULL;
		size_t n = 0;
		for (size_t k = 0; directory && k < p->tests.count; k++)
			n += has_outside(&p->tests.at[k]) && p->tests.at[k].directory && strcmp(p->tests.at[k].directory, directory) == 0;
		if (n > most && access(directory, F_OK) == 0) {
			usual = directory;
			most = n;
		}
	}
	return usual;
}

/* There is one world for a program: names with ".." lead where they do from the usual directory. For tests of others they would lead elsewhere, unless that directory is gone and they lead nowhere. */
static void settle_directory(struct checked *p, struct arena *a)
{
	size_t n = 0;
	p->outside_directory = usual_directory(p);
	for (size_t i = 0; i < p->tests.count; i++) {
		const char *directory = p->tests.at[i].directory;
		if (has_outside(&p->tests.at[i]) && directory && p->outside_directory && strcmp(directory, p->outside_directory) != 0 && access(directory, F_OK) == 0) {
			leave_out(p, p->files.at[i], "it has files outside of its directory, as others have that ran in another one", a);
			continue;
		}
		p->tests.at[n] = p->tests.at[i];
		p->files.at[n++] = p->files.at[i];
	}
	p->tests.count = p->files.count = n;
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
	if (!cases_read(&one, file, c->arena, &err) || !one.program) {
		if (!c->unreadable++)
			fprintf(stderr, "tandem: %s is left out: %s\n", file, err.text[0] ? err.text : "it says nothing of a program");
		return;
	}
	struct checked *p = program_of(c, one.program);
	const char *why = why_other(p, one.build, c->arena);
	if (!why && !keep_files(p, &one.input, c->arena))
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
	for (size_t i = 0; i < c->programs.count; i++)
		settle_directory(&c->programs.at[i], c->arena);
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
		vec_free(&c->programs.at[i].bugs);
		vec_free(&c->programs.at[i].outside);
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

/* One that is being checked. */
struct job {
	struct telling telling; /* first: the team's calls get the whole */
	struct checked *program;
	const struct checking_options *options;
	struct engine_options o;
	struct session session;
	struct status status;
	struct team *team;      /* NULL: it has not begun, or is over */
	bool is_over;
};

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

static const char *aside(const struct checked *p, uint64_t build, struct str *name)
{
	str_clear(name);
	str_printf(name, "%s.%016" PRIx64, p->directory, build);
	return str_text(name);
}

/* What is known of another build of the program is kept beside, and does not count; what was kept so of this one does again. */
static bool put_aside(const struct checked *p, struct err *err)
{
	struct campaign *old = campaign_is(p->directory) ? campaign_look(p->directory, err) : NULL;
	struct str name = {0};
	bool ok = true;
	if (old && campaign_build(old) != p->build) {
		ok = rename(p->directory, aside(p, campaign_build(old), &name)) == 0 || err_errno(err, "%s", str_text(&name));
		if (ok && campaign_is(aside(p, p->build, &name)))
			ok = rename(str_text(&name), p->directory) == 0 || err_errno(err, "%s", str_text(&name));
	}
	campaign_close(old);
	str_free(&name);
	return ok;
}

static bool open_session(struct job *j)
{
	struct checked *p = j->program;
	if (!put_aside(p, &p->error))
		return false;
	if (!campaign_is(p->directory))
		return session_begin(&j->session, p->directory, p->program, NULL, 0, &p->error);
	if (!session_reopen(&j->session, p->directory, p->program, &p->error))
		return false;
	forget_runs(&j->session);
	j->o.past = &j->session.past;
	return true;
}

static struct job job_of(struct checked *p, const struct checking_options *options, size_t tests)
{
	size_t kept = (size_t)((double)KEPT * (double)p->tests.count / (double)tests) / options->jobs;
	return (struct job){
		.program = p, .options = options,
		.telling = { .out = p->directory, .take = telling_keep, .tests = p->tests.at, .test_files = p->files.at, .program = p->program, .run_seconds = options->run_seconds,
		             .run_memory = options->run_memory, .to = options->to },
		.o = {
			.program = p->program, .feeds = p->tests.at, .feeds_count = p->tests.count, .seed = options->seed, .execs = options->execs, .search = &search_near,
			.distance_max = options->distance_max, .flags = TD_CONTENTS | options->flags, .go_on = true, .sandbox = true, .wall_ms = (int)(options->run_seconds * 1000), .hurried = true,
			.endless_is_fine = !options->hangs, .memory = options->run_memory << 20, .grow_max = GROW_MAX, .kept_max = kept > KEPT_LEAST ? kept : KEPT_LEAST, .solver = solver_options_default(),
			.outside = p->outside.at, .outside_count = p->outside.count, .directory = p->outside_directory, .stop = options->stop, .found = telling_bug, .again = telling_again, .note = options->quiet ? cli_hush : cli_note,
		},
	};
}

static bool begin_job(struct job *j, double seconds)
{
	j->o.seconds = seconds;
	j->o.solver.seed = j->options->seed;
	j->telling.status = &j->status;
	status_open(&j->status, j->program->program, search_near.name, !j->options->no_progress);
	j->status.checks = true;
	bool ok = open_session(j);
	j->telling.campaign = j->session.campaign;
	if (ok)
		j->team = team_open(&j->telling, &j->o, j->program->tests.count < j->options->jobs ? (unsigned)j->program->tests.count : j->options->jobs, &j->program->error);
	return j->team;
}

/* --- what was found --- */

/* Reading a campaign. */
struct listing {
	struct arena *arena;
	struct checked *program;
	VEC(struct campaign_sighting) seen;
};

static bool add_bug(void *context, const struct campaign_bug *b)
{
	struct listing *l = context;
	vec_push(&l->program->bugs, (struct checked_bug){ .name = b->name, .class = arena_strdup(l->arena, b->class), .place = arena_strdup(l->arena, b->place), .file = arena_strdup(l->arena, b->file) });
	return true;
}

static bool is_first(const struct listing *l, const struct campaign_sighting *s)
{
	for (size_t i = 0; i < l->seen.count; i++)
		if (l->seen.at[i].bug == s->bug && strcmp(l->seen.at[i].test, s->test) == 0)
			return false;
	return true;
}

static void take_sighting(struct listing *l, struct checked_bug *b, const struct campaign_sighting *s)
{
	bool nearer = !b->tests || s->distance < b->distance || (s->distance == b->distance && s->depth < b->depth);
	b->tests += is_first(l, s);
	if (!nearer)
		return;
	b->test = s->test;
	b->distance = s->distance;
	b->depth = s->depth;
}

static bool add_sighting(void *context, const struct campaign_sighting *s)
{
	struct listing *l = context;
	struct campaign_sighting mine = *s;
	mine.test = arena_strdup(l->arena, s->test);
	for (size_t i = 0; i < l->program->bugs.count; i++)
		if (l->program->bugs.at[i].name == s->bug)
			take_sighting(l, &l->program->bugs.at[i], &mine);
	vec_push(&l->seen, mine);
	return true;
}

/* Also what earlier sessions found. */
static void list_bugs(struct checking *c, struct checked *p, struct campaign *from)
{
	struct listing l = { .arena = c->arena, .program = p };
	struct err why = {0};
	if (from && (!campaign_flush(from, &why) || !campaign_bugs(from, add_bug, &l, &why) || !campaign_sightings(from, add_sighting, &l, &why)))
		cli_note(NULL, why.text);
	vec_free(&l.seen);
}

/* --- all programs, in turns --- */

static void end_job(struct checking *c, struct job *j)
{
	struct checked *p = j->program;
	enum engine_end end;
	bool ok = j->team && team_close(j->team, &end, &p->stats, &p->error);
	if (j->team)
		telling_end(&j->telling, &p->stats);
	p->failed = !ok;
	list_bugs(c, p, j->session.campaign);
	session_end(&j->session);
	j->is_over = true;
}

/* A turn of a program, up to a time and beyond a distance. */
static void take_turn(struct checking *c, struct job *j, double until, uint32_t distance, double end)
{
	bool goes_on = (j->team || begin_job(j, end < INFINITY ? end - clock_seconds() : 0)) && team_go(j->team, until, distance);
	status_clear(&j->status);
	if (!goes_on)
		end_job(c, j);
}

static size_t tests_of(const struct job *jobs, size_t count)
{
	size_t tests = 0;
	for (size_t i = 0; i < count; i++)
		tests += jobs[i].is_over ? 0 : jobs[i].program->tests.count;
	return tests;
}

static bool is_stopped(const struct checking_options *o, double end)
{
	return (o->stop && *o->stop) || clock_seconds() >= end;
}

/* A round: each goes beyond a distance, as far as its share of half the time that is left suffices. What one does not need is for those behind it. */
static void take_round(struct checking *c, struct job *jobs, size_t count, uint32_t distance, double end)
{
	double start = clock_seconds(), half = (end - start) / 2, over = half > TURN_LEAST * (double)count ? start + half : end;
	size_t tests = tests_of(jobs, count);
	for (size_t i = 0; i < count && !is_stopped(jobs[i].options, end); i++) {
		size_t mine = jobs[i].program->tests.count;
		double now = clock_seconds(), share = (over - now) * (double)mine / (double)(tests ? tests : 1);
		if (jobs[i].is_over)
			continue;
		tests -= mine;
		take_turn(c, &jobs[i], now + (share > TURN_LEAST ? share : TURN_LEAST), distance, end);
	}
}

/* There was no time for it: what is known of it is known from before. */
static void recall(struct checking *c, struct checked *p)
{
	struct err ignored = {0};
	struct campaign *old = campaign_is(p->directory) ? campaign_look(p->directory, &ignored) : NULL;
	if (old && campaign_build(old) == p->build)
		list_bugs(c, p, old);
	campaign_close(old);
}

static void explore(struct checking *c, const struct checking_options *o, struct job *jobs, size_t count)
{
	double end = o->seconds > 0 ? clock_seconds() + o->seconds : INFINITY;
	for (uint32_t distance = 0; tests_of(jobs, count) && !is_stopped(o, end); distance++)
		take_round(c, jobs, count, distance, end);
	for (size_t i = 0; i < count; i++)
		if (jobs[i].team && !jobs[i].is_over)
			end_job(c, &jobs[i]);
		else if (!jobs[i].is_over)
			recall(c, jobs[i].program);
}

/* Each program is several open files to us. */
static void raise_limit(void)
{
	struct rlimit files;
	if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
		files.rlim_cur = files.rlim_max;
		setrlimit(RLIMIT_NOFILE, &files);
	}
}

void checking_run(struct checking *c, const struct checking_options *o)
{
	struct job *jobs = mem_alloc((c->programs.count + 1) * sizeof *jobs);
	size_t count = 0, tests = 0;
	for (size_t i = 0; i < c->programs.count; i++) {
		struct checked *p = &c->programs.at[i];
		p->tests_all = p->tests.count;
		draw(p, o);
		tests += p->tests.count;
	}
	for (size_t i = 0; i < c->programs.count; i++)
		if (c->programs.at[i].tests.count)
			jobs[count++] = job_of(&c->programs.at[i], o, tests);
	raise_limit();
	explore(c, o, jobs, count);
	free(jobs);
}
