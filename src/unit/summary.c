/* See summary.h. Bytes begin with a word and a version, and end with a check sum: what a killed process left, or a disk, is noticed. Of terms only what they are made of is kept; their values follow from the inputs. */
#include "unit/summary.h"

#include "base/crc.h"
#include "base/mem.h"
#include "base/str.h"
#include "expr/op.h"
#include "testcase/casefile.h"

#include <stdlib.h>
#include <string.h>

static const char magic[] = "tandem summary 3\n";

/* --- to bytes --- */

static void pack_digest(struct pack *p, struct digest d)
{
	pack_bytes(p, &d, sizeof d);
}

static void pack_terms(struct pack *p, const struct terms *t)
{
	pack_number(p, t->count);
	for (uint32_t id = 1; id < t->count; id++) {
		const struct td_node *n = &t->nodes[id];
		pack_number(p, n->op);
		pack_number(p, n->bits);
		pack_number(p, n->a);
		pack_number(p, n->b);
		pack_number(p, n->c);
		if (n->op == TD_CONST) {
			pack_number(p, n->lo);
			pack_number(p, n->hi);
		}
	}
	uint64_t bytes = 0;
	pack_number(p, t->arrays_count);
	pack_bytes(p, t->arrays, t->arrays_count * sizeof *t->arrays);
	for (uint32_t i = 0; i < t->arrays_count; i++) {
		uint64_t end = t->arrays[i].offset + ((uint64_t)t->arrays[i].count * t->arrays[i].bits / 8 + 7) / 8 * 8;
		bytes = end > bytes ? end : bytes;
	}
	pack_number(p, bytes);
	pack_bytes(p, t->array_bytes, bytes);
}

/* Zeros at the end are left out. */
static void pack_content(struct pack *p, const struct content *c)
{
	uint64_t used = c->length;
	while (used && !c->bytes[used - 1])
		used--;
	pack_number(p, c->length);
	pack_number(p, used);
	pack_bytes(p, c->bytes, used);
}

static void pack_fault(struct pack *p, const struct formula_fault *f)
{
	const uint64_t numbers[] = { f->object, f->lower, f->start, f->size, f->reach, f->part };
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		pack_number(p, numbers[i]);
}

static void pack_formula(struct pack *p, const struct formula *f)
{
	pack_terms(p, &f->terms);
	pack_number(p, f->inputs_count);
	for (uint32_t i = 0; i < f->inputs_count; i++) {
		pack_number(p, f->inputs[i].kind);
		pack_number(p, f->inputs[i].index);
		pack_content(p, &f->contents[i]);
	}
	pack_number(p, f->count);
	for (size_t i = 0; i < f->count; i++) {
		pack_number(p, f->parts[i].node);
		pack_number(p, f->parts[i].differs);
		pack_number(p, (uint64_t)f->parts[i].value);
		pack_number(p, (uint64_t)(f->parts[i].value >> 64));
	}
	pack_number(p, f->pieces_count);
	for (size_t i = 0; i < f->pieces_count; i++) {
		const struct formula_piece *q = &f->pieces[i];
		const uint64_t numbers[] = { q->what, q->object, q->offset, q->node, q->value };
		for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
			pack_number(p, numbers[k]);
	}
	pack_number(p, f->extents_count);
	for (size_t i = 0; i < f->extents_count; i++) {
		pack_number(p, f->extents[i].object);
		pack_number(p, f->extents[i].before);
		pack_number(p, f->extents[i].after);
	}
	pack_fault(p, &f->fault);
	pack_digest(p, f->name);
}

/* As in a file of its own. */
static void pack_feed(struct pack *p, const struct testcase *t)
{
	struct str text = {0};
	casefile_print(&(struct casefile){ .input = *t }, &text);
	pack_number(p, text.length);
	pack_bytes(p, text.text, text.length);
	str_free(&text);
}

static void pack_failure(struct pack *p, const struct summary_failure *f)
{
	pack_number(p, f->name);
	pack_text(p, f->class);
	pack_text(p, f->what);
	pack_text(p, f->place);
	pack_text(p, f->input);
	pack_number(p, f->frames_count);
	for (size_t i = 0; i < f->frames_count; i++)
		pack_text(p, f->frames[i]);
	pack_feed(p, &f->feed);
	pack_number(p, f->run);
	pack_number(p, f->paths_seen);
	pack_number(p, f->paths_count);
	for (size_t i = 0; i < f->paths_count; i++)
		pack_formula(p, &f->paths[i]);
}

