/* tandem why: of one line of the source, why a side of a branch there was never taken. What a campaign has tried is run again and looked at (engine/inquiry.c); this file finds the branches that
 * are meant and has the words, for people who do not know how such a tool works inside. */
#include "cli/cases.h"
#include "cli/cli.h"
#include "cli/telling.h"

#include "base/vec.h"
#include "engine/inquiry.h"
#include "store/campaign.h"

#include <argp.h>
#include <ctype.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct request {
	const char *out, *save;
	char *file;
	uint32_t line, column; /* column 0: all of the line */
	unsigned paths;
	double seconds;
	bool json, no_sandbox;
};

enum { KEY_JSON = 256, KEY_NO_SANDBOX, KEY_PATHS, KEY_TIME, KEY_SAVE };

static const struct argp_option options[] = {
	{ "out", 'o', "DIR", 0, "the directory of the exploration (default: tandem-out)", 0 },
	{ "paths", KEY_PATHS, "N", 0, "ask the solver on the paths of at most N test cases (default 16)", 0 },
	{ "time", KEY_TIME, "S", 0, "ask nothing more after S seconds (default 60; 0: no limit)", 0 },
	{ "save", KEY_SAVE, "FILE", 0, "write the first input that takes an untaken side to FILE, as a test case", 0 },
	{ "json", KEY_JSON, NULL, 0, "write it as JSON", 0 },
	{ "no-sandbox", KEY_NO_SANDBOX, NULL, 0, "run in the current directory, without containment", 0 },
	{ 0 },
};

/* A number at the end of it, behind a colon, which is cut off. */
static bool cut_number(char *text, uint32_t *number)
{
	char *colon = strrchr(text, ':');
	if (!colon || colon == text || !isdigit((unsigned char)colon[1]) || colon[1 + strspn(colon + 1, "0123456789")] || strlen(colon) > 9)
		return false;
	*number = (uint32_t)strtoul(colon + 1, NULL, 10);
	*colon = 0;
	return true;
}

