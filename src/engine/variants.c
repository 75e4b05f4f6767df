/* See variants.h. An argument that is added is a few letters, which the search shortens, lengthens and changes like any other; it comes last, or first, since options stand in front. A solver makes an
 * argument longer by one letter in a run; a script or a pattern wants many, within it rather than behind it: so the longest argument is stretched, by copies of a letter of its own. */
#include "engine/variants.h"

#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

#define MORE_MAX 3u /* arguments more than any given input has */
#define ADDED "AAAAAA"
#define STRETCH 4u
#define STRETCHED_MAX 64u

enum { ADD_LAST, ADD_FIRST, DROP_LAST, STRETCH_MIDDLE, STRETCH_END, KINDS };

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

/* The number of the longest argument; 0: there is none. */
static size_t longest(const struct testcase *t)
{
	size_t best = 0;
	for (size_t i = 1; i < t->args_count; i++)
		if (!best || strlen(t->args[i]) >= strlen(t->args[best]))
			best = i;
	return best;
}

static bool is_possible(const struct variants *v, const struct testcase *t, unsigned kind)
{
	size_t length = longest(t) ? strlen(t->args[longest(t)]) : 0;
	switch (kind) {
	case DROP_LAST: return t->args_count > 1;
	case STRETCH_MIDDLE: return length > 2 && length + STRETCH <= STRETCHED_MAX;
	case STRETCH_END: return length && length + STRETCH <= STRETCHED_MAX;
	default: return t->args_count < v->most;
	}
}

void variants_add(struct variants *v, uint32_t walk, const struct testcase *t)
{
	for (unsigned kind = KINDS; kind-- > 0;)
		if (v->most && is_possible(v, t, kind))
			vec_push(&v->queue, (struct variant){ walk, kind });
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

static const char *stretched(const char *text, bool middle, struct arena *arena)
{
	size_t n = strlen(text), at = middle ? (n - 1) / 2 : n - 1;
	char *longer = arena_alloc(arena, n + STRETCH + 1);
	memcpy(longer, text, at);
	memset(longer + at, text[at], STRETCH);
	memcpy(longer + at + STRETCH, text + at, n - at + 1);
	return longer;
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
	if (kind == STRETCH_MIDDLE || kind == STRETCH_END)
		args[longest(from)] = stretched(args[longest(from)], kind == STRETCH_MIDDLE, arena);
	t.args = args;
	t.args_count = n;
	return t;
}
