/* Inputs of explorations differ from their parents in a few bytes and in length, so contents are compared position by position from the start, which is what
 * a reader of the two would do; a length is an item of its own. If something was inserted or taken out before the end, all behind it would differ: if that shows
 * less, what is equal at the end is left out instead and the rest is one item. What was changed comes first: what is gone or shorter says less. */
#include "testcase/differ.h"

#include <inttypes.h>
#include <string.h>

#define SHOWN 24u /* bytes of an item */
#define NEAR 4u   /* so many equal bytes between two that differ are shown with them */

enum rank { RANK_CHANGED, RANK_LESS, RANKS };

struct telling {
	struct str *out;
	size_t told, most, all;
	enum rank now; /* what is told in this pass */
};

struct content {
	const uint8_t *bytes;
	size_t size;
};

/* --- words --- */

static void put_byte(uint8_t c, char quote, struct str *out)
{
	static const char named[] = "\n\t\r\\", names[] = "ntr\\";
	const char *at = c ? strchr(named, c) : NULL;
	if (at)
		str_printf(out, "\\%c", names[at - named]);
	else if (c == (uint8_t)quote)
		str_printf(out, "\\%c", c);
	else if (c >= ' ' && c < 127)
		str_add_char(out, (char)c);
	else
		str_printf(out, "\\x%02x", c);
}

static void put_bytes(const uint8_t *bytes, size_t size, struct str *out)
{
	char quote = size == 1 ? '\'' : '"';
	str_add_char(out, quote);
	for (size_t i = 0; i < size && i < SHOWN; i++)
		put_byte(bytes[i], quote, out);
	str_add_char(out, quote);
	if (size > SHOWN)
		str_add(out, "...");
}

/* Is there room for one more? What begins so is told. */
static bool item(struct telling *t, enum rank rank, const char *what)
{
	if (rank != t->now || ++t->all > t->most)
		return false;
	if (t->told++)
		str_add(t->out, "; ");
	str_add(t->out, what);
	return true;
}

static void put_range(struct telling *t, const char *what, size_t at, const struct content *from, const struct content *to)
{
	size_t most = from->size > to->size ? from->size : to->size;
	if (!item(t, RANK_CHANGED, what))
		return;
	if (most == 1)
		str_printf(t->out, " byte %zu ", at);
	else
		str_printf(t->out, " bytes %zu-%zu ", at, at + most - 1);
	put_bytes(from->bytes, from->size, t->out);
	str_add(t->out, " -> ");
	put_bytes(to->bytes, to->size, t->out);
}

static void put_length(struct telling *t, const char *what, size_t from, size_t to)
{
	size_t n = from > to ? from - to : to - from;
	if (n && item(t, RANK_LESS, what))
		str_printf(t->out, " is %zu byte%s %s", n, n == 1 ? "" : "s", from > to ? "shorter" : "longer");
}

/* --- contents --- */

/* The next range that differs, from *at on, in what both have. */
static bool next_range(const struct content *x, const struct content *y, size_t *at, size_t *end)
{
	size_t both = x->size < y->size ? x->size : y->size, same = 0;
	while (*at < both && x->bytes[*at] == y->bytes[*at])
		++*at;
	*end = *at;
	for (size_t i = *at; i < both && same <= NEAR; i++) {
		same = x->bytes[i] == y->bytes[i] ? same + 1 : 0;
		*end = same ? *end : i + 1;
	}
	return *at < both;
}

/* How much would be shown. */
static size_t in_ranges(const struct content *x, const struct content *y)
{
	size_t n = 0, at = 0, end;
	for (; next_range(x, y, &at, &end); at = end)
		n += 2 * (end - at);
	return n;
}

/* All between what is equal at the start and at the end. */
static size_t middle(const struct content *x, const struct content *y, struct content *from, struct content *to)
{
	size_t both = x->size < y->size ? x->size : y->size, start = 0, end = 0;
	while (start < both && x->bytes[start] == y->bytes[start])
		start++;
	while (end < both - start && x->bytes[x->size - 1 - end] == y->bytes[y->size - 1 - end])
		end++;
	*from = (struct content){ x->bytes + start, x->size - start - end };
	*to = (struct content){ y->bytes + start, y->size - start - end };
	return start;
}

static void tell_content(struct telling *t, const char *what, struct content x, struct content y)
{
	size_t shown = in_ranges(&x, &y), at = 0, end;
	struct content from = {0}, to = {0};
	if (shown && x.size != y.size) {
		size_t start = middle(&x, &y, &from, &to);
		if (from.size + to.size < shown) {
			put_range(t, what, start, &from, &to);
			put_length(t, what, x.size, y.size);
			return;
		}
	}
	for (; next_range(&x, &y, &at, &end); at = end) {
		from = (struct content){ x.bytes + at, end - at };
		to = (struct content){ y.bytes + at, end - at };
		put_range(t, what, at, &from, &to);
	}
	put_length(t, what, x.size, y.size);
}