void summary_pack(const struct summary *s, struct pack *out)
{
	size_t start = out->count;
	pack_bytes(out, magic, sizeof magic - 1);
	pack_text(out, s->trouble ? s->trouble : "");
	pack_digest(out, s->plan);
	pack_number(out, s->given);
	pack_number(out, s->runs);
	pack_number(out, (uint64_t)(s->seconds * 1e6));
	pack_number(out, (uint64_t)(s->started * 1e6));
	pack_number(out, s->exhausted);
	pack_number(out, s->calls_left_out);
	pack_number(out, s->edges_count);
	for (size_t i = 0; i < s->edges_count; i++)
		pack_number(out, s->edges[i]);
	pack_number(out, s->failures_count);
	for (size_t i = 0; i < s->failures_count; i++)
		pack_failure(out, &s->failures[i]);
	pack_number(out, s->others_count);
	for (size_t i = 0; i < s->others_count; i++) {
		pack_failure(out, &s->others[i].is);
		pack_number(out, s->others[i].null);
	}
	pack_number(out, s->calls_count);
	for (size_t i = 0; i < s->calls_count; i++) {
		pack_number(out, s->calls[i].callee);
		pack_formula(out, &s->calls[i].path);
	}
	uint32_t sum = crc_of(out->at + start, out->count - start);
	pack_bytes(out, &sum, sizeof sum);
}

/* --- and back --- */

struct reader {
	struct unpack u;
	struct arena *arena;
};

/* So many rows of at least a byte each can be there. */
static size_t read_count(struct reader *r)
{
	uint64_t n = unpack_number(&r->u);
	if (n > (uint64_t)(r->u.end - r->u.at)) {
		r->u.bad = true;
		return 0;
	}
	return (size_t)n;
}

static uint32_t read_word(struct reader *r)
{
	uint64_t n = unpack_number(&r->u);
	r->u.bad |= n > UINT32_MAX;
	return (uint32_t)n;
}

static const char *read_text(struct reader *r)
{
	size_t size;
	const uint8_t *bytes = unpack_block(&r->u, &size);
	char *text = arena_alloc(r->arena, size + 1);
	if (bytes)
		memcpy(text, bytes, size);
	return text;
}

static struct digest read_digest(struct reader *r)
{
	struct digest d = {0};
	const uint8_t *bytes = unpack_bytes(&r->u, sizeof d);
	if (bytes)
		memcpy(&d, bytes, sizeof d);
	return d;
}

static const uint8_t *read_bytes(struct reader *r, size_t size)
{
	const uint8_t *bytes = unpack_bytes(&r->u, size);
	return bytes ? arena_copy(r->arena, bytes, size) : NULL;
}

static void read_nodes(struct reader *r, struct terms *t)
{
	t->count = read_word(r);
	if (t->count > (uint64_t)(r->u.end - r->u.at)) {
		r->u.bad = true;
		t->count = 1;
	}
	struct td_node *nodes = arena_alloc(r->arena, (t->count + 1u) * sizeof *nodes);
	for (uint32_t id = 1; id < t->count && !r->u.bad; id++) {
		struct td_node *n = &nodes[id];
		n->op = (uint8_t)unpack_number(&r->u);
		n->bits = (uint16_t)unpack_number(&r->u);
		n->a = read_word(r);
		n->b = read_word(r);
		n->c = read_word(r);
		if (n->op == TD_CONST) {
			n->lo = unpack_number(&r->u);
			n->hi = unpack_number(&r->u);
		}
	}
	t->nodes = nodes;
}

static void read_terms(struct reader *r, struct terms *t)
{
	read_nodes(r, t);
	t->arrays_count = (uint32_t)read_count(r);
	t->arrays = (const void *)read_bytes(r, t->arrays_count * sizeof *t->arrays);
	size_t bytes = read_count(r);
	t->array_bytes = read_bytes(r, bytes);
	r->u.bad |= !t->count || (t->arrays_count && !t->arrays);
	r->u.bad = r->u.bad || !terms_check(t, NULL) || !terms_check_arrays(t, bytes, NULL);
}

