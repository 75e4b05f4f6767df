/* See environment.h. */
#include "cli/environment.h"

#include "base/fs.h"
#include "base/mem.h"
#include "base/vec.h"
#include "contract/trace.h"

#include <stdlib.h>
#include <string.h>

/* "LC_*": all that begin so. */
static bool is_usual(const char *name, size_t length)
{
	static const char *const usual[] = { "LANG", "LANGUAGE", "LC_*", "TZ", "POSIXLY_CORRECT", "COLUMNS", "LINES" };
	for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
		size_t n = strcspn(usual[i], "*");
		if ((length == n || (length > n && usual[i][n])) && strncmp(name, usual[i], n) == 0)
			return true;
	}
	return false;
}

struct asked {
	const char *name;
	bool is_there;
};

struct literals {
	char *bytes;
	size_t size;
	VEC(struct asked) asked;
	struct arena *arena;
};

struct literals *literals_open(const char *program)
{
	struct literals *l = mem_alloc(sizeof *l);
	l->bytes = fs_read(program, &l->size, NULL);
	l->arena = arena_new();
	return l;
}

void literals_close(struct literals *l)
{
	if (!l)
		return;
	vec_free(&l->asked);
	arena_free(l->arena);
	free(l->bytes);
	free(l);
}

/* With a null on both sides. */
static bool find_literal(const struct literals *l, const char *name, size_t length)
{
	const char *from = l->bytes, *end = l->bytes ? l->bytes + l->size : NULL;
	for (const char *at; from && (at = memmem(from, (size_t)(end - from), name, length)); from = at + 1)
		if (at > l->bytes && !at[-1] && at + length < end && !at[length])
			return true;
	return false;
}

static bool is_literal(struct literals *l, const char *name, size_t length)
{
	if (!l)
		return false;
	for (size_t i = 0; i < l->asked.count; i++)
		if (strncmp(l->asked.at[i].name, name, length) == 0 && !l->asked.at[i].name[length])
			return l->asked.at[i].is_there;
	bool is_there = find_literal(l, name, length);
	vec_push(&l->asked, (struct asked){ arena_printf(l->arena, "%.*s", (int)length, name), is_there });
	return is_there;
}

static bool is_kept(const struct environment_rule *r, const char *name, size_t length)
{
	if (!length || strncmp(name, TD_ENV "=", sizeof TD_ENV) == 0 || (length == 1 && name[0] == '_')) /* the shell tells by _ which file it started */
		return false;
	for (size_t i = 0; i < r->names_count; i++)
		if (strlen(r->names[i]) == length && strncmp(name, r->names[i], length) == 0)
			return true;
	return r->all || is_usual(name, length) || is_literal(r->literals, name, length);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool is_set(const char *const *env, size_t count, const char *name, size_t length)
{
	for (size_t i = 0; i < count; i++)
		if (strncmp(env[i], name, length) == 0 && env[i][length] == '=')
			return true;
	return false;
}

void environment_keep(const char *const *env, size_t count, const struct environment_rule *rule, struct testcase *t, struct arena *a)
{
	static const char *const fixed[] = { "LC_ALL", "TZ" };
	const char **kept = arena_alloc(a, (count + 3) * sizeof *kept);
	size_t n = 0;
	for (size_t i = 0; i < count; i++) {
		size_t length = strcspn(env[i], "=");
		if (env[i][length] && is_kept(rule, env[i], length) && !is_set(env, i, env[i], length)) /* of two the first is what a program finds */
			kept[n++] = env[i];
	}
	for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
		if (!is_set(env, count, fixed[i], strlen(fixed[i])))
			kept[n++] = fixed[i];
	qsort(kept, n, sizeof *kept, by_text);
	t->env = kept;
	t->env_count = n;
}
