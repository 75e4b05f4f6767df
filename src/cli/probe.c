/* The engine explores the unit as it would a program whose inputs are the plan's objects (contract/unit.h). What fails in another function than the one under test is that one's business; what fails in the library belongs to
 * whoever called it. */
#include "cli/probe.h"

#include "base/clock.h"
#include "base/str.h"
#include "cli/cli.h"
#include "cli/story.h"
#include "testcase/casefile.h"
#include "trace/report.h"
#include "trace/symbols.h"

#include <string.h>

struct prober {
	const struct probe_options *o;
	uint32_t function;
	struct arena *arena;
	struct probe_result *out;
	double start;
};

/* --- what failed --- */

static bool is_own(const struct unit_program *p, const char *function)
{
	uint32_t index = 0;
	return function && unit_program_find(p, function, &index);
}

/* The innermost function of the program. */
static const char *culprit(const struct prober *b, const struct finding *f, struct arena *a)
{
	const char *found = NULL;
	struct symbols *s = symbols_open(f->facts);
	struct symbols_frames stack = symbols_stack(s, f->report, TD_WHERE_HAPPENED, a);
	for (size_t i = 0; i < stack.count && !found; i++)
		if (is_own(b->o->program, stack.at[i].function))
			found = stack.at[i].function;
	symbols_close(s);
	return found;
}

static const char *input_text(struct prober *b, const struct testcase *feed)
{
	struct str text = {0};
	struct plan_value *values = arena_alloc(b->arena, (feed->marks_count + 1) * sizeof *values);
	for (size_t i = 0; i < feed->marks_count; i++)
		values[i] = (struct plan_value){ feed->marks[i].bytes, feed->marks[i].size };
	plan_print(&b->out->plan, b->o->program->functions[b->function].name, values, feed->marks_count, &text);
	const char *copy = arena_strdup(b->arena, str_text(&text));
	str_free(&text);
	return copy;
}

static const char *headline(struct prober *b, const struct finding *f)
{
	struct str text = {0};
	report_headline(f->report, &text);
	const char *copy = arena_strdup(b->arena, str_text(&text));
	str_free(&text);
	return copy;
}

static void add_alarm(struct prober *b, const struct finding *f)
{
	struct casefile c = {0};
	story_describe(f, &c, b->arena);
	struct alarm_row row = {
		.name = f->name, .class = c.bug, .what = headline(b, f), .place = c.place ? c.place : "", .frames = c.frames, .frames_count = c.frames_count,
		.feed = testcase_copy(&f->feed, b->arena), .runs = f->runs,
	};
	row.input = input_text(b, &row.feed);
	vec_push(&b->out->alarms, row);
}

static void found(void *context, const struct finding *f)
{
	struct prober *b = context;
	struct arena *a = arena_new();
	const char *in = f->report ? culprit(b, f, a) : NULL;
	if (in && strcmp(in, b->o->program->functions[b->function].name) == 0)
		add_alarm(b, f);
	else
		b->out->others++;
	arena_free(a);
}

static void covered(void *context, const struct novelty *n)
{
	struct prober *b = context;
	for (uint32_t i = 0; i < n->sides; i++)
		vec_push(&b->out->edges, n->edges[i]);
}

static void ran(void *context, uint64_t hash)
{
	struct prober *b = context;
	(void)hash;
	if (b->out->started <= 0)
		b->out->started = clock_seconds() - b->start;
}

/* --- what it is given --- */

/* Variables begin with what they have. */
static struct testcase first_feed(const struct prober *b)
{
	const struct plan *plan = &b->out->plan;
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

bool probe(const struct probe_options *o, uint32_t function, const struct scope *scope, struct arena *arena, struct probe_result *out, struct err *err)
{
	*out = (struct probe_result){0};
	struct prober b = { .o = o, .function = function, .arena = arena, .out = out, .start = clock_seconds() };
	struct recipe recipe = { .program = o->program, .function = function, .members = scope->members, .options = o->plan };
	if (!recipe_plan(&recipe, arena, &out->plan, err))
		return false;
	struct str packed = {0};
	plan_pack(&out->plan, NULL, 0, &packed);
	struct testcase feed = first_feed(&b);
	enum engine_end end;
	struct engine_options e = {
		.program = o->path, .feeds = &feed, .feeds_count = 1, .stop = o->stop, .seed = o->seed, .seconds = o->seconds, .execs = o->execs, .search = o->search, .go_on = true, .conditions_first = true,
		.sandbox = o->sandbox, .wall_ms = o->wall_ms, .endless_is_fine = true, .hurried = true, .memory = o->memory, .unit = packed.text, .unit_size = packed.length,
		.solver = solver_options_default(), .found = found, .covered = covered, .ran = ran, .note = cli_hush, .context = &b,
	};
	bool ok = engine_explore(&e, &end, &out->stats, err);
	str_free(&packed);
	return ok;
}

void probe_free(struct probe_result *r)
{
	vec_free(&r->alarms);
	vec_free(&r->edges);
}