static struct content read_content(struct reader *r)
{
	uint64_t length = unpack_number(&r->u);
	size_t used = read_count(r);
	const uint8_t *bytes = unpack_bytes(&r->u, used);
	if (!bytes || used > length || length > TRACE_ARGS_SIZE) {
		r->u.bad = true;
		return (struct content){0};
	}
	uint8_t *all = arena_alloc(r->arena, (size_t)length + 1);
	memcpy(all, bytes, used);
	return (struct content){ all, length };
}

static void read_inputs(struct reader *r, struct formula *f)
{
	f->inputs_count = (uint32_t)read_count(r);
	struct td_input *inputs = arena_alloc(r->arena, (f->inputs_count + 1) * sizeof *inputs);
	struct content *contents = arena_alloc(r->arena, (f->inputs_count + 1) * sizeof *contents);
	for (uint32_t i = 0; i < f->inputs_count && !r->u.bad; i++) {
		inputs[i].kind = read_word(r);
		inputs[i].index = read_word(r);
		contents[i] = read_content(r);
		inputs[i].length = contents[i].length;
	}
	f->inputs = inputs;
	f->contents = contents;
}

static void read_parts(struct reader *r, struct formula *f)
{
	f->count = read_count(r);
	struct conjunct *parts = arena_alloc(r->arena, (f->count + 1) * sizeof *parts);
	for (size_t i = 0; i < f->count && !r->u.bad; i++) {
		parts[i].node = read_word(r);
		parts[i].differs = unpack_number(&r->u) != 0;
		uint64_t low = unpack_number(&r->u), high = unpack_number(&r->u);
		parts[i].value = (u128)high << 64 | low;
		r->u.bad |= !parts[i].node || parts[i].node >= f->terms.count;
	}
	f->parts = parts;
}

static void read_pieces(struct reader *r, struct formula *f)
{
	f->pieces_count = read_count(r);
	struct formula_piece *pieces = arena_alloc(r->arena, (f->pieces_count + 1) * sizeof *pieces);
	for (size_t i = 0; i < f->pieces_count && !r->u.bad; i++) {
		pieces[i].what = (uint8_t)unpack_number(&r->u);
		pieces[i].object = read_word(r);
		pieces[i].offset = read_word(r);
		pieces[i].node = read_word(r);
		pieces[i].value = unpack_number(&r->u);
		r->u.bad |= pieces[i].node >= f->terms.count;
	}
	f->pieces = pieces;
	f->extents_count = read_count(r);
	struct formula_extent *extents = arena_alloc(r->arena, (f->extents_count + 1) * sizeof *extents);
	for (size_t i = 0; i < f->extents_count && !r->u.bad; i++) {
		extents[i].object = read_word(r);
		extents[i].before = unpack_number(&r->u);
		extents[i].after = unpack_number(&r->u);
	}
	f->extents = extents;
}

static void read_fault(struct reader *r, struct formula *f)
{
	f->fault.object = read_word(r);
	f->fault.lower = unpack_number(&r->u) != 0;
	f->fault.start = unpack_number(&r->u);
	f->fault.size = unpack_number(&r->u);
	f->fault.reach = unpack_number(&r->u);
	f->fault.part = read_word(r);
}

static bool inputs_fit(const struct formula *f)
{
	for (uint32_t id = 1; id < f->terms.count; id++) {
		const struct td_node *n = &f->terms.nodes[id];
		if ((n->op == TD_INPUT || n->op == TD_LENGTH) && n->a >= f->inputs_count)
			return false;
	}
	return true;
}

static void set_values(struct formula *f)
{
	u128 *values = mem_alloc(f->terms.count * sizeof *values);
	struct td_node *nodes = (struct td_node *)(uintptr_t)f->terms.nodes; /* our own */
	terms_eval_all(&f->terms, &(struct assignment){ f->contents, f->inputs_count }, values);
	for (uint32_t id = 1; id < f->terms.count; id++) {
		nodes[id].lo = (uint64_t)values[id];
		nodes[id].hi = (uint64_t)(values[id] >> 64);
	}
	free(values);
}

