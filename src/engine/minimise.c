/* What can go goes, in the order of what it saves a reader: whole variables, files and arguments from the last on; then bytes, first back to what the parent had,
 * which says what the bug is about; then chunks of contents, halves first and from the end; then what is left and is not the parent's becomes a plain character.
 * Every step is tried, and taken if the same happens. All of it is a function of the input, its parent and the answers.
 *
 * The number of runs is limited: of a large input the coarse steps are done and the fine ones are not. A try that does not end in time is the last, as the next
 * would be likely to do the same. */
#include "engine/minimise.h"

#include "base/clock.h"

#include <string.h>

enum part_kind { PART_STDIN, PART_ARG, PART_ENV, PART_FILE, PART_MARK, PART_KINDS };

/* Bytes of an input that can be changed, and all but a mark's made fewer. */
struct part {
	enum part_kind kind;
	size_t index;
};

struct content {
	const uint8_t *bytes;
	size_t size;
};

struct work {
	const struct minimise *m;
	struct minimised *out;
	struct arena *arena;
	struct err *err;
	double end;
	bool over, failed;
};

/* Is it the same? Then it is what we have. */
static bool attempt(struct work *w, const struct testcase *t)
{
	enum minimise_verdict v = MINIMISE_OTHER;
	if (w->over)
		return false;
	w->out->runs++;
	w->failed = !w->m->try(w->m->context, t, &v, w->err);
	w->out->late |= v == MINIMISE_LATE || clock_seconds() > w->end;
	w->over = w->failed || w->out->late || w->out->runs >= w->m->runs_max;
	if (!w->failed && v == MINIMISE_SAME)
		w->out->input = *t;
	return !w->failed && v == MINIMISE_SAME;
}

/* --- whole things --- */

static struct testcase without_env(const struct testcase *t, size_t i, struct arena *a)
{
	struct testcase c = *t;
	const char **env = arena_alloc(a, t->env_count * sizeof *env);
	for (size_t k = 0; k < t->env_count; k++)
		env[k - (k > i)] = t->env[k];
	c.env = env;
	c.env_count--;
	return c;
}

static struct testcase without_file(const struct testcase *t, size_t i, struct arena *a)
{
	struct testcase c = *t;
	struct testcase_file *files = arena_alloc(a, t->files_count * sizeof *files);
	for (size_t k = 0; k < t->files_count; k++)
		files[k - (k > i)] = t->files[k];
	c.files = files;
	c.files_count--;
	return c;
}

static bool may_change(const struct testcase_file *f)
{
	return f->type == TESTCASE_REGULAR && !f->fixed;
}

static void drop_things(struct work *w)
{
	const struct testcase *t = &w->out->input;
	for (size_t i = t->env_count; i-- > 0;) {
		struct testcase c = without_env(t, i, w->arena);
		attempt(w, &c);
	}
	for (size_t i = t->files_count; i-- > 0;) {
		struct testcase c = may_change(&t->files[i]) ? without_file(t, i, w->arena) : *t;
		if (c.files_count < t->files_count)
			attempt(w, &c);
	}
	for (bool went = true; went && t->args_count > 1;) {
		struct testcase c = *t;
		c.args_count--;
		went = attempt(w, &c);
	}
}

/* --- parts --- */

static size_t parts_of(const struct testcase *t, enum part_kind kind)
{
	switch (kind) {
	case PART_ARG: return t->args_count;
	case PART_ENV: return t->env_count;
	case PART_FILE: return t->files_count;
	case PART_MARK: return t->marks_count;
	default: return 1;
	}
}

static size_t name_length(const char *variable)
{
	size_t n = strcspn(variable, "=");
	return variable[n] ? n + 1 : n;
}

static struct content content_of(const struct testcase *t, struct part p)
{
	const char *text;
	switch (p.kind) {
	case PART_ARG: text = t->args[p.index]; break;
	case PART_ENV: text = t->env[p.index] + name_length(t->env[p.index]); break;
	case PART_FILE: return (struct content){ t->files[p.index].bytes, t->files[p.index].size };
	case PART_MARK: return (struct content){ t->marks[p.index].bytes, t->marks[p.index].size };
	default: return (struct content){ t->bytes, t->size };
	}
	return (struct content){ (const uint8_t *)text, strlen(text) };
}

/* The part of the same name. */
static struct content parents(const struct testcase *t, const struct testcase *parent, struct part p)
{
	size_t n = p.kind == PART_ENV ? name_length(t->env[p.index]) : 0;
	if (!parent)
		return (struct content){0};
	for (size_t i = 0; i < parts_of(parent, p.kind); i++) {
		bool same = p.kind == PART_ENV ? strncmp(t->env[p.index], parent->env[i], n) == 0 :
		            p.kind == PART_FILE ? strcmp(t->files[p.index].path, parent->files[i].path) == 0 : i == p.index;
		if (same)
			return content_of(parent, (struct part){ p.kind, i });
	}
	return (struct content){0};
}

static const char **copy_strings(const char *const *from, size_t count, struct arena *a)
{
	const char **to = arena_alloc(a, (count + 1) * sizeof *to);
	memcpy(to, from, count * sizeof *to);
	return to;
}