static struct content text(const char *s)
{
	return (struct content){ (const uint8_t *)s, strlen(s) };
}

static void tell_presence(struct telling *t, const char *what, bool was)
{
	if (item(t, was ? RANK_LESS : RANK_CHANGED, what))
		str_add(t->out, was ? " is gone" : " is new");
}

/* --- parts --- */

static void tell_args(struct telling *t, const struct testcase *from, const struct testcase *to)
{
	for (size_t i = 1; i < to->args_count; i++) {
		struct str what = {0};
		str_printf(&what, "argv[%zu]", i);
		if (i < from->args_count)
			tell_content(t, str_text(&what), text(from->args[i]), text(to->args[i]));
		else
			tell_presence(t, str_text(&what), false);
		str_free(&what);
	}
	size_t gone = from->args_count > to->args_count ? from->args_count - to->args_count : 0;
	if (!gone || !item(t, RANK_LESS, "argv["))
		return;
	str_printf(t->out, "%zu]", to->args_count);
	if (gone > 1)
		str_printf(t->out, " to argv[%zu]", from->args_count - 1);
	str_add(t->out, gone > 1 ? " are gone" : " is gone");
}

static const char *variable(const struct testcase *t, const char *name, size_t length)
{
	for (size_t i = 0; i < t->env_count; i++)
		if (strncmp(t->env[i], name, length) == 0 && (t->env[i][length] == '=' || !t->env[i][length]))
			return t->env[i];
	return NULL;
}

static void tell_variables(struct telling *t, const struct testcase *from, const struct testcase *to, bool gone)
{
	const struct testcase *these = gone ? from : to;
	for (size_t i = 0; i < these->env_count; i++) {
		size_t length = strcspn(these->env[i], "=");
		const char *other = variable(gone ? to : from, these->env[i], length);
		struct str what = {0};
		str_printf(&what, "$%.*s", (int)length, these->env[i]);
		bool set = these->env[i][length];
		if (!other)
			tell_presence(t, str_text(&what), gone);
		else if (!gone && !other[length] == set && item(t, RANK_CHANGED, str_text(&what)))
			str_add(t->out, set ? " is set" : " is not set");
		else if (!gone && set && other[length])
			tell_content(t, str_text(&what), text(other + length + 1), text(these->env[i] + length + 1));
		str_free(&what);
	}
}

static const struct testcase_file *file(const struct testcase *t, const char *path)
{
	for (size_t i = 0; i < t->files_count; i++)
		if (strcmp(t->files[i].path, path) == 0)
			return &t->files[i];
	return NULL;
}

static void tell_file(struct telling *t, const struct testcase_file *from, const struct testcase_file *to)
{
	tell_content(t, to->path, (struct content){ from->bytes, from->size }, (struct content){ to->bytes, to->size });
	if (from->mode != to->mode && item(t, RANK_CHANGED, to->path))
		str_printf(t->out, " mode %04o -> %04o", (unsigned)from->mode, (unsigned)to->mode);
	if (from->mtime != to->mtime && item(t, RANK_CHANGED, to->path))
		str_printf(t->out, " time %" PRId64 " -> %" PRId64, from->mtime, to->mtime);
}

static void tell_files(struct telling *t, const struct testcase *from, const struct testcase *to)
{
	for (size_t i = 0; i < to->files_count; i++) {
		const struct testcase_file *old = file(from, to->files[i].path);
		if (old)
			tell_file(t, old, &to->files[i]);
		else
			tell_presence(t, to->files[i].path, false);
	}
	for (size_t i = 0; i < from->files_count; i++)
		if (!file(to, from->files[i].path))
			tell_presence(t, from->files[i].path, true);
}

static void tell_marks(struct telling *t, const struct testcase *from, const struct testcase *to)
{
	size_t most = from->marks_count > to->marks_count ? from->marks_count : to->marks_count;
	for (size_t i = 0; i < most; i++) {
		const struct testcase_mark *old = i < from->marks_count ? &from->marks[i] : NULL, *new = i < to->marks_count ? &to->marks[i] : NULL;
		if (old && new)
			tell_content(t, new->name, (struct content){ old->bytes, old->size }, (struct content){ new->bytes, new->size });
		else
			tell_presence(t, old ? old->name : new->name, old);
	}
}

bool differ_text(const struct testcase *from, const struct testcase *to, size_t most, struct str *out)
{
	struct telling t = { .out = out, .most = most };
	for (; t.now < RANKS; t.now++) {
		tell_args(&t, from, to);
		tell_content(&t, "stdin", (struct content){ from->bytes, from->size }, (struct content){ to->bytes, to->size });
		tell_variables(&t, from, to, false);
		tell_variables(&t, from, to, true);
		tell_files(&t, from, to);
		tell_marks(&t, from, to);
	}
	if (t.all > t.told)
		str_printf(out, "%sand %zu more", t.told ? "; " : "", t.all - t.told);
	return t.all;
}
