/* See rounds.h. A branch that takes one side again and again, without the other in between, is taken to be a loop's, whatever it is. Of each side it is known how often it was taken in a row at most, and where such a row ended: the
 * choice there is to make it one longer. Loops grow side by side, the shortest first, as what they cost grows with them.
 *
 * Only branches of the function under test count. A side that was never taken is none of ours: that is what coverage is for. */
#include "search/rounds.h"

#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

enum { ENDS_MAX = 8, ROUNDS_MAX = 512 };

struct row {
	uint32_t now;          /* in the walk that is looked at */
	uint32_t longest;      /* of all walks */
	struct pick ends[ENDS_MAX]; /* where one as long as that ended, the newest last */
	uint32_t ends_count;
	bool is_listed;
};

struct rounds {
	struct world *world;
	struct row **rows;     /* by edge; NULL: it was not there yet */
	uint32_t count;
	VEC(uint32_t) listed;  /* edges whose rows have ended somewhere */
	VEC(uint32_t) met;     /* edges of the walk that is looked at */
};

struct rounds *rounds_new(struct world *w)
{
	struct rounds *r = mem_alloc(sizeof *r);
	r->world = w;
	return r;
}

void rounds_free(struct rounds *r)
{
	for (uint32_t e = 0; e < r->count; e++)
		free(r->rows[e]);
	free(r->rows);
	vec_free(&r->listed);
	vec_free(&r->met);
	free(r);
}

static bool is_own(const struct rounds *r, uint32_t edge)
{
	return edge < r->world->own_edges && r->world->own[edge];
}

static struct row *row_of(struct rounds *r, uint32_t edge)
{
	if (edge >= r->count) {
		r->rows = mem_resize_array(r->rows, r->world->own_edges, sizeof *r->rows);
		for (; r->count < r->world->own_edges; r->count++)
			r->rows[r->count] = NULL;
	}
	if (!r->rows[edge])
		r->rows[edge] = mem_alloc(sizeof **r->rows);
	return r->rows[edge];
}

static void end_row(struct rounds *r, uint32_t edge, struct row *row, const struct pick *p)
{
	if (!row->now || row->now < row->longest || row->now > ROUNDS_MAX)
		return;
	if (row->ends_count == ENDS_MAX)
		memmove(row->ends, row->ends + 1, --row->ends_count * sizeof *row->ends);
	row->ends[row->ends_count++] = *p;
	if (!row->is_listed)
		vec_push(&r->listed, edge);
	row->is_listed = true;
}

static void take_side(struct rounds *r, uint32_t edge)
{
	struct row *row = row_of(r, edge);
	if (!row->now++)
		vec_push(&r->met, edge);
	if (row->now > row->longest) {
		row->longest = row->now;
		row->ends_count = 0;
	}
}

/* A branch was looked at: one side was taken, and the row of the other is over. */
void rounds_meet(struct rounds *r, uint32_t walk)
{
	const struct walk *w = &r->world->walks.at[walk];
	vec_clear(&r->met);
	for (uint32_t i = 0; i < w->choices_count; i++) {
		const struct walk_choice *c = &w->choices[i];
		if (c->kind != CHOICE_BRANCH || c->step >= w->steps_count || !is_own(r, c->edge) || !is_own(r, w->steps[c->step].edge))
			continue;
		struct row *other = row_of(r, c->edge);
		end_row(r, c->edge, other, &(struct pick){ walk, *c });
		other->now = 0;
		take_side(r, w->steps[c->step].edge);
	}
	for (size_t i = 0; i < r->met.count; i++)
		r->rows[r->met.at[i]]->now = 0;
}

static void drop_answered(const struct rounds *r, struct row *row)
{
	while (row->ends_count && r->world->states[row->ends[row->ends_count - 1].choice.id] != CHOICE_OPEN)
		row->ends_count--;
}

bool rounds_choose(struct rounds *r, struct pick *out)
{
	struct row *best = NULL;
	for (size_t i = 0; i < r->listed.count;) {
		struct row *row = r->rows[r->listed.at[i]];
		drop_answered(r, row);
		if (!row->ends_count) {
			row->is_listed = false;
			r->listed.at[i] = r->listed.at[--r->listed.count];
			continue;
		}
		if (!best || row->longest < best->longest)
			best = row;
		i++;
	}
	if (best)
		*out = best->ends[--best->ends_count];
	return best;
}
