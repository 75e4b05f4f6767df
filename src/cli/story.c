/* What is said of a bug: class and place, how many runs it took, the input, how to see it again here and on another build, where the input came from and how it differs from that. A file
 * of crashes/ or hangs/ has the smallest input that is known to do it; what did it first, if that was another, is in originals/ under the same name. */
#include "cli/story.h"

#include "cli/cli.h"
#include "cli/telling.h"
#include "engine/flip.h"
#include "testcase/casefile.h"
#include "testcase/differ.h"
#include "trace/report.h"
#include "trace/tell.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define DIFFERENCES 4 /* that are told */

/* --- words --- */

/* What kind of bug: the rule that was broken, or the signal. */
static void put_class(const struct finding *f, struct str *out)
{
	if (f->kind == FINDING_REPORT)
		report_class(f->report, out);
	else if (f->kind == FINDING_HANG)
		str_add(out, CASEFILE_HANG);
	else if (f->kind == FINDING_MEMORY)
		str_add(out, CASEFILE_MEMORY);
	else
		casefile_put_signal(f->signal, out);
}

/* Where the input came from. */
static void put_origin(const struct finding *f, struct str *out)
{
	static const char *const origins[] = {
		[FLIP_BRANCH] = "a branch", [FLIP_CASE] = "a branch", [FLIP_DEFAULT] = "a branch", [FLIP_OUTSIDE] = "a condition",
		[FLIP_LONGER] = "the length", [FLIP_SHORTER] = "the length",
	};
	if (f->test && !f->flip)
		str_add(out, "nothing, it is the test itself");
	else if (f->test)
		str_printf(out, "%s near a test's path, distance %" PRIu32 ", depth %" PRIu32, origins[f->flip->kind], f->distance, f->depth);
	else if (f->flip)
		str_printf(out, "%s of run %" PRIu64, origins[f->flip->kind], f->parent);
	else
		str_add(out, f->runs == 1 ? "nothing, it is the first input" : "nothing, it is a random input");
}

/* The last branch that depended on the input. */
static void put_branch(const struct finding *f, struct str *out)
{
	const struct facts_place *p = f->edge == TD_NO_SITE ? NULL : facts_find(f->facts, f->edge);
	if (p)
		str_printf(out, "%s at %s:%" PRIu32 ":%u", facts_function(p), facts_file(p), p->site->line, (unsigned)p->site->column);
}

/* --- the file --- */

/* The call stack as the test case has it: its lines, and the innermost one that is in the source. */
static void set_stack(const struct finding *f, struct casefile *c, struct arena *a)
{
	struct str text = {0}, briefly = {0}, class = {0};
	size_t n = 0;
	tell_stack(f->report, f->facts, &text);
	tell_briefly(f->report, f->facts, &briefly);
	report_class(f->report, &class);
	const char **frames = arena_alloc(a, (text.length + 1) * sizeof *frames);
	for (char *line = strtok(arena_strdup(a, str_text(&text)), "\n"); line; line = strtok(NULL, "\n"))
		frames[n++] = line;
	c->frames = frames;
	c->frames_count = n;
	if (briefly.length > class.length + 4)
		c->place = arena_strdup(a, briefly.text + class.length + 4); /* "CLASS in PLACE" */
	str_free(&text);
	str_free(&briefly);
	str_free(&class);
}

static void set_place(const struct finding *f, struct casefile *c, struct arena *a)
{
	struct str branch = {0};
	if (f->report) {
		set_stack(f, c, a);
		return;
	}
	put_branch(f, &branch);
	if (branch.length)
		c->place = arena_strdup(a, str_text(&branch));
	str_free(&branch);
}

static void set_end(const struct finding *f, struct casefile *c)
{
	if (f->kind == FINDING_MEMORY || (f->kind == FINDING_REPORT && f->report->violation != TD_VIOLATION_STACK)) /* an untraced run may end in any way */
		return;
	bool hangs = f->kind == FINDING_HANG;
	c->end = hangs ? CASE_END_TIMEOUT : CASE_END_SIGNAL;
	c->code = hangs ? 0 : f->signal;
}

void story_describe(const struct finding *f, struct casefile *c, struct arena *a)
{
	struct str class = {0};
	put_class(f, &class);
	c->bug = arena_strdup(a, str_text(&class));
	set_place(f, c, a);
	set_end(f, c);
	str_free(&class);
}