/* The same with other bytes there, which are in the arena. */
static struct testcase with(const struct testcase *t, struct part p, struct content c, struct arena *a)
{
	struct testcase out = *t;
	struct testcase_file *files;
	struct testcase_mark *marks;
	const char **texts;
	switch (p.kind) {
	case PART_ARG:
		texts = copy_strings(t->args, t->args_count, a);
		texts[p.index] = arena_printf(a, "%.*s", (int)c.size, (const char *)c.bytes);
		out.args = texts;
		break;
	case PART_ENV:
		texts = copy_strings(t->env, t->env_count, a);
		texts[p.index] = arena_printf(a, "%.*s%.*s", (int)name_length(t->env[p.index]), t->env[p.index], (int)c.size, (const char *)c.bytes);
		out.env = texts;
		break;
	case PART_FILE:
		out.files = files = arena_copy(a, t->files, t->files_count * sizeof *files);
		files[p.index].bytes = c.bytes;
		files[p.index].size = c.size;
		break;
	case PART_MARK:
		out.marks = marks = arena_copy(a, t->marks, t->marks_count * sizeof *marks);
		marks[p.index].bytes = c.bytes;
		marks[p.index].size = c.size;
		break;
	default:
		out.bytes = c.bytes;
		out.size = c.size;
	}
	return out;
}

static bool attempt_content(struct work *w, struct part p, struct content c)
{
	struct testcase t = with(&w->out->input, p, c, w->arena);
	return attempt(w, &t);
}

/* --- bytes --- */

/* What a byte might become: the parent's, or a plain character. 0: it stays. */
struct change {
	struct content parent;
	uint8_t plain; /* 0: the parent's */
};

static bool is_plain(uint8_t b)
{
	return b == 'A' || b == '0' || b == ' ';
}

static bool wants(const struct change *k, struct content now, size_t i)
{
	bool parents = i < k->parent.size && k->parent.bytes[i] == now.bytes[i];
	return k->plain ? !parents && !is_plain(now.bytes[i]) : !parents;
}

/* Changes what is wanted in a range; if that is too much, in its halves. */
static void change(struct work *w, struct part p, const struct change *k, size_t from, size_t to)
{
	struct content now = content_of(&w->out->input, p);
	size_t wanted = 0;
	for (size_t i = from; i < to; i++)
		wanted += wants(k, now, i);
	if (!wanted || w->over)
		return;
	uint8_t *bytes = arena_copy(w->arena, now.bytes, now.size);
	for (size_t i = from; i < to; i++)
		if (wants(k, now, i))
			bytes[i] = k->plain ? k->plain : k->parent.bytes[i];
	if (attempt_content(w, p, (struct content){ bytes, now.size }) || to - from == 1)
		return;
	change(w, p, k, from, from + (to - from) / 2);
	change(w, p, k, from + (to - from) / 2, to);
}

/* The parent leaves the mark to the program: whatever is there. */
static bool is_left(const struct testcase *parent, struct part p)
{
	return parent && p.kind == PART_MARK && p.index < parent->marks_count && !parent->marks[p.index].size;
}

static void take_parents(struct work *w, struct part p)
{
	struct content now = content_of(&w->out->input, p);
	struct change k = { .parent = parents(&w->out->input, w->m->parent, p) };
	if (now.size && is_left(w->m->parent, p) && attempt_content(w, p, k.parent))
		return;
	if (k.parent.size == now.size)
		change(w, p, &k, 0, now.size);
}

static void make_plain(struct work *w, struct part p)
{
	static const char plain[] = "A0 ";
	for (const char *c = plain; *c; c++) {
		struct change k = { parents(&w->out->input, w->m->parent, p), (uint8_t)*c };
		change(w, p, &k, 0, content_of(&w->out->input, p).size);
	}
}

/* --- length --- */

static bool cut(struct work *w, struct part p, size_t from, size_t to)
{
	struct content now = content_of(&w->out->input, p);
	uint8_t *bytes = arena_alloc(w->arena, now.size + 1);
	if (from)
		memcpy(bytes, now.bytes, from);
	if (to < now.size)
		memcpy(bytes + from, now.bytes + to, now.size - to);
	return attempt_content(w, p, (struct content){ bytes, now.size - (to - from) });
}

/* Chunks of one size, from the end. */
static void cut_chunks(struct work *w, struct part p, size_t chunk)
{
	for (size_t to = content_of(&w->out->input, p).size; to > 0 && !w->over;) {
		size_t from = to > chunk ? to - chunk : 0;
		cut(w, p, from, to);
		to = from;
	}
}

static void shorten(struct work *w, struct part p)
{
	size_t size = content_of(&w->out->input, p).size;
	if (!size || cut(w, p, 0, size))
		return;
	for (size_t chunk = size / 2; chunk && !w->over; chunk /= 2)
		cut_chunks(w, p, chunk);
}

/* --- all --- */

typedef void step(struct work *w, struct part p);

static void each_part(struct work *w, step *do_it, bool lengths)
{
	for (unsigned kind = 0; kind < PART_KINDS; kind++)
		for (size_t i = kind == PART_ARG; i < parts_of(&w->out->input, (enum part_kind)kind) && !w->over; i++) {
			bool fits = !(lengths && kind == PART_MARK) && (kind != PART_FILE || may_change(&w->out->input.files[i])) &&
			            (kind != PART_STDIN || w->out->input.input == TESTCASE_FILE || w->out->input.input == TESTCASE_PIPE);
			if (fits)
				do_it(w, (struct part){ (enum part_kind)kind, i });
		}
}

bool minimise_input(const struct minimise *m, struct minimised *out, struct arena *arena, struct err *err)
{
	struct work w = { m, out, arena, err, clock_seconds() + m->seconds, m->runs_max == 0, false };
	*out = (struct minimised){ .input = *m->from };
	if (!m->alike)
		drop_things(&w);
	each_part(&w, take_parents, false);
	if (!m->alike) {
		each_part(&w, shorten, true);
		each_part(&w, make_plain, false);
	}
	return !w.failed;
}
