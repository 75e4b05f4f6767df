/* See testing.h. A file's name ends with a hash of all that decides its contents: the function's code and that of its unit, the plans, the options. So one that is there is the answer, and one for other code or options is not in the way. */
#include "cli/testing.h"

#include "base/fs.h"
#include "base/vec.h"
#include "cli/cases.h"
#include "cli/cli.h"
#include "cli/crew.h"
#include "trace/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const verdict_names[VERDICT_KINDS] = {
	[VERDICT_SEEN] = "seen", [VERDICT_POSSIBLE] = "possible", [VERDICT_CONTEXTLESS] = "no-context", [VERDICT_NO_CALL] = "no-call",
	[VERDICT_UNDECIDED] = "undecided", [VERDICT_UNFILTERED] = "unfiltered", [VERDICT_DROPPED] = "dropped",
};

struct entry {
	struct summary summary;
	const struct verdict_row *verdicts;
	bool has_summary, asked_summary;
	const struct formula_pointer *expected; /* NULL: nobody has asked */
	size_t expected_count;
};

typedef VEC(uint32_t) function_list;

struct testing {
	struct testing_options o;
	struct arena *arena;
	struct entry *entries;       /* by function */
	const function_list *under_way;
};

struct testing *testing_new(const struct testing_options *o, struct err *err)
{
	struct testing *t = mem_alloc(sizeof *t);
	t->o = *o;
	t->o.probe.watching = o->filter;
	t->arena = arena_new();
	t->entries = mem_alloc((o->probe.program->count + 1u) * sizeof *t->entries);
	struct str path = {0};
	str_printf(&path, "%s/functions", o->directory);
	bool ok = cases_make_dir(str_text(&path), err);
	str_free(&path);
	if (ok)
		return t;
	testing_free(t);
	return NULL;
}

void testing_free(struct testing *t)
{
	if (!t)
		return;
	arena_free(t->arena);
	free(t->entries);
	free(t);
}

/* --- files --- */

static struct digest add_function(struct digest d, const struct unit_program *p, uint32_t function)
{
	const struct unit_function *f = &p->functions[function];
	d = digest_add(d, f->facts ? f->facts->key : 0);
	return f->block ? digest_add(digest_add(d, f->block->head->hash), f->block->head->code) : d;
}

/* Code of its unit, what it and those it calls are given, and of main for whose sake it is explored. */
static struct digest key_of(struct testing *t, uint32_t function)
{
	const struct unit_program *p = t->o.probe.program;
	const struct scope *s = book_scope(t->o.probe.book, function);
	struct digest d = add_function(t->o.key, p, function);
	struct str packed = {0};
	for (size_t i = 0; i < t->o.probe.wanted_count && unit_program_is_main(p, function); i++)
		d = digest_add(d, t->o.probe.wanted[i]);
	for (uint32_t i = 0; i < p->count; i++)
		if (s->members[i])
			d = add_function(d, p, i);
	if (book_plan(t->o.probe.book, function, NULL))
		book_pack(t->o.probe.book, function, t->o.filter, &packed);
	d = digest_bytes(d, str_text(&packed), packed.length);
	str_free(&packed);
	return d;
}

static const char *file_of(struct testing *t, uint32_t function, struct digest key, const char *suffix)
{
	const char *name = t->o.probe.program->functions[function].name;
	return arena_printf(t->arena, "%s/functions/%.100s-%016" PRIx64 ".%s", t->o.directory, name, key.a, suffix);
}

static bool read_summary(struct testing *t, uint32_t function, struct err *err)
{
	struct entry *e = &t->entries[function];
	size_t size;
	char *bytes = fs_read(file_of(t, function, key_of(t, function), "summary"), &size, err);
	e->has_summary = bytes && summary_unpack(&e->summary, bytes, size, t->arena, err);
	e->asked_summary = true;
	free(bytes);
	return e->has_summary;
}

const struct summary *testing_summary(struct testing *t, uint32_t function)
{
	struct err ignored = {0};
	struct entry *e = &t->entries[function];
	if (!e->asked_summary)
		read_summary(t, function, &ignored);
	return e->has_summary ? &e->summary : NULL;
}

static void write_summary(struct testing *t, uint32_t function, const struct summary *s)
{
	struct pack bytes = {0};
	struct err err = {0};
	summary_pack(s, &bytes);
	if (!fs_write(file_of(t, function, key_of(t, function), "summary"), bytes.at, bytes.count, &err))
		cli_fail(CLI_INTERNAL, &err);
	pack_free(&bytes);
}

