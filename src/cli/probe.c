/* The engine explores the unit as it would a program whose inputs are the plan's objects (contract/unit.h). What fails in another function than the one under test is that one's business; what fails in the library belongs to
 * whoever called it. */
#include "cli/probe.h"

#include "base/clock.h"
#include "base/str.h"
#include "cli/cli.h"
#include "cli/harvest.h"
#include "cli/story.h"
#include "cli/telling.h"
#include "contract/trace.h"
#include "testcase/casefile.h"
#include "trace/report.h"
#include "trace/symbols.h"

#include <signal.h>
#include <string.h>

enum {
	GROW_MAX = 256,        /* bytes of standard input, of which there are none at first */
	ARGUMENTS = 3,
	QUESTIONS_LEAST = 100, /* hard ones that there is time for, */
	QUESTION_MS = 100      /* each of which has this at least */
};

#define ARGUMENT "AAAAAAAA"

struct prober {
	const struct probe_options *o;
	uint32_t function;
	const struct plan *plan;
	struct arena *arena;
	struct harvest *harvest;
	VEC(struct summary_failure) failures;
	VEC(struct summary_other) others;
	VEC(uint32_t) edges;
	double start, started;
};

/* --- what failed --- */

static bool is_own(const struct unit_program *p, const char *function)
{
	uint32_t index = 0;
	return function && unit_program_find(p, function, &index);
}

/* The one that the last branch was in: of abort() there is no report. */
static const char *aborter(const struct finding *f)
{
	const struct facts_place *last = f->signal == SIGABRT && f->edge != TD_NO_SITE ? facts_find(f->facts, f->edge) : NULL;
	return last ? facts_function(last) : NULL;
}

/* The innermost function of the program. */
static const char *culprit(const struct prober *b, const struct finding *f, struct arena *a)
{
	const char *found = NULL;
	if (!f->report)
		return aborter(f);
	struct symbols *s = symbols_open(f->facts);
	struct symbols_frames stack = symbols_stack(s, f->report, TD_WHERE_HAPPENED, a);
	for (size_t i = 0; i < stack.count && !found; i++)
		if (is_own(b->o->program, stack.at[i].function))
			found = stack.at[i].function;
	symbols_close(s);
	return found;
}

/* What it takes for the failure. */
static const char *input_text(struct prober *b, const struct testcase *feed, uint64_t failure)
{
	struct str text = {0};
	if (unit_program_is_main(b->o->program, b->function)) {
		str_add(&text, "main(");
		telling_put_input(feed, &text);
		str_add_char(&text, ')');
	} else {
		plan_print(b->plan, b->o->program->functions[b->function].name, harvest_values(b->harvest, failure, feed), feed->marks_count, &text);
	}
	const char *copy = arena_strdup(b->arena, str_text(&text));
	str_free(&text);
	return copy;
}

static const char *headline(struct prober *b, const struct finding *f)
{
	struct str text = {0};
	if (f->report)
		report_headline(f->report, &text);
	else if (f->kind == FINDING_CRASH)
		casefile_put_signal(f->signal, &text);
	const char *copy = arena_strdup(b->arena, str_text(&text));
	str_free(&text);
	return copy;
}

/* Its paths and what matters of its input are known in the end. */
static struct summary_failure failure_of(struct prober *b, const struct finding *f)
{
	struct casefile c = {0};
	story_describe(f, &c, b->arena);
	return (struct summary_failure){
		.name = f->name, .class = c.bug ? c.bug : "", .what = headline(b, f), .place = c.place ? c.place : "", .frames = c.frames, .frames_count = c.frames_count,
		.input = "", .feed = testcase_copy(&f->feed, b->arena), .run = f->runs,
	};
}

static bool has_null_argument(const struct prober *b, const struct testcase *feed)
{
	const struct testcase_mark *m = b->plan->given && feed->marks_count ? &feed->marks[0] : NULL;
	for (size_t i = 0; m && i < b->plan->objects[0].is.slots; i++) {
		const struct td_unit_slot *s = &b->plan->slots[b->plan->objects[0].is.first_slot + i];
		if (s->offset >= m->size || !m->bytes[s->offset] || m->bytes[s->offset] > s->targets)
			return true;
	}
	return false;
}

