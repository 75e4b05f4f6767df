/* Object numbers are the trace's business: they are matched by kind and index, never by position. The object of an argument or a
 * variable includes its NUL, which the solver may overwrite: it is then one byte longer. Metadata of a file are an object of their own,
 * see enum td_meta. */
#include "engine/feed.h"

#include "expr/op.h"

#include <string.h>

#define FILLER 'A'

/* ---- from a test case to objects ---- */

static struct content text(const char *s)
{
	return (struct content){ (const uint8_t *)s, strlen(s) + 1 };
}

static const char *value_of(const char *variable)
{
	const char *equals = strchr(variable, '=');
	return equals ? equals + 1 : variable + strlen(variable);
}

static struct content metadata(const struct testcase_file *f, struct arena *arena)
{
	uint8_t *bytes = arena_alloc(arena, TD_META_SIZE);
	for (unsigned k = 0; k < 2; k++)
		bytes[TD_META_MODE + k] = (uint8_t)((f->mode & 07777) >> 8 * k);
	for (unsigned k = 0; k < 4; k++)
		bytes[TD_META_MTIME + k] = (uint8_t)((uint64_t)f->mtime >> 8 * k);
	return (struct content){ bytes, TD_META_SIZE };
}

/* False: the test case has nothing to say about it. */
static bool is_given(const struct testcase *f, const struct td_input *in, struct content *to, struct arena *arena)
{
	uint32_t i = in->index;
	bool known = in->kind == TD_IN_STDIN || (in->kind == TD_IN_ARG && i < f->args_count) || (in->kind == TD_IN_ENV && i < f->env_count) ||
	             ((in->kind == TD_IN_FILE || in->kind == TD_IN_META) && i < f->files_count);
	if (!known)
		return false;
	switch (in->kind) {
	case TD_IN_STDIN: *to = (struct content){ f->bytes, f->size }; break;
	case TD_IN_ARG: *to = text(f->args[i]); break;
	case TD_IN_ENV: *to = text(value_of(f->env[i])); break;
	case TD_IN_META: *to = metadata(&f->files[i], arena); break;
	default: *to = (struct content){ f->files[i].bytes, f->files[i].size };
	}
	return true;
}

/* Bytes that nobody changes, as far as the trace has them. */
static void fill_recorded(const struct trace *t, uint8_t *const *recorded, const struct content *objects)
{
	for (uint32_t id = 1; id < t->terms.count; id++) {
		const struct td_node *n = &t->terms.nodes[id];
		if (n->op == TD_INPUT && recorded[n->a] && n->b < objects[n->a].length)
			recorded[n->a][n->b] = (uint8_t)n->lo;
	}
}

/* A mark may have another size than in the test case: the rest is what the trace has. */
static void put_mark(const struct testcase *f, const struct td_input *in, uint8_t *bytes, uint64_t length)
{
	if (in->kind != TD_IN_MARK || in->index >= f->marks_count)
		return;
	const struct testcase_mark *m = &f->marks[in->index];
	if (m->size && length)
		memcpy(bytes, m->bytes, m->size < length ? m->size : length);
}

struct assignment feed_assignment(const struct testcase *f, const struct trace *t, struct arena *arena)
{
	struct content *objects = arena_alloc(arena, (t->inputs_count + 1) * sizeof *objects);
	uint8_t **recorded = arena_alloc(arena, (t->inputs_count + 1) * sizeof *recorded);
	for (uint32_t i = 0; i < t->inputs_count; i++) {
		if (is_given(f, &t->inputs[i], &objects[i], arena))
			continue;
		uint64_t length = t->inputs[i].length;
		if (length > t->terms.count) /* a garbled length; each byte has its node */
			length = t->terms.count;
		recorded[i] = arena_alloc(arena, length + 1);
		objects[i] = (struct content){ recorded[i], length };
	}
	fill_recorded(t, recorded, objects);
	for (uint32_t i = 0; i < t->inputs_count; i++)
		if (recorded[i])
			put_mark(f, &t->inputs[i], recorded[i], objects[i].length);
	return (struct assignment){ objects, t->inputs_count };
}

/* ---- and back ---- */

struct parts {
	struct testcase *to;
	const char **args, **env;
	struct testcase_file *files;
	struct testcase_mark *marks;
};

static char *up_to_nul(const struct content *c, struct arena *arena)
{
	size_t length = strnlen((const char *)c->bytes, c->length);
	char *copy = arena_alloc(arena, length + 1);
	memcpy(copy, c->bytes, length);
	return copy;
}