/* --- exploring --- */

static void explore(void *context, size_t item)
{
	struct testing *t = context;
	uint32_t function = t->under_way->at[item];
	struct summary s;
	struct err err = {0};
	struct arena *arena = arena_new();
	if (!probe(&t->o.probe, function, arena, &s, &err))
		s = (struct summary){ .trouble = arena_strdup(arena, err.text) };
	if (!cli_stopped)
		write_summary(t, function, &s);
	arena_free(arena);
}

static void explorer_died(void *context, size_t item, int signal)
{
	struct testing *t = context;
	char trouble[80];
	snprintf(trouble, sizeof trouble, "tandem was ended by signal %d while it was at it", signal);
	write_summary(t, t->under_way->at[item], &(struct summary){ .trouble = trouble });
}

static void explored(void *context, size_t item, size_t finished)
{
	struct testing *t = context;
	(void)item;
	if (t->o.progress)
		t->o.progress(t->o.context, "functions explored", finished, t->under_way->count);
}

/* --- holding against callers --- */

static const struct summary *summary_for_filter(void *context, uint32_t function)
{
	return testing_summary(context, function);
}

static const char *chain_text(struct testing *t, const struct scope_context *c, uint32_t function, struct arena *a)
{
	const struct unit_program *p = t->o.probe.program;
	const char *text = "";
	for (size_t i = 0; i < c->count; i++)
		text = arena_printf(a, "%s%s -> ", text, p->functions[c->functions[i]].name);
	return arena_printf(a, "%s%s", text, p->functions[function].name);
}

static void put_main(const struct formula *f, const struct assignment *in, struct str *out)
{
	str_add(out, "main(");
	for (uint32_t i = 0, n = 0; i < f->inputs_count && i < in->count; i++)
		if (f->inputs[i].kind == TD_IN_ARG || f->inputs[i].kind == TD_IN_STDIN) {
			str_printf(out, n++ ? ", " : "");
			if (f->inputs[i].kind == TD_IN_STDIN)
				str_add(out, "stdin = ");
			else
				str_printf(out, "argv[%" PRIu32 "] = ", f->inputs[i].index);
			cli_quote_c(in->objects[i].bytes, in->objects[i].length, 40, out);
		}
	str_add_char(out, ')');
}

static void put_level(struct testing *t, uint32_t function, const struct formula *f, const struct assignment *in, struct str *out)
{
	const struct plan *plan = book_plan(t->o.probe.book, function, NULL);
	if (!plan || !plan->given) {
		put_main(f, in, out);
		return;
	}
	struct plan_value *values = mem_alloc((plan->given + 1u) * sizeof *values);
	for (uint32_t i = 0; i < f->inputs_count && i < in->count; i++)
		if (f->inputs[i].kind == TD_IN_MARK && f->inputs[i].index < plan->given)
			values[f->inputs[i].index] = (struct plan_value){ .bytes = in->objects[i].bytes, .size = in->objects[i].length };
	plan_print(plan, t->o.probe.program->functions[function].name, values, plan->given, out);
	free(values);
}

static const char *witness_text(struct testing *t, const struct scope_context *c, uint32_t function, const struct filter_witness *w, struct arena *a)
{
	struct str text = {0};
	for (size_t i = 0; i < w->count; i++) {
		str_add(&text, i ? " -> " : "");
		put_level(t, i < c->count ? c->functions[i] : function, w->levels[i], &w->inputs[i], &text);
	}
	const char *copy = arena_strdup(a, str_text(&text));
	str_free(&text);
	return copy;
}

static size_t pointers_for_filter(void *context, uint32_t function, const struct formula_pointer **out)
{
	struct testing *t = context;
	struct entry *e = &t->entries[function];
	const struct plan *plan = book_plan(t->o.probe.book, function, NULL);
	const struct carving *carving = t->o.probe.carving;
	if (!e->expected && plan) {
		struct presence *none = carving && carving->presence ? NULL : presence_new(t->o.probe.program);
		e->expected_count = presence_expect(none ? none : carving->presence, function, plan, carving && carving->functions ? carving->functions[function].pointers : NULL, t->arena, &e->expected);
		presence_free(none);
	}
	*out = e->expected;
	return e->expected_count;
}

