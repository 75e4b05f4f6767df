/* What is said of a bug: class and place, how many runs it took, the input, how to see it again here and on another build, where the input came from and how it differs from that. A file
 * of crashes/ or hangs/ has the smallest input that is known to do it; what did it first, if that was another, is in originals/ under the same name. */
#include "cli/story.h"

#include "cli/cases.h"
#include "cli/cli.h"
#include "cli/telling.h"
#include "engine/flip.h"
#include "store/campaign.h"
#include "testcase/differ.h"
#include "trace/report.h"
#include "trace/tell.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define DIFFERENCES 4 /* that are told */

/* --- words --- */

static void put_input(const struct testcase *f, struct str *out)
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
	if (f->flip)
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

static const char *file_name(const struct finding *f, const char *class, struct arena *a)
{
	return arena_printf(a, "%s-%016" PRIx64 CASEFILE_SUFFIX, class, testcase_hash(&f->feed));
}

static bool write_in(const struct telling *r, const char *directory, const char *name, const struct casefile *c, const char **path, struct arena *a, struct err *err)
{
	const char *in = arena_printf(a, "%s/%s", r->out, directory);
	*path = arena_printf(a, "%s/%s", in, name);
	return cases_make_dir(in, err) && casefile_write(*path, c, err);
}

/* The file first: what the campaign knows is there. */
static bool save(const struct telling *r, const struct finding *f, const char **path, struct arena *a, struct err *err)
{
	struct str origin = {0};
	struct casefile c = { .kind = CASE_BUG, .program = r->program, .build = f->facts->modules[0].build, .parent = f->parent_hash };
	story_describe(f, &c, a);
	const char *name = file_name(f, c.bug, a), *other;
	str_add(&origin, "made from ");
	put_origin(f, &origin);
	bool ok = true;
	if (f->original) {
		c.purpose = arena_printf(a, "%s, before it was made smaller", str_text(&origin));
		c.input = *f->original;
		ok = write_in(r, "originals", name, &c, &other, a, err);
		str_add(&origin, " and made smaller");
	}
	c.purpose = str_text(&origin);
	c.input = f->feed;
	ok = ok && write_in(r, f->kind == FINDING_HANG ? "hangs" : "crashes", name, &c, path, a, err) &&
	     campaign_add_bug(r->campaign, &(struct campaign_bug){ f->name, testcase_hash(&f->feed), f->parent_hash, f->runs, c.bug, c.place ? c.place : "", *path + strlen(r->out) + 1 }, err);
	str_free(&origin);
	return ok;
}

/* --- the lines --- */

static void put_replay(const struct telling *r, const struct finding *f, const char *path, struct str *out)
{
	cli_quote_shell(program_invocation_name, out);
	str_add(out, r->no_sandbox ? " replay --no-sandbox " : " replay ");
	if (f->kind == FINDING_HANG)
		str_printf(out, "--time %g ", r->run_seconds);
	if (f->kind == FINDING_MEMORY)
		str_printf(out, "--memory %" PRIu64 " ", r->run_memory);
	cli_quote_shell(path, out);
}

static void put_headline(const struct finding *f, struct str *out)
{
	str_add(out, "bug: ");
	if (f->report)
		tell_briefly(f->report, f->facts, out);
	else
		put_class(f, out);
	str_printf(out, " after %" PRIu64 " runs: ", f->runs);
	put_input(&f->feed, out);
}

static void put_difference(const struct finding *f, struct str *out)
{
	struct str text = {0};
	if (f->parent_feed && differ_text(f->parent_feed, &f->feed, DIFFERENCES, &text))
		str_printf(out, "\n  differs from run %" PRIu64 " in: %s", f->parent, str_text(&text));
	str_free(&text);
}

bool story_of(const struct telling *r, const struct finding *f, struct str *lines, struct err *err)
{
	struct arena *a = arena_new();
	struct str branch = {0};
	const char *path;
	bool ok = save(r, f, &path, a, err);
	put_headline(f, lines);
	put_branch(f, &branch);
	if (!f->report && branch.length)
		str_printf(lines, "\n  last branch: %s", str_text(&branch));
	if (ok) {
		str_add(lines, "\n  replay: ");
		put_replay(r, f, path, lines);
		if (!f->feed.marks_count) {
			str_add(lines, "\n  elsewhere: ");
			put_replay(r, f, path, lines);
			str_add(lines, " -- ./plain-or-asan-build");
		}
	}
	str_add(lines, "\n  made from: ");
	put_origin(f, lines);
	put_difference(f, lines);
	if (f->given_up)
		str_add(lines, "\n  it may not be the smallest input: there was no time to look further");
	str_free(&branch);
	arena_free(a);
	return ok;
}
