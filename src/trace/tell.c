/* Reports in the manner of AddressSanitizer, which people can read already:
 *
 *   ==TANDEM: heap-overflow: write of 4 bytes at 0x5010, 0 bytes past the end of a 40-byte heap block
 *       #0 fill at src/x.c:12:7
 *       #1 main at src/x.c:20:2
 *     block of 40 bytes [0x4fe8,0x5010) allocated
 *       #0 malloc
 *       #1 main at src/x.c:18:12
 *
 * JSON has the same. All text in a trace comes from the program and is shown as ASCII. */
#include "trace/tell.h"

#include "contract/object.h"
#include "expr/print.h"
#include "trace/report.h"
#include "trace/symbols.h"

#include <inttypes.h>
#include <string.h>

static const char *const wheres[TD_WHERES] = { "happened", "made", "gone" };

/* What is said of the places where an object came from and went to. */
static const char *const verbs[TD_OBJECT_KINDS][TD_WHERES] = {
	[TD_OBJECT_HEAP] = { NULL, "allocated", "freed" },
	[TD_OBJECT_STACK] = { NULL, "declared", "gone" },
	[TD_OBJECT_GLOBAL] = { NULL, "declared", "unloaded" },
	[TD_OBJECT_MAPPING] = { NULL, "mapped", "unmapped" },
};

