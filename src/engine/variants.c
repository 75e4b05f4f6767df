/* See variants.h. An argument that is added is a few letters, which the search shortens, lengthens and changes like any other; it comes last, or first, since options stand in front. */
#include "engine/variants.h"

#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

#define MORE_MAX 3u /* arguments more than any given input has */
#define ADDED "AAAAAA"

enum { ADD_LAST, ADD_FIRST, DROP_LAST, KINDS };

struct variant {
	uint32_t walk;
	unsigned kind;
};

struct variants {
	VEC(struct variant) queue;
	size_t most; /* arguments, the program's name counted */
};

struct variants *variants_new(const struct testcase *feeds, size_t count)
{
	struct variants *v = mem_alloc(sizeof *v);
	for (size_t i = 0; i < count; i++)
		if (feeds[i].args_count > 1 && feeds[i].args_count + MORE_MAX > v->most)
			v->most = feeds[i].args_count + MORE_MAX;
	return v;
}

void variants_free(struct variants *v)
{
	if (!v)
		return;
	vec_free(&v->queue);
	free(v);
}

void variants_add(struct variants *v, uint32_t walk, const struct testcase *t)
{
	for (unsigned kind = KINDS; kind-- > 0;) {
		bool fits = kind == DROP_LAST ? t->args_count > 1 : t->args_count < v->most;
		if (v->most && fits)
			vec_push(&v->queue, (struct variant){ walk, kind });
	}
}

bool variants_next(struct variants *v, uint32_t *walk, unsigned *kind)
{
	if (!v->queue.count)
		return false;
	struct variant last = v->queue.at[--v->queue.count];
	*walk = last.walk;
	*kind = last.kind;
	return true;
}

struct testcase variants_make(const struct testcase *from, unsigned kind, struct arena *arena)
{
	struct testcase t = *from;
	const char **args = arena_alloc(arena, (from->args_count + 2) * sizeof *args);
	size_t n = 0, kept = from->args_count - (kind == DROP_LAST);
	for (size_t i = 0; i < kept; i++) {
		args[n++] = from->args[i];
		if (i == 0 && kind == ADD_FIRST)
			args[n++] = ADDED;
	}
	if (kind == ADD_LAST)
		args[n++] = ADDED;
	t.args = args;
	t.args_count = n;
	return t;
}