static void set_metadata(struct testcase_file *f, const struct content *c)
{
	uint32_t mode = 0, seconds = 0;
	for (unsigned k = 0; k < 2; k++)
		mode |= (uint32_t)c->bytes[TD_META_MODE + k] << 8 * k;
	for (unsigned k = 0; k < 4; k++)
		seconds |= (uint32_t)c->bytes[TD_META_MTIME + k] << 8 * k;
	f->mode = (mode & TD_META_BITS) | (f->mode & TESTCASE_MODES & ~(unsigned)TD_META_BITS);
	if (f->mtime >= 0 && f->mtime <= UINT32_MAX)
		f->mtime = seconds;
}

static void set_part(struct parts *p, const struct td_input *in, const struct content *c, struct arena *arena)
{
	uint32_t i = in->index;
	if (in->kind == TD_IN_STDIN) {
		p->to->bytes = c->bytes;
		p->to->size = c->length;
	} else if (in->kind == TD_IN_ARG && i < p->to->args_count) {
		p->args[i] = up_to_nul(c, arena);
	} else if (in->kind == TD_IN_ENV && i < p->to->env_count) {
		int name = (int)(value_of(p->env[i]) - p->env[i]);
		p->env[i] = arena_printf(arena, "%.*s%s", name, p->env[i], up_to_nul(c, arena));
	} else if (in->kind == TD_IN_FILE && i < p->to->files_count) {
		p->files[i].bytes = c->bytes;
		p->files[i].size = c->length;
	} else if (in->kind == TD_IN_META && i < p->to->files_count && c->length == TD_META_SIZE) {
		set_metadata(&p->files[i], c);
	} else if (in->kind == TD_IN_MARK && i < p->to->marks_count) {
		p->marks[i] = (struct testcase_mark){ in->name, c->bytes, c->length };
	}
}

static size_t marks_of(const struct testcase *seed, const struct trace *t)
{
	size_t count = seed->marks_count;
	for (uint32_t i = 0; i < t->inputs_count; i++)
		if (t->inputs[i].kind == TD_IN_MARK && t->inputs[i].index < TD_MAX_INPUTS && t->inputs[i].index >= count)
			count = t->inputs[i].index + 1u;
	return count;
}

static struct parts copy_parts(struct testcase *to, const struct testcase *seed, struct arena *arena)
{
	struct parts p = {
		to, arena_alloc(arena, (seed->args_count + 1) * sizeof *p.args), arena_alloc(arena, (seed->env_count + 1) * sizeof *p.env),
		arena_alloc(arena, (seed->files_count + 1) * sizeof *p.files), arena_alloc(arena, (to->marks_count + 1) * sizeof *p.marks),
	};
	for (size_t i = 0; i < seed->args_count; i++)
		p.args[i] = seed->args[i];
	for (size_t i = 0; i < seed->env_count; i++)
		p.env[i] = seed->env[i];
	for (size_t i = 0; i < seed->files_count; i++)
		p.files[i] = seed->files[i];
	for (size_t i = 0; i < to->marks_count; i++)
		p.marks[i] = i < seed->marks_count ? seed->marks[i] : (struct testcase_mark){ .name = "" };
	return p;
}

struct testcase feed_from(const struct testcase *seed, const struct trace *t, const struct assignment *content, struct arena *arena)
{
	struct testcase f = *seed;
	f.marks_count = marks_of(seed, t);
	struct parts p = copy_parts(&f, seed, arena);
	for (uint32_t i = 0; i < t->inputs_count && i < content->count; i++)
		set_part(&p, &t->inputs[i], &content->objects[i], arena);
	f.args = p.args;
	f.env = p.env;
	f.files = p.files;
	f.marks = p.marks;
	return f;
}

/* ---- lengths ---- */

static bool same_lengths(const char *const *a, const char *const *b, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strlen(a[i]) != strlen(b[i]))
			return false;
	return true;
}

bool feed_keeps_lengths(const struct testcase *a, const struct testcase *b)
{
	return a->args_count == b->args_count && a->env_count == b->env_count && same_lengths(a->args, b->args, a->args_count) && same_lengths(a->env, b->env, a->env_count);
}


size_t feed_length(const struct testcase *f, const struct td_input *in)
{
	return in->kind == TD_IN_STDIN ? f->size : in->kind == TD_IN_FILE && in->index < f->files_count ? f->files[in->index].size : 0;
}

