/* A trace for people. A line is
 *
 *   file.c:12:7 function  taken      stdin[0] == 'x'
 *   ? libarea.so          not taken  stdin[1] == 'y'
 *   -                     lost       address of a read: stdin[1] + 0x4010 = 0x4041
 *
 * with the condition as it held: negated if the false side was taken. Of a library whose file is gone or changed there are
 * no names. JSON has the same, an object per event, written
 * one by one, since traces are long. Counters that are zero are left out of both. */
#include "trace/dump.h"

#include "trace/report.h"

#include "expr/print.h"
#include "trace/tell.h"

#include <inttypes.h>
#include <jansson.h>
#include <string.h>

struct dump {
	const struct trace *trace;
	const struct facts *facts;
	struct print print;
};

static const char *const lost_texts[TD_COUNTERS] = {
#define LOST(name, text) [TD_LOST_##name] = text,
	TD_LOST_TABLE(LOST)
#undef LOST
};

static const char *const counter_texts[TD_COUNTERS] = {
#define COUNTER(name, text) [TD_COUNT_##name] = text,
	TD_COUNTER_TABLE(COUNTER)
#undef COUNTER
};

static const char *const note_texts[] = {
#define NOTE(name, cuts, text) text,
	TD_NOTE_TABLE(NOTE)
#undef NOTE
};

static struct dump dump_start(const struct trace *t, const struct facts *facts)
{
	return (struct dump){ t, facts, { t->terms, t->inputs, t->inputs_count, 0 } };
}

/* --- the parts of a line --- */

/* Its place is a line of a function. */
static bool has_line(const struct td_event *e)
{
	return e->kind == TD_EV_SAFETY || e->kind == TD_EV_SENSITIVE;
}

static bool is_of_function(const struct td_event *e)
{
	return e->kind == TD_EV_CALL || e->kind == TD_EV_RET || has_line(e);
}

static const struct facts_place *place_of(const struct dump *d, const struct td_event *e)
{
	return d->facts && !is_of_function(e) && e->site != TD_NO_SITE ? facts_find(d->facts, e->site) : NULL;
}

