/* Lengths stay. Values of marks are any bytes; texts (standard input, arguments, variables, files) are mostly printable, since what is not is turned down by the
 * first look of most programs, and have no NUL where that would end them. Files that a search may not change keep their contents. */
#include "engine/restart.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { ODD_SHARE = 8 /* one byte in so many is not printable, or need not be */ };

void restart_learn(struct restart_marks *m, const struct trace *t)
{
	for (uint32_t i = 0; i < t->inputs_count; i++) {
		const struct td_input *in = &t->inputs[i];
		if (in->kind != TD_IN_MARK || in->index >= TD_MAX_INPUTS)
			continue;
		for (; m->count <= in->index; m->count++) {
			m->at = mem_resize_array(m->at, m->count + 1, sizeof *m->at);
			m->at[m->count] = (struct testcase_mark){ .name = NULL };
		}
		struct testcase_mark *mark = &m->at[in->index];
		if (mark->name)
			continue;
		size_t size = strnlen(in->name, sizeof in->name - 1) + 1;
		char *name = mem_alloc(size);
		memcpy(name, in->name, size - 1);
		*mark = (struct testcase_mark){ .name = name, .size = in->length < (1u << 20) ? (size_t)in->length : 0 };
	}
}

void restart_free(struct restart_marks *m)
{
	for (size_t i = 0; i < m->count; i++)
		free((char *)m->at[i].name);
	free(m->at);
}

static uint8_t letter(struct rng *r, bool nul)
{
	if (rng_below(r, ODD_SHARE))
		return (uint8_t)(' ' + rng_below(r, 95));
	uint8_t any = (uint8_t)rng_below(r, 256);
	return any || nul ? any : '\n';
}

static uint8_t *text(size_t size, bool nul, struct rng *r, struct arena *arena)
{
	uint8_t *bytes = arena_alloc(arena, size + 1);
	for (size_t i = 0; i < size; i++)
		bytes[i] = letter(r, nul);
	return bytes;
}

static const char *variable(const char *from, struct rng *r, struct arena *arena)
{
	const char *equals = strchr(from, '=');
	if (!equals)
		return from;
	return arena_printf(arena, "%.*s%s", (int)(equals + 1 - from), from, (char *)text(strlen(equals + 1), false, r, arena));
}

static const struct testcase_mark *values(const struct restart_marks *m, struct rng *r, struct arena *arena)
{
	struct testcase_mark *marks = arena_alloc(arena, (m->count + 1) * sizeof *marks);
	for (size_t i = 0; i < m->count; i++) {
		uint8_t *bytes = arena_alloc(arena, m->at[i].size + 1);
		for (size_t k = 0; k < m->at[i].size; k++)
			bytes[k] = (uint8_t)rng_below(r, 256);
		marks[i] = (struct testcase_mark){ m->at[i].name ? arena_strdup(arena, m->at[i].name) : "", bytes, m->at[i].size };
	}
	return marks;
}

struct testcase restart_empty(const struct testcase *first, struct arena *arena)
{
	struct testcase t = *first;
	struct testcase_file *files = arena_alloc(arena, (first->files_count + 1) * sizeof *files);
	for (size_t i = 0; i < first->files_count; i++) {
		files[i] = first->files[i];
		if (!files[i].fixed && files[i].type == TESTCASE_REGULAR)
			files[i].size = 0;
	}
	t.size = 0;
	t.files = files;
	return t;
}

struct testcase restart_input(const struct testcase *first, const struct restart_marks *m, struct rng *r, struct arena *arena)
{
	struct testcase t = *first;
	const char **args = arena_alloc(arena, (first->args_count + 1) * sizeof *args), **env = arena_alloc(arena, (first->env_count + 1) * sizeof *env);
	struct testcase_file *files = arena_alloc(arena, (first->files_count + 1) * sizeof *files);
	for (size_t i = 0; i < first->args_count; i++)
		args[i] = i ? (const char *)text(strlen(first->args[i]), false, r, arena) : first->args[i];
	for (size_t i = 0; i < first->env_count; i++)
		env[i] = variable(first->env[i], r, arena);
	for (size_t i = 0; i < first->files_count; i++) {
		files[i] = first->files[i];
		if (!files[i].fixed && files[i].type == TESTCASE_REGULAR)
			files[i].bytes = text(files[i].size, true, r, arena);
	}
	t.bytes = text(first->size, true, r, arena);
	t.args = args;
	t.env = env;
	t.files = files;
	t.marks = values(m, r, arena);
	t.marks_count = m->count;
	return t;
}
