/* tandem import: test cases from what others have. What kind of file it is is seen by its first bytes; a directory with a queue/ in it is AFL++'s, any other a
 * collection of files. The program's arguments come from the command line, with @@ for the file, as AFL++ has it; those of KLEE from its files.
 *
 * What others call a crash is a seed here: nobody has seen it fail yet (tandem replay). */
#include "cli/cases.h"
#include "cli/cli.h"

#include "base/fs.h"
#include "testcase/ktest.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FILE_NAME "input"

struct request {
	const char *out, *file;
	bool force_stdin, with_arguments;
	char **words;        /* program and arguments */
	size_t words_count;
	struct cases files, names; /* of the test cases */
	size_t written;
	struct arena *arena;
};

enum { KEY_STDIN = 256, KEY_FILE, KEY_ARGV };

static const struct argp_option options[] = {
	{ "stdin", KEY_STDIN, NULL, 0, "each file is a standard input (default, unless an argument is @@)", 0 },
	{ "file", KEY_FILE, "NAME", 0, "each file is the content of a file NAME in the program's directory; @@ among the arguments stands for it (default " FILE_NAME ")", 0 },
	{ "argv", KEY_ARGV, NULL, 0, "each file begins with arguments, each ended by a NUL, the last of them by two; standard input follows", 0 },
	{ "out", 'o', "DIR", 0, "where to (default: tandem-cases)", 0 },
	{ 0 },
};

/* Directories that AFL++ keeps inputs in; of one worker, or of several. */
static const char *const afl[] = { "queue", "crashes", "hangs" };