/* It may be because of what nobody gives the caller. */
static bool counts(const struct testing *t, const struct summary_other *other)
{
	return !other->null || t->o.nulls;
}

static bool is_same(const struct summary_failure *a, const struct summary_failure *b)
{
	return strcmp(a->place, b->place) == 0 && report_same_violation(a->class, b->class);
}

/* The outermost caller's own runs are what the chain is about: if one of them failed so, and not because of what nobody gives it, there is nothing to be asked. */
static const char *seen_by(struct testing *t, const struct scope_context *c, const struct summary_failure *f)
{
	const struct summary *s = c->count ? testing_summary(t, c->functions[0]) : NULL;
	for (size_t i = 0; s && i < s->others_count; i++)
		if (counts(t, &s->others[i]) && is_same(&s->others[i].is, f))
			return s->others[i].is.input;
	return NULL;
}

static const char *reason_text(struct testing *t, uint32_t function, const struct scope_context *c, const struct filter_result *r, struct arena *a)
{
	const char *chain = chain_text(t, c, function, a), *caller = t->o.probe.program->functions[r->caller].name;
	const struct summary *s = testing_summary(t, r->caller);
	switch (r->verdict) {
	case FILTER_NO_CALL: return arena_printf(a, "%s: %s was never seen to make the call (%" PRIu64 " runs)", chain, caller, s ? s->runs : 0);
	case FILTER_UNDECIDED: return arena_printf(a, "%s: not decided", chain);
	case FILTER_NULL: return arena_printf(a, "%s: only if a pointer that %s is given is null, or leads where another one does, which nobody was seen to do", chain, caller);
	default: return arena_printf(a, "%s: %s does not call it so (%" PRIu64 " runs%s)", chain, caller, s ? s->runs : 0, s && s->exhausted && !unit_program_is_main(t->o.probe.program, r->caller) ? ", all that can be" : "");
	}
}

static void judge(struct testing *t, struct filter *filter, uint32_t function, const struct summary *own, const struct summary_failure *f, struct verdict_row *row, struct arena *a)
{
	const struct scope *s = book_scope(t->o.probe.book, function);
	const char **reasons = arena_alloc(a, (s->contexts_count + 1) * sizeof *reasons);
	static const struct scope_context nobody;
	bool no_call = false, undecided = s->contexts_cut;
	*row = (struct verdict_row){ .context = "", .reasons = reasons };
	for (size_t i = 0; i < s->contexts_count || i == 0; i++) {
		const struct scope_context *c = s->contexts_count ? &s->contexts[i] : &nobody;
		const char *seen = seen_by(t, c, f);
		struct filter_result r = seen ? (struct filter_result){0} : filter_ask(filter, function, own, f, c, a);
		if (!c->count && r.verdict == FILTER_POSSIBLE) {
			row->kind = VERDICT_CONTEXTLESS;
			return;
		}
		if (seen || r.verdict == FILTER_POSSIBLE) {
			row->kind = seen ? VERDICT_SEEN : VERDICT_POSSIBLE;
			row->context = seen ? arena_printf(a, "%s: %s", chain_text(t, c, function, a), seen) : witness_text(t, c, function, &r.witness, a);
			return;
		}
		no_call |= r.verdict == FILTER_NO_CALL;
		undecided |= r.verdict == FILTER_UNDECIDED;
		reasons[row->reasons_count++] = reason_text(t, function, c, &r, a);
	}
	row->kind = undecided ? VERDICT_UNDECIDED : no_call ? VERDICT_NO_CALL : VERDICT_DROPPED;
}

static void pack_verdict(struct pack *p, const struct verdict_row *v)
{
	pack_number(p, v->kind);
	pack_text(p, v->context);
	pack_number(p, v->reasons_count);
	for (size_t i = 0; i < v->reasons_count; i++)
		pack_text(p, v->reasons[i]);
}

/* Summaries of all callers are part of what comes out. */
static struct digest verdict_key(struct testing *t, uint32_t function)
{
	const struct scope *s = book_scope(t->o.probe.book, function);
	struct digest d = digest_join(digest_of(t->o.nulls ? 'V' : 'v'), key_of(t, function));
	for (size_t i = 0; i < s->contexts_count; i++)
		for (size_t k = 0; k < s->contexts[i].count; k++)
			d = digest_join(d, key_of(t, s->contexts[i].functions[k]));
	return d;
}

