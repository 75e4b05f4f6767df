/* See foreign.h. What kind of file it is is seen by its first bytes; a directory with a queue/ in it is AFL++'s, one with test cases or .ktest in it is that,
 * any other a collection of files. The program's arguments come from the command line, with @@ for the file, as AFL++ has it; those of KLEE and of test cases
 * from their files. */
#include "cli/foreign.h"

#include "base/fs.h"
#include "testcase/ktest.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Directories that AFL++ keeps inputs in; of one worker, or of several. */
static const char *const afl[] = { "queue", "crashes", "hangs" };

static bool is_dir(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static void drop_readme(struct cases *c)
{
	size_t kept = 0;
	for (size_t i = 0; i < c->count; i++) {
		const char *slash = strrchr(c->at[i], '/');
		if (strcmp(slash ? slash + 1 : c->at[i], "README.txt") != 0)
			c->at[kept++] = c->at[i];
	}
	c->count = kept;
}

static bool add_afl(struct cases *to, const char *path, bool *found, struct err *err)
{
	for (size_t i = 0; i < sizeof afl / sizeof *afl; i++) {
		struct str sub = {0};
		str_printf(&sub, "%s/%s", path, afl[i]);
		bool is = is_dir(str_text(&sub)), ok = !is || cases_list(to, str_text(&sub), "", false, err);
		str_free(&sub);
		*found |= is;
		if (!ok)
			return false;
	}
	drop_readme(to); /* among crashes */
	return true;
}

bool foreign_list(struct cases *to, const char *path, struct err *err)
{
	bool found = false;
	if (!is_dir(path))
		return cases_add(to, path, err);
	size_t before = to->count;
	if (!cases_list(to, path, CASEFILE_SUFFIX, true, err) || to->count > before) /* of a campaign, too, which has directories by AFL++'s names */
		return to->count > before;
	if (!add_afl(to, path, &found, err))
		return false;
	struct str main_worker = {0};
	str_printf(&main_worker, "%s/default", path);
	bool ok = found || !is_dir(str_text(&main_worker)) || add_afl(to, str_text(&main_worker), &found, err);
	str_free(&main_worker);
	ok = ok && (found || cases_list(to, path, ".ktest", false, err)); /* KLEE has much besides in its directory */
	return ok && (found || to->count > before || cases_list(to, path, "", false, err));
}

/* --- one file --- */

static void set_file(const struct foreign *f, struct testcase *t, const uint8_t *bytes, size_t size)
{
	struct testcase_file *file = arena_alloc(f->arena, sizeof *file);
	const char **args = arena_copy(f->arena, t->args, t->args_count * sizeof *args);
	*file = (struct testcase_file){ .path = f->file ? f->file : FOREIGN_FILE, .bytes = bytes, .size = size, .mode = TESTCASE_MODE, .mtime = TESTCASE_MTIME };
	for (size_t i = 1; i < t->args_count; i++)
		if (strcmp(args[i], "@@") == 0)
			args[i] = file->path;
	t->args = args;
	t->files = file;
	t->files_count = 1;
	t->input = TESTCASE_NULL;
}

/* Arguments behind the program's own, as bench/argv.c takes them: an empty one ends them, and so does the end. */
static void take_arguments(const struct foreign *f, struct testcase *t, const uint8_t *bytes, size_t size)
{
	const char **args = arena_alloc(f->arena, (t->args_count + size + 1) * sizeof *args);
	size_t n = t->args_count, at = 0;
	memcpy(args, t->args, n * sizeof *args);
	while (at < size && bytes[at]) {
		size_t length = strnlen((const char *)bytes + at, size - at);
		args[n++] = arena_printf(f->arena, "%.*s", (int)length, (const char *)bytes + at);
		at += length + 1;
	}
	at++;
	t->args = args;
	t->args_count = n;
	t->bytes = at < size ? arena_copy(f->arena, bytes + at, size - at) : NULL;
	t->size = at < size ? size - at : 0;
}

static struct testcase raw_case(const struct foreign *f, const uint8_t *bytes, size_t size)
{
	struct testcase t = { .args = (const char *const *)f->words, .args_count = f->words_count };
	bool named = f->file;
	if (f->with_arguments) {
		take_arguments(f, &t, bytes, size);
		return t;
	}
	for (size_t i = 1; i < f->words_count; i++)
		named |= strcmp(f->words[i], "@@") == 0;
	if (named && !f->force_stdin) {
		set_file(f, &t, bytes, size);
	} else {
		t.bytes = bytes;
		t.size = size;
	}
	return t;
}

/* KLEE knows a program as its bitcode, a test case the one it was made with. */
static void set_program(const struct foreign *f, struct testcase *t)
{
	const char **args = arena_copy(f->arena, t->args, t->args_count * sizeof *args);
	args[0] = f->words[0];
	t->args = args;
}

static bool parse(const struct foreign *f, char *bytes, size_t size, struct casefile *c, const char **left, struct err *err)
{
	if (ktest_is(bytes, size))
		return ktest_parse(&c->input, bytes, size, f->arena, left, err);
	if (casefile_is(bytes, size))
		return casefile_parse(c, bytes, size, f->arena, err) && cases_is_program(c, err);
	if (!f->words)
		return err_set(err, "which program is it for? (-- PROGRAM ARGUMENTS)");
	c->input = raw_case(f, size ? arena_copy(f->arena, bytes, size) : NULL, size);
	return true;
}

bool foreign_read(const struct foreign *f, const char *path, struct casefile *c, const char **left, struct err *err)
{
	struct err why = {0};
	size_t size;
	char *bytes = fs_read(path, &size, err);
	*c = (struct casefile){0};
	*left = NULL;
	if (!bytes)
		return false;
	bool ok = parse(f, bytes, size, c, left, &why);
	free(bytes);
	if (!ok)
		return err_set(err, "%.300s: %.200s", path, why.text);
	if (f->words && c->input.args_count)
		set_program(f, &c->input);
	return true;
}