static bool is_dir(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool add_afl(struct request *r, const char *path, bool *found, struct err *err)
{
	for (size_t i = 0; i < sizeof afl / sizeof *afl; i++) {
		struct str sub = {0};
		str_printf(&sub, "%s/%s", path, afl[i]);
		bool is = is_dir(str_text(&sub)), ok = !is || cases_list(&r->files, str_text(&sub), "", false, err);
		str_free(&sub);
		*found |= is;
		if (!ok)
			return false;
	}
	return true;
}

static bool add(struct request *r, const char *path, struct err *err)
{
	bool found = false;
	if (!is_dir(path))
		return cases_add(&r->files, path, err);
	if (!add_afl(r, path, &found, err))
		return false;
	struct str main_worker = {0};
	str_printf(&main_worker, "%s/default", path);
	bool ok = found || !is_dir(str_text(&main_worker)) || add_afl(r, str_text(&main_worker), &found, err);
	str_free(&main_worker);
	size_t before = r->files.count;
	ok = ok && (found || cases_list(&r->files, path, ".ktest", false, err)); /* KLEE has much besides in its directory */
	return ok && (found || r->files.count > before || cases_list(&r->files, path, "", false, err));
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct request *r = state->input;
	struct err err = {0};
	switch (key) {
	case KEY_STDIN: r->force_stdin = true; break;
	case KEY_FILE: r->file = arg; break;
	case KEY_ARGV: r->with_arguments = true; break;
	case 'o': r->out = arg; break;
	case ARGP_KEY_ARG:
		if (!add(r, arg, &err))
			argp_failure(state, CLI_USAGE, 0, "%s", err.text);
		break;
	case ARGP_KEY_NO_ARGS: argp_error(state, "which files?"); break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp parser = {
	.options = options, .parser = parse_option, .args_doc = "FILE... -- PROGRAM [ARGUMENT...]",
	.doc = "Makes test cases for PROGRAM of raw inputs, of AFL++'s queues (directories with queue/ or crashes/ in them) and of KLEE's .ktest, or of directories full of them.",
};

/* --- one file --- */

static void set_file(struct request *r, struct testcase *t, const uint8_t *bytes, size_t size)
{
	struct testcase_file *f = arena_alloc(r->arena, sizeof *f);
	const char **args = arena_copy(r->arena, t->args, t->args_count * sizeof *args);
	*f = (struct testcase_file){ .path = r->file ? r->file : FILE_NAME, .bytes = bytes, .size = size, .mode = TESTCASE_MODE, .mtime = TESTCASE_MTIME };
	for (size_t i = 1; i < t->args_count; i++)
		if (strcmp(args[i], "@@") == 0)
			args[i] = f->path;
	t->args = args;
	t->files = f;
	t->files_count = 1;
	t->input = TESTCASE_NULL;
}

/* Arguments behind the program's own, as bench/argv.c takes them: an empty one ends them, and so does the end. */
static void take_arguments(struct request *r, struct testcase *t, const uint8_t *bytes, size_t size)
{
	const char **args = arena_alloc(r->arena, (t->args_count + size + 1) * sizeof *args);
	size_t n = t->args_count, at = 0;
	memcpy(args, t->args, n * sizeof *args);
	while (at < size && bytes[at]) {
		size_t length = strnlen((const char *)bytes + at, size - at);
		args[n++] = arena_printf(r->arena, "%.*s", (int)length, (const char *)bytes + at);
		at += length + 1;
	}
	at++;
	t->args = args;
	t->args_count = n;
	t->bytes = at < size ? arena_copy(r->arena, bytes + at, size - at) : NULL;
	t->size = at < size ? size - at : 0;
}

static struct testcase raw_case(struct request *r, const uint8_t *bytes, size_t size)
{
	struct testcase t = { .args = (const char *const *)r->words, .args_count = r->words_count };
	bool named = r->file;
	if (r->with_arguments) {
		take_arguments(r, &t, bytes, size);
		return t;
	}
	for (size_t i = 1; i < r->words_count; i++)
		named |= strcmp(r->words[i], "@@") == 0;
	if (named && !r->force_stdin) {
		set_file(r, &t, bytes, size);
	} else {
		t.bytes = bytes;
		t.size = size;
	}
	return t;
}

/* KLEE knows a program as its bitcode. */
static void set_program(struct request *r, struct testcase *t)
{
	const char **args = arena_copy(r->arena, t->args, t->args_count * sizeof *args);
	args[0] = r->words[0];
	t->args = args;
}

static bool import_one(struct request *r, const char *path, struct err *err)
{
	struct err why = {0};
	size_t size;
	const char *left = NULL;
	struct casefile c = { .kind = CASE_SEED, .program = r->words ? r->words[0] : NULL, .purpose = arena_printf(r->arena, "imported from %s", path) };
	char *bytes = fs_read(path, &size, err);
	if (!bytes)
		return false;
	bool klee = ktest_is(bytes, size), ok = klee ? ktest_parse(&c.input, bytes, size, r->arena, &left, &why) : true;
	if (!ok)
		err_set(err, "%.300s: %.200s", path, why.text);
	if (ok && !klee && !r->words)
		ok = err_set(err, "%.300s: which program is it for? (-- PROGRAM ARGUMENTS)", path);
	if (ok && klee && r->words)
		set_program(r, &c.input);
	if (ok && !klee)
		c.input = raw_case(r, size ? (const uint8_t *)bytes : NULL, size);
	if (left)
		fprintf(stderr, "tandem: note: %s: system calls that fail (%s) cannot be replayed\n", path, left);
	ok = ok && casefile_write(arena_printf(r->arena, "%s/%s" CASEFILE_SUFFIX, r->out, cases_name(&r->names, path)), &c, err);
	r->written += ok;
	free(bytes);
	return ok;
}

static bool is_left_out(const char *path)
{
	const char *slash = strrchr(path, '/');
	return strcmp(slash ? slash + 1 : path, "README.txt") == 0; /* AFL++'s, among crashes */
}

static int import_all(struct request *r)
{
	struct err err = {0};
	size_t bad = 0;
	if (!cases_make_dir(r->out, &err))
		return cli_fail(CLI_USAGE, &err);
	for (size_t i = 0; i < r->files.count; i++) {
		struct err why = {0};
		if (is_left_out(r->files.at[i]) || import_one(r, r->files.at[i], &why))
			continue;
		cli_fail(CLI_USAGE, &why);
		bad++;
	}
	printf("%zu test cases in %s\n", r->written, r->out);
	return bad ? CLI_USAGE : CLI_CLEAN;
}

int cmd_import(int argc, char **argv)
{
	struct request r = { .out = "tandem-cases" };
	r.words = cases_cut(&argc, argv, &r.words_count);
	argp_parse(&parser, argc, argv, 0, NULL, &r);
	r.arena = arena_new();
	int status = import_all(&r);
	arena_free(r.arena);
	cases_free(&r.files);
	cases_free(&r.names);
	return status;
}
