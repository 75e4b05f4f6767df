/* See inputs.h. A file is given under a name in the working directory of the program, which is a scratch directory; it is a copy, with
 * the mode and the time of the original. One that stays where it is can only be read there, as nothing can be changed in it. */
#include "cli/inputs.h"

#include "cli/cli.h"
#include "contract/trace.h"
#include "testcase/realise.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { KEY_FILE = 0x10000, KEY_ENV, KEY_WINDOW };

static const struct argp_option options[] = {
	{ "file", KEY_FILE, "[NAME=]PATH", 0,
	  "the program finds a file NAME in its working directory, with the content, mode and time of PATH: all of them symbolic. "
	  "NAME:SIZE: a file of SIZE bytes. May be repeated", 0 },
	{ "env", KEY_ENV, "NAME=VALUE", 0, "the program has this variable in its environment; its value is symbolic. May be repeated", 0 },
	{ "file-window", KEY_WINDOW, "N", 0, "bytes of a file that are symbolic (default 65536; 0: all)", 0 },
	{ 0 },
};

/* NAME:SIZE, unless there is a file of that very name. */
static void add_file(struct argp_state *state, struct inputs *in, char *text)
{
	char *colon = strrchr(text, ':');
	struct stat s;
	if (!colon || colon == text || !colon[1] || colon[1 + strspn(colon + 1, "0123456789")] || strchr(text, '=') || stat(text, &s) == 0) {
		vec_push(&in->files, text);
		return;
	}
	*colon = '\0';
	vec_push(&in->sized, (struct inputs_sized){ text, cli_number(state, colon + 1, 1u << 24) });
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct inputs *in = state->input;
	switch (key) {
	case KEY_FILE: add_file(state, in, arg); break;
	case KEY_ENV: vec_push(&in->env, arg); break;
	case KEY_WINDOW: in->window = (uint32_t)cli_number(state, arg, UINT32_MAX); break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

const struct argp inputs_parser = { .options = options, .parser = parse_option };

/* What is before the '=', else the last part of the path. */
static const char *split(const char *text, const char **path, struct arena *arena)
{
	const char *equals = strchr(text, '='), *slash = strrchr(text, '/');
	*path = equals ? equals + 1 : text;
	return equals ? arena_printf(arena, "%.*s", (int)(equals - text), text) : slash ? slash + 1 : text;
}

static bool read_file(const char *text, struct testcase_file *to, struct arena *arena, struct err *err)
{
	const char *path;
	struct stat s;
	*to = (struct testcase_file){ .path = split(text, &path, arena) };
	if (!realise_takes(to->path))
		return err_set(err, "%s: not the name of a file in the program's working directory", to->path);
	char *bytes = cli_slurp_file(path, &to->size, err);
	if (!bytes)
		return false;
	to->bytes = arena_copy(arena, bytes, to->size + 1);
	free(bytes);
	if (stat(path, &s) != 0)
		return err_errno(err, "%s", path);
	to->mode = s.st_mode & TESTCASE_MODES;
	to->mtime = s.st_mtim.tv_sec;
	return true;
}

static bool make_file(const struct inputs_sized *f, struct testcase_file *to, struct arena *arena, struct err *err)
{
	if (!realise_takes(f->name))
		return err_set(err, "%s: not the name of a file in the program's working directory", f->name);
	*to = (struct testcase_file){ .path = f->name, .bytes = memset(arena_alloc(arena, f->size + 1), 'A', f->size), .size = f->size, .mode = TESTCASE_MODE, .mtime = TESTCASE_MTIME };
	return true;
}

/* Only its name counts; an absolute one means the same in any working directory. */
static bool find_file(const char *text, struct testcase_file *to, struct arena *arena, struct err *err)
{
	char *path = realpath(text, NULL);
	struct stat s;
	bool ok = path && stat(path, &s) == 0;
	if (!ok)
		err_errno(err, "cannot read %s", text);
	else if (!S_ISREG(s.st_mode))
		ok = err_set(err, "%s: not a regular file", text);
	if (ok)
		*to = (struct testcase_file){ .path = arena_strdup(arena, path) };
	free(path);
	return ok;
}

static bool is_twice(const struct testcase_file *files, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (strcmp(files[k].path, files[i].path) == 0)
			return true;
	return false;
}

static bool check_variable(const char *text, struct err *err)
{
	size_t n = strcspn(text, "=");
	if (!n || !text[n])
		return err_set(err, "%s: a variable is given as NAME=VALUE", text);
	return strncmp(text, TD_ENV "=", sizeof TD_ENV) != 0 || err_set(err, TD_ENV " is not for programs");
}

bool inputs_read(const struct inputs *in, struct testcase *to, struct arena *arena, struct err *err)
{
	size_t copied = in->files.count, made = copied + in->sized.count, count = made + in->places.count;
	struct testcase_file *files = arena_alloc(arena, (count + 1) * sizeof *files);
	for (size_t i = 0; i < count; i++) {
		if (!(i < copied ? read_file(in->files.at[i], &files[i], arena, err) : i < made ? make_file(&in->sized.at[i - copied], &files[i], arena, err) :
		      find_file(in->places.at[i - made], &files[i], arena, err)))
			return false;
		if (is_twice(files, i))
			return err_set(err, "%s is given twice", files[i].path);
	}
	for (size_t i = 0; i < in->env.count; i++)
		if (!check_variable(in->env.at[i], err))
			return false;
	to->files = files;
	to->files_count = count;
	to->env = in->env.count ? arena_copy(arena, in->env.at, in->env.count * sizeof *in->env.at) : NULL;
	to->env_count = in->env.count;
	return true;
}

void inputs_free(struct inputs *in)
{
	vec_free(&in->files);
	vec_free(&in->sized);
	vec_free(&in->places);
	vec_free(&in->env);
}