static const uint8_t *resized(const uint8_t *from, size_t old, size_t size, struct arena *arena)
{
	uint8_t *bytes = arena_alloc(arena, size + 1);
	size_t same = size < old ? size : old;
	if (same)
		memcpy(bytes, from, same);
	memset(bytes + same, FILLER, size - same);
	return bytes;
}

struct testcase feed_resized(const struct testcase *f, const struct td_input *in, size_t size, struct arena *arena)
{
	struct testcase out = *f;
	if (in->kind == TD_IN_STDIN) {
		out.bytes = resized(f->bytes, f->size, size, arena);
		out.size = size;
	} else if (in->kind == TD_IN_FILE && in->index < f->files_count) {
		struct testcase_file *files = arena_copy(arena, f->files, f->files_count * sizeof *files);
		files[in->index].bytes = resized(f->files[in->index].bytes, f->files[in->index].size, size, arena);
		files[in->index].size = size;
		out.files = files;
	}
	return out;
}

/* ---- inserted instead of replaced ---- */

/* NULL: they are the same. The result has `size` and what it is longer by, and a NUL. */
static uint8_t *inserted(const uint8_t *from, const uint8_t *to, size_t size, size_t *longer, struct arena *arena)
{
	size_t first = 0, end = size;
	while (first < size && from[first] == to[first])
		first++;
	while (end > first && from[end - 1] == to[end - 1])
		end--;
	*longer = end - first;
	if (end == first)
		return NULL;
	uint8_t *bytes = arena_alloc(arena, size + *longer + 1);
	memcpy(bytes, to, end);
	memcpy(bytes + end, from + first, size - first);
	return bytes;
}

static bool insert_in_arguments(const struct testcase *from, const struct testcase *to, struct arena *arena, struct testcase *out)
{
	const char **args = arena_copy(arena, from->args, from->args_count * sizeof *args);
	bool any = false;
	for (size_t i = 1; i < from->args_count && i < to->args_count; i++) {
		size_t size = strlen(from->args[i]), longer;
		uint8_t *text = size == strlen(to->args[i]) ? inserted((const uint8_t *)from->args[i], (const uint8_t *)to->args[i], size, &longer, arena) : NULL;
		args[i] = text ? (const char *)text : to->args[i];
		any |= text != NULL;
	}
	out->args = args;
	return any;
}

static bool is_same_kind(const struct testcase_mark *a, const struct testcase_mark *b)
{
	return a->size == b->size && strcmp(a->name, b->name) == 0;
}

/* Marks of one name, one behind the other, are a text of fixed length: what no longer fits is lost. True: it has changed. */
static bool insert_in_text(const struct testcase_mark *from, const struct testcase_mark *to, size_t count, struct arena *arena, struct testcase_mark *out)
{
	size_t each = from->size, size = each * count, longer;
	uint8_t *before = arena_alloc(arena, size + 1), *after = arena_alloc(arena, size + 1);
	for (size_t i = 0; i < count; i++) {
		memcpy(before + each * i, from[i].bytes, each);
		memcpy(after + each * i, to[i].bytes, each);
	}
	uint8_t *text = inserted(before, after, size, &longer, arena);
	for (size_t i = 0; text && i < count; i++)
		out[i].bytes = text + each * i;
	return text && longer < size;
}

static bool insert_in_marks(const struct testcase *from, const struct testcase *to, struct arena *arena, struct testcase *out)
{
	struct testcase_mark *marks = arena_copy(arena, to->marks, to->marks_count * sizeof *marks);
	size_t most = from->marks_count < to->marks_count ? from->marks_count : to->marks_count;
	bool any = false;
	for (size_t i = 0, n; i < most; i += n) {
		for (n = 0; i + n < most && is_same_kind(&from->marks[i], &from->marks[i + n]) && is_same_kind(&from->marks[i], &to->marks[i + n]);)
			n++;
		any |= n && insert_in_text(from->marks + i, to->marks + i, n, arena, marks + i);
		n += !n;
	}
	out->marks = marks;
	return any;
}

bool feed_inserted(const struct testcase *from, const struct testcase *to, struct arena *arena, struct testcase *out)
{
	size_t longer;
	uint8_t *bytes = from->size == to->size ? inserted(from->bytes, to->bytes, from->size, &longer, arena) : NULL;
	*out = *to;
	if (bytes) {
		out->bytes = bytes;
		out->size = from->size + longer;
	}
	bool arguments = insert_in_arguments(from, to, arena, out), marks = insert_in_marks(from, to, arena, out);
	return bytes || arguments || marks;
}