static const char *verb_of(const struct td_report *r, enum td_report_where where)
{
	const char *verb = verbs[r->object.kind][where];
	if (where == TD_WHERE_GONE && r->object.flags & TD_OBJECT_LEFT)
		return "its block has ended";
	return verb ? verb : wheres[where];
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* --- text --- */

static void put_place(const struct symbols_frame *f, struct str *out)
{
	print_ascii(f->file, out);
	if (f->line)
		str_printf(out, ":%" PRIu32, f->line);
	if (f->column)
		str_printf(out, ":%" PRIu32, f->column);
}

static void put_frame(const struct symbols_frame *f, struct str *out)
{
	if (f->function)
		print_ascii(f->function, out);
	else if (!f->module)
		str_printf(out, "0x%" PRIx64, f->address);
	else
		str_add_char(out, '?');
	if (f->file) {
		str_add(out, " at ");
		put_place(f, out);
	} else if (!f->function && f->module) {
		str_add(out, " (");
		print_ascii(base_name(f->module), out);
		str_printf(out, "+0x%" PRIx64 ")", f->offset);
	}
}

static void put_stack(const struct symbols_frames *frames, struct str *out)
{
	for (size_t i = 0; i < frames->count; i++) {
		str_printf(out, "    #%zu ", i);
		put_frame(&frames->at[i], out);
		str_add_char(out, '\n');
	}
}

static void put_terms(const struct trace *t, const struct td_report *r, struct str *out)
{
	struct print print = { t->terms, t->inputs, t->inputs_count, 0 };
	for (unsigned i = 0; i < TD_REPORT_TERMS; i++)
		if (r->terms[i]) {
			str_add(out, "  depends on ");
			print_term(&print, r->terms[i], out);
			str_add_char(out, '\n');
		}
}

static void put_object(struct symbols *s, const struct td_report *r, struct arena *a, struct str *out)
{
	struct symbols_frames made = symbols_stack(s, r, TD_WHERE_MADE, a), gone = symbols_stack(s, r, TD_WHERE_GONE, a);
	str_add(out, "  ");
	report_object(r, out);
	if (made.count)
		str_printf(out, " %s", verb_of(r, TD_WHERE_MADE));
	str_add_char(out, '\n');
	put_stack(&made, out);
	if (r->object.state == TD_OBJECT_GONE)
		str_printf(out, "  %s\n", verb_of(r, TD_WHERE_GONE));
	put_stack(&gone, out);
}

static void put_report(const struct trace *t, struct symbols *s, const struct td_report *r, struct str *out)
{
	struct arena *a = arena_new();
	struct symbols_frames frames = symbols_stack(s, r, TD_WHERE_HAPPENED, a);
	str_add(out, "==TANDEM: ");
	report_headline(r, out);
	str_add_char(out, '\n');
	put_stack(&frames, out);
	if (r->object.number)
		put_object(s, r, a, out);
	put_terms(t, r, out);
	arena_free(a);
}

void tell_text(const struct trace *t, const struct facts *facts, struct str *out)
{
	struct symbols *s = symbols_open(facts);
	for (uint32_t i = 0; i < t->reports_count; i++)
		put_report(t, s, &t->reports[i], out);
	symbols_close(s);
}

/* The innermost frame with a line in it; else the innermost. */
static const struct symbols_frame *main_frame(const struct symbols_frames *frames)
{
	for (size_t i = 0; i < frames->count; i++)
		if (frames->at[i].line)
			return &frames->at[i];
	return frames->count ? frames->at : NULL;
}

/* A leak does not happen: it is where the block came from. */
static struct symbols_frames place_of(struct symbols *s, const struct td_report *r, struct arena *a)
{
	return symbols_stack(s, r, r->stacks[TD_WHERE_HAPPENED].count ? TD_WHERE_HAPPENED : TD_WHERE_MADE, a);
}

void tell_stack(const struct td_report *r, const struct facts *facts, struct str *out)
{
	struct arena *a = arena_new();
	struct symbols *s = symbols_open(facts);
	struct symbols_frames frames = place_of(s, r, a);
	for (size_t i = 0; i < frames.count; i++) {
		put_frame(&frames.at[i], out);
		str_add_char(out, '\n');
	}
	symbols_close(s);
	arena_free(a);
}

void tell_briefly(const struct td_report *r, const struct facts *facts, struct str *out)
{
	struct arena *a = arena_new();
	struct symbols *s = symbols_open(facts);
	struct symbols_frames frames = place_of(s, r, a);
	const struct symbols_frame *f = main_frame(&frames);
	report_class(r, out);
	if (f) {
		str_add(out, " in ");
		put_frame(f, out);
	}
	symbols_close(s);
	arena_free(a);
}

/* --- JSON --- */

static void set_text(json_t *object, const char *key, const char *text)
{
	struct str ascii = {0};
	if (text && *text) {
		print_ascii(text, &ascii);
		json_object_set_new(object, key, json_string(str_text(&ascii)));
	}
	str_free(&ascii);
}

/* Addresses are strings: JSON numbers end at 2^53. */
static void set_hex(json_t *object, const char *key, uint64_t value)
{
	json_object_set_new(object, key, json_sprintf("0x%" PRIx64, value));
}

static json_t *frame_json(const struct symbols_frame *f)
{
	json_t *object = json_object();
	set_text(object, "function", f->function);
	set_text(object, "file", f->file);
	if (f->line)
		json_object_set_new(object, "line", json_integer(f->line));
	if (f->column)
		json_object_set_new(object, "column", json_integer(f->column));
	if (!f->module && !f->address) /* a library function, by name alone */
		return object;
	set_text(object, "module", f->module);
	set_hex(object, "offset", f->offset);
	if (f->address)
		set_hex(object, "address", f->address);
	else
		json_object_set_new(object, "inlined", json_true());
	return object;
}

static void set_stack(struct symbols *s, const struct td_report *r, enum td_report_where where, struct arena *a, json_t *object)
{
	struct symbols_frames frames = symbols_stack(s, r, where, a);
	json_t *array = json_array();
	for (size_t i = 0; i < frames.count; i++)
		json_array_append_new(array, frame_json(&frames.at[i]));
	json_object_set_new(object, wheres[where], array);
}

static json_t *object_json(struct symbols *s, const struct td_report *r, struct arena *a)
{
	const struct td_report_object *o = &r->object;
	json_t *object = json_pack("{s:s, s:b, s:b, s:I}", "kind", report_kind(r), "live", (int)(o->state == TD_OBJECT_LIVE), "constant",
	                           (int)(o->flags & TD_OBJECT_CONSTANT), "serial", (json_int_t)o->serial);
	set_hex(object, "start", o->start);
	json_object_set_new(object, "size", json_sprintf("%" PRIu64, o->size));
	set_text(object, "name", o->name);
	if (o->place)
		json_object_set_new(object, "line", json_integer(TD_PLACE_LINE(o->place)));
	set_stack(s, r, TD_WHERE_MADE, a, object);
	set_stack(s, r, TD_WHERE_GONE, a, object);
	return object;
}

static json_t *terms_json(const struct trace *t, const struct td_report *r)
{
	struct print print = { t->terms, t->inputs, t->inputs_count, 0 };
	struct str text = {0};
	json_t *array = json_array();
	for (unsigned i = 0; i < TD_REPORT_TERMS; i++) {
		str_clear(&text);
		if (!r->terms[i])
			continue;
		print_term(&print, r->terms[i], &text);
		json_array_append_new(array, json_string(str_text(&text)));
	}
	str_free(&text);
	return array;
}

static json_t *report_json(const struct trace *t, struct symbols *s, const struct td_report *r)
{
	struct arena *a = arena_new();
	struct str class = {0}, headline = {0};
	report_class(r, &class);
	report_headline(r, &headline);
	json_t *object = json_pack("{s:s, s:s, s:s, s:b, s:i, s:I}", "class", str_text(&class), "violation", report_key(r), "headline",
	                           str_text(&headline), "write", (int)r->write, "thread", (int)r->thread, "events", (json_int_t)r->events);
	set_hex(object, "address", r->address);
	json_object_set_new(object, "bytes", json_sprintf("%" PRIu64, r->bytes));
	set_text(object, "text", report_library(r) ? NULL : r->text);
	set_stack(s, r, TD_WHERE_HAPPENED, a, object);
	if (r->object.number)
		json_object_set_new(object, "object", object_json(s, r, a));
	json_object_set_new(object, "depends_on", terms_json(t, r));
	str_free(&class);
	str_free(&headline);
	arena_free(a);
	return object;
}

json_t *tell_json(const struct trace *t, const struct facts *facts)
{
	struct symbols *s = symbols_open(facts);
	json_t *array = json_array();
	for (uint32_t i = 0; i < t->reports_count; i++)
		json_array_append_new(array, report_json(t, s, &t->reports[i]));
	symbols_close(s);
	return array;
}
