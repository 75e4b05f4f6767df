/* One row per keyword, with what writes its lines and what reads one: the order of the table is the order in the file, though any order is
 * read. Lines with a keyword of a later version are kept as they are, with the body below them, and written at the end again: so a
 * test case passes through an older Tandem unharmed.
 *
 * Nothing is believed: the checksum tells accidents, and every number is checked against what is there. */
#include "testcase/casefile.h"

#include "base/crc.h"
#include "base/fs.h"
#include "base/vec.h"
#include "testcase/casetext.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#define FIRST "tandem test case "
#define VERSION 1u
#define LAST 13 /* bytes of "end 01234567\n" */
#define SIGNALS 64

static const char *const kinds[CASE_KINDS] = { "seed", "path", "bug" };
static const char *const ends[CASE_ENDS] = { "unknown", "exit", "signal", "timeout" };
static const char *const stdins[] = { "file", "pipe", "null", "closed" };

const char *casefile_kind_name(enum casefile_kind kind)
{
	return kinds[kind];
}

const char *casefile_end_name(enum casefile_end end)
{
	return ends[end];
}

void casefile_put_signal(int signal, struct str *out)
{
	const char *name = sigabbrev_np(signal);
	if (name)
		str_printf(out, "SIG%s", name);
	else
		str_printf(out, "%d", signal);
}

/* --- what both sides have in common --- */

struct reader {
	struct casetext text;
	struct casefile *c;
	struct arena *arena;
	VEC(const char *) args;
	VEC(const char *) env;
	VEC(const char *) frames;
	VEC(const char *) reals;
	VEC(struct testcase_file) files;
	VEC(struct testcase_mark) marks;
	struct str unknown;
	uint32_t seen; /* rows of the table */
};

typedef void put_lines(const char *key, const struct casefile *c, struct str *out);
typedef bool take_line(struct reader *r);

static void put_string(const char *key, const char *text, struct str *out)
{
	if (!text)
		return;
	str_printf(out, "%s ", key);
	casetext_put_string(text, strlen(text), out);
	str_add_char(out, '\n');
}

/* A string that C can hold. */
static bool take_string(struct reader *r, const char **text)
{
	size_t size;
	return casetext_string(&r->text, r->arena, text, &size) && !memchr(*text, '\0', size);
}

static bool take_string_line(struct reader *r, const char **text)
{
	return take_string(r, text) && casetext_line_end(&r->text);
}

static void put_hash(const char *key, uint64_t hash, struct str *out)
{
	if (hash)
		str_printf(out, "%s %016" PRIx64 "\n", key, hash);
}

static bool take_hash(struct reader *r, uint64_t *hash)
{
	return casetext_number(&r->text, 16, UINT64_MAX, hash) && casetext_line_end(&r->text);
}

static bool take_name(struct reader *r, const char *const *names, int count, int *which)
{
	char word[24];
	if (!casetext_word(&r->text, word, sizeof word))
		return false;
	for (*which = 0; *which < count; ++*which)
		if (strcmp(word, names[*which]) == 0)
			return true;
	return false;
}

static bool take_keyword(struct reader *r, const char *wanted)
{
	int which;
	return take_name(r, &wanted, 1, &which);
}

/* --- what it is for --- */

static void put_kind(const char *key, const struct casefile *c, struct str *out)
{
	str_printf(out, "%s %s\n", key, kinds[c->kind]);
}

static bool take_kind(struct reader *r)
{
	int which;
	if (!take_name(r, kinds, CASE_KINDS, &which))
		return false;
	r->c->kind = (enum casefile_kind)which;
	return casetext_line_end(&r->text);
}

#define STRING_ROW(name) \
	static void put_##name(const char *key, const struct casefile *c, struct str *out) { put_string(key, c->name, out); } \
	static bool take_##name(struct reader *r) { return take_string_line(r, &r->c->name); }
#define HASH_ROW(name) \
	static void put_##name(const char *key, const struct casefile *c, struct str *out) { put_hash(key, c->name, out); } \
	static bool take_##name(struct reader *r) { return take_hash(r, &r->c->name); }