static void judge_all(void *context, size_t item)
{
	struct testing *t = context;
	uint32_t function = t->under_way->at[item];
	const struct summary *s = testing_summary(t, function);
	struct filter *filter = filter_new(&(struct filter_options){ .summary = summary_for_filter, .expect = t->o.nulls ? NULL : pointers_for_filter, .context = t, .questions_max = FILTER_QUESTIONS });
	struct pack bytes = {0};
	struct err err = {0};
	for (size_t i = 0; s && i < s->failures_count; i++) {
		struct verdict_row row;
		judge(t, filter, function, s, &s->failures[i], &row, t->arena);
		pack_verdict(&bytes, &row);
	}
	if (!cli_stopped && !fs_write(file_of(t, function, verdict_key(t, function), "verdicts"), bytes.at, bytes.count, &err))
		cli_fail(CLI_INTERNAL, &err);
	pack_free(&bytes);
	filter_free(filter);
}

/* Without a file all of its failures are kept. */
static void judge_died(void *context, size_t item, int signal)
{
	(void)context, (void)item, (void)signal;
}

static void judged(void *context, size_t item, size_t finished)
{
	struct testing *t = context;
	(void)item;
	if (t->o.progress)
		t->o.progress(t->o.context, "functions held against their callers", finished, t->under_way->count);
}

static bool unpack_verdict(struct unpack *u, struct verdict_row *v, struct arena *a)
{
	size_t size;
	v->kind = (enum verdict_kind)unpack_number(u);
	const uint8_t *text = unpack_block(u, &size);
	v->context = text ? arena_printf(a, "%.*s", (int)size, (const char *)text) : "";
	uint64_t count = unpack_number(u);
	if (u->bad || count > (uint64_t)(u->end - u->at) || v->kind >= VERDICT_KINDS)
		return false;
	const char **reasons = arena_alloc(a, (count + 1) * sizeof *reasons);
	for (size_t i = 0; i < count && !u->bad; i++) {
		text = unpack_block(u, &size);
		reasons[i] = text ? arena_printf(a, "%.*s", (int)size, (const char *)text) : "";
	}
	v->reasons = reasons;
	v->reasons_count = count;
	return !u->bad;
}

static bool read_verdicts(struct testing *t, uint32_t function, const struct summary *s)
{
	struct err ignored = {0};
	size_t size;
	char *bytes = fs_read(file_of(t, function, verdict_key(t, function), "verdicts"), &size, &ignored);
	if (!bytes)
		return false;
	struct unpack u = { (uint8_t *)bytes, (uint8_t *)bytes + size, false };
	struct verdict_row *rows = arena_alloc(t->arena, (s->failures_count + 1) * sizeof *rows);
	bool ok = true;
	for (size_t i = 0; ok && i < s->failures_count; i++)
		ok = unpack_verdict(&u, &rows[i], t->arena);
	free(bytes);
	t->entries[function].verdicts = ok ? rows : NULL;
	return ok;
}

static const struct verdict_row *own_verdicts(struct testing *t, uint32_t function)
{
	const struct summary *s = testing_summary(t, function);
	struct entry *e = &t->entries[function];
	if (e->verdicts || !s || (t->o.filter && read_verdicts(t, function, s)))
		return e->verdicts;
	struct verdict_row *rows = arena_alloc(t->arena, (s->failures_count + 1) * sizeof *rows);
	for (size_t i = 0; i < s->failures_count; i++)
		rows[i] = (struct verdict_row){ .kind = t->o.filter ? VERDICT_UNDECIDED : VERDICT_UNFILTERED, .context = "" };
	return e->verdicts = rows;
}

/* --- what only callers have seen --- */

/* What the plan gives a function may keep it from failing as it does when it is called: an object may be larger than that of its caller, or a number no larger than the object. */
typedef VEC(struct testing_row) row_list;

static bool is_in(const char *function, const char *place)
{
	size_t n = strlen(function);
	return strncmp(place, function, n) == 0 && strncmp(place + n, " at ", 4) == 0;
}

static bool is_known(const row_list *rows, const struct summary_failure *f)
{
	for (size_t i = 0; i < rows->count; i++)
		if (is_same(rows->at[i].failure, f))
			return true;
	return false;
}

