/* The file is: "KTEST" or, from older versions, "BOUT\n"; a version; arguments; from version 2 on two numbers about symbolic arguments, of no use here;
 * objects of a name and bytes. Numbers are 32 bits, big-endian; texts and bytes have their length before them.
 *
 * With KLEE's model of the system the arguments are those given to klee, in which --sym-arg and its like stand for objects: arg0 (or arg00), arg1 ..., as many of them as
 * the object n_args says. The files A, B, ... are in A-data, their struct stat in A-data-stat; standard input is stdin. model_version goes with these and means nothing. What
 * remains is what klee_make_symbolic was called for, in the order of the calls. */
#include "testcase/ktest.h"

#include "base/vec.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define VERSION 3u

struct object {
	const char *name;
	const uint8_t *bytes;
	size_t size;
	bool used;
};

struct ktest {
	const uint8_t *at, *end;
	struct arena *arena;
	VEC(const char *) given;  /* arguments */
	VEC(struct object) objects;
	VEC(const char *) args;   /* as the program gets them */
	VEC(struct testcase_file) files;
	VEC(struct testcase_mark) marks;
};

/* --- the file --- */

static bool take_number(struct ktest *k, uint32_t *n)
{
	if (k->end - k->at < 4)
		return false;
	*n = (uint32_t)k->at[0] << 24 | (uint32_t)k->at[1] << 16 | (uint32_t)k->at[2] << 8 | k->at[3];
	k->at += 4;
	return true;
}

/* With a NUL behind them. */
static bool take_bytes(struct ktest *k, const uint8_t **bytes, size_t *size)
{
	uint32_t n;
	if (!take_number(k, &n) || n > (size_t)(k->end - k->at))
		return false;
	uint8_t *copy = arena_alloc(k->arena, (size_t)n + 1);
	memcpy(copy, k->at, n);
	k->at += n;
	*bytes = copy;
	*size = n;
	return true;
}

static bool take_arguments(struct ktest *k)
{
	uint32_t n;
	const uint8_t *bytes;
	size_t size;
	if (!take_number(k, &n))
		return false;
	for (; n; n--) {
		if (!take_bytes(k, &bytes, &size))
			return false;
		vec_push(&k->given, (const char *)bytes);
	}
	return true;
}

static bool take_objects(struct ktest *k)
{
	uint32_t n;
	const uint8_t *name;
	size_t length;
	if (!take_number(k, &n))
		return false;
	for (; n; n--) {
		struct object o = {0};
		if (!take_bytes(k, &name, &length) || !take_bytes(k, &o.bytes, &o.size))
			return false;
		o.name = (const char *)name;
		vec_push(&k->objects, o);
	}
	return true;
}

bool ktest_is(const void *bytes, size_t size)
{
	return size >= 5 && (memcmp(bytes, "KTEST", 5) == 0 || memcmp(bytes, "BOUT\n", 5) == 0);
}

static bool take_all(struct ktest *k, struct err *err)
{
	uint32_t version, unused;
	k->at += 5;
	if (!take_number(k, &version))
		return err_set(err, "it is cut short");
	if (!version || version > VERSION)
		return err_set(err, "it is of version %u, and version %u is the last one known", version, VERSION);
	if (!take_arguments(k) || (version >= 2 && (!take_number(k, &unused) || !take_number(k, &unused))) || !take_objects(k))
		return err_set(err, "it is cut short or garbled");
	return k->at == k->end || err_set(err, "it is garbled: %zu bytes are left over", (size_t)(k->end - k->at));
}

/* --- what it means --- */

static struct object *find(struct ktest *k, const char *name)
{
	for (size_t i = 0; i < k->objects.count; i++)
		if (!k->objects.at[i].used && strcmp(k->objects.at[i].name, name) == 0)
			return &k->objects.at[i];
	return NULL;
}

/* The object of an argument: "arg" and its number, in one character or two. */
static struct object *find_argument(struct ktest *k)
{
	for (size_t i = 0; i < k->objects.count; i++) {
		struct object *o = &k->objects.at[i];
		size_t length = strlen(o->name);
		if (!o->used && strncmp(o->name, "arg", 3) == 0 && length >= 4 && length <= 5 && o->name[3] >= '0' && o->name[3] <= 'z')
			return o;
	}
	return NULL;
}

static void add_argument(struct ktest *k)
{
	struct object *o = find_argument(k);
	if (!o)
		return;
	o->used = true;
	vec_push(&k->args, (const char *)o->bytes); /* up to its first NUL */
}

/* One --sym-args: as many as n_args says, but not more than it may be. */
static void add_arguments(struct ktest *k, const char *most)
{
	struct object *o = find(k, "n_args");
	unsigned long max = strtoul(most, NULL, 0), n = 0;
	if (!o)
		return;
	o->used = true;
	for (size_t i = 0; i < o->size && i < 4; i++)
		n |= (unsigned long)o->bytes[i] << (8 * i);
	for (n = n < max ? n : max; n && find_argument(k); n--)
		add_argument(k);
}