/* A function that may be called with anything can be given too large a size or a shift. That is what its arguments are for. */
static bool is_wanted(const struct prober *b, const struct finding *f)
{
	return !f->report || report_is_crash(f->report) || b->o->all_rules || unit_program_is_main(b->o->program, b->function);
}

static void found(void *context, const struct finding *f)
{
	struct prober *b = context;
	if (!is_wanted(b, f))
		return;
	struct arena *a = arena_new();
	const char *in = culprit(b, f, a);
	if (in && strcmp(in, b->o->program->functions[b->function].name) == 0)
		vec_push(&b->failures, failure_of(b, f));
	else
		vec_push(&b->others, (struct summary_other){ failure_of(b, f), has_null_argument(b, &f->feed) });
	arena_free(a);
}

static void traced(void *context, const struct testcase *feed, const struct trace *t, const struct facts *facts, const struct finding *failure)
{
	struct prober *b = context;
	harvest_run(b->harvest, feed, t, facts, failure ? failure->name : 0);
}

static void covered(void *context, const struct novelty *n)
{
	struct prober *b = context;
	for (uint32_t i = 0; i < n->sides; i++)
		vec_push(&b->edges, n->edges[i]);
}

static void ran(void *context, uint64_t hash)
{
	struct prober *b = context;
	(void)hash;
	if (b->started <= 0)
		b->started = clock_seconds() - b->start;
}

/* --- what it is given --- */

/* Variables begin with what they have. */
static struct testcase first_feed(const struct prober *b)
{
	const struct plan *plan = b->plan;
	const char **args = arena_alloc(b->arena, sizeof *args);
	struct testcase_mark *marks = arena_alloc(b->arena, (plan->given + 1u) * sizeof *marks);
	args[0] = b->o->path;
	for (uint32_t i = 0; i < plan->given; i++) {
		marks[i].name = plan->objects[i].name;
		if (!plan->objects[i].is.variable)
			marks[i].bytes = plan_first(plan, i, b->arena, &marks[i].size);
	}
	return (struct testcase){ .args = args, .args_count = 1, .marks = marks, .marks_count = plan->given };
}

struct beginning {
	const struct testcase *feeds;
	size_t count;
};

/* Nobody says what the program is given: up to so many arguments. */
static struct beginning without_tests(const struct prober *b)
{
	struct testcase *feeds = arena_alloc(b->arena, (ARGUMENTS + 1) * sizeof *feeds);
	for (unsigned n = 0; n <= ARGUMENTS; n++) {
		const char **args = arena_alloc(b->arena, (n + 1) * sizeof *args);
		args[0] = b->o->path;
		for (unsigned i = 1; i <= n; i++)
			args[i] = ARGUMENT;
		feeds[n] = (struct testcase){ .args = args, .args_count = n + 1 };
	}
	return (struct beginning){ feeds, ARGUMENTS + 1 };
}

/* Main with what tests give the program; others with nothing, and then with what those call them with. */
static struct beginning begin_with(const struct prober *b)
{
	const struct probe_options *o = b->o;
	if (unit_program_is_main(o->program, b->function) && o->tests_count)
		return (struct beginning){ o->tests, o->tests_count };
	if (unit_program_is_main(o->program, b->function))
		return without_tests(b);
	const struct carved *carved = o->carving && o->carving->functions ? &o->carving->functions[b->function] : NULL;
	size_t count = carved ? carved->feeds.count : 0;
	struct testcase *feeds = arena_alloc(b->arena, (count + 1) * sizeof *feeds);
	feeds[0] = first_feed(b);
	if (count)
		memcpy(feeds + 1, carved->feeds.at, count * sizeof *feeds);
	return (struct beginning){ feeds, count + 1 };
}

static void add_edges(const struct prober *b, uint32_t function, uint8_t *own)
{
	const struct unit_function *f = &b->o->program->functions[function];
	for (uint32_t i = 0; f->block && i < f->facts->sites; i++) {
		const struct td_site *s = &f->block->sites[f->facts->first_site + i];
		memset(own + f->block->first_edge + s->first_edge, 1, s->edges);
	}
}

