/* See cases.h. */
#include "cli/cases.h"

#include "base/mem.h"
#include "base/vec.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void add(struct cases *c, const char *path)
{
	if (!c->arena)
		c->arena = arena_new();
	c->at = mem_resize_array(c->at, c->count + 1, sizeof *c->at);
	c->at[c->count++] = arena_strdup(c->arena, path);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool ends_in(const char *name, const char *suffix)
{
	size_t n = strlen(name), m = strlen(suffix);
	return n > m && strcmp(name + n - m, suffix) == 0;
}

/* A link to a directory is left alone, so there is an end to it. */
static bool list(struct cases *c, const char *directory, const char *suffix, bool deep, struct err *err)
{
	DIR *dir = opendir(directory);
	struct str path = {0};
	struct stat st;
	bool ok = dir || err_errno(err, "cannot read the directory %s", directory);
	for (struct dirent *e; ok && (e = readdir(dir));) {
		if (e->d_name[0] == '.')
			continue;
		str_clear(&path);
		str_printf(&path, "%s/%s", directory, e->d_name);
		if (deep && lstat(str_text(&path), &st) == 0 && S_ISDIR(st.st_mode))
			ok = list(c, str_text(&path), suffix, deep, err);
		else if ((!*suffix || ends_in(e->d_name, suffix)) && stat(str_text(&path), &st) == 0 && S_ISREG(st.st_mode))
			add(c, str_text(&path));
	}
	if (dir)
		closedir(dir);
	str_free(&path);
	return ok;
}

bool cases_list(struct cases *c, const char *directory, const char *suffix, bool deep, struct err *err)
{
	size_t before = c->count;
	bool ok = list(c, directory, suffix, deep, err);
	if (c->count > before)
		qsort(c->at + before, c->count - before, sizeof *c->at, by_name);
	return ok;
}

bool cases_add(struct cases *c, const char *path, struct err *err)
{
	struct stat st;
	size_t before = c->count;
	if (stat(path, &st))
		return err_errno(err, "%s", path);
	if (!S_ISDIR(st.st_mode)) {
		add(c, path);
		return true;
	}
	return cases_list(c, path, CASEFILE_SUFFIX, true, err) && (c->count > before || err_set(err, "%s: no *" CASEFILE_SUFFIX " in it", path));
}

void cases_free(struct cases *c)
{
	free(c->at);
	arena_free(c->arena);
	*c = (struct cases){0};
}

char **cases_cut(int *argc, char **argv, size_t *count)
{
	*count = 0;
	for (int i = 1; i < *argc; i++)
		if (strcmp(argv[i], "--") == 0) {
			*count = (size_t)(*argc - i - 1);
			*argc = i;
			argv[i] = NULL;
			return *count ? &argv[i + 1] : NULL;
		}
	return NULL;
}

const char *cases_stem(const char *path, struct arena *arena)
{
	static const char fit[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
	const char *slash = strrchr(path, '/');
	char *stem = arena_strdup(arena, slash ? slash + 1 : path);
	if (ends_in(stem, CASEFILE_SUFFIX))
		stem[strlen(stem) - (sizeof CASEFILE_SUFFIX - 1)] = '\0';
	for (char *c = stem; *c; c++)
		*c = strchr(fit, *c) ? *c : '_';
	return stem;
}

static bool is_in(const struct cases *c, const char *text)
{
	for (size_t i = 0; i < c->count; i++)
		if (strcmp(c->at[i], text) == 0)
			return true;
	return false;
}

const char *cases_name(struct cases *given, const char *path)
{
	struct arena *a = arena_new();
	const char *stem = cases_stem(path, a), *name = stem;
	for (size_t n = 2; is_in(given, name); n++)
		name = arena_printf(a, "%s-%zu", stem, n);
	add(given, name);
	arena_free(a);
	return given->at[given->count - 1];
}

bool cases_make_dir(const char *path, struct err *err)
{
	char *part = strdup(path);
	bool ok = part || err_set(err, "out of memory");
	for (char *at = part; ok && at;) {
		at = strchr(at + 1, '/');
		if (at)
			*at = '\0';
		ok = !*part || mkdir(part, 0777) == 0 || errno == EEXIST || err_errno(err, "cannot make %s", part);
		if (at)
			*at = '/';
	}
	free(part);
	return ok;
}

bool cases_is_program(const struct casefile *c, struct err *err)
{
	return !c->unit || err_set(err, "it is a test of one function, %.100s: tandem replay runs it, tandem export --format c makes a driver of it", c->unit);
}

bool cases_read(struct casefile *c, const char *path, struct arena *arena, struct err *err)
{
	return casefile_read(c, path, arena, err) && cases_is_program(c, err);
}
