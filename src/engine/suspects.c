/* See suspects.h. */
#include "engine/suspects.h"

#include "base/arena.h"
#include "base/mem.h"
#include "base/vec.h"
#include "contract/report.h"
#include "engine/flip.h"

#define MOST 64 /* ever: their inputs are kept */

struct suspects {
	VEC(struct finding) all;
	size_t taken;
	struct arena *arena;
};

struct suspects *suspects_new(void)
{
	struct suspects *s = mem_alloc(sizeof *s);
	s->arena = arena_new();
	return s;
}

void suspects_free(struct suspects *s)
{
	if (!s)
		return;
	vec_free(&s->all);
	arena_free(s->arena);
	free(s);
}

static bool is_there(const struct suspects *s, uint64_t name)
{
	for (size_t i = s->taken; i < s->all.count; i++)
		if (s->all.at[i].name == name)
			return true;
	return false;
}

static const struct testcase *kept(const struct testcase *t, struct arena *a)
{
	struct testcase copy = t ? testcase_copy(t, a) : (struct testcase){0};
	return t ? arena_copy(a, &copy, sizeof copy) : NULL;
}

void suspects_add(struct suspects *s, const struct finding *f)
{
	struct finding copy = *f;
	if (s->all.count >= MOST || is_there(s, f->name))
		return;
	copy.feed = testcase_copy(&f->feed, s->arena);
	copy.original = kept(f->original, s->arena);
	copy.parent_feed = kept(f->parent_feed, s->arena);
	copy.report = f->report ? arena_copy(s->arena, f->report, sizeof *f->report) : NULL;
	copy.flip = f->flip ? arena_copy(s->arena, f->flip, sizeof *f->flip) : NULL;
	vec_push(&s->all, copy);
}

size_t suspects_count(const struct suspects *s)
{
	return s->all.count - s->taken;
}

bool suspects_take(struct suspects *s, struct finding *out)
{
	if (s->taken == s->all.count)
		return false;
	*out = s->all.at[s->taken++];
	return true;
}