static const struct facts_module *module_of(const struct dump *d, const struct td_event *e)
{
	return d->facts && !is_of_function(e) && e->site != TD_NO_SITE ? facts_module(d->facts, e->site) : NULL;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* Of a call, a return and a condition that must hold: the function, of the latter the place in it. */
static bool put_function(const struct dump *d, const struct td_event *e, struct str *out)
{
	const struct facts_block *b;
	const struct td_function_facts *f = d->facts && is_of_function(e) ? facts_callee(d->facts, e->site, &b) : NULL;
	if (!f)
		return false;
	print_ascii(facts_string(b, f->file), out);
	if (has_line(e))
		str_printf(out, ":%" PRIu32 ":%" PRIu32 " ", TD_PLACE_LINE(e->aux), TD_PLACE_COLUMN(e->aux));
	else
		str_printf(out, ":%" PRIu32 " ", f->line);
	print_ascii(facts_string(b, f->name), out);
	return true;
}

static void put_place(const struct dump *d, const struct td_event *e, struct str *out)
{
	const struct facts_place *p = place_of(d, e);
	const struct facts_module *m = module_of(d, e);
	if (put_function(d, e, out))
		return;
	if (p) {
		print_ascii(facts_file(p), out);
		str_printf(out, ":%" PRIu32 ":%u ", p->site->line, p->site->column);
		print_ascii(facts_function(p), out);
	} else if (e->site == TD_NO_SITE) {
		str_add(out, "-");
	} else if (m && m->trouble) {
		str_add(out, "? ");
		print_ascii(base_name(m->path), out);
	} else {
		str_printf(out, "site %" PRIu32, e->site);
	}
}

static const char *what_happened(const struct td_event *e)
{
	switch (e->kind) {
	case TD_EV_BRANCH: return e->value ? "taken" : "not taken";
	case TD_EV_CONCRETISE: return "lost";
	case TD_EV_SAFETY: return e->sub == TD_NO_VIOLATION ? "asked" : e->value ? "safe" : "unsafe";
	case TD_EV_SENSITIVE: return "passed";
	default: return trace_kind_names[e->kind];
	}
}

/* The term and the value it had. The value's width is the term's. */
static void put_value(const struct dump *d, const struct td_event *e, struct str *out)
{
	unsigned bits = e->node ? d->trace->terms.nodes[e->node].bits : 64;
	if (e->node) {
		print_term(&d->print, e->node, out);
		str_add(out, " = ");
	}
	print_constant(value_trim(e->value, bits), bits, out);
}

static bool is_truth(const struct dump *d, const struct td_event *e)
{
	bool kind = e->kind == TD_EV_BRANCH || e->kind == TD_EV_LENGTH || e->kind == TD_EV_ASSUME || e->kind == TD_EV_BOUND || e->kind == TD_EV_SAFETY ||
	            e->kind == TD_EV_GUARD;
	return kind && (!e->node || d->trace->terms.nodes[e->node].bits == 1);
}

static void put_detail(const struct dump *d, const struct td_event *e, struct str *out)
{
	if (e->kind == TD_EV_SENSITIVE)
		str_add(out, "not symbolic");
	else if (e->kind == TD_EV_NOTE)
		str_add(out, e->sub < TD_NOTE_KINDS ? note_texts[e->sub] : "unknown note");
	else if (is_truth(d, e))
		print_condition(&d->print, e->node, e->value & 1, out);
	else
		put_value(d, e, out);
}

/* --- text --- */

static void put_line(const struct dump *d, const struct td_event *e, struct str *line)
{
	put_place(d, e, line);
	for (size_t n = line->length; n < 32; n++)
		str_add_char(line, ' ');
	str_printf(line, "  %-9s  ", what_happened(e));
	if (e->kind == TD_EV_CONCRETISE)
		str_printf(line, "%s: ", lost_texts[e->sub]);
	if (e->kind == TD_EV_SAFETY)
		str_printf(line, "%s: ", report_name(e->sub));
	put_detail(d, e, line);
	if (e->thread)
		str_printf(line, "  (thread %u)", e->thread);
	str_add_char(line, '\n');
}

void dump_event(const struct trace *t, const struct facts *facts, const struct td_event *e, struct str *out)
{
	struct dump d = dump_start(t, facts);
	struct str line = {0};
	put_line(&d, e, &line);
	str_add_bytes(out, line.text, line.length - 1);
	str_free(&line);
}

static void put_counts(const char *title, const uint64_t *counts, const char *const *texts, unsigned kinds, FILE *out)
{
	for (unsigned i = 0; i < kinds; i++)
		if (counts[i] && texts[i])
			fprintf(out, "%s%10" PRIu64 "  %s\n", title, counts[i], texts[i]);
}

static void count_kinds(const struct trace *t, uint64_t counts[TD_EV_KINDS], uint64_t *symbolic)
{
	for (uint32_t i = 0; i < t->events_count; i++) {
		counts[t->events[i].kind]++;
		*symbolic += t->events[i].kind == TD_EV_BRANCH && t->events[i].node;
	}
}

static void put_summary(const struct trace *t, FILE *out)
{
	uint64_t counts[TD_EV_KINDS] = {0}, symbolic = 0;
	count_kinds(t, counts, &symbolic);
	fprintf(out, "\n%" PRIu32 " events, %" PRIu32 " terms, %" PRIu32 " inputs, %" PRIu64 " symbolic branches",
	        t->events_count, t->terms.count - 1, t->inputs_count, symbolic);
	if (t->terms.arrays_count)
		fprintf(out, ", %" PRIu32 " arrays", t->terms.arrays_count);
	fputs(t->header->incomplete ? ", INCOMPLETE\n" : "\n", out);
	put_counts("", counts, trace_kind_names, TD_EV_KINDS, out);
	put_counts("lost   ", t->header->lost, lost_texts, TD_LOST_KINDS, out);
	put_counts("counted", t->header->counters, counter_texts, TD_COUNTER_KINDS, out);
}

static void put_foreign(const struct trace *t, FILE *out)
{
	if (t->foreign_count)
		fprintf(out, "\n%-32s %10s %10s %10s\n", "symbolic data went to", "calls", "values", "bytes");
	for (uint32_t i = 0; i < t->foreign_count; i++) {
		const struct td_foreign *f = &t->foreign[i];
		fprintf(out, "%-32s %10" PRIu64 " %10" PRIu64 " %10" PRIu64 "\n", f->name, f->calls, f->values, f->bytes);
	}
}

static bool check_written(FILE *out, struct err *err)
{
	return (fflush(out) == 0 && !ferror(out)) || err_errno(err, "cannot write the dump");
}

bool dump_text(const struct trace *t, const struct facts *facts, FILE *out, struct err *err)
{
	struct dump d = dump_start(t, facts);
	struct str line = {0};
	for (uint32_t i = 0; i < t->events_count; i++) {
		str_clear(&line);
		put_line(&d, &t->events[i], &line);
		fwrite(line.text, 1, line.length, out);
	}
	str_free(&line);
	put_summary(t, out);
	put_foreign(t, out);
	return check_written(out, err);
}

/* --- JSON --- */

static void set_text(json_t *object, const char *key, const char *text, struct str *scratch)
{
	str_clear(scratch);
	print_ascii(text, scratch);
	json_object_set_new(object, key, json_string(str_text(scratch)));
}

static void set_place(const struct dump *d, const struct td_event *e, json_t *object, struct str *scratch)
{
	const struct facts_place *p = place_of(d, e);
	const struct facts_module *m = module_of(d, e);
	if (e->site != TD_NO_SITE)
		json_object_set_new(object, "site", json_integer(e->site));
	if (m && m != d->facts->modules)
		json_object_set_new(object, "module", json_integer(m - d->facts->modules));
	const struct facts_block *b;
	const struct td_function_facts *f = d->facts && is_of_function(e) ? facts_callee(d->facts, e->site, &b) : NULL;
	if (f) {
		set_text(object, "file", facts_string(b, f->file), scratch);
		set_text(object, "function", facts_string(b, f->name), scratch);
		json_object_set_new(object, "line", json_integer(has_line(e) ? TD_PLACE_LINE(e->aux) : f->line));
	}
	if (!p)
		return;
	str_clear(scratch);
	str_printf(scratch, "%016" PRIx64, p->site->key);
	json_object_set_new(object, "key", json_string(scratch->text));
	set_text(object, "file", facts_file(p), scratch);
	set_text(object, "function", facts_function(p), scratch);
	json_object_set_new(object, "line", json_integer(p->site->line));
	json_object_set_new(object, "column", json_integer(p->site->column));
}

/* Values are strings: JSON numbers end at 2^53. */
static json_t *event_json(const struct dump *d, const struct td_event *e, struct str *scratch)
{
	json_t *object = json_pack("{s:s, s:i, s:b}", "kind", trace_kind_names[e->kind], "thread", (int)e->thread, "symbolic",
	                           (int)(e->node != 0));
	set_place(d, e, object, scratch);
	str_clear(scratch);
	str_printf(scratch, "%" PRIu64, e->value);
	json_object_set_new(object, "value", json_string(scratch->text));
	str_clear(scratch);
	put_detail(d, e, scratch);
	json_object_set_new(object, "text", json_string(str_text(scratch)));
	if (e->kind == TD_EV_CONCRETISE)
		json_object_set_new(object, "lost", json_string(lost_texts[e->sub]));
	if (e->kind == TD_EV_SAFETY)
		json_object_set_new(object, "safety", json_string(report_name(e->sub)));
	return object;
}

static json_t *counts_json(const uint64_t *counts, const char *const *texts, unsigned kinds)
{
	json_t *object = json_object();
	for (unsigned i = 0; i < kinds; i++)
		if (counts[i] && texts[i])
			json_object_set_new(object, texts[i], json_integer((json_int_t)counts[i]));
	return object;
}

static void write_json(const char *key, json_t *value, FILE *out)
{
	fprintf(out, ",\n\"%s\": ", key);
	json_dumpf(value, out, JSON_COMPACT | JSON_ENCODE_ANY);
	json_decref(value);
}

static json_t *inputs_json(const struct dump *d, struct str *scratch)
{
	json_t *array = json_array();
	for (uint32_t i = 0; i < d->trace->inputs_count; i++) {
		str_clear(scratch);
		print_input(&d->print, i, scratch);
		json_array_append_new(array, json_pack("{s:s, s:I}", "name", str_text(scratch), "length",
		                                       (json_int_t)d->trace->inputs[i].length));
	}
	return array;
}

/* Events name a module by its place in this list; those without the name of one are of the first, the program. */
static json_t *modules_json(const struct dump *d, struct str *scratch)
{
	json_t *array = json_array();
	for (size_t i = 0; d->facts && i < d->facts->modules_count; i++) {
		const struct facts_module *m = &d->facts->modules[i];
		json_t *object = json_pack("{s:I, s:I}", "first_site", (json_int_t)m->first_edge, "sites", (json_int_t)m->edges);
		set_text(object, "path", m->path, scratch);
		if (m->trouble)
			json_object_set_new(object, "note", json_string(m->trouble));
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *arrays_json(const struct trace *t, struct str *scratch)
{
	json_t *array = json_array();
	for (uint32_t i = 0; i < t->terms.arrays_count; i++) {
		const struct td_array *a = &t->terms.arrays[i];
		str_clear(scratch);
		print_ascii(a->name, scratch);
		json_array_append_new(array, json_pack("{s:s, s:i, s:i, s:I}", "name", str_text(scratch), "version", (int)a->version + 1,
		                                       "bits", (int)a->bits, "count", (json_int_t)a->count));
	}
	return array;
}

static json_t *foreign_json(const struct trace *t, struct str *scratch)
{
	json_t *array = json_array();
	for (uint32_t i = 0; i < t->foreign_count; i++) {
		const struct td_foreign *f = &t->foreign[i];
		json_t *object = json_pack("{s:I, s:I, s:I}", "calls", (json_int_t)f->calls, "values", (json_int_t)f->values, "bytes", (json_int_t)f->bytes);
		set_text(object, "function", f->name, scratch);
		json_array_append_new(array, object);
	}
	return array;
}

bool dump_json(const struct trace *t, const struct facts *facts, FILE *out, struct err *err)
{
	struct dump d = dump_start(t, facts);
	struct str scratch = {0};
	uint64_t counts[TD_EV_KINDS] = {0}, symbolic = 0;
	count_kinds(t, counts, &symbolic);
	fputs("{\"events\": [", out);
	for (uint32_t i = 0; i < t->events_count; i++) {
		json_t *object = event_json(&d, &t->events[i], &scratch);
		fputs(i ? ",\n" : "\n", out);
		json_dumpf(object, out, JSON_COMPACT);
		json_decref(object);
	}
	fputs("]", out);
	write_json("inputs", inputs_json(&d, &scratch), out);
	write_json("arrays", arrays_json(t, &scratch), out);
	write_json("modules", modules_json(&d, &scratch), out);
	write_json("reports", tell_json(t, facts), out);
	write_json("terms", json_integer(t->terms.count - 1), out);
	write_json("symbolic_branches", json_integer((json_int_t)symbolic), out);
	write_json("incomplete", json_boolean(t->header->incomplete), out);
	write_json("kinds", counts_json(counts, trace_kind_names, TD_EV_KINDS), out);
	write_json("lost", counts_json(t->header->lost, lost_texts, TD_LOST_KINDS), out);
	write_json("unmodelled", foreign_json(t, &scratch), out);
	write_json("counters", counts_json(t->header->counters, counter_texts, TD_COUNTER_KINDS), out);
	fputs("}\n", out);
	str_free(&scratch);
	return check_written(out, err);
}