#define LIST_ROW(name, from, to) \
	static void put_##name(const char *key, const struct casefile *c, struct str *out) \
	{ \
		for (size_t i = 0; i < c->from##_count; i++) \
			put_string(key, c->from[i], out); \
	} \
	static bool take_##name(struct reader *r) \
	{ \
		const char *text; \
		if (!take_string_line(r, &text)) \
			return false; \
		vec_push(&r->to, text); \
		return true; \
	}

STRING_ROW(purpose)
STRING_ROW(program)
HASH_ROW(build)
HASH_ROW(parent)
STRING_ROW(bug)
STRING_ROW(place)
LIST_ROW(frame, frames, frames)

/* --- what comes of it --- */

static void put_expect(const char *key, const struct casefile *c, struct str *out)
{
	if (c->end == CASE_END_UNKNOWN)
		return;
	str_printf(out, "%s %s", key, ends[c->end]);
	if (c->end == CASE_END_EXIT)
		str_printf(out, " %d", c->code);
	if (c->end == CASE_END_SIGNAL) {
		str_add_char(out, ' ');
		casefile_put_signal(c->code, out);
	}
	str_add_char(out, '\n');
}

static bool take_signal(struct reader *r, int *signal)
{
	char word[24];
	if (!casetext_word(&r->text, word, sizeof word))
		return false;
	for (*signal = 1; *signal <= SIGNALS; ++*signal) {
		struct str name = {0};
		casefile_put_signal(*signal, &name);
		bool same = strcmp(word, str_text(&name)) == 0;
		str_free(&name);
		if (same)
			return true;
	}
	return false;
}

static bool take_expect(struct reader *r)
{
	int which;
	uint64_t code = 0;
	if (!take_name(r, ends, CASE_ENDS, &which) || which == CASE_END_UNKNOWN)
		return false;
	r->c->end = (enum casefile_end)which;
	if (which == CASE_END_EXIT && !casetext_number(&r->text, 10, 255, &code))
		return false;
	r->c->code = (int)code;
	return (which != CASE_END_SIGNAL || take_signal(r, &r->c->code)) && casetext_line_end(&r->text);
}

static void put_sum(const char *key, const struct casefile_sum *s, struct str *out)
{
	if (s->known)
		str_printf(out, "%s size %" PRIu64 " crc %08" PRIx32 "\n", key, s->size, s->crc);
}

static bool take_sum(struct reader *r, struct casefile_sum *s)
{
	uint64_t crc;
	s->known = true;
	if (!take_keyword(r, "size") || !casetext_number(&r->text, 10, UINT64_MAX, &s->size) || !take_keyword(r, "crc") ||
	    !casetext_number(&r->text, 16, UINT32_MAX, &crc))
		return false;
	s->crc = (uint32_t)crc;
	return casetext_line_end(&r->text);
}

static void put_stdout(const char *key, const struct casefile *c, struct str *out) { put_sum(key, &c->out, out); }
static void put_stderr(const char *key, const struct casefile *c, struct str *out) { put_sum(key, &c->err, out); }
static bool take_stdout(struct reader *r) { return take_sum(r, &r->c->out); }
static bool take_stderr(struct reader *r) { return take_sum(r, &r->c->err); }
HASH_ROW(path)
STRING_ROW(unit)
STRING_ROW(plan)
LIST_ROW(real, reals, reals)

/* --- what it is fed with --- */

LIST_ROW(arg, input.args, args)
LIST_ROW(env, input.env, env)

static void put_directory(const char *key, const struct casefile *c, struct str *out) { put_string(key, c->input.directory, out); }
static bool take_directory(struct reader *r) { return take_string_line(r, &r->c->input.directory); }

static void put_umask(const char *key, const struct casefile *c, struct str *out)
{
	if (c->input.umask)
		str_printf(out, "%s %03o\n", key, c->input.umask & 0777u);
}

static bool take_umask(struct reader *r)
{
	uint64_t n;
	bool ok = casetext_number(&r->text, 8, 0777, &n);
	r->c->input.umask = TESTCASE_UMASK | (uint32_t)n;
	return ok && casetext_line_end(&r->text);
}

static void put_stdin(const char *key, const struct casefile *c, struct str *out)
{
	str_printf(out, "%s %s", key, stdins[c->input.input]);
	casetext_put_body(c->input.bytes, c->input.size, out);
}

static bool take_stdin(struct reader *r)
{
	struct testcase *t = &r->c->input;
	int which;
	if (!take_name(r, stdins, 4, &which))
		return false;
	t->input = (enum testcase_stdin)which;
	return casetext_body(&r->text, r->arena, &t->bytes, &t->size) && (!t->size || which == TESTCASE_FILE || which == TESTCASE_PIPE);
}

static void put_files_of(const char *key, enum testcase_type type, const struct casefile *c, struct str *out)
{
	for (size_t i = 0; i < c->input.files_count; i++) {
		const struct testcase_file *f = &c->input.files[i];
		if (f->type != type)
			continue;
		str_printf(out, "%s ", key);
		casetext_put_string(f->path, strlen(f->path), out);
		if (type == TESTCASE_LINK) {
			str_add_char(out, ' ');
			casetext_put_string(f->bytes, f->size, out);
			str_add_char(out, '\n');
			continue;
		}
		str_printf(out, " mode %04o mtime %" PRId64, f->mode & 07777u, f->mtime);
		if (type == TESTCASE_DIRECTORY)
			str_add_char(out, '\n');
		else {
			str_add(out, f->fixed ? " fixed" : "");
			casetext_put_body(f->bytes, f->size, out);
		}
	}
}

static bool take_metadata(struct reader *r, struct testcase_file *f)
{
	uint64_t mode;
	if (!take_keyword(r, "mode") || !casetext_number(&r->text, 8, 07777, &mode) || !take_keyword(r, "mtime"))
		return false;
	f->mode = (uint32_t)mode;
	return casetext_signed(&r->text, &f->mtime);
}

static bool take_file_of(struct reader *r, enum testcase_type type)
{
	struct testcase_file f = { .type = type };
	const char *target;
	bool ok = take_string(r, &f.path);
	if (ok && type == TESTCASE_LINK) {
		ok = take_string_line(r, &target);
		f.bytes = (const uint8_t *)target;
		f.size = ok ? strlen(target) : 0;
	} else if (ok) {
		ok = take_metadata(r, &f);
		struct casetext before = r->text;
		f.fixed = ok && type == TESTCASE_REGULAR && take_keyword(r, "fixed");
		if (!f.fixed)
			r->text = before;
		ok = ok && (type == TESTCASE_REGULAR ? casetext_body(&r->text, r->arena, &f.bytes, &f.size) : casetext_line_end(&r->text));
	}
	if (ok)
		vec_push(&r->files, f);
	return ok;
}

static void put_dir(const char *key, const struct casefile *c, struct str *out) { put_files_of(key, TESTCASE_DIRECTORY, c, out); }
static void put_file(const char *key, const struct casefile *c, struct str *out) { put_files_of(key, TESTCASE_REGULAR, c, out); }
static void put_link(const char *key, const struct casefile *c, struct str *out) { put_files_of(key, TESTCASE_LINK, c, out); }
static bool take_dir(struct reader *r) { return take_file_of(r, TESTCASE_DIRECTORY); }
static bool take_file(struct reader *r) { return take_file_of(r, TESTCASE_REGULAR); }
static bool take_link(struct reader *r) { return take_file_of(r, TESTCASE_LINK); }

static void put_mark(const char *key, const struct casefile *c, struct str *out)
{
	for (size_t i = 0; i < c->input.marks_count; i++) {
		const struct testcase_mark *m = &c->input.marks[i];
		str_printf(out, "%s ", key);
		casetext_put_string(m->name, strlen(m->name), out);
		casetext_put_body(m->bytes, m->size, out);
	}
}

static bool take_mark(struct reader *r)
{
	struct testcase_mark m = {0};
	if (!take_string(r, &m.name) || !casetext_body(&r->text, r->arena, &m.bytes, &m.size))
		return false;
	vec_push(&r->marks, m);
	return true;
}

/* --- the table --- */

/* ROW(keyword, many): many: the line may come more than once */
#define TABLE(ROW) \
	ROW(kind, 0) ROW(purpose, 0) ROW(program, 0) ROW(build, 0) ROW(parent, 0) ROW(bug, 0) ROW(place, 0) ROW(frame, 1) \
	ROW(expect, 0) ROW(stdout, 0) ROW(stderr, 0) ROW(path, 0) \
	ROW(unit, 0) ROW(plan, 0) ROW(real, 1) \
	ROW(directory, 0) ROW(umask, 0) ROW(arg, 1) ROW(env, 1) ROW(stdin, 0) ROW(dir, 1) ROW(file, 1) ROW(link, 1) ROW(mark, 1)

static const struct row {
	const char *key;
	put_lines *put;
	take_line *take;
	bool many;
} rows[] = {
/* stdin and its like are macros, so the name has to be made a word before anything else */
#define ROW(name, many) { #name, put_##name, take_##name, many },
	TABLE(ROW)
#undef ROW
};

enum { ROWS = sizeof rows / sizeof *rows };
_Static_assert(ROWS <= 32, "a bit of `seen` each");

/* --- writing --- */

void casefile_print(const struct casefile *c, struct str *out)
{
	size_t start = out->length;
	str_printf(out, FIRST "%u\n", VERSION);
	for (size_t i = 0; i < ROWS; i++)
		rows[i].put(rows[i].key, c, out);
	str_add(out, c->unknown ? c->unknown : "");
	str_printf(out, "end %08" PRIx32 "\n", crc_of(out->text + start, out->length - start));
}

bool casefile_write(const char *path, const struct casefile *c, struct err *err)
{
	struct str text = {0};
	casefile_print(c, &text);
	bool ok = fs_write(path, text.text, text.length, err);
	str_free(&text);
	return ok;
}

/* --- reading --- */

bool casefile_is(const char *bytes, size_t size)
{
	return size >= sizeof FIRST - 1 && memcmp(bytes, FIRST, sizeof FIRST - 1) == 0;
}

/* The version is looked at first: of a later one we do not even know how its end looks. */
static bool check_head(struct casetext *t, struct err *err)
{
	uint64_t version;
	if (!casefile_is(t->at, (size_t)(t->end - t->at)))
		return err_set(err, "it is no test case");
	t->at += sizeof FIRST - 2;
	if (!casetext_number(t, 10, UINT32_MAX, &version) || !casetext_line_end(t))
		return err_set(err, "its first line is garbled");
	return version == VERSION || err_set(err, "it is of version %" PRIu64 ", and this Tandem reads version %u", version, VERSION);
}

/* Takes off the last line. */
static bool check_sum(struct casetext *t, const char *start, struct err *err)
{
	uint64_t sum;
	const char *last = t->end - LAST;
	if (t->end - t->at < LAST || memcmp(last, "end ", 4) != 0 || last[-1] != '\n')
		return err_set(err, "it is cut short: its last line is missing");
	struct casetext tail = { last + 3, t->end };
	if (!casetext_number(&tail, 16, UINT32_MAX, &sum) || !casetext_line_end(&tail) || tail.at != tail.end)
		return err_set(err, "its last line is garbled");
	uint32_t is = crc_of(start, (size_t)(last - start));
	t->end = last;
	return is == sum || err_set(err, "it was changed or damaged: its checksum is %08" PRIx32 ", its last line says %08" PRIx64, is, sum);
}

static bool is_ascii(const struct casetext *t)
{
	for (const char *c = t->at; c < t->end; c++)
		if ((*c < ' ' && *c != '\n') || *c > '~')
			return false;
	return true;
}

static const struct row *find_row(const char *word)
{
	for (size_t i = 0; i < ROWS; i++)
		if (strcmp(rows[i].key, word) == 0)
			return &rows[i];
	return NULL;
}

/* The line, and the body below it. */
static bool keep_unknown(struct reader *r, const char *from)
{
	do {
		r->text.at = memchr(r->text.at, '\n', (size_t)(r->text.end - r->text.at));
		if (!r->text.at++)
			return false;
	} while (r->text.at < r->text.end && *r->text.at == '|');
	str_add_bytes(&r->unknown, from, (size_t)(r->text.at - from));
	return true;
}

static bool take_one(struct reader *r)
{
	char word[32];
	const char *from = r->text.at;
	if (*from == ' ' || !casetext_word(&r->text, word, sizeof word))
		return false;
	const struct row *row = find_row(word);
	if (!row)
		return keep_unknown(r, from);
	uint32_t bit = 1u << (row - rows);
	bool again = r->seen & bit && !row->many;
	r->seen |= bit;
	return !again && row->take(r);
}

static void settle(struct reader *r)
{
	struct testcase *t = &r->c->input;
#define KEEP(to, from) \
	(to = arena_copy(r->arena, from.count ? (const void *)from.at : "", from.count * sizeof *from.at), to##_count = from.count, vec_free(&from))
	KEEP(t->args, r->args);
	KEEP(t->env, r->env);
	KEEP(t->files, r->files);
	KEEP(t->marks, r->marks);
	KEEP(r->c->frames, r->frames);
	KEEP(r->c->reals, r->reals);
#undef KEEP
	r->c->unknown = r->unknown.length ? arena_strdup(r->arena, r->unknown.text) : NULL;
	str_free(&r->unknown);
}

static size_t line_number(const char *start, const char *at)
{
	size_t n = 1;
	for (; start < at; start++)
		n += *start == '\n';
	return n;
}

bool casefile_parse(struct casefile *c, const char *bytes, size_t size, struct arena *arena, struct err *err)
{
	struct reader r = { .text = { bytes, bytes + size }, .c = c, .arena = arena };
	*c = (struct casefile){0};
	if (!check_head(&r.text, err) || !check_sum(&r.text, bytes, err))
		return false;
	if (!is_ascii(&r.text))
		return err_set(err, "it is garbled: a byte is no ASCII text");
	bool ok = true;
	while (ok && r.text.at < r.text.end) {
		const char *line = r.text.at;
		ok = take_one(&r) || err_set(err, "line %zu is garbled: %.*s", line_number(bytes, line),
		                             (int)strcspn(line, "\n") < 60 ? (int)strcspn(line, "\n") : 60, line);
	}
	settle(&r);
	return ok && (c->input.args_count || err_set(err, "it has no arguments, not even the program's name"));
}

bool casefile_read(struct casefile *c, const char *path, struct arena *arena, struct err *err)
{
	struct err why = {0};
	size_t size;
	char *bytes = fs_read(path, &size, err);
	if (!bytes)
		return false;
	bool ok = casefile_parse(c, bytes, size, arena, &why);
	free(bytes);
	return ok || err_set(err, "%.200s: %.300s", path, why.text);
}