static struct formula read_formula(struct reader *r)
{
	struct formula f = {0};
	read_terms(r, &f.terms);
	read_inputs(r, &f);
	read_parts(r, &f);
	read_pieces(r, &f);
	read_fault(r, &f);
	f.name = read_digest(r);
	r->u.bad = r->u.bad || !inputs_fit(&f);
	if (!r->u.bad)
		set_values(&f);
	return f;
}

static struct testcase read_feed(struct reader *r)
{
	struct casefile c = {0};
	size_t size = read_count(r);
	const uint8_t *text = unpack_bytes(&r->u, size);
	r->u.bad = r->u.bad || !text || !casefile_parse(&c, (const char *)text, size, r->arena, NULL);
	return c.input;
}

static struct summary_failure read_failure(struct reader *r)
{
	struct summary_failure f = { .name = unpack_number(&r->u) };
	f.class = read_text(r);
	f.what = read_text(r);
	f.place = read_text(r);
	f.input = read_text(r);
	f.frames_count = read_count(r);
	const char **frames = arena_alloc(r->arena, (f.frames_count + 1) * sizeof *frames);
	for (size_t i = 0; i < f.frames_count && !r->u.bad; i++)
		frames[i] = read_text(r);
	f.frames = frames;
	f.feed = read_feed(r);
	f.run = unpack_number(&r->u);
	f.paths_seen = unpack_number(&r->u);
	f.paths_count = read_count(r);
	struct formula *paths = arena_alloc(r->arena, (f.paths_count + 1) * sizeof *paths);
	for (size_t i = 0; i < f.paths_count && !r->u.bad; i++)
		paths[i] = read_formula(r);
	f.paths = paths;
	return f;
}

static void read_lists(struct reader *r, struct summary *s)
{
	s->edges_count = read_count(r);
	uint32_t *edges = arena_alloc(r->arena, (s->edges_count + 1) * sizeof *edges);
	for (size_t i = 0; i < s->edges_count && !r->u.bad; i++)
		edges[i] = read_word(r);
	s->edges = edges;
	s->failures_count = read_count(r);
	struct summary_failure *failures = arena_alloc(r->arena, (s->failures_count + 1) * sizeof *failures);
	for (size_t i = 0; i < s->failures_count && !r->u.bad; i++)
		failures[i] = read_failure(r);
	s->failures = failures;
	s->others_count = read_count(r);
	struct summary_other *others = arena_alloc(r->arena, (s->others_count + 1) * sizeof *others);
	for (size_t i = 0; i < s->others_count && !r->u.bad; i++) {
		others[i].is = read_failure(r);
		others[i].null = unpack_number(&r->u) != 0;
	}
	s->others = others;
	s->calls_count = read_count(r);
	struct summary_call *calls = arena_alloc(r->arena, (s->calls_count + 1) * sizeof *calls);
	for (size_t i = 0; i < s->calls_count && !r->u.bad; i++) {
		calls[i].callee = read_word(r);
		calls[i].path = read_formula(r);
	}
	s->calls = calls;
}

static bool is_whole(const uint8_t *bytes, size_t size)
{
	uint32_t sum;
	if (size < sizeof magic - 1 + sizeof sum || memcmp(bytes, magic, sizeof magic - 1) != 0)
		return false;
	memcpy(&sum, bytes + size - sizeof sum, sizeof sum);
	return sum == crc_of(bytes, size - sizeof sum);
}

bool summary_unpack(struct summary *s, const void *bytes, size_t size, struct arena *arena, struct err *err)
{
	*s = (struct summary){0};
	if (!is_whole(bytes, size))
		return err_set(err, "it is damaged, or of another version");
	const uint8_t *at = bytes;
	struct reader r = { { at + sizeof magic - 1, at + size - sizeof(uint32_t), false }, arena };
	const char *trouble = read_text(&r);
	s->trouble = *trouble ? trouble : NULL;
	s->plan = read_digest(&r);
	s->given = read_word(&r);
	s->runs = unpack_number(&r.u);
	s->seconds = (double)unpack_number(&r.u) / 1e6;
	s->started = (double)unpack_number(&r.u) / 1e6;
	s->exhausted = unpack_number(&r.u) != 0;
	s->calls_left_out = unpack_number(&r.u) != 0;
	read_lists(&r, s);
	return !r.u.bad || err_set(err, "it says what cannot be");
}