/* Options of KLEE's model: how many words there are behind them, and what they stand for; the second word of ARGUMENTS is how many at most. */
static const struct option {
	const char *name;
	size_t words;
	enum { NO_ARGUMENT, ONE_ARGUMENT, ARGUMENTS } stands_for;
} options[] = {
	{ "sym-arg", 1, ONE_ARGUMENT }, { "sym-args", 3, ARGUMENTS }, { "sym-files", 2, NO_ARGUMENT }, { "sym-stdin", 1, NO_ARGUMENT },
	{ "sym-stdout", 0, NO_ARGUMENT }, { "save-all-writes", 0, NO_ARGUMENT }, { "fd-fail", 0, NO_ARGUMENT }, { "max-fail", 1, NO_ARGUMENT },
	{ "bout-file", 1, NO_ARGUMENT },
};

static const struct option *option_of(const char *word)
{
	for (size_t i = 0; *word == '-' && i < sizeof options / sizeof *options; i++)
		if (strcmp(word + 1 + (word[1] == '-'), options[i].name) == 0)
			return &options[i];
	return NULL;
}

/* Does KLEE's model take part at all? Without it an argument is nothing but that. */
static bool has_model(struct ktest *k)
{
	return find(k, "model_version") || find(k, "n_args") || find(k, "stdin-stat") || find(k, "A-data") || find(k, "arg0") || find(k, "arg00");
}

static void make_arguments(struct ktest *k)
{
	bool model = has_model(k);
	for (size_t i = 0; i < k->given.count; i++) {
		const struct option *o = i && model ? option_of(k->given.at[i]) : NULL;
		if (!o || o->words >= k->given.count - i) {
			vec_push(&k->args, k->given.at[i]);
			continue;
		}
		if (o->stands_for == ONE_ARGUMENT)
			add_argument(k);
		else if (o->stands_for == ARGUMENTS)
			add_arguments(k, k->given.at[i + 2]);
		i += o->words;
	}
	if (!k->args.count)
		vec_push(&k->args, "program");
}

/* A struct stat of this machine, as KLEE runs on it; of another one nothing is known. */
static void set_metadata(struct testcase_file *f, const struct object *stat)
{
	struct stat st;
	if (!stat || stat->size != sizeof st)
		return;
	memcpy(&st, stat->bytes, sizeof st);
	f->mode = st.st_mode & 0777u;
	f->mtime = st.st_mtime;
}

static void make_files(struct ktest *k)
{
	for (char letter = 'A'; letter <= 'Z'; letter++) {
		char data[] = { letter, '-', 'd', 'a', 't', 'a', '\0' }, name[] = { letter, '\0' };
		struct object *o = find(k, data), *stat = find(k, arena_printf(k->arena, "%s-stat", data));
		if (!o)
			continue;
		struct testcase_file f = { .path = arena_strdup(k->arena, name), .bytes = o->size ? o->bytes : NULL, .size = o->size, .mode = TESTCASE_MODE,
		                           .mtime = TESTCASE_MTIME };
		set_metadata(&f, stat);
		o->used = true;
		if (stat)
			stat->used = true;
		vec_push(&k->files, f);
	}
}

static void make_stdin(struct ktest *k, struct testcase *t)
{
	struct object *o = find(k, "stdin"), *stat = find(k, "stdin-stat");
	t->input = o ? TESTCASE_FILE : TESTCASE_NULL;
	if (!o)
		return;
	t->bytes = o->size ? o->bytes : NULL;
	t->size = o->size;
	o->used = true;
	if (stat)
		stat->used = true;
}

/* What the model itself asks for, and what is of no use outside KLEE. */
static void leave_out(struct ktest *k, const char **left)
{
	static const char *const idle[] = { "model_version", "stdout", "stdout-stat", "n_args" };
	static const char *const failures[] = { "read_fail", "write_fail", "close_fail", "ftruncate_fail", "getcwd_fail" };
	struct object *o;
	bool model = find(k, "model_version");
	for (size_t i = 0; model && i < sizeof idle / sizeof *idle; i++)
		while ((o = find(k, idle[i])))
			o->used = true;
	for (size_t i = 0; model && i < sizeof failures / sizeof *failures; i++)
		while ((o = find(k, failures[i]))) {
			o->used = true;
			*left = o->name;
		}
}

static void make_marks(struct ktest *k)
{
	for (size_t i = 0; i < k->objects.count; i++) {
		const struct object *o = &k->objects.at[i];
		if (!o->used)
			vec_push(&k->marks, (struct testcase_mark){ o->name, o->size ? o->bytes : NULL, o->size });
	}
}

bool ktest_parse(struct testcase *t, const void *bytes, size_t size, struct arena *arena, const char **left, struct err *err)
{
	struct ktest k = { .at = bytes, .end = (const uint8_t *)bytes + size, .arena = arena };
	const char *ignored;
	*t = (struct testcase){0};
	*(left ? left : &ignored) = NULL;
	bool ok = ktest_is(bytes, size) ? take_all(&k, err) : err_set(err, "it is no .ktest file");
	if (ok) {
		make_arguments(&k);
		make_files(&k);
		make_stdin(&k, t);
		leave_out(&k, left ? left : &ignored);
		make_marks(&k);
		*t = testcase_copy(&(struct testcase){
			.args = k.args.at, .args_count = k.args.count, .bytes = t->bytes, .size = t->size, .input = t->input, .files = k.files.at,
			.files_count = k.files.count, .marks = k.marks.at, .marks_count = k.marks.count }, arena);
	}
	vec_free(&k.given);
	vec_free(&k.objects);
	vec_free(&k.args);
	vec_free(&k.files);
	vec_free(&k.marks);
	return ok;
}
