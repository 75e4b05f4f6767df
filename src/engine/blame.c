/* Conditions are dropped, many at once and then one by one, as long as the rest is still impossible. What has nothing to do with the question is dropped without asking: the slice says so.
 * Every set that is asked about is a path of its own, which is dear for a long one, and may be harder than all together: so questions and time are bounded. A set that is not the least one is
 * still to blame. */
#include "engine/blame.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

enum { QUESTIONS = 400 };
#define SECONDS 10.0

struct blamer {
	struct solver *solver;
	const struct path_source *from;
	const struct question *question;
	struct arena *arena;
	struct err *err;
	VEC(uint32_t) kept;      /* demands, by number */
	unsigned asked;
	double start;
	bool failed;
};

static bool is_over(const struct blamer *b)
{
	return b->failed || b->asked >= QUESTIONS || clock_seconds() - b->start > SECONDS;
}

/* Is it impossible with these alone? */
static bool is_refuted(struct blamer *b, const uint32_t *demands, size_t count)
{
	struct conjunct *parts = arena_alloc(b->arena, (count + 1) * sizeof *parts);
	struct path_source from = *b->from;
	struct answer a;
	for (size_t i = 0; i < count; i++)
		parts[i] = b->from->demands[demands[i]];
	from.demands = parts;
	from.count = count;
	struct path *path = path_new(&from);
	struct question q = { path, count, b->question->goals, b->question->goals_count };
	b->failed = !solver_check(b->solver, &q, b->arena, &a, b->err);
	b->asked++;
	path_free(path);
	return !b->failed && a.verdict == VERDICT_UNSAT && !a.incomplete;
}

/* What the slice has nothing of cannot matter. */
static void start(struct blamer *b, bool with_losses)
{
	const struct path_source *from = b->from;
	struct slice s = path_slice(b->question, with_losses, b->arena);
	bool *matters = arena_alloc(b->arena, from->terms.count);
	for (size_t i = 0; i + s.goals < s.count; i++)
		matters[s.parts[i].node] = true;
	for (size_t i = 0; i < b->question->prefix; i++)
		if (matters[from->demands[i].node] && (with_losses || from->demands[i].kind != CONJUNCT_LOSS))
			vec_push(&b->kept, (uint32_t)i);
}

/* Without those from `first` on, if that is still impossible. */
static bool drop(struct blamer *b, size_t first, size_t size)
{
	size_t rest = b->kept.count - first - size;
	uint32_t *without = arena_alloc(b->arena, (b->kept.count + 1) * sizeof *without);
	memcpy(without, b->kept.at, first * sizeof *without);
	memcpy(without + first, b->kept.at + first + size, rest * sizeof *without);
	if (!is_refuted(b, without, first + rest))
		return false;
	memcpy(b->kept.at, without, (first + rest) * sizeof *without);
	b->kept.count = first + rest;
	return true;
}

static void reduce(struct blamer *b)
{
	for (size_t size = b->kept.count; size; size /= 2)
		for (size_t at = 0; at < b->kept.count && !is_over(b);) {
			size_t part = b->kept.count - at < size ? b->kept.count - at : size;
			if (!drop(b, at, part))
				at += part;
		}
}

bool blame_find(struct solver *s, const struct demands *d, const struct flip *f, bool with_losses, struct arena *arena, struct blame *out, struct err *err)
{
	struct question q = flip_question(d, f, arena);
	struct blamer b = { .solver = s, .from = path_source(q.path), .question = &q, .arena = arena, .err = err, .start = clock_seconds() };
	start(&b, with_losses);
	reduce(&b);
	uint32_t *events = arena_alloc(arena, (b.kept.count + 1) * sizeof *events);
	*out = (struct blame){ .events = events, .least = !is_over(&b) };
	for (size_t i = 0; i < b.kept.count; i++) {
		uint32_t event = flip_demands_events(d)[b.kept.at[i]];
		if (!out->count || events[out->count - 1] != event)
			events[out->count++] = event;
	}
	vec_free(&b.kept);
	return !b.failed;
}