/* FILE:LINE or FILE:LINE:COLUMN */
static void parse_place(struct argp_state *state, char *arg)
{
	struct request *r = state->input;
	uint32_t last, before;
	if (r->file)
		argp_error(state, "one line at a time");
	r->file = arg;
	if (!cut_number(arg, &last))
		argp_error(state, "'%s' is no FILE:LINE", arg);
	bool both = cut_number(arg, &before);
	r->line = both ? before : last;
	r->column = both ? last : 0;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct request *r = state->input;
	switch (key) {
	case 'o': r->out = arg; break;
	case KEY_PATHS: r->paths = (unsigned)cli_number(state, arg, 1000000); break;
	case KEY_TIME: r->seconds = cli_seconds(state, arg); break;
	case KEY_SAVE: r->save = arg; break;
	case KEY_JSON: r->json = true; break;
	case KEY_NO_SANDBOX: r->no_sandbox = true; break;
	case ARGP_KEY_ARG: parse_place(state, arg); break;
	case ARGP_KEY_NO_ARGS: argp_error(state, "which line? FILE:LINE"); break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp parser = {
	.options = options, .parser = parse_option, .args_doc = "FILE:LINE[:COLUMN]",
	.doc = "Says of every branch on a line of the source which of its sides the test cases of an exploration take, and of the others why not: that no test case gets there, that it does not depend on "
	       "the input, that it contradicts what was decided before, that the solver gave up; or that it can be taken, and by which input.",
};

struct why {
	const struct request *r;
	struct campaign *campaign;
	const char *program;
	uint64_t build;
	struct cases files;
	struct testcase *tests;
	uint64_t *hashes; /* of them */
	struct inquiry *inquiry;
	struct arena *arena;
	VEC(const struct facts_place *) places;
	VEC(struct inquiry_site) sites;
	size_t left_out;
};

/* --- the campaign --- */

static bool open_campaign(struct why *w, struct err *err)
{
	struct facts f;
	if (!(w->campaign = campaign_look(w->r->out, err)))
		return false;
	w->program = campaign_program(w->campaign);
	if (access(w->program, F_OK) != 0)
		return err_errno(err, "%s: the program that %s is about", w->program, w->r->out);
	if (!facts_open(&f, w->program, err))
		return false;
	w->build = f.modules[0].build;
	facts_close(&f);
	return w->build == campaign_build(w->campaign) ||
	       err_set(err, "%s is another build than the one %s is about: lines may have moved. To start anew from its inputs: tandem explore --seeds %s --out OTHER", w->program, w->r->out, w->r->out);
}

/* Test cases of the program as it is called now. */
static void add_test(struct why *w, const char *path, size_t *count)
{
	struct casefile c;
	struct err why = {0};
	if (!cases_read(&c, path, w->arena, &why)) {
		fprintf(stderr, "tandem: %s is left out: %s\n", path, why.text);
		w->left_out++;
		return;
	}
	const char **args = arena_copy(w->arena, c.input.args, c.input.args_count * sizeof *args);
	if (c.input.args_count)
		args[0] = w->program;
	c.input.args = args;
	uint64_t hash = testcase_hash(&c.input);
	for (size_t i = 0; i < *count; i++)
		if (w->hashes[i] == hash) /* a seed that covered something is among the tests too */
			return;
	w->hashes[*count] = hash;
	w->files.at[*count] = path;
	w->tests[(*count)++] = c.input;
}

static bool read_tests(struct why *w, struct err *err)
{
	static const char *const folders[] = { "seeds", "tests", "crashes" };
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
		const char *folder = arena_printf(w->arena, "%s/%s", w->r->out, folders[i]);
		if (access(folder, F_OK) == 0 && !cases_list(&w->files, folder, CASEFILE_SUFFIX, true, err))
			return false;
	}
	size_t all = w->files.count;
	w->tests = arena_alloc(w->arena, (all + 1) * sizeof *w->tests);
	w->hashes = arena_alloc(w->arena, (all + 1) * sizeof *w->hashes);
	w->files.count = 0;
	for (size_t i = 0; i < all; i++)
		add_test(w, w->files.at[i], &w->files.count);
	return w->files.count || err_set(err, "%s: there is no test case in it", w->r->out);
}

static void left_out(void *context, size_t test, const char *why)
{
	struct why *w = context;
	w->left_out++;
	fprintf(stderr, "tandem: %s is left out: %s\n", w->files.at[test], why);
}

/* --- the line --- */

static bool is_visible(const struct facts_place *p)
{
	return !(p->block->head->flags & TD_FACTS_HIDDEN) && p->site->line;
}

/* Is `path` what the user calls `name`? The end of it is enough. */
static bool is_called(const char *path, const char *name)
{
	size_t n = strlen(path), m = strlen(name);
	return n >= m && strcmp(path + n - m, name) == 0 && (n == m || name[0] == '/' || path[n - m - 1] == '/');
}

static bool is_meant(const struct facts_place *p, const char *name, const char *absolute)
{
	const char *file = facts_file(p), *directory = facts_string(p->block, p->block->head->directory);
	struct str path = {0};
	str_printf(&path, "%s%s%s", file[0] == '/' ? "" : directory, file[0] == '/' ? "" : "/", file);
	while (strncmp(name, "./", 2) == 0)
		name += 2;
	bool is = is_called(str_text(&path), name) || (absolute && strcmp(str_text(&path), absolute) == 0);
	str_free(&path);
	return is;
}

static int by_column(const void *x, const void *y)
{
	const struct facts_place *a = *(const struct facts_place *const *)x, *b = *(const struct facts_place *const *)y;
	if (a->site->column != b->site->column)
		return a->site->column < b->site->column ? -1 : 1;
	return (a->first_edge > b->first_edge) - (a->first_edge < b->first_edge);
}

/* What is known of the files and lines while the branches are looked for. */
struct look {
	const char *file;      /* one that is meant */
	const char *other;     /* another one */
	uint32_t nearest;      /* line with a branch; 0: none */
	struct str files;      /* all there are, for a message */
	size_t files_count;
	const char *last;
};

static uint32_t away(uint32_t a, uint32_t b)
{
	return a > b ? a - b : b - a;
}

static void look_at(struct why *w, struct look *l, const struct facts_place *p, const char *absolute)
{
	const char *file = facts_file(p);
	if (!is_visible(p))
		return;
	if ((!l->last || strcmp(l->last, file) != 0) && l->files_count++ < 8)
		str_printf(&l->files, "%s%s", l->files.length ? ", " : "", file);
	l->last = file;
	if (!is_meant(p, w->r->file, absolute))
		return;
	if (l->file && strcmp(l->file, file) != 0)
		l->other = file;
	l->file = l->file ? l->file : file;
	if (!l->nearest || away(p->site->line, w->r->line) < away(l->nearest, w->r->line))
		l->nearest = p->site->line;
	if (p->site->line == w->r->line && (!w->r->column || p->site->column == w->r->column))
		vec_push(&w->places, p);
}

static bool find_places(struct why *w, struct err *err)
{
	const struct facts *f = inquiry_facts(w->inquiry);
	struct look l = {0};
	const struct request *r = w->r;
	char *absolute = realpath(r->file, NULL);
	for (size_t m = 0; m < f->modules_count; m++)
		for (size_t i = 0; i < f->modules[m].places_count; i++)
			look_at(w, &l, &f->modules[m].places[i], absolute);
	free(absolute);
	bool ok = true;
	if (!l.file)
		ok = err_set(err, "no branch of %s is in a file '%s'; there are branches in %s%s", w->program, r->file, str_text(&l.files), l.files_count > 8 ? ", ..." : "");
	else if (l.other)
		ok = err_set(err, "which one, %s or %s?", l.file, l.other);
	else if (!w->places.count && r->column && l.nearest == r->line)
		ok = err_set(err, "no branch of %s:%" PRIu32 " begins in column %" PRIu32, l.file, r->line, r->column);
	else if (!w->places.count)
		ok = err_set(err, "there is no branch in %s:%" PRIu32 "; the nearest is in line %" PRIu32, l.file, r->line, l.nearest);
	if (ok)
		qsort(w->places.at, w->places.count, sizeof *w->places.at, by_column);
	str_free(&l.files);
	return ok;
}

/* --- in words --- */

static void put_side(const struct facts_place *p, uint32_t side, struct str *out)
{
	if (p->site->kind != TD_SITE_SWITCH) {
		str_add(out, side ? "true" : "false");
		return;
	}
	uint64_t value = side ? p->block->cases[p->site->first_case + side - 1] : 0;
	if (!side)
		str_add(out, "default");
	else
		str_printf(out, "case %" PRId64, (int64_t)value);
	if (side && value > ' ' && value < 127)
		str_printf(out, " ('%c')", (int)value);
}

static void put_place(const struct facts_place *p, struct str *out)
{
	str_printf(out, "%s:%" PRIu32 ":%u in %s", facts_file(p), p->site->line, p->site->column, facts_function(p));
}

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

static void put_gates(const struct inquiry_site *s, struct str *out)
{
	if (!s->gates_count) {
		str_add(out, "      No branch that was reached leads here: by the calls that are known, nothing before it does.\n");
		return;
	}
	str_add(out, s->gates[0].taken ? "      All branches on the way were taken, so runs end before it, or a call turns off. They come as close as:\n"
	                               : "      To get here, one of these sides has to be taken, which never happened (ask `tandem why` about it):\n");
	for (size_t i = 0; i < s->gates_count; i++) {
		str_add(out, "        ");
		put_place(s->gates[i].place, out);
		str_add(out, ", side ");
		put_side(s->gates[i].place, s->gates[i].side, out);
		if (s->gates[i].distance)
			str_printf(out, " (and %" PRIu32 " more branch%s behind it)", s->gates[i].distance, s->gates[i].distance == 1 ? "" : "es");
		str_add(out, "\n");
	}
}

static void put_causes(const struct inquiry_side *v, struct str *out)
{
	for (size_t i = 0; i < v->causes_count; i++)
		str_printf(out, "        %s\n", v->causes[i]);
}

static void put_concrete(const struct inquiry_side *v, struct str *out)
{
	if (!v->causes_count) {
		str_add(out, "concrete: the condition does not depend on the input, as far as values go. Only other decisions before it, or another number of them, can change it.\n");
		return;
	}
	str_add(out, "concrete: the condition did not depend on the input. What was lost on the way there, and may be why:\n");
	put_causes(v, out);
}

static void put_refuted(const struct why *w, const struct inquiry_side *v, struct str *out)
{
	if (!v->causes) {
		str_printf(out, "refuted: impossible on all %" PRIu32 " ways that were asked about; why was not looked for, for lack of time.\n", v->refuted);
		return;
	}
	str_printf(out, "refuted: impossible on %" PRIu32 " of %" PRIu32 " way%s to get here%s. On that of %s it would take\n", v->refuted, v->asked, plural(v->asked),
	           v->given_up ? ", and the solver gave up on the others" : "", w->files.at[v->test]);
	str_printf(out, "        %s\n", v->wanted);
	str_add(out, v->causes_count ? "      which contradicts what was decided before:\n" : "      which is impossible by itself, whatever the input: only a way that computes it otherwise could do it.\n");
	put_causes(v, out);
	if (v->causes_count && !v->least)
		str_add(out, "      (not all of these may be needed)\n");
}

static void put_possible(const struct why *w, const struct inquiry_side *v, struct str *out)
{
	str_printf(out, "can be taken: the input below, made from %s, was run and takes it%s%s%s.\n        ", w->files.at[v->test], v->ending ? "; the run ends in a bug (" : "", v->ending ? v->ending : "",
	           v->ending ? ")" : "");
	telling_put_input(&v->input, out);
	str_add(out, "\n");
}

static void put_verdict(const struct why *w, const struct inquiry_site *s, const struct inquiry_side *v, struct str *out)
{
	switch (v->verdict) {
	case INQUIRY_TAKEN: str_printf(out, "taken by %" PRIu32 " test case%s, such as %s\n", v->tests, plural(v->tests), w->files.at[v->test]); break;
	case INQUIRY_UNREACHED: str_add(out, "never reached\n"); break;
	case INQUIRY_CONCRETE: put_concrete(v, out); break;
	case INQUIRY_REFUTED: put_refuted(w, v, out); break;
	case INQUIRY_POSSIBLE: put_possible(w, v, out); break;
	case INQUIRY_ASTRAY:
		str_printf(out, "went elsewhere: of %" PRIu32 " question%s the solver answered %" PRIu32 " with an input, and none of their runs took it: the conditions do not tell everything.\n", v->asked,
		           plural(v->asked), v->astray);
		break;
	case INQUIRY_SELECT: str_add(out, "not taken; it was compiled to a choice without a branch, and no search asks for those\n"); break;
	default:
		str_printf(out, "gave up: the solver did not come to an answer within its limits, %" PRIu32 " time%s%s\n", v->given_up, plural(v->given_up), s->symbolic && !v->asked ? " (there was no time to ask)" : "");
	}
}

static void put_site(const struct why *w, const struct inquiry_site *s, struct str *out)
{
	put_place(s->place, out);
	const char *kind = s->place->site->kind == TD_SITE_SWITCH ? "a switch" : s->place->site->kind == TD_SITE_SELECT ? "a choice without a branch" : "a branch";
	str_printf(out, ": %s, ", kind);
	if (!s->reached) {
		str_printf(out, "never reached by any of %zu test case%s\n", w->files.count, plural(w->files.count));
		put_gates(s, out);
		return;
	}
	str_printf(out, "reached by %" PRIu32 " of %zu test cases", s->reached, w->files.count);
	if (s->place->site->kind != TD_SITE_SELECT)
		str_printf(out, "; in %" PRIu32 " of them its condition depends on the input", s->symbolic);
	str_add(out, "\n");
	for (uint32_t side = 0; side < s->place->site->edges; side++) {
		str_add(out, "    ");
		put_side(s->place, side, out);
		str_add(out, ": ");
		put_verdict(w, s, &s->sides[side], out);
	}
}

static void tell(const struct why *w)
{
	struct str text = {0};
	for (size_t i = 0; i < w->sites.count; i++)
		put_site(w, &w->sites.at[i], &text);
	fputs(str_text(&text), stdout);
	str_free(&text);
}

/* --- as JSON --- */

static json_t *json_text(const char *text)
{
	json_t *j = text ? json_string(text) : NULL;
	return j ? j : json_null(); /* it need not be UTF-8 */
}

static json_t *json_side(const struct why *w, const struct inquiry_site *s, uint32_t side)
{
	const struct inquiry_side *v = &s->sides[side];
	bool has_test = v->verdict != INQUIRY_UNREACHED && v->verdict != INQUIRY_SELECT && v->test < w->files.count;
	struct str name = {0}, input = {0};
	put_side(s->place, side, &name);
	json_t *causes = json_array(), *j = json_object();
	for (size_t i = 0; i < v->causes_count; i++)
		json_array_append_new(causes, json_text(v->causes[i]));
	if (v->verdict == INQUIRY_POSSIBLE)
		telling_put_input(&v->input, &input);
	json_object_set_new(j, "side", json_text(str_text(&name)));
	json_object_set_new(j, "verdict", json_text(inquiry_word(v->verdict)));
	json_object_set_new(j, "tests", json_integer(v->tests));
	json_object_set_new(j, "test", json_text(has_test ? w->files.at[v->test] : NULL));
	json_object_set_new(j, "asked", json_integer(v->asked));
	json_object_set_new(j, "refuted", json_integer(v->refuted));
	json_object_set_new(j, "given_up", json_integer(v->given_up));
	json_object_set_new(j, "wanted", json_text(v->wanted));
	json_object_set_new(j, "because", causes);
	json_object_set_new(j, "input", json_text(input.length ? str_text(&input) : NULL));
	str_free(&name);
	str_free(&input);
	return j;
}

static json_t *json_gate(const struct inquiry_gate *g)
{
	struct str side = {0};
	put_side(g->place, g->side, &side);
	json_t *j = json_pack("{s:o,s:I,s:I,s:o,s:I,s:b}", "file", json_text(facts_file(g->place)), "line", (json_int_t)g->place->site->line, "column", (json_int_t)g->place->site->column, "side",
	                      json_text(str_text(&side)), "distance", (json_int_t)g->distance, "taken", g->taken);
	str_free(&side);
	return j;
}

static void tell_json(const struct why *w)
{
	json_t *all = json_array();
	for (size_t i = 0; i < w->sites.count; i++) {
		const struct inquiry_site *s = &w->sites.at[i];
		json_t *sides = json_array(), *gates = json_array();
		for (uint32_t side = 0; side < s->place->site->edges; side++)
			json_array_append_new(sides, json_side(w, s, side));
		for (size_t k = 0; k < s->gates_count; k++)
			json_array_append_new(gates, json_gate(&s->gates[k]));
		json_array_append_new(all, json_pack("{s:o,s:I,s:I,s:o,s:I,s:I,s:o,s:o}", "file", json_text(facts_file(s->place)), "line", (json_int_t)s->place->site->line, "column",
		                                     (json_int_t)s->place->site->column, "function", json_text(facts_function(s->place)), "reached", (json_int_t)s->reached, "symbolic",
		                                     (json_int_t)s->symbolic, "sides", sides, "on_the_way", gates));
	}
	json_t *top = json_pack("{s:I,s:o}", "tests", (json_int_t)w->files.count, "branches", all);
	json_dumpf(top, stdout, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
	putchar('\n');
	json_decref(top);
}

/* --- all together --- */

static const struct inquiry_side *first_possible(const struct why *w)
{
	for (size_t i = 0; i < w->sites.count; i++)
		for (uint32_t side = 0; side < w->sites.at[i].place->site->edges; side++)
			if (w->sites.at[i].sides[side].verdict == INQUIRY_POSSIBLE)
				return &w->sites.at[i].sides[side];
	return NULL;
}

/* To be kept, or how to. */
static bool offer(const struct why *w, struct err *err)
{
	const struct inquiry_side *v = first_possible(w);
	if (!v && w->r->save)
		fprintf(stderr, "tandem: nothing to save in %s: no side that was not taken can be\n", w->r->save);
	if (!v)
		return true;
	if (!w->r->save) {
		if (!w->r->json)
			printf("To keep that input as a test case: --save FILE. To search on from it: tandem explore --seeds FILE --out OTHER %s\n", w->program);
		return true;
	}
	const char *purpose = arena_printf(w->arena, "takes a side in %s:%" PRIu32, w->r->file, w->r->line);
	struct casefile c = { .input = v->input, .kind = CASE_PATH, .purpose = purpose, .program = w->program, .build = w->build, .parent = testcase_hash(&w->tests[v->test]) };
	if (!casefile_write(w->r->save, &c, err))
		return false;
	if (!w->r->json)
		printf("written to %s\n", w->r->save);
	return true;
}

static bool ask(struct why *w, struct err *err)
{
	for (size_t i = 0; i < w->places.count; i++) {
		struct inquiry_site s;
		if (!inquiry_ask(w->inquiry, w->places.at[i], w->arena, &s, err))
			return false;
		vec_push(&w->sites, s);
	}
	return true;
}

static int why(struct why *w)
{
	struct err err = {0};
	if (!open_campaign(w, &err) || !read_tests(w, &err))
		return cli_fail(CLI_USAGE, &err);
	struct inquiry_options o = {
		.program = w->program, .tests = w->tests, .tests_count = w->files.count, .sandbox = !w->r->no_sandbox, .wall_ms = 5000, .paths = w->r->paths, .seconds = w->r->seconds,
		.note = cli_note, .left_out = left_out, .context = w,
	};
	if (!(w->inquiry = inquiry_open(&o, &err)) || !find_places(w, &err))
		return cli_fail(CLI_USAGE, &err);
	if (!ask(w, &err))
		return cli_fail(CLI_INTERNAL, &err);
	if (w->r->json)
		tell_json(w);
	else
		tell(w);
	return offer(w, &err) ? CLI_CLEAN : cli_fail(CLI_INTERNAL, &err);
}

int cmd_why(int argc, char **argv)
{
	struct request r = { .out = "tandem-out", .paths = 16, .seconds = 60 };
	struct why w = { .r = &r, .arena = arena_new() };
	argp_parse(&parser, argc, argv, 0, NULL, &r);
	int status = why(&w);
	inquiry_close(w.inquiry);
	campaign_close(w.campaign);
	vec_free(&w.places);
	vec_free(&w.sites);
	cases_free(&w.files);
	arena_free(w.arena);
	return status;
}