static void add_seen(struct testing *t, const struct scope_context *c, uint32_t function, row_list *rows)
{
	const struct summary *s = testing_summary(t, c->functions[0]);
	for (size_t i = 0; s && i < s->others_count; i++) {
		const struct summary_failure *f = &s->others[i].is;
		if (!counts(t, &s->others[i]) || !is_in(t->o.probe.program->functions[function].name, f->place) || is_known(rows, f))
			continue;
		struct verdict_row *v = arena_alloc(t->arena, sizeof *v);
		*v = (struct verdict_row){ .kind = VERDICT_SEEN, .context = arena_printf(t->arena, "%s: %s", chain_text(t, c, function, t->arena), f->input) };
		vec_push(rows, (struct testing_row){ f, v, c->functions[0] });
	}
}

const struct testing_row *testing_rows(struct testing *t, uint32_t function, size_t *count)
{
	const struct summary *own = testing_summary(t, function);
	const struct verdict_row *verdicts = own ? own_verdicts(t, function) : NULL;
	const struct scope *s = book_scope(t->o.probe.book, function);
	row_list rows = {0};
	for (size_t i = 0; verdicts && i < own->failures_count; i++)
		vec_push(&rows, (struct testing_row){ &own->failures[i], &verdicts[i], function });
	for (size_t i = 0; verdicts && t->o.filter && i < s->contexts_count; i++)
		add_seen(t, &s->contexts[i], function, &rows);
	struct testing_row *copy = arena_copy(t->arena, rows.count ? (const void *)rows.at : "", rows.count * sizeof *copy);
	*count = rows.count;
	vec_free(&rows);
	return copy;
}

/* --- all of it --- */

static void add_once(function_list *list, bool *seen, uint32_t function)
{
	if (!seen[function])
		vec_push(list, function);
	seen[function] = true;
}

/* What is kept of a function is decided by those that call it, if there is anything to decide. What main leads to counts in any case. */
static void list_callers(struct testing *t, const uint32_t *functions, size_t count, function_list *out)
{
	bool *seen = mem_alloc(t->o.probe.program->count + 1u);
	for (size_t i = 0; i < count; i++) {
		const struct summary *own = testing_summary(t, functions[i]);
		const struct scope *s = book_scope(t->o.probe.book, functions[i]);
		for (size_t c = 0; own && c < s->contexts_count; c++)
			for (size_t k = 0; k < s->contexts[c].count; k++)
				if (own->failures_count || unit_program_is_main(t->o.probe.program, s->contexts[c].functions[k]))
					add_once(out, seen, s->contexts[c].functions[k]);
	}
	free(seen);
}

static void run_crew(struct testing *t, const function_list *list, void (*work)(void *, size_t), void (*died)(void *, size_t, int), void (*over)(void *, size_t, size_t))
{
	t->under_way = list;
	crew_run(&(struct crew_work){ .count = list->count, .jobs = t->o.jobs, .stop = t->o.probe.stop, .work = work, .died = died, .over = over, .context = t });
}

/* Those that are not known. */
static void explore_all(struct testing *t, const uint32_t *functions, size_t count)
{
	function_list left = {0};
	for (size_t i = 0; i < count; i++)
		if (!testing_summary(t, functions[i]))
			vec_push(&left, functions[i]);
	run_crew(t, &left, explore, explorer_died, explored);
	for (size_t i = 0; i < left.count; i++)
		t->entries[left.at[i]].asked_summary = false;
	vec_free(&left);
}

static void explore_callers(struct testing *t, const uint32_t *functions, size_t count)
{
	function_list callers = {0};
	list_callers(t, functions, count, &callers);
	explore_all(t, callers.at, callers.count);
	vec_free(&callers);
}

static void judge_needed(struct testing *t, const uint32_t *functions, size_t count)
{
	function_list left = {0};
	for (size_t i = 0; i < count && t->o.filter; i++) {
		const struct summary *s = testing_summary(t, functions[i]);
		if (s && s->failures_count && !read_verdicts(t, functions[i], s))
			vec_push(&left, functions[i]);
	}
	run_crew(t, &left, judge_all, judge_died, judged);
	vec_free(&left);
}

bool testing_run(struct testing *t, const uint32_t *functions, size_t count, struct err *err)
{
	explore_all(t, functions, count);
	if (t->o.filter && !cli_stopped)
		explore_callers(t, functions, count);
	for (size_t i = 0; i < count && !cli_stopped; i++)
		if (!testing_summary(t, functions[i]))
			return err_set(err, "%s: what came of %s could not be kept", t->o.directory, t->o.probe.program->functions[functions[i]].name);
	if (!cli_stopped)
		judge_needed(t, functions, count);
	return true;
}
