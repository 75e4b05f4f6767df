/* See flips.h. */
#include "cli/flips.h"

#include "cli/cases.h"
#include "cli/cli.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct writing {
	const char *out, *program;
	uint64_t parent, number;
	struct err err;          /* the first thing that went wrong */
};

static void put_purpose(const struct flip *f, const struct facts *facts, bool optimistic, struct str *out)
{
	const struct facts_place *p = f->edge == TD_NO_SITE ? NULL : facts_find(facts, f->edge);
	static const char *const wants[] = {
		[FLIP_BRANCH] = "takes the other side", [FLIP_CASE] = "takes another case", [FLIP_DEFAULT] = "takes the default", [FLIP_OUTSIDE] = "violates what must hold",
		[FLIP_LONGER] = "is longer", [FLIP_SHORTER] = "is shorter",
	};
	str_add(out, wants[f->kind]);
	if (p)
		str_printf(out, " at %s:%" PRIu32 ":%u", facts_file(p), p->site->line, p->site->column);
	if (optimistic)
		str_add(out, ", or leaves the path before");
}

static void write_flip(void *context, const struct testcase *feed, const struct flip *f, const struct facts *facts, bool optimistic)
{
	struct writing *w = context;
	struct str path = {0}, purpose = {0};
	put_purpose(f, facts, optimistic, &purpose);
	str_printf(&path, "%s/%06" PRIu64 "-%016" PRIx64 CASEFILE_SUFFIX, w->out, ++w->number, testcase_hash(feed));
	struct casefile c = { .input = *feed, .kind = CASE_SEED, .purpose = str_text(&purpose), .program = w->program, .build = facts->modules[0].build, .parent = w->parent };
	struct err err = {0};
	if (!casefile_write(str_text(&path), &c, &err) && !*w->err.text)
		w->err = err;
	str_free(&path);
	str_free(&purpose);
}

static void add_sums(struct once_sums *to, const struct once_sums *s)
{
	to->flips += s->flips;
	to->solved += s->solved;
	to->refuted += s->refuted;
	to->given_up += s->given_up;
	to->optimistic += s->optimistic;
	to->same += s->same;
	to->left += s->left;
}

int flips_write(const char *out, struct once_options *o, const struct testcase *feeds, size_t count, FILE *to)
{
	struct str directory = {0};
	struct err err = {0};
	struct once_sums all = {0}, s;
	str_printf(&directory, "%s/flips", out);
	struct writing w = { .out = str_text(&directory), .program = o->program };
	bool ok = cases_make_dir(w.out, &err);
	o->found = write_flip;
	o->context = &w;
	for (size_t i = 0; i < count && ok && !*w.err.text; i++) {
		o->feed = &feeds[i];
		w.parent = testcase_hash(o->feed);
		ok = once(o, &s, &err);
		add_sums(&all, &s);
	}
	if (ok && !*w.err.text)
		fprintf(to, "%" PRIu64 " flips: %" PRIu64 " inputs in %s, %" PRIu64 " the same as another, %" PRIu64 " refuted, %" PRIu64 " given up, %" PRIu64 " optimistic, %" PRIu64 " not asked for lack of time\n",
		        all.flips, w.number, w.out, all.same, all.refuted, all.given_up, all.optimistic, all.left);
	int status = !ok ? cli_fail(CLI_USAGE, &err) : *w.err.text ? cli_fail(CLI_INTERNAL, &w.err) : all.left ? CLI_BUDGET : CLI_CLEAN;
	str_free(&directory);
	return status;
}