/* Whose branches the search prefers. All of the program runs with main, and what of it is of interest are the functions that are asked about. */
static const uint8_t *own_edges(const struct prober *b)
{
	uint8_t *own = arena_alloc(b->arena, b->o->program->facts.edges + 1u);
	add_edges(b, b->function, own);
	for (size_t i = 0; i < b->o->wanted_count && unit_program_is_main(b->o->program, b->function); i++)
		add_edges(b, b->o->wanted[i], own);
	return own;
}

/* A function has little time, and one question can take seconds. */
static struct solver_options solver_of(const struct probe_options *o)
{
	struct solver_options s = solver_options_default();
	unsigned share = (unsigned)(o->seconds * 1000) / QUESTIONS_LEAST, most = share > QUESTION_MS ? share : QUESTION_MS;
	if (o->seconds > 0 && most < s.z3.timeout_ms)
		s.z3.timeout_ms = most;
	return s;
}

/* With main all of the program runs, and has more conditions than there is time for: they have their share there, and branches of what is asked about come before them. */
static struct engine_options options_of(struct prober *b, const struct str *unit, struct beginning begin)
{
	const struct probe_options *o = b->o;
	bool is_main = unit_program_is_main(o->program, b->function);
	return (struct engine_options){
		.program = o->path, .feeds = begin.feeds, .feeds_count = begin.count, .flags = is_main ? TD_SYM_ARGV | TD_SYM_GIVEN : TD_SYM_GIVEN | TD_CONTENTS,
		.stop = o->stop, .seed = o->seed, .seconds = o->seconds, .execs = o->execs, .search = o->search, .weights = o->weights, .own = own_edges(b), .own_edges = o->program->facts.edges, .go_on = true, .conditions_first = !o->plain && !is_main,
		.sandbox = o->sandbox, .wall_ms = o->wall_ms, .endless_is_fine = true, .hurried = true, .memory = o->memory, .grow_max = GROW_MAX, .unit = unit->text, .unit_size = unit->length,
		.solver = solver_of(o), .found = found, .covered = covered, .ran = ran, .traced = traced, .note = cli_hush, .context = b,
	};
}

/* --- what came of it --- */

static void take_paths(struct prober *b, struct summary *out)
{
	for (size_t i = 0; i < b->failures.count; i++) {
		struct summary_failure *f = &b->failures.at[i];
		const struct formula *paths = harvest_paths(b->harvest, f->name, &f->paths_count, &f->paths_seen);
		f->paths = arena_copy(b->arena, paths, f->paths_count * sizeof *paths);
		f->input = input_text(b, &f->feed, f->name);
	}
	for (size_t i = 0; i < b->others.count; i++)
		b->others.at[i].is.input = input_text(b, &b->others.at[i].is.feed, b->others.at[i].is.name);
	size_t count = 0;
	const struct summary_call *calls = harvest_calls(b->harvest, &count, &out->calls_left_out);
	out->calls = arena_copy(b->arena, calls, count * sizeof *calls);
	out->calls_count = count;
}

#define TAKE(b, out, what) ((out)->what = arena_copy((b)->arena, (b)->what.at, (b)->what.count * sizeof *(b)->what.at), (out)->what##_count = (b)->what.count)

bool probe(const struct probe_options *o, uint32_t function, struct arena *arena, struct summary *out, struct err *err)
{
	*out = (struct summary){0};
	struct prober b = { .o = o, .function = function, .arena = arena, .start = clock_seconds() };
	const char *why;
	b.plan = book_plan(o->book, function, &why);
	if (!b.plan) {
		out->trouble = arena_strdup(arena, why);
		return true;
	}
	struct str packed = {0};
	struct engine_stats stats = {0};
	enum engine_end end;
	book_pack(o->book, function, o->watching, &packed);
	b.harvest = harvest_new(o->program, o->book, function, arena);
	struct engine_options e = options_of(&b, &packed, begin_with(&b));
	bool ok = engine_explore(&e, &end, &stats, err);
	out->plan = book_digest(o->book, function);
	out->given = b.plan->given;
	out->runs = stats.runs;
	out->seconds = stats.seconds;
	out->exhausted = stats.exhausted;
	out->started = b.started;
	take_paths(&b, out);
	TAKE(&b, out, failures);
	TAKE(&b, out, others);
	TAKE(&b, out, edges);
	harvest_free(b.harvest);
	vec_free(&b.failures);
	vec_free(&b.others);
	vec_free(&b.edges);
	str_free(&packed);
	return ok;
}