static const char *print_case(struct casefile *c, const char *purpose, const struct testcase *input, size_t *size, struct arena *a)
{
	struct str text = {0};
	c->purpose = purpose;
	c->input = *input;
	casefile_print(c, &text);
	const char *copy = arena_strdup(a, str_text(&text));
	*size = text.length;
	str_free(&text);
	return copy;
}

static void put_cases(const struct telling *r, const struct finding *f, struct told *t, struct arena *a)
{
	struct casefile c = { .kind = CASE_BUG, .program = r->program, .build = f->facts->modules[0].build, .parent = f->parent_hash };
	struct str origin = {0};
	story_describe(f, &c, a);
	put_origin(f, &origin);
	t->class = c.bug;
	t->place = c.place ? c.place : "";
	t->file = arena_printf(a, "%s/%s-%016" PRIx64 CASEFILE_SUFFIX, f->kind == FINDING_HANG ? "hangs" : "crashes", c.bug, t->hash);
	t->content = print_case(&c, arena_printf(a, "made from %s%s", str_text(&origin), f->original ? ", and made smaller" : ""), &f->feed, &t->size, a);
	if (f->original)
		t->original = print_case(&c, arena_printf(a, "made from %s; before it was made smaller", str_text(&origin)), f->original, &t->original_size, a);
	str_free(&origin);
}

/* --- the lines --- */

static void put_headline(const struct finding *f, struct str *out)
{
	struct str branch = {0};
	str_add(out, "bug: ");
	if (f->report)
		tell_briefly(f->report, f->facts, out);
	else
		put_class(f, out);
	str_printf(out, " after %" PRIu64 " runs: ", f->runs);
	struct testcase shown = f->feed;
	if (f->test) /* how it differs from that is told */
		shown.env_count = shown.files_count = 0;
	telling_put_input(&shown, out);
	put_branch(f, &branch);
	if (!f->report && branch.length)
		str_printf(out, "\n  last branch: %s", str_text(&branch));
	str_free(&branch);
}

static void put_replay(const struct telling *r, const struct finding *f, const char *file, struct str *out)
{
	struct str path = {0};
	str_printf(&path, "%s/%s", r->out, file);
	cli_quote_shell(program_invocation_name, out);
	str_add(out, r->no_sandbox ? " replay --no-sandbox " : " replay ");
	if (f->kind == FINDING_HANG)
		str_printf(out, "--time %g ", r->run_seconds);
	if (f->kind == FINDING_MEMORY)
		str_printf(out, "--memory %" PRIu64 " ", r->run_memory);
	cli_quote_shell(str_text(&path), out);
	str_free(&path);
}

static void put_difference(const struct finding *f, struct str *out)
{
	struct str text = {0};
	if (f->test && differ_text(f->test, &f->feed, DIFFERENCES, &text))
		str_printf(out, "\n  differs from that test in: %s", str_text(&text));
	else if (!f->test && f->parent_feed && differ_text(f->parent_feed, &f->feed, DIFFERENCES, &text))
		str_printf(out, "\n  differs from run %" PRIu64 " in: %s", f->parent, str_text(&text));
	str_free(&text);
}

/* What can be said of a bug that is in a file. */
static void put_more(const struct telling *r, const struct finding *f, const char *file, struct str *out)
{
	str_add(out, "  replay: ");
	put_replay(r, f, file, out);
	if (!f->feed.marks_count) { /* which only an instrumented build has */
		str_add(out, "\n  elsewhere: ");
		put_replay(r, f, file, out);
		str_add(out, " -- ./plain-or-asan-build");
	}
	str_add(out, "\n  made from: ");
	put_origin(f, out);
	const char *test = telling_test_file(r, f->test);
	if (test)
		str_printf(out, "\n  test: %s", test);
	put_difference(f, out);
	if (f->given_up)
		str_add(out, "\n  it may not be the smallest input: there was no time to look further");
}

struct told story_of(const struct telling *r, const struct finding *f, struct arena *a)
{
	struct told t = { .kind = TOLD_BUG, .name = f->name, .test = telling_test_file(r, f->test), .distance = f->distance, .depth = f->depth, .hash = testcase_hash(&f->feed), .parent = f->parent_hash, .run = f->runs };
	struct str line = {0}, more = {0};
	put_cases(r, f, &t, a);
	put_headline(f, &line);
	put_more(r, f, t.file, &more);
	t.line = arena_strdup(a, str_text(&line));
	t.more = arena_strdup(a, str_text(&more));
	str_free(&line);
	str_free(&more);
	return t;
}
